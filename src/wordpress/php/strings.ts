// PHP strings are bytes. Here they are JavaScript strings in which invalid bytes are lone surrogates (see PhpValue).

/** Replaces each invalid UTF-8 sequence with `sign`. */
export function replaceInvalidUtf8(text: string, sign: '?' | '\ufffd' = '?'): string {
  if (text.isWellFormed()) return text;
  return text.replace(loneSurrogates, (run) => {
    const bytes = Uint8Array.from(run, (unit) => unit.charCodeAt(0) & 0xff);
    // TextDecoder replaces each maximal subpart once, as PHP's converter does.
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\ufffd', sign);
  });
}

const loneSurrogates = /(?:(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff]))+/g;

/** Decodes UTF-8; each invalid byte becomes U+DC00 + byte (see PhpValue). */
export function decodePhpString(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  return carryBadBytes(buffer);
}

export function encodePhpString(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const bytes = Buffer.allocUnsafe(text.length * 3);
  let length = 0;
  let start = 0;
  const take = (end: number) => {
    if (end > start) length += bytes.write(text.slice(start, end), length, 'utf8');
  };
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      index += 1;
      continue;
    }
    take(index);
    bytes[length] = unit & 0xff;
    length += 1;
    start = index + 1;
  }
  take(text.length);
  return bytes.subarray(0, length);
}

function carryBadBytes(buffer: Buffer): string {
  let text = '';
  let start = 0;
  let index = 0;
  while (index < buffer.length) {
    const length = validSequenceLength(buffer, index);
    if (length === 0) {
      if (index > start) text += buffer.toString('utf8', start, index);
      text += String.fromCharCode(0xdc00 + (buffer[index] ?? 0));
      start = index + 1;
    }
    index += length || 1;
  }
  return text + buffer.toString('utf8', start);
}

/** Length of the valid UTF-8 sequence at `at` (1 to 4), or 0. */
export function validSequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const isTail = (byte: number | undefined) => byte !== undefined && byte >> 6 === 2;
  if (!isTail(second)) return 0;
  if (first < 0xe0) return 2;
  const overlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const outOfRange = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  if (overlong || outOfRange || !isTail(bytes[at + 2])) return 0;
  if (first < 0xf0) return 3;
  return isTail(bytes[at + 3]) ? 4 : 0;
}

/** PHP 8's strtolower, which changes ASCII only. */
export function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** PHP's trim: space, tab, LF, CR, NUL, VT (not FF). */
export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && trimmed.includes(text.charAt(start))) start += 1;
  while (end > start && trimmed.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const trimmed = ' \t\n\r\0\v';

/** Also removes `%XX` that arise from removals. One pass: two triples cannot overlap. */
export function removeNestedEscapes(text: string, triple: RegExp): string {
  if (!text.includes('%')) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    pieces.push(text.charAt(at));
    const length = pieces.length;
    if (pieces[length - 3] === '%' && triple.test(`%${pieces[length - 2]}${pieces[length - 1]}`))
      pieces.length -= 3;
  }
  return pieces.join('');
}
