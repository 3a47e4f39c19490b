import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nextCrontabRunMs } from '../../../../src/core/monitors/cron/schedule.ts';
import { hourMs } from '../../../../src/core/parsing/durations.ts';
import { byLevel, isNightly, rows } from '../../../support/test-level.ts';

interface Table {
  readonly from: string;
  readonly to: string;
  readonly zones: ReadonlyArray<{
    readonly zone: string;
    readonly changes: readonly string[];
    readonly crontabs: ReadonlyArray<{
      readonly crontab: string;
      readonly count: number;
      readonly sha256: string;
      readonly near_changes: readonly string[];
    }>;
  }>;
}

const table: Table = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/crontab/runs.json'), 'utf8'),
);
const momentOf = (text: string): number => Date.parse(`${text}Z`);

function runsOf(crontab: string, zone: string, fromMs: number, toMs: number, countMax = Infinity): string[] {
  const runs: string[] = [];
  for (let atMs = nextCrontabRunMs(crontab, zone, fromMs - 1); atMs !== null && atMs <= toMs; ) {
    if (runs.length === countMax) break;
    runs.push(new Date(atMs).toISOString().slice(0, 16));
    atMs = nextCrontabRunMs(crontab, zone, atMs);
  }
  return runs;
}

const fewZones = table.zones.filter(({ zone }) => ['Europe/Berlin', 'Australia/Lord_Howe'].includes(zone));
const everyThird = table.zones.filter((each, at) => at % 3 === 0 || fewZones.includes(each));
const zones = rows(() => byLevel({ nightly: table.zones, full: everyThird, short: fewZones }));

describe.each(zones)('run times in $zone', ({ zone, changes, crontabs }) => {
  it('are right around each change of the clock', () => {
    const found = crontabs.map(({ crontab }) => ({
      crontab,
      near_changes: changes
        .map(momentOf)
        .flatMap((atMs) => runsOf(crontab, zone, atMs - 12 * hourMs, atMs + 12 * hourMs)),
    }));
    expect(found).toEqual(crontabs.map(({ crontab, near_changes }) => ({ crontab, near_changes })));
  });

  // Half a minute of a processor for all zones: nightly.
  (isNightly ? it : it.skip).each(crontabs)(
    'are right for $crontab over two years',
    ({ crontab, count, sha256 }) => {
      const runs = runsOf(crontab, zone, momentOf(table.from), momentOf(table.to) - 1);
      expect(runs).toHaveLength(count);
      expect(createHash('sha256').update(runs.join('\n')).digest('hex')).toBe(sha256);
    },
  );
});

describe('counted by hand', () => {
  const first = (crontab: string, zone: string, from: string, count: number): string[] =>
    runsOf(crontab, zone, momentOf(from), Infinity, count);

  it.each([
    // New York, 1 November 2026: the clock shows 1:00 to 1:59 twice (05:00 and 06:00 UTC).
    [
      '0 1-3 * * *',
      'America/New_York',
      '2026-11-01T04:30',
      ['2026-11-01T05:00', '2026-11-01T07:00', '2026-11-01T08:00'],
    ],
    ['30 1-2 * * *', 'America/New_York', '2026-11-01T04:30', ['2026-11-01T05:30', '2026-11-01T07:30']],
    ['0 1-23/2 * * *', 'America/New_York', '2026-11-01T04:30', ['2026-11-01T05:00', '2026-11-01T08:00']],
    // Berlin, 29 March 2026: after 1:59 comes 3:00 (01:00 UTC).
    ['0 2,14 * * *', 'Europe/Berlin', '2026-03-29T00:00', ['2026-03-29T01:00', '2026-03-29T12:00']],
    ['10-50/20 2 * * *', 'Europe/Berlin', '2026-03-29T00:00', ['2026-03-29T01:00', '2026-03-30T00:10']],
    ['*/20 2 * * *', 'Europe/Berlin', '2026-03-29T00:00', ['2026-03-30T00:00', '2026-03-30T00:20']],
    // Day fields of which one begins with a star: both have to match.
    ['0 0 */2 * 1', 'UTC', '2026-11-01T00:00', ['2026-11-09T00:00', '2026-11-23T00:00']],
    ['0 4 8-14 * */7', 'UTC', '2026-11-01T00:00', ['2026-11-08T04:00', '2026-12-13T04:00']],
    // None does: either is enough.
    ['0 0 1,15 * 3', 'UTC', '2026-11-01T00:00', ['2026-11-01T00:00', '2026-11-04T00:00', '2026-11-11T00:00']],
    // Lord Howe changes by half an hour, at 2:00: on 5 April 2026 it shows 1:30 to 1:59 twice.
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00', ['2026-04-04T14:45', '2026-04-05T15:15']],
    [
      '*/15 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T14:20',
      ['2026-04-04T14:30', '2026-04-04T14:45', '2026-04-04T15:00', '2026-04-04T15:15', '2026-04-05T14:30'],
    ],
    ['5/15 * * * *', 'UTC', '2026-11-01T00:00', ['2026-11-01T00:05', '2026-11-01T00:20']],
    ['0 0 L * 5L', 'UTC', '2026-11-01T00:00', ['2026-11-27T00:00', '2026-11-30T00:00', '2026-12-25T00:00']],
  ])('%s in %s', (crontab, zone, from, runs) => {
    expect(first(crontab, zone, from, runs.length)).toEqual(runs);
  });

  it('the next run is the same from any moment', () => {
    // 25 October 2026 in Berlin: 2:30 is at 00:30 and at 01:30 UTC; the job runs at the first alone.
    expect(first('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:31', 1)).toEqual(['2026-10-26T01:30']);
    expect(first('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10', 1)).toEqual(['2026-10-26T01:30']);
    expect(first('30 2 * * *', 'Europe/Berlin', '2026-03-29T01:01', 1)).toEqual(['2026-03-30T00:30']);
  });
});
