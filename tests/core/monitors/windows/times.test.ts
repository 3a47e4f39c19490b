import { expect, it } from '@jest/globals';
import {
  maintenanceUntilMs,
  nextWeeklyOccurrence,
  windowCovers,
} from '../../../../src/core/monitors/maintenance-windows/advance.ts';
import type { MaintenanceWindow, MonitorRecord, Weekday } from '../../../../src/core/store/monitors.ts';

const minuteMs = 60_000;
const nightly = (weekdays: Weekday[], timezone: string, minutes = 90) => ({
  weekdays,
  hour: 2,
  minute: 30,
  lengthMs: minutes * minuteMs,
  timezone,
});

it.each([
  // Saturday, 21 November 2026.
  [nightly(['sun'], 'UTC'), '2026-11-21T12:00Z', '2026-11-22T02:30', '2026-11-22T04:00'],
  [nightly(['sun'], 'Europe/Berlin'), '2026-11-21T12:00Z', '2026-11-22T01:30', '2026-11-22T03:00'],
  [nightly(['mon', 'thu'], 'UTC'), '2026-11-23T12:00Z', '2026-11-26T02:30', '2026-11-26T04:00'],
  // What is under way is the one, up to its last moment.
  [nightly(['sun'], 'UTC'), '2026-11-22T03:59Z', '2026-11-22T02:30', '2026-11-22T04:00'],
  [nightly(['sun'], 'UTC'), '2026-11-22T04:00Z', '2026-11-29T02:30', '2026-11-29T04:00'],
  // On 29 March the clock of Berlin goes from 2:00 to 3:00, on 25 October from 3:00 to 2:00.
  [nightly(['sun'], 'Europe/Berlin'), '2026-03-28T12:00Z', '2026-03-29T01:00', '2026-03-29T02:30'],
  [nightly(['sun'], 'Europe/Berlin'), '2026-10-24T12:00Z', '2026-10-25T00:30', '2026-10-25T02:00'],
  // The whole day, each day.
  [nightly(['sat', 'sun'], 'UTC', 1_440), '2026-11-22T02:30Z', '2026-11-22T02:30', '2026-11-23T02:30'],
] as const)('%j after %s', (weekly, after, from, to) => {
  const { fromMs, toMs } = nextWeeklyOccurrence(weekly, Date.parse(after));
  const said = [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
  expect(said).toEqual([from, to]);
});

const nothing = { all: false, monitorIds: [], group: '', tag: '' };
const monitor = { id: 7, projectId: 2, group: 'Shop', tags: ['eu', 'web'] } as unknown as MonitorRecord;

it.each([
  [null, { ...nothing, all: true }, true],
  [2, { ...nothing, all: true }, true],
  [3, { ...nothing, all: true }, false],
  [null, { ...nothing, monitorIds: [6, 7] }, true],
  [null, { ...nothing, monitorIds: [6] }, false],
  [null, { ...nothing, group: 'Shop' }, true],
  [3, { ...nothing, group: 'Shop' }, false],
  [null, { ...nothing, tag: 'web' }, true],
  [null, { ...nothing, tag: 'us', group: 'Mail' }, false],
  [null, nothing, false],
] as const)('of the project %s, %j: %s', (projectId, of, isCovered) => {
  expect(windowCovers({ projectId, covers: of }, monitor)).toBe(isCovered);
});

it('maintenance of a monitor lasts until the last active window ends', () => {
  const window = (fromMs: number, toMs: number, isInProgress = true) =>
    ({
      projectId: null,
      covers: { ...nothing, all: true },
      fromMs,
      toMs,
      isInProgress,
    }) as unknown as MaintenanceWindow;
  const all = [window(0, 100), window(50, 200), window(60, 300, false), window(250, 400)];
  expect([0, 100, 150, 200].map((atMs) => maintenanceUntilMs(all, monitor, atMs))).toEqual([
    100,
    200,
    200,
    null,
  ]);
});
