import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { readSettingFile } from '../../src/app/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const at = (name: string): string => join(folder.path, name);
const fileBytesMax = 4_194_304;

it('reads a whole file, of 4 MiB at most', () => {
  writeFileSync(at('secret'), 'é'.repeat(40_000));
  expect(readSettingFile(at('secret'))).toBe('é'.repeat(40_000));
  writeFileSync(at('large'), Buffer.alloc(fileBytesMax, 'x'));
  expect(readSettingFile(at('large'))).toHaveLength(fileBytesMax);
  writeFileSync(at('larger'), Buffer.alloc(fileBytesMax + 1, 'x'));
  expect(() => readSettingFile(at('larger'))).toThrow(`it is longer than ${fileBytesMax} bytes`);
});

it.each([
  ['none', 'there is no such file'],
  ['secret/none', 'part of its path is not a folder'],
  ['folder', 'it is a folder, not a file'],
  ['loop', 'it is a symbolic link to itself'],
  ['x'.repeat(300), 'its path is too long'],
])('refuses a file with a reason: %p', (name, words) => {
  writeFileSync(at('secret'), 'x');
  mkdirSync(at('folder'), { recursive: true });
  if (name === 'loop') symlinkSync(at('loop'), at('loop'));
  expect(() => readSettingFile(at(name))).toThrow(words);
});

it('refuses a device: not a regular file', () => {
  expect(() => readSettingFile('/dev/null')).toThrow('it is not a regular file');
});
