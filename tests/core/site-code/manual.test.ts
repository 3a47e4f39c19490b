// The examples of docs/wordpress.md, "Errors of WordPress sites" hold.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { titleOf } from '../../../src/core/events/title.ts';
import { codeName } from '../../../src/core/site-code/faulty.ts';
import { siteCodeOf } from '../../../src/core/site-code/paths.ts';
import { normalized } from '../../support/events.ts';

const manual = readFileSync(resolve(import.meta.dirname, '../../../docs/wordpress.md'), 'utf8');
const [, section = ''] = manual.split('## Errors of WordPress sites');
const rows = section.split('\n').flatMap((line) => {
  const [, first, second, third] = /^\| `([^`]+)` \| (.+?) \|(?: (\w+) \|)?$/.exec(line) ?? [];
  return first === undefined || second === undefined ? [] : [{ first, second, third }];
});

describe('the manual', () => {
  it.each(rows.filter(({ third }) => third === undefined))('says whose $first is', ({ first, second }) => {
    const code = siteCodeOf(first);
    expect(code === null ? 'nobody' : `${code.kind} \`${codeName(code)}\``).toBe(second);
  });

  it.each(rows.filter(({ third }) => third !== undefined))('says what $first is called', (row) => {
    const event = normalized({ platform: 'php', message: row.first });
    expect([`\`${titleOf(event)}\``, event.level]).toEqual([row.second, row.third]);
  });

  it('has examples of each kind', () => {
    expect([rows.length, rows.filter(({ third }) => third === undefined).length]).toEqual([22, 11]);
  });
});
