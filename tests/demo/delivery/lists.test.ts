// Slices of lists in memory: whoever leafs through them meets every row once, in either direction.
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Near, Sliced } from '../../../src/core/store/page.ts';
import { searching, sliceOf } from '../../../src/demo/store/delivery/lists.ts';
import { runs } from '../../support/test-level.ts';

const near = ({ atMs, id }: Near): Near => ({ atMs, id });

it('are met once each on the way to older ones and back', () => {
  const lists = fc
    .uniqueArray(fc.record({ atMs: fc.nat(9), id: fc.integer({ min: 1, max: 30 }) }), {
      selector: ({ id }) => id,
      minLength: 1,
    })
    .map((rows) => rows.sort((one, other) => other.atMs - one.atMs || other.id - one.id));
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 8 }), (rows, limit) => {
      let page: Sliced<Near> = sliceOf(rows, near, { after: null, before: null, limit });
      expect(page.hasNewer).toBe(false);
      const met = [...page.rows];
      let pages = 1;
      while (page.hasOlder) {
        page = sliceOf(rows, near, { after: page.rows.at(-1) ?? null, before: null, limit });
        expect([page.rows.length > 0, page.hasNewer]).toEqual([true, true]);
        met.push(...page.rows);
        pages += 1;
      }
      expect(met).toEqual(rows);
      expect(pages).toBe(Math.ceil(rows.length / limit));
      const back = [...page.rows];
      while (page.hasNewer) {
        page = sliceOf(rows, near, { after: null, before: page.rows[0] ?? null, limit });
        if (page.rows.length === 0) break;
        expect(page.hasOlder).toBe(true);
        back.unshift(...page.rows);
      }
      expect(back).toEqual(rows);
    }),
    { numRuns: runs(400) },
  );
});

it('are found by any letter case and form, and by nothing all of them', () => {
  expect(searching('ÉCLAIR')('x', 'un e\u0301clair')).toBe(true);
  expect(searching('éclair')(null, 'eclair')).toBe(false);
  expect(searching(' ')()).toBe(true);
  expect(searching(null)('x')).toBe(true);
});
