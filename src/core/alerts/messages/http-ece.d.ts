// The part of http_ece, which has no types, that webpush.ts and its test use.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Parameters {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    /** Public key of the other side; in what is decrypted by default. */
    readonly dh?: string;
    readonly authSecret: string;
  }

  export function encrypt(plain: Buffer, parameters: Parameters): Buffer;
  export function decrypt(encrypted: Buffer, parameters: Parameters): Buffer;
}
