// Compares what the program says with a stored file. `GOLDEN=renew npm test -- tests/golden` writes the files
// anew: look at the diff before you commit it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { expect } from '@jest/globals';

const linesShown = 40;
const linesCompared = 500;

/** Fails with the lines that differ where `tests/golden/files/<name>` is not this text, or is missing. */
export function expectGolden(name: string, text: string): void {
  const path = join(import.meta.dirname, 'files', name);
  const found = text.endsWith('\n') ? text : `${text}\n`;
  if (process.env['GOLDEN'] === 'renew') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, found);
  }
  const stored = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const said = `tests/golden/files/${name} differs (GOLDEN=renew writes it):\n`;
  expect(stored === found ? '' : said + difference(stored, found)).toBe('');
}

/** Bytes that look random and are the same in each run, for `deps.randomBytes`. */
export function fixedBytes(): (count: number) => Buffer {
  let drawn = 0;
  return (count) => {
    drawn += 1;
    return createHash('shake256', { outputLength: count }).update(String(drawn)).digest();
  };
}

/** The first lines that differ, from where the texts part to where they meet again. */
function difference(stored: string, found: string): string {
  const [before, after] = [stored.split('\n'), found.split('\n')];
  const start = after.findIndex((line, index) => line !== before[index]);
  const end = start + linesCompared;
  const lines = diff(before.slice(start, end), after.slice(start, end)).filter(([sign]) => sign !== 0);
  const shown = lines
    .slice(0, linesShown)
    .map(([sign, line]) => `${sign < 0 ? '+' : '-'} ${line.slice(0, 300)}`);
  const more = lines.length > linesShown ? ['… and more'] : [];
  return [`@@ line ${start + 1}`, ...shown, ...more].join('\n');
}

/** What is drawn at random or depends on the machine; each value keeps one name through a whole file. */
const volatile: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['port', /(?<=127\.0\.0\.1:)\d+/g],
  ['hash', /\b(?:[0-9a-f]{4} ){3}[0-9a-f]{4}\b/g],
  ['hex', /\b[0-9a-f]{16,64}\b/g],
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
];

/** Puts names such as `<hex 3>` in place of volatile text; `more` are other kinds of it. */
export function createMask(more: typeof volatile = []): (text: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, value: string): string => {
    const name = names.get(value);
    if (name !== undefined) return name;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(value, `<${kind} ${count}>`);
    return `<${kind} ${count}>`;
  };
  return (text) => {
    let masked = text;
    for (const [kind, pattern] of [...more, ...volatile]) {
      masked = masked.replace(pattern, (value) => nameOf(kind, value));
    }
    return masked;
  };
}
