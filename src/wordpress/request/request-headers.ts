// A request's headers as PHP behind a web server is given them.
import type { IncomingMessage } from 'node:http';
import { textFromBytes } from '../php/text.ts';

/**
 * Headers by name, lower case with `_` for `-`. A header that comes twice counts once, the last one, except
 * Content-Type, of which the first does; names that hold `_` themselves are dropped.
 */
export function readHeaders(incoming: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    if (name.includes('_')) continue;
    const key = name.replaceAll('-', '_');
    if (key === 'content_type' && headers.has(key)) continue;
    headers.set(key, headerText(raw[index + 1] as string));
  }
  return headers;
}

/** The text of a header's value. Node hands values over as Latin-1; they are bytes. */
export function headerText(value: string): string {
  return /^[\x00-\x7f]*$/.test(value) ? value.trim() : textFromBytes(Buffer.from(value.trim(), 'latin1'));
}
