// Identifiers: how they are read and how new ones are made. Numbers of things, event ids (D-28), random
// names.

/**
 * The number that a text names: digits without a sign or a leading zero, at most 15 of them; null for any
 * other text, which names nothing (D-28).
 */
export function parseId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** The id as 32 lower-case hex, from 32 hex of any case or the dashed form of 36; null when it is neither. */
export function parseEventId(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const bare = text.trim();
  if (/^[0-9a-f]{32}$/i.test(bare)) return bare.toLowerCase();
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(bare)) return null;
  return bare.replaceAll('-', '').toLowerCase();
}

type RandomBytes = (count: number) => Buffer;

const idBytes = 16;
/** Asking the generator costs the same for one id as for many. */
const idsDrawn = 256;
const pools = new WeakMap<RandomBytes, { readonly bytes: Buffer; at: number }>();

/** A version 4 UUID as 32 lower-case hex, from 16 random bytes (RFC 9562 section 5.4), each used once. */
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

/**
 * `count` characters of [0-9A-Za-z], evenly drawn: bytes past the last whole multiple of 62 are thrown away.
 */
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

/**
 * A name as it stands in addresses: small letters, digits and hyphens; `otherwise` where nothing is left,
 * or a page is called so.
 */
export function slugOf(name: string, otherwise: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(0, slugCharactersMax).replace(/^-+|-+$/g, '');
  // Pages of that name do something else.
  return slug === '' || slug === 'new' ? otherwise : slug;
}
