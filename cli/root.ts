/** Where the checkout is: every path of the commands starts here, whatever folder they were called from. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
