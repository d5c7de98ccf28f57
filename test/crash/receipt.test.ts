/** Every fault point of ingest and the claim, on the real stack. */
import { crashTests } from "./stack.ts";

crashTests("receipt");
