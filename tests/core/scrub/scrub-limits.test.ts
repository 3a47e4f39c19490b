import { describe, expect, it } from '@jest/globals';
import { scrubLogEntry } from '../../../src/core/scrub/message.ts';
import { scrubAssignments } from '../../../src/core/scrub/rules/assignments.ts';
import { looksRandom } from '../../../src/core/scrub/table/false-positives.ts';
import { compileExtraFields } from '../../../src/core/scrub/table/names.ts';
import {
  cacheClean,
  createCleanTextCache,
  hashOfText,
  isCachedClean,
  scanCharacters,
} from '../../../src/core/scrub/table/prefilter.ts';
import { createScrubState, scrubText } from '../../../src/core/scrub/text.ts';
import { scrubbed } from './scrubbed.ts';

const secret = 'hunter2X9';
const times = <Each>(count: number, each: Each): Each[] => Array.from({ length: count }, () => each);
const blanks = (count: number): string => ' '.repeat(count);
const keeps = (sent: string | object): boolean => {
  const clean = typeof sent === 'string' ? scrubText(sent) : JSON.stringify(scrubbed(sent));
  return clean.includes(secret);
};

const parameter = (value: string): string => `<param><value><string>${value}</string></value></param>`;
const nested = (levels: number): object => (levels === 1 ? { a: secret } : { a: nested(levels - 1) });

describe('a secret is found at the limit, and not beyond', () => {
  it.each<[string, number, (count: number) => string | object]>([
    ['the characters of a call', 1017, (count) => `login("ann",${blanks(count)}"${secret}")`],
    ['the arguments of a call', 14, (count) => `login("ann"${', x'.repeat(count)}, "${secret}")`],
    ['calls within calls', 18, (count) => `${'login('.repeat(count)}"ann", "${secret}")`],
    ['the words of a key', 59, (count) => ({ [`${'a_'.repeat(count)}_password`]: secret })],
    [
      'the columns of a table',
      49,
      (count) => `${'a,'.repeat(count)}password\n${'1,'.repeat(count)}${secret}`,
    ],
    [
      'the first arguments of a remote call',
      3,
      (count) => {
        const values = [...times(count, parameter('x')), parameter(secret)].join('');
        return `<methodName>wp.getPosts</methodName><params>${values}</params>`;
      },
    ],
    [
      'the characters of a statement',
      8158,
      (count) => ({ sql: `select a from t where ${blanks(count)}password = ?`, params: [secret] }),
    ],
    [
      'the characters of what is bound',
      2042,
      (count) => `select a from t where password = ? parameters: [${'1,'.repeat(count)}'${secret}']`,
    ],
    ['the characters of a command', 2033, (count) => `mysql ${blanks(count)} -u root -p${secret}`],
    ['the words of a command', 126, (count) => `mysql ${'-v '.repeat(count)} -p${secret}`],
    [
      'the words of a list of them',
      126,
      (count) => ({ argv: ['mysql', ...times(count, '-v'), `-p${secret}`] }),
    ],
    [
      'from a field to its value',
      235,
      (count) => `on field 'password':${blanks(count)} rejected value [${secret}]`,
    ],
    ['the name of what a value is handed to', 65, (count) => `password = ${'a'.repeat(count)}("${secret}")`],
    ['the blanks before a sign', 40, (count) => `password${blanks(count)}= ${secret}`],
    ['the name of a type', 32, (count) => `password:${'A'.repeat(count)}="${secret}"`],
    ['the blanks before a name', 40, (count) => `${blanks(count)}password .... ${secret}`],
  ])('%s', (_, most, sent) => {
    expect([keeps(sent(most)), keeps(sent(most + 1))]).toEqual([false, true]);
  });

  it('the name of a call', () => {
    const called = (count: number): string => `setPassword${'_a'.repeat(count)}("swordfish")`;
    expect([called(28), called(29)].map((sent) => scrubText(sent) === sent)).toEqual([false, true]);
  });

  it('how far back a quote and a bracket are looked for that were opened before a name', () => {
    // In quotes, what is behind the closing one is not of the name; in brackets a word is a value.
    const quoted = (count: number): string => `"${'a'.repeat(count)} password: "; ${secret}`;
    expect([keeps(quoted(254)), keeps(quoted(255))]).toEqual([true, false]);
    const inBrackets = (count: number): string => `(${blanks(count)}password:swordfish`;
    const isKept = (count: number): boolean => scrubText(inBrackets(count)) === inBrackets(count);
    expect([isKept(199), isKept(200)]).toEqual([false, true]);
  });

  it('how far back a sign is looked for that stands in an address as its code', () => {
    const behind = (signs: string): string => scrubText(`password${signs}swordfish%2C${secret}`);
    const within = '%25253D%252520%2520%2520';
    expect(behind(within)).toBe(`password${within}[Filtered]%2C${secret}`);
    const beyond = '%253D%2520%2520%2520%2520';
    expect(behind(beyond)).toBe(`password${beyond}[Filtered]`);
  });

  it('levels: deeper values are removed', () => {
    expect([keeps(nested(47)), keeps(nested(48))]).toEqual([true, false]);
  });

  it('values within values: twice the text and 1,024 characters are read, then 128 a name', () => {
    const isFound = (sent: string): boolean => {
      const look = scanCharacters(sent);
      const search = { kind: 'text', extra: compileExtraFields([]), addresses: 'drop', scan: look } as const;
      return !scrubAssignments(sent, { ...search, sawName: false, hits: 0 }).includes(secret);
    };
    // Each of these names has all the rest as its value, which is no secret.
    const text = (names: number, padding: number, distance: number): string =>
      `${'token=a.b('.repeat(names)}${'x'.repeat(padding)} password: "${blanks(distance)}${secret}"`;
    expect([1485, 1486].map((padding) => isFound(text(3, padding, 200)))).toEqual([true, false]);
    expect([147, 148].map((padding) => isFound(text(10, padding, 200)))).toEqual([true, false]);
    expect([124, 125].map((distance) => isFound(text(150, 0, distance)))).toEqual([true, false]);
  });

  it('JSON within a text', () => {
    // Only who reads it as JSON sees that the value is that of the name.
    const json = (characters: number): string => {
      const text = `{"name":"password","pad":"","value":"${secret}"}`;
      return text.replace('""', `"${'x'.repeat(characters - text.length)}"`);
    };
    expect([keeps({ text: json(65_536) }), keeps({ text: json(65_537) })]).toEqual([false, true]);
  });
});

