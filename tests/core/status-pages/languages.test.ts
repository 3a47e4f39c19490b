import { describe, expect, it } from '@jest/globals';
import { statusLanguages } from '../../../schemas/status-pages.ts';
import { en } from '../../../src/core/status-pages/languages/en.ts';
import {
  fillInCount,
  formatDays,
  formatLength,
  formatUptime,
} from '../../../src/core/status-pages/languages/formats.ts';
import { fillIn, textsOf } from '../../../src/core/status-pages/languages/texts.ts';

const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const plurals = Object.entries(en).filter(([, each]) => typeof each === 'object' && 'other' in each);

describe.each([...statusLanguages])('the texts in %s', (language) => {
  const texts = textsOf(language) as unknown as Record<string, string | Record<string, string>>;

  it('have the same placeholders as the English ones', () => {
    for (const [name, text] of Object.entries(en)) {
      const own = texts[name];
      if (typeof text === 'string') expect([name, placesOf(own as string)]).toEqual([name, placesOf(text)]);
      else if ('other' in text) {
        // "The last day" has no number.
        const allowed = JSON.stringify([
          placesOf(text.other),
          placesOf(text.other).filter((each) => each !== '{count}'),
        ]);
        for (const form of Object.values(own as object))
          expect(allowed).toContain(JSON.stringify(placesOf(form)));
      }
    }
  });

  it('have a form for one day and for more, where the language tells them apart', () => {
    const rules = new Intl.PluralRules(texts['tag'] as string);
    const categories = new Set(Array.from({ length: 1_000 }, (_, days) => rules.select(days)));
    const wanted = categories.has('one') ? ['one', 'other'] : ['other'];
    for (const [name] of plurals) {
      expect([name, Object.keys(texts[name] as object).sort()]).toEqual([name, wanted]);
    }
    // In Polish, few and many days are the same word.
    const others = [...categories].filter((each) => !wanted.includes(each)).sort();
    expect(others).toEqual(language === 'pl' ? ['few', 'many'] : []);
  });

  it('are not empty, and differ from English', () => {
    for (const own of Object.values(texts)) {
      for (const text of typeof own === 'string' ? [own] : Object.values(own))
        expect(text.trim()).not.toBe('');
    }
    if (language !== 'en') expect(texts['allOperational']).not.toBe(en.allOperational);
  });
});

describe('a placeholder', () => {
  const [english, german, polish] = [textsOf('en'), textsOf('de'), textsOf('pl')];

  it('is formatted for the language', () => {
    expect(formatUptime(german, 0.99978)).toBe('99,97\u00a0%');
    expect([formatUptime(english, 1), formatUptime(english, 0.999999)]).toEqual(['100%', '99.99%']);
    expect(formatLength(english, 2 * 3_600_000 + 61_000)).toBe('2 hrs 1 min');
    expect([formatLength(german, 0), formatLength(german, 26 * 3_600_000)]).toEqual([
      '1 Sek.',
      '1 Tg., 2 Std.',
    ]);
    expect(formatDays(english, Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 20))).toMatch(/^16\s?–\s?20 Nov$/);
  });

  it('agrees with its number', () => {
    const days = (count: number): string => fillInCount(polish, polish.daysAgo, count);
    expect([1, 2, 5, 22].map(days)).toEqual(['1 dzień temu', '2 dni temu', '5 dni temu', '22 dni temu']);
  });

  it('is inserted unchanged', () => {
    expect(fillIn('{page}, {other}', { page: '{other} $& <b>' })).toBe('{other} $& <b>, {other}');
  });
});
