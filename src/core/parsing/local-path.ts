/** A local path with query, safe for a header; `/` for anything that could lead to another host. */
export function toLocalPath(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked)) return '/';
  return asked.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}
