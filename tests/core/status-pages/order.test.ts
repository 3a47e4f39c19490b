import { expect, it } from '@jest/globals';
import { type MovedPart, movePart } from '../../../src/core/status-pages/status-pages.ts';

const parts = ['a1', 'a2', 'b3', 'b4', 'c5'].map((word) => ({ id: Number(word[1]), group: word[0] ?? '' }));
const moved = (what: MovedPart, by: -1 | 1): string =>
  movePart(parts, what, by)
    .map(({ id, group }) => `${group}${id}`)
    .join(' ');
const part = (id: number): MovedPart => ({ what: 'component', id });
const group = (at: number): MovedPart => ({ what: 'group', at });

it.each<[MovedPart, -1 | 1, string]>([
  [part(2), -1, 'a2 a1 b3 b4 c5'],
  [part(3), 1, 'a1 a2 b4 b3 c5'],
  // At the end of its group it goes into the next one.
  [part(2), 1, 'a1 b2 b3 b4 c5'],
  [part(3), -1, 'a1 a2 a3 b4 c5'],
  [part(5), -1, 'a1 a2 b3 b4 b5'],
  // There is nothing beyond.
  [part(1), -1, 'a1 a2 b3 b4 c5'],
  [part(5), 1, 'a1 a2 b3 b4 c5'],
  [part(9), 1, 'a1 a2 b3 b4 c5'],
  [group(1), -1, 'b3 b4 a1 a2 c5'],
  [group(1), 1, 'a1 a2 c5 b3 b4'],
  [group(0), -1, 'a1 a2 b3 b4 c5'],
  [group(2), 1, 'a1 a2 b3 b4 c5'],
  [group(7), 1, 'a1 a2 b3 b4 c5'],
])('%j by %d', (what, by, order) => {
  expect(moved(what, by)).toBe(order);
});
