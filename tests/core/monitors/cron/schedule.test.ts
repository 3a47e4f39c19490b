import { describe, expect, it } from '@jest/globals';
import { nextRunMs, parseSchedule } from '../../../../src/core/monitors/cron/schedule.ts';
import { findTimeZone } from '../../../../src/core/parsing/format/time-zones.ts';

const crontab = (value: string) => {
  const schedule = parseSchedule('crontab', value, undefined);
  if (schedule === null) throw new Error(`no schedule: ${value}`);
  return schedule;
};
const begins = (value: string, timezone: string, after: string, count = 1): string[] => {
  const all: string[] = [];
  for (let atMs: number | null = Date.parse(after); all.length < count; ) {
    atMs = nextRunMs(crontab(value), timezone, atMs ?? 0);
    if (atMs === null) break;
    all.push(new Date(atMs).toISOString().slice(0, 16));
  }
  return all;
};

describe('a crontab', () => {
  it.each([
    ['30 2 * * *', 'UTC', '2026-11-21T02:30:00Z', ['2026-11-22T02:30']],
    ['30 2 * * *', 'Europe/Berlin', '2026-11-21T00:00:00Z', ['2026-11-21T01:30']],
    ['*/15 9-10 * * mon-fri', 'UTC', '2026-11-20T10:45:00Z', ['2026-11-23T09:00', '2026-11-23T09:15']],
    ['0 0 29 2 *', 'UTC', '2026-03-01T00:00:00Z', ['2028-02-29T00:00']],
    ['@daily', 'UTC', '2026-11-21T12:00:00Z', ['2026-11-22T00:00']],
    ['@midnight', 'UTC', '2026-11-21T12:00:00Z', ['2026-11-22T00:00']],
    // The first of the month, and each Monday: either is enough, as cron has it.
    [
      '0 0 1 * 1',
      'UTC',
      '2026-11-28T00:00:00Z',
      ['2026-11-30T00:00', '2026-12-01T00:00', '2026-12-07T00:00'],
    ],
  ])('%s in %s', (value, zone, after, found) => {
    expect(begins(value, zone, after, found.length)).toEqual(found);
  });

  it('in the hour that the clock skips runs once, right after the skip', () => {
    // On 29 March 2026 the clock of Berlin goes from 2:00 to 3:00 (01:00 UTC).
    expect(begins('30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  it('in the hour that the clock repeats runs once', () => {
    // On 25 October 2026 the clock of Berlin goes from 3:00 to 2:00 (01:00 UTC).
    expect(begins('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('of every hour runs in each, also in the repeated one', () => {
    expect(begins('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
    expect(begins('0 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ]);
  });

  it.each([
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '0 0 30 2 *',
    '@reboot',
    '@secondly',
    '',
    'x'.repeat(101),
  ])('is invalid: %s', (value) => {
    expect(parseSchedule('crontab', value, undefined)).toBeNull();
  });
});

describe('an interval', () => {
  it.each([
    [10, 'minute', '2026-11-21T12:03:20Z', '2026-11-21T12:13'],
    [2, 'week', '2026-11-21T12:00:00Z', '2026-12-05T12:00'],
    [1, 'month', '2026-01-31T12:00:00Z', '2026-02-28T12:00'],
    [1, 'year', '2028-02-29T12:00:00Z', '2029-02-28T12:00'],
  ] as const)('of %i %s', (value, unit, after, next) => {
    const schedule = parseSchedule('interval', value, unit);
    if (schedule === null) throw new Error('no schedule');
    const atMs = nextRunMs(schedule, 'UTC', Date.parse(after)) ?? 0;
    expect(new Date(atMs).toISOString().slice(0, 16)).toBe(next);
  });

  it.each([
    [0, 'hour'],
    [1.5, 'hour'],
    [10_001, 'hour'],
    ['1', 'hour'],
    [1, 'second'],
  ])('is invalid: %j %s', (value, unit) => {
    expect(parseSchedule('interval', value, unit)).toBeNull();
  });
});

it('a time zone must be known to the system', () => {
  expect(findTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
  expect([findTimeZone('Mars/Olympus'), findTimeZone(5), findTimeZone('x'.repeat(200))]).toEqual([
    null,
    null,
    null,
  ]);
});
