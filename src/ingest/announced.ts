/** Pure. What is known of a delivery whose body was refused unread: for an operator who has to ask the provider for it again. Nobody has verified it. */
import type { Delivery } from "../core/delivery.ts";
import type { LogFields } from "../log.ts";
import { announcedId } from "../providers/identify.ts";
import type { Provider } from "../providers/provider.ts";
import { declaredLength } from "./body.ts";

export function announced(provider: Provider, delivery: Delivery): LogFields {
  const eventId = announcedId(provider, delivery);
  const bytes = declaredLength(delivery.headers);
  return { ...(eventId === null ? {} : { eventId }), ...(bytes === null ? {} : { bytes }) };
}
