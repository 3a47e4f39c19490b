import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { openBundle } from '../../../src/http/bodies/upload-bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { zipOf } from '../../support/uploads.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const wide = { entriesMax: 100, entryBytesMax: 1e9, bundleBytesMax: 1e9, ratioMax: 1e6 };
const blanks = ' '.repeat(1024 * 1024 + 1);

it.each([
  ['entriesMax', { 'a.js': 'a', 'b.js': 'b' }, 2, 'it contains more than 1 entries'],
  ['entryBytesMax', { 'a.js': 'abc', 'b.js': 'abcde' }, 5, 'b.js'],
  ['bundleBytesMax', { 'a.js': 'abc', 'b.js': 'abcde' }, 8, 'its contents are larger than 7 bytes'],
] as const)('%s', async (limit, files, most, words) => {
  const path = join(folder.path, `${limit}.zip`);
  writeFileSync(path, await zipOf(files));
  const bundle = await openBundle(path, { ...wide, [limit]: most });
  expect(bundle.entries.map(({ name }) => name)).toEqual(['~/a.js', '~/b.js']);
  bundle.close();
  const over = openBundle(path, { ...wide, [limit]: most - 1 });
  await expect(over).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
});

it.each<[string, Record<string, string>]>([
  ['one file', { 'a.js': blanks }],
  ['all together', { 'a.js': blanks.slice(0, -8), 'b.js': blanks.slice(0, -8) }],
])('how tightly it is packed: %s', async (what, files) => {
  const path = join(folder.path, `${what}.zip`);
  writeFileSync(path, await zipOf(files));
  (await openBundle(path, wide)).close();
  await expect(openBundle(path, { ...wide, ratioMax: 10 })).rejects.toMatchObject({ status: 400 });
});
