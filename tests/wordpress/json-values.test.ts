import { expect, it } from '@jest/globals';
import { countValues } from '../../src/wordpress/php/json-tokens.ts';

const counted = (text: string, valuesMax = 1_000): number => countValues(Buffer.from(text), valuesMax);

it.each([
  ['5', 1],
  ['"a,[{"', 1],
  ['"\\",[\\\\"', 1],
  ['[1]', 2],
  ['[1,2]', 3],
  ['[[[5]]]', 4],
  ['{"a,b":{"c":"[{,"}}', 3],
  ['[{"a":1},{"b":[2,"x"]}]', 7],
])('counts containers and what they hold: %s has %d', (text, values) => {
  expect(counted(text)).toBe(values);
});

it('has no fewer than there are, and stops after so many', () => {
  expect(counted('[]')).toBe(2);
  expect(counted(`[${'1,'.repeat(100)}1]`, 10)).toBe(11);
  expect(counted(`[${'1,'.repeat(8)}1]`, 10)).toBe(10);
});
