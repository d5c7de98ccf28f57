/** The explorer's crash points are the shells' own (src/fault-points.ts): all of them, but for what lies outside of one event's world. */
import { FAULT_POINTS, type FaultPoint } from "../../src/fault-points.ts";

/** Each with what looks at it instead. */
export const OUTSIDE: Readonly<Partial<Record<FaultPoint, string>>> = {
  "consume.split": "a delivery that is split makes many events: test/integration and test/fault",
  "consume.split_sent": "a delivery that is split makes many events: test/integration and test/fault",
  "dead_letter.passed_on": "a message of another version is nobody's event yet: test/integration",
};

export const CRASH_POINTS: readonly FaultPoint[] = FAULT_POINTS.filter((point) => OUTSIDE[point] === undefined);
