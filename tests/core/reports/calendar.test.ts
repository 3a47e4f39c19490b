import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Period, parsePeriod } from '../../../src/core/page-models/reports/period.ts';
import { latestDuePeriod, nextReportSendMs, reportSendMs } from '../../../src/core/reports/schedules.ts';
import { runs } from '../../support/test-level.ts';

const eight = 8 * 60;

function period(id: string): Period {
  const found = parsePeriod(id);
  if (found === null) throw new Error(`${id} is no period`);
  return found;
}

describe('a report is sent', () => {
  it.each([
    ['2026-W47', 'UTC', eight, '2026-11-23T08:00:00Z'],
    ['2026-W47', 'Europe/Berlin', eight, '2026-11-23T07:00:00Z'],
    ['2026-W28', 'Europe/Berlin', eight, '2026-07-13T06:00:00Z'],
    ['2026-W47', 'America/New_York', eight, '2026-11-23T13:00:00Z'],
    ['2026-W47', 'Asia/Kolkata', eight, '2026-11-23T02:30:00Z'],
    // Monday 08:00 is still Sunday in UTC: it leaves when the week is over there.
    ['2026-W47', 'Asia/Tokyo', eight, '2026-11-23T00:05:00Z'],
    ['2026-W47', 'Pacific/Kiritimati', eight, '2026-11-23T00:05:00Z'],
    ['2026-W47', 'Pacific/Pago_Pago', eight, '2026-11-23T19:00:00Z'],
    ['2026-11', 'Europe/Berlin', eight, '2026-12-01T07:00:00Z'],
    ['2026-12', 'UTC', 0, '2027-01-01T00:05:00Z'],
    // Clocks were set in the night before: forward in March, back in October.
    ['2026-W13', 'Europe/Berlin', eight, '2026-03-30T06:00:00Z'],
    ['2026-W43', 'Europe/Berlin', eight, '2026-10-26T07:00:00Z'],
    // On the very day: at 02:30 there is no such time, at 00:30 in Havana there are two, of which the first.
    ['2026-02', 'America/New_York', 150, '2026-03-01T07:30:00Z'],
    ['2026-10', 'America/Havana', 30, '2026-11-01T04:30:00Z'],
  ])('%s by %s at minute %i: %s', (id, zone, atMinute, at) => {
    expect(new Date(reportSendMs(period(id), { atMinute, zone })).toISOString()).toBe(
      new Date(at).toISOString(),
    );
  });

  it('at a time that the clock skips, right after the skip', () => {
    // Beirut, 2026-03-29 00:00 to 01:00; a week of ours never begins then, so a day is asked for itself.
    const sunday = Date.parse('2026-03-29');
    const leap = { ...period('2026-03'), toMs: sunday };
    const sent = reportSendMs(leap, { atMinute: 150, zone: 'Europe/Berlin' });
    expect(new Date(sent).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it.each([
    ['week', '2026-11-21T12:00:00Z', '2026-11-23T07:00:00Z'],
    ['week', '2026-11-23T06:59:59Z', '2026-11-23T07:00:00Z'],
    ['week', '2026-11-23T07:00:00Z', '2026-11-30T07:00:00Z'],
    ['month', '2026-11-21T12:00:00Z', '2026-12-01T07:00:00Z'],
    ['month', '2026-12-31T23:30:00Z', '2027-01-01T07:00:00Z'],
  ] as const)('next of a %s after %s: %s', (kind, after, at) => {
    const terms = { kind, atMinute: eight, zone: 'Europe/Berlin' };
    expect(new Date(nextReportSendMs(terms, Date.parse(after))).toISOString()).toBe(
      new Date(at).toISOString(),
    );
  });
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Niue',
];

it('each period once, in order, none before its end, from any moment on', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('week' as const, 'month' as const),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 1439 }),
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) }),
      (kind, zone, atMinute, fromMs) => {
        const terms = { kind, zone, atMinute };
        let atMs = fromMs;
        let last = latestDuePeriod(terms, atMs);
        for (let nth = 0; nth < 3; nth += 1) {
          const next = nextReportSendMs(terms, atMs);
          const sent = latestDuePeriod(terms, next);
          expect(next).toBeGreaterThan(atMs);
          expect(sent.fromMs).toBe(last.toMs);
          expect(next).toBeGreaterThan(sent.toMs);
          expect(latestDuePeriod(terms, next - 1).id).toBe(last.id);
          [atMs, last] = [next, sent];
        }
      },
    ),
    { numRuns: runs(320) },
  );
});
