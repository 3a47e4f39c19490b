import { describe, expect, it } from '@jest/globals';
import type { CompatibilityProfile } from '../../schemas/compatibility-profile.ts';
import { defaultProfile } from '../../schemas/default-profile.ts';
import { diffRecordings, replaceVolatileParts, volatileShapeOf } from '../../src/contract/diff.ts';
import { type RecordedExchange, readRecording, writeRecording } from '../../src/contract/exchange.ts';
import { writeDifferences } from '../../src/contract/report/differences.ts';
import { isCoveredByProfile } from '../../src/contract/situations.ts';
import { endless } from '../support/endless.ts';

function exchange(
  body: unknown,
  more: Partial<RecordedExchange['response']> = {},
  id = 'one',
): RecordedExchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    id,
    request: { method: 'GET', path: '/', headers: [] },
    response: { status: 200, headers: [], body: text, ...more },
  };
}

function diff(left: unknown, right: unknown): Array<[string, string, string, boolean]> {
  return diffRecordings([exchange(left)], [exchange(right)]).map((each) => [
    each.path,
    each.left,
    each.right,
    each.volatile,
  ]);
}

describe('bodies', () => {
  it('are compared by path', () => {
    const left = { accepted: true, data: { list: [1, { name: 'a' }] }, gone: 1 };
    const right = { accepted: 'true', data: { list: [1, { name: 'b' }, 3] }, come: 2 };
    expect(diff(left, right)).toEqual([
      ['accepted', 'true', 'true', false],
      ['data.list.1.name', 'a', 'b', false],
      ['data.list.2', '(none)', '3', false],
      ['gone', '1', '(none)', false],
      ['come', '(none)', '2', false],
    ]);
  });

  it('have no difference where they are equal', () => {
    expect(diff({ a: [1, null, 'x'] }, { a: [1, null, 'x'] })).toEqual([]);
  });

  it('are compared as text where they are not JSON', () => {
    expect(diff('<p>one</p>', '<p>two</p>')).toEqual([['', '<p>one</p>', '<p>two</p>', false]]);
  });

  it('are shown up to 200 characters', () => {
    const long = `y${'z'.repeat(200)}`;
    expect(diff(long.slice(1), long)).toEqual([['', 'z'.repeat(200), `y${'z'.repeat(198)}…`, false]]);
  });

  it('may have members named like those of Object.prototype', () => {
    const body = '{"__proto__":{"a":1},"constructor":1}';
    expect(diff(body, body)).toEqual([]);
    expect(diff(body, '{"constructor":1}')).toEqual([['__proto__', '{"a":1}', '(none)', false]]);
  });
});

describe('volatile values', () => {
  it.each([
    ['a uuid', '0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7', '<uuid>'],
    ['an event id', 'a3f1c2d4e5b60718293a4b5c6d7e8f90', '0123456789abcdef0123456789abcdef', '<hex>'],
    ['a time', '2026-11-21T01:02:03Z', '2027-01-01T23:59:59.123456+02:00', '<time>'],
    ['a time of SQL', '2026-11-21 01:02:03', '2025-01-01 00:00:00', '<time>'],
    ['a header date', 'Sat, 21 Nov 2026 02:26:51 GMT', 'Sun, 22 Nov 2026 12:00:00 GMT', '<time>'],
    ['a proof', 'dv_AbCdEfGh0123456789AbCd', 'dv_ZZZZZZZZZZZZZZZZZZZZZ1', '<token>'],
    [
      'a token that begins with a dash',
      '-x81_kfLw0-Q9aPbVtR3sYuN5e',
      'A-0_aaaaaaaaaaaaaaaaaaaaaa',
      '<token>',
    ],
    [
      'a token',
      'Zx81_kfLw0-Q9aPbVtR3sYuN5eHc2JdGmT7iKoXl4Bz',
      'Aa0_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-B',
      '<token>',
    ],
    [
      'a token with another’s form in it',
      'Phgiz50XrOPVF-ab_kfLw0Q9aPbVtR3sYuN5eHc2JdG',
      'ab_kfLw0Q9aPbVtR3sYuN5eHc2-JdGPhgiz50XrOPVF',
      '<token>',
    ],
  ])('%s is volatile', (_what, left, right, shape) => {
    expect([replaceVolatileParts(left), replaceVolatileParts(right)]).toEqual([shape, shape]);
    expect(diff({ value: left }, { value: right })).toEqual([['value', shape, shape, true]]);
  });

  it.each([
    ['words', 'Sorry, you are not allowed to do that.'],
    ['a code', 'notifier_domain_verification_invalid_id'],
    ['a version', '1.20.3-beta.4'],
    ['a host', 'notifier-contract.example.com'],
    ['a short number', '8192'],
  ])('%s is not volatile', (_what, text) => {
    expect(replaceVolatileParts(text)).toBe(text);
  });

  it('are found inside a longer text', () => {
    const text = (token: string) => ({ value: `token=${token} expiry=2026-11-28` });
    expect(diff(text('Zx81kfLw0Q9aPbVtR3sYuN5eH'), text('Aa0bcdefghijKLMNOP012345Z'))).toEqual([
      ['value', 'token=<token> expiry=<date>', 'token=<token> expiry=<date>', true],
    ]);
  });

  it('numbers are ids by their name, and times by their size', () => {
    expect(volatileShapeOf('issue_id', 12)).toBe('<id>');
    expect(volatileShapeOf('count', 12)).toBeNull();
    expect(volatileShapeOf('at', 1_795_000_000)).toBe('<time>');
    expect(volatileShapeOf('at', 1_795_000_000_123)).toBe('<time>');
    expect(diff({ issue_id: 1 }, { issue_id: 2 })).toEqual([['issue_id', '<id>', '<id>', true]]);
    expect(diff({ issue_id: 1 }, { issue_id: '2' })[0]?.[3]).toBe(false);
  });

  it('of different shapes differ', () => {
    expect(diff({ event_id: 'event-17' }, { event_id: '0123456789abcdef0123456789abcdef' })).toEqual([
      ['event_id', 'event-<n>', '<hex>', false],
    ]);
  });

  it('are found in bounded time in a long hostile text', () => {
    expect(() => replaceVolatileParts(endless('a-'))).not.toThrow();
  });
});

