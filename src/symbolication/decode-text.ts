/** As UTF-8, without byte order mark and the `)]}'` line that prevents JSON hijacking. */
export function decodeSourceMapText(sent: Buffer): Buffer {
  const bytes = toUtf8(sent);
  if (bytes.toString('latin1', 0, 3) !== ')]}') return bytes;
  const lineEnd = bytes.indexOf(0x0a);
  return lineEnd === -1 ? Buffer.alloc(0) : bytes.subarray(lineEnd + 1);
}

/** Converts UTF-16 with a byte order mark, and strips byte order marks. */
export function toUtf8(sent: Buffer): Buffer {
  if (sent[0] === 0xef && sent[1] === 0xbb && sent[2] === 0xbf) return sent.subarray(3);
  if (sent[0] === 0xff && sent[1] === 0xfe) return fromUtf16(sent, 'utf-16le');
  if (sent[0] === 0xfe && sent[1] === 0xff) return fromUtf16(sent, 'utf-16be');
  return sent;
}

function fromUtf16(sent: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  return Buffer.from(new TextDecoder(encoding).decode(sent), 'utf8');
}
