/** Where a claim's record and bytes lie in its object: one record with the bytes inside it, chunks beside it for large ones. */
import type { Claim } from "../core/claim.ts";
import { owned } from "../core/event.ts";
import { CHUNK_BYTES, RECORD_BODY_LIMIT_BYTES } from "../core/limits.ts";

const RECORD = "claim";
const chunkKey = (index: number): string => `chunk:${index}`;

/** One value, so that a claim costs one row. `chunks`: how many lie beside it. */
interface StoredClaim {
  readonly claim: Claim;
  readonly body: Uint8Array | null;
  readonly chunks: number;
}

export type BytesChange = { readonly kind: "put"; readonly bytes: Uint8Array } | { readonly kind: "keep" } | { readonly kind: "drop" };

export class ClaimStorage {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  read(): Claim | null {
    return this.#stored()?.claim ?? null;
  }

  /** The kept bytes in a buffer of their own; null: none are kept. */
  bytes(): Uint8Array<ArrayBuffer> | null {
    const stored = this.#stored();
    if (stored === undefined) return null;
    if (stored.body !== null) return owned(stored.body);
    if (stored.chunks === 0) return null;
    const chunks = Array.from({ length: stored.chunks }, (_, index) => this.#kv.get<Uint8Array>(chunkKey(index)) ?? new Uint8Array(0));
    const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
    let offset = 0;
    for (const chunk of chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return whole;
  }

  /** All writes of one call stand in one transaction: no await between them. */
  write(claim: Claim, change: BytesChange): void {
    const before = this.#stored();
    switch (change.kind) {
      case "keep":
        this.#kv.put(RECORD, { claim, body: before?.body ?? null, chunks: before?.chunks ?? 0 } satisfies StoredClaim);
        return;
      case "drop":
        this.#dropChunks(0, before?.chunks ?? 0);
        this.#kv.put(RECORD, { claim, body: null, chunks: 0 } satisfies StoredClaim);
        return;
      case "put": {
        const { bytes } = change;
        const inside = bytes.byteLength <= RECORD_BODY_LIMIT_BYTES;
        const chunks = inside ? 0 : Math.ceil(bytes.byteLength / CHUNK_BYTES);
        for (let index = 0; index < chunks; index++) this.#kv.put(chunkKey(index), bytes.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
        this.#dropChunks(chunks, before?.chunks ?? 0);
        this.#kv.put(RECORD, { claim, body: inside ? owned(bytes) : null, chunks } satisfies StoredClaim);
        return;
      }
    }
  }

  #stored(): StoredClaim | undefined {
    return this.#kv.get<StoredClaim>(RECORD);
  }

  #dropChunks(from: number, to: number): void {
    for (let index = from; index < to; index++) this.#kv.delete(chunkKey(index));
  }
}
