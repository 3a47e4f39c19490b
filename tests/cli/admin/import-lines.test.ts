import { expect, it } from '@jest/globals';
import { readLines } from '../../../src/cli/admin/import.ts';

async function read(chunks: Iterable<Buffer>): Promise<Array<string | null>> {
  async function* stream() {
    yield* chunks;
  }
  const found: Array<string | null> = [];
  for await (const line of readLines(stream())) found.push(line);
  return found;
}

it('lines are the same however the input is chunked', async () => {
  const bytes = Buffer.from('{"a":"é"}\r\n\nlast without an end');
  for (let size = 1; size <= bytes.length; size += 1) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    expect([size, await read(chunks)]).toEqual([size, ['{"a":"é"}', '', 'last without an end']]);
  }
});

it('lines that are too long are null, and the next one is read', async () => {
  const megabyte = Buffer.alloc(1_048_576, 'x');
  const chunks = [...Array.from({ length: 17 }, () => megabyte), Buffer.from('\nnext\n')];
  expect(await read(chunks)).toEqual([null, 'next']);
});

it('lines of test results may be longer, wherever chunks end', async () => {
  const megabyte = Buffer.alloc(1_048_576, 'x');
  const begin = [...'{"type":"test_upload",'].map((letter) => Buffer.from(letter));
  const chunks = [...begin, ...Array.from({ length: 17 }, () => megabyte), Buffer.from('\nnext\n')];
  const [upload, next] = await read(chunks);
  expect([upload?.length, next]).toEqual([begin.length + 17 * 1_048_576, 'next']);
  const tooMany = Array.from({ length: 97 }, () => megabyte);
  expect(await read([...begin, ...tooMany, Buffer.from('\nnext\n')])).toEqual([null, 'next']);
});
