/** `wordpress`: by Content-Type. `bytes`: JSON whatever the Content-Type, unless a form that does not begin with `{`
 * or `[`; keeps the bytes. `lenient-bytes`: invalid UTF-8 is replaced, not refused. `stream`: not read. */
export type BodyPolicy = 'wordpress' | 'bytes' | 'lenient-bytes' | 'stream';

export function isBytePolicy(policy: BodyPolicy): boolean {
  return policy === 'bytes' || policy === 'lenient-bytes';
}

export type DeferredBody = {
  readonly policy: BodyPolicy;
  readonly limits: { readonly formBytesMax: number; readonly fileBytesMax: number };
};
