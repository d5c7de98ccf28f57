/** The two Node modules of the Workers runtime that store/ touches, as far as it touches them: src has no Node types. */
declare module "node:events" {
  export class EventEmitter {
    on(event: string, listener: (value: unknown) => void): this;
    emit(event: string, value?: unknown): boolean;
  }
}

declare module "node:buffer" {
  export const Buffer: { from(bytes: ArrayBufferLike, byteOffset: number, length: number): Uint8Array };
}
