/** Alerts: what is open, and what was closed within a day. */
import { alertText } from "../core/alerts.ts";
import { ALERTS_SHOWN } from "../core/limits.ts";
import type { AlertView } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { listAlerts } from "../store/statements/list-alerts.ts";
import type { Desk } from "./desk.ts";

const CLOSED_WITHIN_MS = 24 * 60 * 60_000;

export type AlertInWords = AlertView & { readonly text: string };

export async function seeAlerts({ db, config }: Pick<Desk, "db" | "config">): Promise<readonly AlertInWords[]> {
  const alerts = await reading(db, config.timings, (tx) => listAlerts(tx, CLOSED_WITHIN_MS, ALERTS_SHOWN));
  return alerts.map((view) => ({ ...view, text: alertText(view.alert) }));
}
