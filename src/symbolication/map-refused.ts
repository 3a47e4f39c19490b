// The one refusal of this room: a source map that is broken, too large or built to hurt.

/** Thrown for a map that cannot be used. The message is one sentence for the person who uploaded it. */
export class MapRefused extends Error {
  override readonly name = 'MapRefused';
}
