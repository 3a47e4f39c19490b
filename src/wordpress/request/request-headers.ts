import type { IncomingMessage } from 'node:http';
import { decodePhpString } from '../php/strings.ts';

/** As PHP gets them: of repeated ones the last, but the first Content-Type. Names with `_` are dropped. */
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

/** Limits of the cache of header names, which clients choose. */
const keysMax = 500;
const keptCharactersMax = 64;
const keys = new Map<string, string>();

/** Lower case with `_` for `-`, as WordPress stores header names. */
export function headerKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = name.toLowerCase().replaceAll('-', '_');
  if (keys.size < keysMax && name.length <= keptCharactersMax) keys.set(name, key);
  return key;
}

/** Node decodes header values as Latin-1; this reads their bytes as UTF-8. */
export function headerText(value: string): string {
  return /^[\x00-\x7f]*$/.test(value) ? value.trim() : decodePhpString(Buffer.from(value.trim(), 'latin1'));
}
