import { hmacValidator } from "@adyen/api-library";
import { withHeaders, type Oracle, type OracleRequest } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

/** The package's class, as the plain object that JSON gives. */
type Item = Omit<Parameters<InstanceType<typeof hmacValidator>["validateHMAC"]>[0], never>;
interface Notification {
  readonly live: string;
  readonly notificationItems: readonly { readonly NotificationRequestItem: Item }[];
}

const parse = (request: OracleRequest): Notification => JSON.parse(request.body) as Notification;
const withItems = (request: OracleRequest, change: (item: Item) => Item): OracleRequest => {
  const notification = parse(request);
  const notificationItems = notification.notificationItems.map((entry) => ({ NotificationRequestItem: change(entry.NotificationRequestItem) }));
  return { ...request, body: JSON.stringify({ ...notification, notificationItems }) };
};

const item = (members: Readonly<Record<string, unknown>>) => ({
  NotificationRequestItem: {
    additionalData: {},
    amount: { currency: "EUR", value: 1130 },
    eventCode: "AUTHORISATION",
    eventDate: "2026-01-01T00:00:00+01:00",
    merchantAccountCode: "TestMerchant",
    merchantReference: "order-1",
    operations: [],
    paymentMethod: "visa",
    pspReference: "7914073381342284",
    reason: "",
    success: "true",
    ...members,
  },
});
const notification = (...items: readonly unknown[]): string => JSON.stringify({ live: "false", notificationItems: items });

export default {
  provider: "adyen",
  package: "@adyen/api-library",
  secrets: sharedHex(),
  sign: async (delivery, key) =>
    withHeaders(
      withItems(delivery, (item) => ({
        ...item,
        additionalData: { ...item.additionalData, hmacSignature: new hmacValidator().calculateHmac(item, key) },
      })),
      {},
    ),
  verify: async (request, key) =>
    parse(request).notificationItems.every(({ NotificationRequestItem: item }) =>
      item.additionalData?.["hmacSignature"] === undefined ? false : new hmacValidator().validateHMAC(item, key),
    ),
  tamper: (request) => withItems(request, (item) => ({ ...item, merchantReference: `${item.merchantReference}0` })),
  bodies: [
    notification(item({})),
    notification(item({ originalReference: "8815", eventCode: "REFUND", success: "false" })),
    notification(item({ merchantReference: "Zoë ☕ 日本語 😀 a:b\\c" })),
    notification(item({ pspReference: "1" }), item({ pspReference: "2", amount: { currency: "JPY", value: 0 } })),
  ],
  quirks: [
    "The signature is inside the body, one for each item, and covers eight fields joined by `:` without escaping.",
    "Verifies one item a call; that every item is verified is the adapter's doing.",
    "Throws, rather than refuses, on an item without a signature.",
    "Compares decoded base64, so other spellings of the same bytes pass.",
    "A value that is not a scalar is signed as JavaScript prints it: [1130] as 1130.",
  ],
} satisfies Oracle;
