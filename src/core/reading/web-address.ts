// Addresses of web pages as callers write them: read in one place, so that one text never means two hosts.
// Pure.

/** Longer than any address that a browser or a proxy lets through. */
const addressCharactersMax = 8192;

/**
 * The host of an http or https address in its one spelling: lower-case ASCII, no port, no root dot. Null for
 * anything else, the text `null` of an opaque origin included.
 */
export function hostOfUrl(text: string): string | null {
  if (text.length > addressCharactersMax || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return url.hostname.replace(/\.$/, '') || null;
}

/** An http or https origin as browsers send it; null for what says more than an origin, or less. */
export function webOriginOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.href === `${url.origin}/` ? url.origin : null;
}
