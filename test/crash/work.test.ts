/** Every fault point of the consumers, on the real stack. */
import { crashTests } from "./stack.ts";

crashTests("consume", "dead_letter");
