import { expect, it } from '@jest/globals';
import {
  listLastPeriods,
  nextPeriod,
  parsePeriod,
  previousPeriod,
  weekOf,
} from '../../../src/core/page-models/reports/period.ts';
import { fullOrShort } from '../../support/test-level.ts';

it.each([
  ['2026-W47', '2026-11-16', '2026-11-23'],
  ['2026-W01', '2025-12-29', '2026-01-05'],
  ['2026-W53', '2026-12-28', '2027-01-04'],
  ['2021-W01', '2021-01-04', '2021-01-11'],
  ['2024-02', '2024-02-01', '2024-03-01'],
  ['2026-12', '2026-12-01', '2027-01-01'],
])('%s is from %s to %s', (id, from, to) => {
  const period = parsePeriod(id);
  expect([period?.fromMs, period?.toMs]).toEqual([Date.parse(from), Date.parse(to)]);
});

it.each(['2025-W53', '2026-W00', '2026-W54', '2026-W1', '2026-13', '2026-00', '26-W01', '2026', ''])(
  '%s is no period',
  (id) => expect(parsePeriod(id)).toBeNull(),
);

it('each week has its own name, and the next begins where it ends, over many years', () => {
  let week = weekOf(Date.UTC(2000, 0, 3));
  for (let nth = 0; nth < fullOrShort(30, 6) * 52; nth += 1) {
    expect(parsePeriod(week.id)).toEqual(week);
    const next = nextPeriod(week);
    expect(next.fromMs).toBe(week.toMs);
    expect(previousPeriod(next)).toEqual(week);
    week = next;
  }
});

it('the last periods are in a row, newest first', () => {
  const last = (kind: 'week' | 'month', at: string) =>
    listLastPeriods(kind, Date.parse(at), 3).map(({ id }) => id);
  expect(last('week', '2026-11-21')).toEqual(['2026-W47', '2026-W46', '2026-W45']);
  expect(last('month', '2027-01-31')).toEqual(['2027-01', '2026-12', '2026-11']);
});
