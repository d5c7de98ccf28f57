/** For the shells: the digest that the ledger, the claim and the presets share. */
export { sha256Hex } from "./schemes/digest.ts";
