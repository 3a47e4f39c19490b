// docs/security.md and docs/durability.md: every row names tests that are there, and no row is missing.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const repository = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

interface Row {
  readonly name: string;
  readonly named: ReadonlyArray<readonly [file: string, test: string]>;
  readonly loose: readonly string[];
  readonly isNone: boolean;
}

function rowsOf(page: string, name: RegExp, shownIn: number): Row[] {
  return page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => name.test(cells[1] ?? ''))
    .map((cells) => {
      const cell = cells[shownIn] ?? '';
      const isNone = /^None: \S/.test(cell);
      return { name: cells[1] ?? '', isNone, ...(isNone ? { named: [], loose: [] } : testsIn(cell)) };
    });
}

function testsIn(cell: string): Pick<Row, 'named' | 'loose'> {
  const named: Array<readonly [string, string]> = [];
  const loose: string[] = [];
  const [before = '', ...parts] = cell.split(/(?=`tests\/[\w./-]+`)/);
  const all = before.startsWith('`tests/') ? [before, ...parts] : parts;
  for (const part of all) {
    const [, file = ''] = /^`([^`]+)`/.exec(part) ?? [];
    const names = [...part.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '');
    if (names.length === 0) loose.push(file);
    for (const each of names) named.push([file, each]);
  }
  return { named, loose };
}

function isNamed(file: string, name: string): boolean {
  if (!existsSync(join(repository, file))) return false;
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:['"\`]|\`\\$\\{\\w+\\} )${escaped}`).test(read(file));
}

function wrongIn(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, named, loose }) => [
    ...loose.map((file) => `${name}: ${file} without a name`),
    ...named
      .filter(([file, test]) => !isNamed(file, test))
      .map(([file, test]) => `${name}: ${file} "${test}"`),
  ]);
}

const threats = rowsOf(read('docs/security.md'), /^\d+$/, 4);

describe('docs/security.md', () => {
  it('has a row for each threat, with a test that shows it', () => {
    expect(threats.map(({ name }) => Number(name))).toEqual(
      Array.from({ length: 45 }, (_, index) => index + 1),
    );
    expect(threats.filter(({ named }) => named.length === 0).map(({ name }) => name)).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(wrongIn(threats)).toEqual([]);
  });
});

const faults = rowsOf(read('docs/durability.md'), /^F\d+b?$/, 4);

describe('docs/durability.md', () => {
  it('has a row for each fault, with a test that shows it or why there is none', () => {
    const numbers = Array.from({ length: 22 }, (_, index) => `F${index + 1}`);
    expect(faults.map(({ name }) => name)).toEqual(
      numbers.flatMap((name) => (name === 'F2' ? ['F2', 'F2b'] : [name])),
    );
    expect(faults.filter(({ named, isNone }) => named.length === 0 && !isNone)).toEqual([]);
    expect(faults.filter(({ isNone }) => isNone).length).toBeLessThan(5);
  });

  it('names tests that are there', () => {
    expect(wrongIn(faults)).toEqual([]);
  });
});
