/**
 * `wordpress`: parsed by Content-Type. `bytes`: parsed as JSON whatever the Content-Type, unless it is a
 * form's and the body does not begin with `{` or `[`; the raw bytes are kept. `lenient-bytes`: the same, and
 * invalid UTF-8 is replaced instead of refused. `stream`: not read.
 */
export type BodyPolicy = 'wordpress' | 'bytes' | 'lenient-bytes' | 'stream';

export function isOfBytes(policy: BodyPolicy): boolean {
  return policy === 'bytes' || policy === 'lenient-bytes';
}

export type SetAside = {
  readonly policy: BodyPolicy;
  readonly limits: { readonly formBytesMax: number; readonly fileBytesMax: number };
};
