/** Every fault point of the consumers behind a commit or a failure, and of the sweep, on the real stack. */
import { crashTests } from "./stack.ts";

crashTests("conclusion");
