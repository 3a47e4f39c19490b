import type { ErrorCodec } from '../workers/error-codec.ts';

/** A broken, too large or malicious source map. The message is shown to the uploader. */
export class SourceMapError extends Error {
  override readonly name = 'MapRefused';
}

export const sourceMapErrorCodec: ErrorCodec = {
  posted: (error) => (error instanceof SourceMapError ? error.message : null),
  error: (posted) => new SourceMapError(String(posted)),
};
