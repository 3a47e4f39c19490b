// How the body of a request is read, as its route says.

/**
 * How the body becomes parameters. `wordpress`: by its Content-Type. `bytes`: JSON whatever the Content-Type
 * says, unless that is a form's and the body begins like neither an object nor a list; the bytes are kept
 * beside it. `lenient-bytes`: the same, and broken text is replaced in place of being refused or lost.
 * `stream`: not read at all.
 */
export type BodyPolicy = 'wordpress' | 'bytes' | 'lenient-bytes' | 'stream';

/** Whether a body is JSON whatever its Content-Type says. */
export function isOfBytes(policy: BodyPolicy): boolean {
  return policy === 'bytes' || policy === 'lenient-bytes';
}

/** How a body is to be read, as its route says. */
export type SetAside = {
  readonly policy: BodyPolicy;
  readonly limits: { readonly formBytesMax: number; readonly fileBytesMax: number };
};
