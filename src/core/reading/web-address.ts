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
