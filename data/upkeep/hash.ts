// The sha256 of a file of any size.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Of each of two blocks: one is read while the other is hashed. */
const blockBytes = 1024 * 1024;

/**
 * Reads a file once and answers its sha256 in hexadecimal. A stream takes half as long again: it reads each
 * block into memory of its own, and reads nothing while a block is hashed.
 */
export async function sha256Of(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let [filled, free] = [Buffer.allocUnsafeSlow(blockBytes), Buffer.allocUnsafeSlow(blockBytes)];
    let reading = file.read(filled);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return hash.digest('hex');
      reading = file.read(free);
      hash.update(filled.subarray(0, bytesRead));
      [filled, free] = [free, filled];
    }
  } finally {
    await file.close();
  }
}
