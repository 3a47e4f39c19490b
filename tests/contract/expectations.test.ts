import { expect, it } from '@jest/globals';
import { flagMembers, printableExcerpt, statisticsMembers } from '../../src/contract/expectations.ts';

it.each<[string, object, string[], string[]]>([
  ['so named', { feature_list: { a: 'x' }, flags: { b: 1 } }, ['feature_list', 'flags'], []],
  ['true and false alone', { switches: { a: true, b: false } }, ['switches'], []],
  ['a number beside them', { switches: { a: true, sampling: 0.5 } }, ['switches'], []],
  ['numbers without any switch', { totals: { events: 3, issues: 1 } }, [], ['totals']],
  ['a text beside a switch', { state: { on: true, name: 'x' } }, [], []],
  ['a text beside numbers', { totals: { events: 3, unit: 'day' } }, [], ['totals']],
  ['identifiers alone', { project: { id: 1, owner_id: 2 } }, [], []],
  ['nothing inside', { flags: {}, totals: {} }, [], []],
  ['no objects', { a: 1, b: [true], c: null }, [], []],
])('%s', (_what, json, flags, statistics) => {
  expect([flagMembers(json), statisticsMembers(json)]).toEqual([flags, statistics]);
});

it('an excerpt is one line of at most 120 characters without control characters', () => {
  const whole = 'x'.repeat(120);
  const excerpts = [whole, `${whole}y`, ' a\u0007\nb ', '\n'].map(printableExcerpt);
  expect(excerpts).toEqual([whole, `${'x'.repeat(117)}...`, 'a b', '(empty)']);
});
