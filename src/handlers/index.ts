/** THE USER'S. What each event does. */
import { creditBalance } from "./credit-balance.ts";

export const handlers = [creditBalance];
