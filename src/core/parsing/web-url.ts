// Parses web addresses in one place, so that a text never means two hosts.

/** Longer than browsers and proxies allow. */
const addressCharactersMax = 8192;

/** Lower-case ASCII, without port and trailing dot. Null unless http(s). */
export function parseUrlHost(text: string): string | null {
  if (text.length > addressCharactersMax || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return url.hostname.replace(/\.$/, '') || null;
}

/** Null if it is not exactly an http(s) origin. */
export function parseWebOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.href === `${url.origin}/` ? url.origin : null;
}

/** A local path with query, safe for a header; `/` for anything that could lead to another host. */
export function toLocalPath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return '/';
  return path.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}
