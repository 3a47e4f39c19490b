import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkRows, readInLists, toValueList, toValueLists } from '../../data/value-lists.ts';

describe('a list of values', () => {
  it('keeps every value and has one of four lengths', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 1000 }), fc.nat(9), (values, first) => {
        const list = toValueList(values, first);
        expect(new Set(list.values)).toEqual(new Set(values));
        expect([1, 10, 100, 1000]).toContain(list.values.length);
        const marks = list.placeholders.split(', ');
        expect(marks).toHaveLength(list.values.length);
        expect([marks.at(0), marks.at(-1)]).toEqual([`$${first}`, `$${first + marks.length - 1}`]);
      }),
    );
  });

  it('has one value where there is one, and refuses to be empty or too long', () => {
    expect(toValueList(['a'], 3)).toEqual({ placeholders: '$3', values: ['a'] });
    expect(() => toValueList([], 1)).toThrow('0');
    expect(() => toValueList(new Array(1001).fill(1), 1)).toThrow('1001');
  });

  it('is split where there are too many values, and absent where there are none', async () => {
    for (const count of [0, 1, 1000, 1001, 2010]) {
      const values = Array.from({ length: count }, (_, at) => at);
      const lists = toValueLists(values, 3);
      expect(lists).toHaveLength(Math.ceil(count / 1000));
      expect([...new Set(lists.flatMap((list) => list.values))]).toEqual(values);
      expect(new Set(lists.map(({ placeholders: marks }) => marks.split(', ')[0]))).toEqual(
        new Set(count > 0 ? ['$3'] : []),
      );
      const read = await readInLists(values, 3, async (list) => [...new Set(list.values)]);
      expect(read).toEqual(values);
    }
  });

  it('is cut into portions that keep all rows in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 300 }), (rows) => {
        const portions = chunkRows(rows);
        expect(portions.flat()).toEqual(rows);
        for (const portion of portions) expect([1, 2, 4, 8, 16, 32, 64]).toContain(portion.length);
        expect(portions.length).toBeLessThanOrEqual(Math.floor(rows.length / 64) + 6);
      }),
    );
  });
});
