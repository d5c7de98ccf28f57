/** Tells the receiver of alerts that it is reached: so that nobody finds out at night that it is not. */
import { post } from "../alerts/post.ts";
import type { Operator } from "../core/operators.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { writeAudit } from "../store/statements/write-audit.ts";
import type { Desk } from "./desk.ts";
import type { OrderRefusal } from "./refusal.ts";

export async function orderAlertTest({ db, config }: Desk, operator: Operator): Promise<Result<"taken", OrderRefusal>> {
  const { alertWebhookUrl: url, timings } = config;
  if (url === null) return failed({ reason: "no_alert_receiver" });
  await writeAudit(db, operator, "alert_tested", {}, {});
  const problem = await post(url, { text: "Holdfast\nThis is a test: alerts arrive here." }, timings);
  return problem === null ? ok("taken") : failed({ reason: "alert_not_taken", problem });
}
