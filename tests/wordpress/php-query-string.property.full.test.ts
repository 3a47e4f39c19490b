import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseQueryString } from '../../src/wordpress/php/query-string.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { askPhp, dumpValue } from './php-oracle.ts';

describeWithPrograms('parseQueryString beside PHP', ['php'], (programs) => {
  it('reads 10,000 query strings as parse_str does', () => {
    const queries = fc.sample(query, { numRuns: 10_000, seed: 20_260_822 });
    const answers = askPhp(programs['php'] ?? '', 'parse_str($input, $value); return dump($value);', queries);
    const differences = queries.flatMap((bytes, index) => {
      const ours = dumpValue(parseQueryString(bytes));
      return ours === answers[index] ? [] : [{ query: bytes.toString('latin1'), ours, php: answers[index] }];
    });
    expect(differences.slice(0, 5)).toEqual([]);
    expect(answers).toHaveLength(10_000);
  });
});

const atom = fc.constantFrom(
  'a',
  'b',
  'a',
  'ab',
  '0',
  '1',
  '3',
  '-3',
  '01',
  '-0',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '.',
  ' ',
  '+',
  '%20',
  '%',
  '%zz',
  '%4',
  '%5B',
  '%5D',
  '%00',
  '%FF',
  '%C3%A9',
  '%E2%82',
  '%26',
  '%3D',
  '%2B',
  '\xe9',
  '\xc3\xa9',
  '\xf0\x9f\x9a\x80',
  '\xff',
  '\t',
  '\n',
  '%0A',
  '%0B',
  '\0',
  ';',
  '"',
  '__proto__',
  'constructor',
  '_',
  'GLOBALS',
  'this',
);
const brackets = fc.constantFrom(
  '[',
  ']',
  '[]',
  '[]',
  '[ ]',
  '[a]',
  '[b]',
  '[0]',
  '[3]',
  '[-3]',
  '[01]',
  '[a.b]',
  '[%00]',
  '[\t]',
  '[[',
  ']]',
  '[+',
  '[b',
  '[b.c d',
);
const name = fc.oneof(
  fc.array(fc.oneof(atom, brackets), { maxLength: 6 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c.d'), fc.array(brackets, { maxLength: 5 }))
    .map(([head, tail]) => head + tail.join('')),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 62, max: 67 }), fc.constantFrom('[]', '[x]', '[0]'))
    .map(([head, depth, bracket]) => head + bracket.repeat(depth)),
);
const value = fc
  .array(fc.oneof(atom, fc.constantFrom('=', '[', 'x', 'yz')), { maxLength: 4 })
  .map((parts) => parts.join(''));
const pair = fc.oneof(
  { arbitrary: fc.tuple(name, value).map(([left, right]) => `${left}=${right}`), weight: 6 },
  { arbitrary: name, weight: 1 },
  { arbitrary: fc.constantFrom('', '&', '=', '=x', '?a=1'), weight: 1 },
);
const query = fc.oneof(
  {
    arbitrary: fc.array(pair, { maxLength: 8 }).map((pairs) => Buffer.from(pairs.join('&'), 'latin1')),
    weight: 950,
  },
  { arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)), weight: 49 },
  {
    arbitrary: fc
      .integer({ min: 998, max: 1_003 })
      .map((count) => Buffer.from(Array.from({ length: count }, (_, index) => `v[]=${index}`).join('&&'))),
    weight: 1,
  },
);
