/** CloudEvents' abuse protection: https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection */

/** A DNS name, as the specification has it: no list, no port, no `*`. */
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const ORIGIN = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
/** "The string representation of a positive integer number greater than zero". */
const RATE = /^[1-9][0-9]{0,8}$/;

/**
 * The headers that allow the sender to deliver; null: the request asks for nothing that could be allowed. The origin goes back as it came, never `*`: only who
 * asks is answered. `webhook-request-callback` is not followed: it is an address of the sender's choice.
 */
export function allowedSender(headers: Headers): { readonly origin: string; readonly headers: Readonly<Record<string, string>> } | null {
  const origin = headers.get("webhook-request-origin") ?? "";
  if (!ORIGIN.test(origin)) return null;
  const rate = headers.get("webhook-request-rate") ?? "";
  // Both go back where permission is given; `*` is no limit of ours, and 429 is there for what is too much.
  return { origin, headers: { allow: "POST", "webhook-allowed-origin": origin, "webhook-allowed-rate": RATE.test(rate) ? rate : "*" } };
}