describe('digits', () => {
  const checked = (length: number): string => {
    const start = `4${'7'.repeat(length - 2)}`;
    const double = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);
    const digits = [...start]
      .reverse()
      .map((digit, at) => (at % 2 === 0 ? double(Number(digit)) : Number(digit)));
    return `${start}${(10 - (digits.reduce((sum, digit) => sum + digit, 0) % 10)) % 10}`;
  };

  it.each([
    [12, false],
    [13, true],
    [19, true],
    [20, false],
  ])('%i of them that pass the check are a card: %p', (length, isCard) => {
    expect(scrubText(`x ${checked(length)} y`) === 'x [card] y').toBe(isCard);
  });

  it('are no card within twenty characters of a digest', () => {
    expect(scrubText('4111111111111111abc')).toBe('[card]abc');
    expect(scrubText('4111111111111111abcd')).toBe('4111111111111111abcd');
  });

  it.each([
    ['739', false],
    ['7391', true],
    ['739173917391', true],
    ['7391739173917', false],
    ['a139', false],
    ['a1391', true],
    [`a1${'9'.repeat(62)}`, true],
    [`a1${'9'.repeat(63)}`, false],
  ])('are a PIN: %s, %p', (value, isPin) => {
    const filtered = isPin ? '[Filtered]' : value;
    expect(scrubbed({ pin: value, list: ['pin', value] })).toEqual({
      pin: filtered,
      list: ['pin', filtered],
    });
    if (/^\d+$/.test(value)) {
      expect(scrubbed({ pin: Number(value) })).toEqual({ pin: isPin ? '[Filtered]' : Number(value) });
      expect(scrubText(`pin=${value}`)).toBe(`pin=${filtered}`);
      expect(scrubText(`the pin is ${value} now`)).toBe(`the pin is ${filtered} now`);
    }
  });

  it.each([
    ['73', false],
    ['739', true],
    ['739173917391', true],
    ['7391739173917', false],
  ])('are a one-time code: %s, %p', (value, isCode) => {
    expect(scrubText(`the otp is ${value} now`)).toBe(`the otp is ${isCode ? '[Filtered]' : value} now`);
  });
});

it('a line of the password file of PostgreSQL is known by each of its ports, and key lines stay one', () => {
  for (const port of [5432, 5433, 6432]) {
    expect(scrubText(`db.test:${port}:shop:ann:hunterX`)).toBe(`db.test:${port}:shop:ann:[Filtered]`);
  }
  expect(scrubText('Private-Lines: 1\nAAAAhunter2==\nPrivate-MAC: 00')).toBe(
    'Private-Lines: 1\n[Filtered]\nPrivate-MAC: 00',
  );
});

it('letters alone look random from sixteen on', () => {
  expect([looksRandom('aBcDeFgHiJkLmNo'), looksRandom('aBcDeFgHiJkLmNoP')]).toEqual([false, true]);
});

it('a thousand parameters of a message are distinguished', () => {
  const sent = { message: times(1_000, '%s').join(' '), params: times(1_000, 'plain') };
  const formatted = times(1_000, 'plain').join(' ');
  expect(scrubLogEntry(sent, createScrubState(null))).toEqual({ ...sent, formatted });
});

describe('a text that is cached as clean', () => {
  it('has 12 to 4,096 characters', () => {
    const marked = [11, 12, 4096, 4097].map((length) => hashOfText('x'.repeat(length)) !== 0);
    expect(marked).toEqual([false, true, true, false]);
  });

  it('is dropped with all others beyond 524,288 characters', () => {
    const known = createCleanTextCache();
    const texts = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(4096, 'x'));
    // Only texts with a place of their own, so that none takes that of another.
    const places = new Map(texts.map((text) => [(hashOfText(text) >>> 1) & 4095, text]));
    const [last = '', ...others] = [...places.values()].slice(0, 129);
    const remember = (text: string) => {
      cacheClean(known, text, hashOfText(text));
      cacheClean(known, text, hashOfText(text));
    };
    others.forEach(remember);
    expect([known.texts.length, known.chars]).toEqual([4096, 524_288]);
    remember(last);
    expect(known.chars).toBe(4096);
    expect(isCachedClean(known, last, hashOfText(last))).toBe(true);
    expect(others.some((text) => isCachedClean(known, text, hashOfText(text)))).toBe(false);
  });
});