describe('headers', () => {
  const headers = (...list: Array<[string, string]>) => exchange({}, { headers: list });
  const named = (left: RecordedExchange, right: RecordedExchange) =>
    diffRecordings([left], [right]).map((each) => [
      each.part,
      each.path,
      each.left,
      each.right,
      each.volatile,
    ]);

  it('are compared by name in any case, without those of the connection', () => {
    const left = headers(['X-A', '1'], ['Date', 'x'], ['Server', 'nginx']);
    const right = headers(['x-a', '2'], ['Connection', 'close'], ['X-B', '3']);
    expect(named(left, right)).toEqual([
      ['header', 'x-a', '1', '2', false],
      ['header', 'x-b', '(none)', '3', false],
    ]);
  });

  it('that count are volatile', () => {
    expect(named(headers(['Retry-After', '3']), headers(['Retry-After', '60']))).toEqual([
      ['header', 'retry-after', '3', '60', true],
    ]);
  });

  it('in another order differ', () => {
    expect(named(headers(['A', '1'], ['B', '1']), headers(['B', '1'], ['A', '1']))).toEqual([
      ['header-order', '', 'a, b', 'b, a', false],
    ]);
  });
});

it('differences are written as a table, Markdown and JSON', () => {
  const left = exchange(
    { list: [1], token: 'a' },
    {
      headers: [
        ['A', '1'],
        ['B', '1'],
        ['Retry-After', '3'],
      ],
    },
  );
  const right = exchange(
    { list: [2], token: 'a' },
    {
      headers: [
        ['B', '1'],
        ['A', '1'],
        ['Retry-After', '9'],
      ],
    },
  );
  const found = diffRecordings([left], [right]);
  const written = (format: 'table' | 'markdown' | 'json', hasProfile = true) =>
    writeDifferences(found, {
      format,
      coloured: false,
      compared: 1,
      covered: hasProfile ? ({ part }) => part === 'body' : null,
    });
  const volatile = '1 volatile value (ids, times, tokens) of the same shape.';
  const sum = `2 differences in 1 of 1 exchange, 1 of them covered by the profile; ${volatile}\n`;
  const table = (covered: string) => `one
  ~ header retry-after  3 → 9  (volatile)
  ≠ order of headers  a, b, retry-after → b, a, retry-after
  ≠ body list.0  1 → 2${covered}\n\n`;
  expect(written('table')).toBe(table('  (covered by the profile)') + sum);
  expect(written('table', false)).toBe(`${table('')}2 differences in 1 of 1 exchange; ${volatile}\n`);
  expect(written('markdown')).toBe(`${sum}
| Exchange | Part | Path | Left | Right | Kind |
|---|---|---|---|---|---|
| one | header | retry-after | 3 | 9 | volatile |
| one | header-order |  | a, b, retry-after | b, a, retry-after | differs |
| one | body | list.0 | 1 | 2 | covered |
`);
  const { differences } = JSON.parse(written('json'));
  expect(differences.map(({ covered }: { covered: boolean }) => covered)).toEqual([false, false, true]);
});

describe('recordings', () => {
  it('list exchanges that only one of them has', () => {
    const found = diffRecordings([exchange({}, {}, 'left')], [exchange({}, {}, 'right')]);
    expect(found.map((each) => [each.id, each.part, each.left, each.right])).toEqual([
      ['left', 'exchange', 'recorded', '(none)'],
      ['right', 'exchange', '(none)', 'recorded'],
    ]);
  });

  it('are the same after writing and reading', () => {
    const list = [exchange({ a: 1 }), exchange('text', { status: 404 }, 'two')];
    expect(readRecording(writeRecording(list))).toEqual(list);
  });

  it('with a syntax error name the line', () => {
    expect(() => readRecording(`${writeRecording([exchange({})])}{"id":1}\n`)).toThrow(
      /^line 2 is no recorded exchange: id/,
    );
  });
});

describe('a refusal worded by a dialect', () => {
  const [left, right] = [
    { code: 'a', message: 'A.', data: { status: 403, reason: 'x' } },
    { code: 'b', message: 'B.', data: { status: 401, reason: 'y' } },
  ].map((body) => exchange(body, { status: body.data.status }, 'store-no-key'));
  const covered = (dialect: CompatibilityProfile) =>
    diffRecordings(left === undefined ? [] : [left], right === undefined ? [] : [right])
      .filter((each) => isCoveredByProfile(each, dialect))
      .map(({ part, path }) => [part, path]);

  it('is covered in its status, its words and the status in its body, and no further', () => {
    const { unauthorized = { status: 401, code: 'b' } } = defaultProfile.refusals;
    expect(covered({ ...defaultProfile, refusals: { unauthorized } })).toEqual([
      ['status', ''],
      ['body', 'code'],
      ['body', 'message'],
      ['body', 'data.status'],
    ]);
    expect(covered({ ...defaultProfile, refusals: {} })).toEqual([]);
  });
});
