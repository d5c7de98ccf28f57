/** Pure. Times as operators write them: ISO 8601, UTC where no zone is given, or epoch milliseconds. */

const ISO = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(\.\d{1,3})?\d*(Z|[+-]\d\d:?\d\d)?)?$/;
/** What Postgres and JavaScript both hold: years 0 to 9999. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Epoch ms; null: no time that is or will be. */
export function momentMs(text: string): number | null {
  const ms = /^\d{1,15}$/.test(text) ? Number(text) : isoMs(text);
  return ms !== null && ms >= 0 && ms <= LAST_MS ? ms : null;
}

function isoMs(text: string): number | null {
  const [, day, minute = "00:00", second = ":00", fraction = "", zone = "Z"] = ISO.exec(text) ?? [];
  if (day === undefined) return null;
  // 31 February is 3 March to some parsers: the day must come back as it went in.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const ms = Date.parse(`${day}T${minute}${second}${fraction}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(ms) ? null : ms;
}
