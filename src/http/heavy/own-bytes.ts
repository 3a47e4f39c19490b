// Bytes that go to a thread, and their memory, which goes along instead of being copied once more.

/** A copy of its own for the thread: what a socket handed over may share its memory with other requests. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Whether bytes have their memory to themselves. */
export function isWhole(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}

/** What is to be handed over with them. */
export function memoryOf(bytes: Uint8Array): ArrayBuffer[] {
  return isWhole(bytes) ? [bytes.buffer] : [];
}
