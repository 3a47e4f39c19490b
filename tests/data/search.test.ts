import { describe, expect, it } from '@jest/globals';
import { createTitleFolder } from '../../data/search.ts';
import type { ResolvedTerm } from '../../src/core/store/search-terms.ts';
import { databases, storeForEachTest } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { searchedTexts } from './support/searched-texts.ts';
import { sameTexts } from './support/spellings.ts';

describe('cached folded titles', () => {
  it('are those of their texts, however many others are folded meanwhile', () => {
    const titles = createTitleFolder(2);
    const seen = ['Ä', 'B', 'Ö', 'Ü', 'Ä', 'Ä', 'Ö'].map((title) => titles(title, 'X'));
    expect(seen).toEqual([
      ...['ä\uffffx', null, 'ö\uffffx', 'ü\uffffx'],
      ...['ä\uffffx', 'ä\uffffx', 'ö\uffffx'],
    ]);
  });
});

/** What finds one of `<Straße>` and `Ä!%_\`, and what neither: `%` and `_` stand for themselves alone. */
const findOne = [
  ...['<Straße>', '<STRASSE>', '<straße>', '<STRAẞE>', 'trass', 'ＳＴＲＡ'],
  ...['Ä!%_\\', 'ä!%_\\', 'a\u0308!', '!%', '%_', '_\\'],
];
const findNone = ['<strase>', '<_trasse>', '<%>', 'stra\\sse', '%_%', 'ä_', '\\%', '!!'];

describe.each(databases)('a search on $name', (database) => {
  const store = storeForEachTest(database);
  const titles = async (search: string): Promise<string[]> => {
    const page = { search, orderBy: 'id', descending: false, limit: 100, offset: 0 } as const;
    return (await store.listIssues(1, page)).rows.map((issue) => issue.title);
  };

  it('finds a text in any case, script and form', async () => {
    for (const [script, stored] of sameTexts) {
      await store.recordEvent(eventOf({ kind: script, title: `<${stored}>`, culprit: '' }));
    }
    const missed: string[] = [];
    for (const [script, stored, typed] of sameTexts) {
      for (const form of [typed, typed.normalize('NFC'), typed.normalize('NFD'), stored]) {
        if (!(await titles(`<${form}>`)).includes(`<${stored}>`)) missed.push(`${script}: ${form}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it.each(searchedTexts)('finds letters and symbols in the $text of $list', async ({ keep, count }) => {
    await keep(store, '<Straße>', '1');
    await keep(store, 'Ä!%_\\', '2');
    const found: Record<string, number> = {};
    for (const typed of [...findOne, ...findNone]) found[typed] = await count(store, typed);
    const expected = [...findOne.map((typed) => [typed, 1]), ...findNone.map((typed) => [typed, 0])];
    expect(found).toEqual(Object.fromEntries(expected));
  });

  it('finds by project and first release, and nothing by an unknown release', async () => {
    await store.recordEvent(eventOf({ kind: 'a', title: 'A' }));
    const page = { orderBy: 'id', descending: false, limit: 100, offset: 0 } as const;
    const found = async (...terms: ResolvedTerm[]): Promise<number> =>
      (await store.listIssues(1, { ...page, terms })).rows.length;
    const latest = (release: string, negated = false): ResolvedTerm => ({
      ...{ field: 'latest_first', negated, releases: [{ projectId: 1, release }] },
    });
    expect(await found({ field: 'project', negated: false, ids: [1, 2] })).toBe(1);
    expect(await found({ field: 'project', negated: true, ids: [1] })).toBe(0);
    expect([await found(latest('none')), await found(latest('none', true))]).toEqual([0, 1]);
    expect(await found({ field: 'release', negated: false, patterns: [] })).toBe(0);
    expect(await found({ field: 'assigned', negated: true, to: [] })).toBe(1);
  });

  it('does not match across two texts', async () => {
    await store.recordEvent(eventOf({ kind: 'a', title: 'Ä', culprit: 'B' }));
    expect(await titles('äb')).toEqual([]);
    expect(await titles('ä\uffffb')).toEqual([]);
    expect(await titles('ä')).toEqual(['Ä']);
    expect(await titles('b')).toEqual(['Ä']);
  });

  it('matches the current title of an issue', async () => {
    await store.recordEvent(eventOf({ kind: 'a', title: 'ÄPFEL', second: 1 }));
    await store.recordEvent(eventOf({ kind: 'a', title: 'Birnen', second: 2 }));
    expect([await titles('äpfel'), await titles('BIRNEN')]).toEqual([[], ['Birnen']]);
    await store.recordEvent(eventOf({ kind: 'a', title: 'ÖL', second: 3 }));
    await store.recordEvent(eventOf({ kind: 'a', title: 'Über', second: 0 }));
    expect([await titles('birnen'), await titles('öl'), await titles('über')]).toEqual([[], ['ÖL'], []]);
  });

  it('trims the search text', async () => {
    await store.recordEvent(eventOf({ kind: 'a', title: 'Über uns' }));
    expect(await titles(' \u00a0ÜBER\u3000UNS\t')).toEqual(['Über uns']);
    expect(await titles(' \u3000')).toEqual(['Über uns']);
  });
});
