/** Every fault point of the consumer up to its commit, and of a split up to its messages, on the real stack. */
import { crashTests } from "./stack.ts";

crashTests("run");
