/** The parts that we call of packages without types. */

declare module "messagebird/lib/webhook-signature-jwt.js" {
  import type { KeyObject } from "node:crypto";
  export function verify(url: string, payload: Buffer, jwt: string, key: KeyObject): Promise<true>;
}

declare module "pusher/lib/token.js" {
  export default class Token {
    constructor(key: string, secret: string);
    sign(text: string): string;
  }
}

declare module "plivo" {
  const plivo: {
    validateV3Signature(
      method: string,
      url: string,
      nonce: string,
      authToken: string,
      signatures: string,
      parameters: Record<string, unknown>,
    ): boolean;
  };
  export default plivo;
}
