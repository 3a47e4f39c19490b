/** A copy, since a socket's buffer may be shared with other requests. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

export function ownsItsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}

export function toTransferList(bytes: Uint8Array): ArrayBuffer[] {
  return ownsItsMemory(bytes) ? [bytes.buffer] : [];
}
