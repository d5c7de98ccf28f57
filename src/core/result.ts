/** Pure. Expected failures are data: a tagged union, never an exception. */

export type Result<Value, Failure> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });
export const failed = <Failure>(failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure });
