import type { IncomingMessage } from 'node:http';
import { WpError } from '../response/wp-error.ts';

type BodyLimits = {
  readonly bodyBytesMax: number;
  readonly inflatedBytesMax: number;
  readonly takesBase64?: boolean;
  /** Whether the body may be read in a worker even if it is small. */
  readonly mayUseWorker?: boolean;
};

/** Throws an error of the API when the body is too large, and the stream's error when it breaks off. */
export type BodyReader = (incoming: IncomingMessage, limits: BodyLimits) => Promise<Buffer>;

/** 413 `rest_payload_too_large` past the limit; Content-Length is checked first. */
export const readPlainBody: BodyReader = async (incoming, limits) => {
  if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytesMax) {
    throw tooLarge(limits.bodyBytesMax);
  }
  return collect(incoming, limits.bodyBytesMax);
};

/** Past the limit the stream keeps flowing and is discarded, so that the answer can be sent. */
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
    incoming.once('close', () => reject(new Error('the request was interrupted')));
  });
}

function tooLarge(bytesMax: number): WpError {
  return new WpError(
    'rest_payload_too_large',
    `The request body is larger than the limit of ${bytesMax} bytes.`,
    { status: 413, limit: bytesMax },
  );
}
