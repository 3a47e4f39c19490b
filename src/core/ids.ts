/** Parses a numeric id: 1 to 15 digits, no sign, no leading zero. Null for any other text. */
export function parseId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** An event id as 32 lower-case hex digits, from 32 hex digits or a dashed UUID; null if it is neither. */
export function parseEventId(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const trimmed = text.trim();
  if (/^[0-9a-f]{32}$/i.test(trimmed)) return trimmed.toLowerCase();
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(trimmed)) return null;
  return trimmed.replaceAll('-', '').toLowerCase();
}

type RandomBytes = (count: number) => Buffer;

const idBytes = 16;
/** One call for many ids: a call to the random generator costs the same for any number of bytes. */
const idsDrawn = 256;
const pools = new WeakMap<RandomBytes, { readonly bytes: Buffer; at: number }>();

/** A version 4 UUID (RFC 9562 section 5.4) as 32 lower-case hex digits. */
export function newEventId(randomBytes: RandomBytes): string {
  let pool = pools.get(randomBytes);
  if (pool === undefined || pool.at === pool.bytes.byteLength) {
    pool = { bytes: randomBytes(idsDrawn * idBytes), at: 0 };
    pools.set(randomBytes, pool);
  }
  const { bytes, at } = pool;
  pool.at += idBytes;
  bytes[at + 6] = ((bytes[at + 6] ?? 0) & 0x0f) | 0x40;
  bytes[at + 8] = ((bytes[at + 8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', at, pool.at);
}

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** [0-9A-Za-z]. Bytes of 248 and more are dropped so that all characters are equally likely. */
export function randomBase62(count: number, randomBytes: (count: number) => Buffer): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && text.length < count) text += base62.charAt(byte % 62);
    }
  }
  return text;
}

const slugCharactersMax = 60;

/** Lower-case letters, digits and hyphens; `fallback` if that would be empty or a reserved path. */
export function createSlug(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(0, slugCharactersMax).replace(/^-+|-+$/g, '');
  // `new` is the path of a form.
  return slug === '' || slug === 'new' ? fallback : slug;
}
