// What WordPress makes of a Content-Type header. Reads no body.
import { lowerAscii, trimBlanks } from '../php/text.ts';

/** A Content-Type taken apart, each part trimmed; `value`, `type` and `subtype` in lower case. */
export type ContentType = {
  readonly value: string;
  readonly type: string;
  readonly subtype: string;
  readonly parameters: string;
};

/**
 * The parts of a Content-Type header, or null where WordPress sees none: absent, empty, `0`, or without a
 * slash. Parameters are what follows the first `;`, unless that comes first.
 */
export function parseContentType(header: string | null | undefined): ContentType | null {
  if (header === null || header === undefined || header === '' || header === '0') return null;
  const semicolon = header.indexOf(';');
  const value = lowerAscii(semicolon > 0 ? header.slice(0, semicolon) : header);
  const slash = value.indexOf('/');
  if (slash < 0) return null;
  return {
    value: trimBlanks(value),
    type: trimBlanks(value.slice(0, slash)),
    subtype: trimBlanks(value.slice(slash + 1)),
    parameters: semicolon > 0 ? trimBlanks(header.slice(semicolon + 1)) : '',
  };
}

/**
 * Whether a body of this type is read as JSON: `application/json`, `…+json`, `json+oembed`, or a list with
 * one.
 */
export function isJsonContentType(contentType: ContentType | null): boolean {
  return contentType !== null && jsonMediaType.test(contentType.value);
}

// The range from & to ^ is WordPress's own; it takes in digits, capitals and most punctuation. The blanks are
// PCRE's.
const jsonMediaType =
  /(?:^|[ \t\n\v\f\r]|,)application\/(?:[A-Za-z0-9_!#$&-^.+]+\+)?json(?:\+oembed)?(?:$|[ \t\n\v\f\r]|;|,)/i;
