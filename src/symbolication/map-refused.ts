// The one refusal of this folder: a source map that is broken, too large or built to hurt.
import type { Refusals } from '../workers/replies.ts';

/** Thrown for a map that cannot be used. The message is one sentence for the person who uploaded it. */
export class MapRefused extends Error {
  override readonly name = 'MapRefused';
}

/** How it goes from thread to thread. */
export const mapRefusals: Refusals = {
  posted: (error) => (error instanceof MapRefused ? error.message : null),
  error: (posted) => new MapRefused(String(posted)),
};
