// Addresses that came from outside and must lead to a page of ours. Pure.

/**
 * A path of ours below the base with its query, as a header takes it, or `/` for what could lead to another
 * host.
 */
export function ownPath(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked)) return '/';
  return asked.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}
