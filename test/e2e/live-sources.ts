/** The providers whose packages sign, and whose events a running instance takes as they come from the package. */
export const SIGNING: readonly string[] = [
  "adyen",
  "box",
  "coinbase-commerce",
  "contentful",
  "github",
  "hubspot",
  "mollie",
  "notion",
  "pusher",
  "sanity",
  "standard",
  "stripe",
  "svix",
  "twilio",
  "workos",
];
