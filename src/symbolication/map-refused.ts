import type { Refusals } from '../workers/replies.ts';

/** A broken, too large or malicious source map. The message is shown to the uploader. */
export class MapRefused extends Error {
  override readonly name = 'MapRefused';
}

export const mapRefusals: Refusals = {
  posted: (error) => (error instanceof MapRefused ? error.message : null),
  error: (posted) => new MapRefused(String(posted)),
};
