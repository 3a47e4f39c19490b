// A request's headers as PHP behind a web server is given them.
import type { IncomingMessage } from 'node:http';
import { textFromBytes } from '../php/text.ts';

/**
 * Headers by name, as `headerKey` writes it. A header that comes twice counts once, the last one, except
 * Content-Type, of which the first does; names that hold `_` themselves are dropped.
 */
export function readHeaders(incoming: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.includes('_')) continue;
    const key = headerKey(name);
    if (key === 'content_type' && headers.has(key)) continue;
    headers.set(key, headerText(raw[index + 1] as string));
  }
  return headers;
}

/** Names as they come in requests are few; whoever invents more pays for the writing alone. */
const keysMax = 500;
const keptCharactersMax = 64;
const keys = new Map<string, string>();

/** The name of a header in lower case with `_` for `-`, by which any spelling of it is found. */
export function headerKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = name.toLowerCase().replaceAll('-', '_');
  if (keys.size < keysMax && name.length <= keptCharactersMax) keys.set(name, key);
  return key;
}

/** The text of a header's value. Node hands values over as Latin-1; they are bytes. */
export function headerText(value: string): string {
  return /^[\x00-\x7f]*$/.test(value) ? value.trim() : textFromBytes(Buffer.from(value.trim(), 'latin1'));
}
