// The bytes of a request's body, bounded. Inflating is the affair of whoever hands in a reader of their own.
import type { IncomingMessage } from 'node:http';
import { WpError } from '../response/wp-error.ts';

type BodyLimits = {
  /** Bytes as they come. */
  readonly bodyBytesMax: number;
  /** Bytes once inflated, for readers that inflate. */
  readonly inflatedBytesMax: number;
  /** Whether the body may be base64 of JSON, for readers that decode it. */
  readonly takesBase64?: boolean;
  /** Whether the body may be read in another thread, however small it is. */
  readonly mayGoAside?: boolean;
};

/**
 * Reads a body; throws an error of the API when it is too large, and what the stream throws when it breaks
 * off.
 */
export type BodyReader = (incoming: IncomingMessage, limits: BodyLimits) => Promise<Buffer>;

/**
 * Reads the bytes as they come; `rest_payload_too_large` past the limit, looked up in Content-Length first.
 */
export const readPlainBody: BodyReader = async (incoming, limits) => {
  if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytesMax) {
    throw tooLarge(limits.bodyBytesMax);
  }
  return collect(incoming, limits.bodyBytesMax);
};

/** Past the limit the rest is let go by unread, so that the answer can still be sent. */
function collect(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else reject(tooLarge(bytesMax));
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Error('the request broke off')));
  });
}

function tooLarge(bytesMax: number): WpError {
  return new WpError(
    'rest_payload_too_large',
    `The request body is larger than the limit of ${bytesMax} bytes.`,
    { status: 413, limit: bytesMax },
  );
}
