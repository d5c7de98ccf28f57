/** Who gives an order from a terminal: the name that the audit shows beside it. */

/** A header's value; the Worker bounds its length. */
const FITS = /^[\x20-\x7e]+$/;

/** HOLDFAST_OPERATOR, or the name of the account. Null: neither can be sent, and the audit says `admin token`. */
export function operatorNameIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const { HOLDFAST_OPERATOR: given, USER, LOGNAME, USERNAME } = env;
  if (given !== undefined && given.trim() !== "") {
    if (!FITS.test(given)) throw new Error(`HOLDFAST_OPERATOR is ${JSON.stringify(given)}: it has to be plain ASCII, since it is sent in a header.`);
    return given.trim();
  }
  return [USER, LOGNAME, USERNAME].find((name) => name !== undefined && FITS.test(name) && name.trim() !== "") ?? null;
}
