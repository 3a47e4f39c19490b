// The lines of a stream of text, each bounded: a file without line ends does not fill the memory.

/** An event of the largest size, with what the server tells of it. */
const lineBytesMax = 16 * 1_048_576;
/** An upload of test results of the largest size, with its cases. */
const uploadBytesMax = 96 * 1_048_576;
const uploadBegins = '{"type":"test_upload"';
const newline = 0x0a;

/** Each line without its end; null for one that is longer than a line can be. */
export async function* linesOf(bytes: AsyncIterable<Buffer | string>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let size = 0;
  let bytesMax = lineBytesMax;
  const line = (): string | null => {
    const text = size > bytesMax ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    size = 0;
    bytesMax = lineBytesMax;
    return text;
  };
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size > bytesMax && isUpload(parts)) bytesMax = uploadBytesMax;
    if (size > bytesMax) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const each of bytes) {
    const chunk = typeof each === 'string' ? Buffer.from(each) : each;
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      yield line();
      from = at + 1;
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield line();
}

function isUpload(parts: readonly Buffer[]): boolean {
  // No part is empty.
  const begin = Buffer.concat(parts.slice(0, uploadBegins.length));
  return begin.toString('latin1', 0, uploadBegins.length) === uploadBegins;
}
