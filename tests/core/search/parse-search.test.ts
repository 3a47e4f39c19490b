import { describe, expect, it } from '@jest/globals';
import { parseSearch } from '../../../src/core/search/parse-search.ts';

const context = {
  nowMs: Date.UTC(2026, 10, 21),
  of: 'issues' as const,
  tags: new Set(['sku_class']),
  members: [{ id: 7, name: 'Mara Lind', email: null }],
  teams: [{ id: 3, name: 'payments', members: [{ id: 7 }] }],
  projects: [{ id: 1, name: 'shop' }],
  releases: ['shop@1.2.0', 'shop@1.10.0+7', 'api@2.0.0'],
  memberId: 7,
  latestReleases: [],
};

describe('a search query', () => {
  it('has errors with their positions and suggestions', () => {
    const mistakesOf = (text: string) =>
      parseSearch(text, context).mistakes.map(({ start, end, message, suggestion }) => [
        text.slice(start, end),
        message,
        suggestion,
      ]);
    const wrong = 'lvl:error !level:eror age:soon users:many';
    expect(mistakesOf(wrong)).toEqual([
      ['lvl', 'Unknown key `lvl`: did you mean `level`?', 'level'],
      ['eror', 'Unknown value `eror` for level: did you mean `error`?', 'error'],
      ['soon', '`age` needs a time such as -24h or 2026-11-21.', undefined],
      ['many', '`users` needs a number, for example users:>100.', undefined],
    ]);
    expect(mistakesOf('sku_clas:1 foo:1 assigned:"Mara Lint" message:"abc')).toEqual([
      ['sku_clas', 'Unknown key `sku_clas`: did you mean `sku_class`?', 'sku_class'],
      ['foo', 'Unknown key `foo`.', undefined],
      ['"Mara Lint"', 'Unknown value `Mara Lint` for assigned: did you mean `Mara Lind`?', '"Mara Lind"'],
      ['message:"abc', 'A quote is not closed: add " at the end.', undefined],
    ]);
  });

  it('suggests a replacement for Sentry filters that Notifier does not have', () => {
    const messageOf = (text: string) => parseSearch(text, context).mistakes.map(({ message }) => message);
    expect(messageOf('assigned_or_suggested:me')).toEqual([
      '`assigned_or_suggested` is not supported: use `assigned`.',
    ]);
    expect(messageOf('-level:info')).toEqual(['A term is negated by !, not by -: did you mean `!level:`?']);
    expect(messageOf('release:>1.0')).toEqual(['`release` cannot be compared with >: use release.version.']);
    expect(messageOf('level:error,fatal level:critical')).toEqual([
      'A list is between brackets: did you mean `[error,fatal]`?',
      'Unknown value `critical` for level: use debug, info, warning, error or fatal.',
    ]);
    expect(messageOf('assigned:mara')).toEqual([
      'Unknown value `mara` for assigned: did you mean `Mara Lind`?',
    ]);
    expect(parseSearch('assigned:[me,my_teams]', context).terms).toEqual([
      { field: 'assigned', negated: false, to: [7, { team: 3 }] },
    ]);
  });

  it('names no member to a user who is not a member', () => {
    const { mistakes } = parseSearch('assigned:"Mara Lint" assigned:me', { ...context, memberId: null });
    expect(JSON.stringify(mistakes)).not.toContain('Lind');
    expect(mistakes).toHaveLength(2);
  });

  it('is split into tokens that cover it', () => {
    const text = '!level:[error, fatal]  "a b" tags[x]:"y z"';
    expect(
      parseSearch(text, context).tokens.map(({ start, end, key, value, negated }) => [
        text.slice(start, end),
        key && text.slice(key.start, key.end),
        text.slice(value.start, value.end),
        negated,
      ]),
    ).toEqual([
      ['!level:[error, fatal]', 'level', '[error, fatal]', true],
      ['"a b"', null, '"a b"', false],
      ['tags[x]:"y z"', 'tags[x]', '"y z"', false],
    ]);
  });

  it('is bounded', () => {
    const { terms, mistakes } = parseSearch('x '.repeat(900), context);
    expect([terms.length, mistakes.length]).toEqual([20, 1]);
    expect(parseSearch('x'.repeat(2_001), context).mistakes).toHaveLength(1);
  });
});
