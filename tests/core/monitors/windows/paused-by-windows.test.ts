import { expect, it } from '@jest/globals';
import { maintenanceOutcome } from '../../../../src/core/monitors/check-monitor.ts';
import { defaultSettings } from '../../../../src/core/monitors/settings.ts';
import type { MaintenanceWindow, MonitorRecord } from '../../../../src/core/store/monitors.ts';

const minuteMs = 60_000;
const beginMs = Date.UTC(2026, 10, 21, 12);
const at = (minute: number): number => beginMs + minute * minuteMs;
const windows = [
  {
    projectId: null,
    covers: { all: true, monitorIds: [], group: '', tag: '' },
    fromMs: at(0),
    toMs: at(180),
    isInProgress: true,
  } as unknown as MaintenanceWindow,
];
const monitor = {
  type: 'http',
  state: 'up',
  stateSinceMs: at(-600),
  reason: '',
  pendingTransition: { state: 'down', count: 1, sinceMs: at(-2) },
  countedToMs: at(-2),
  intervalMs: 5 * minuteMs,
  timeoutMs: 10_000,
  settings: defaultSettings,
  runs: null,
} as unknown as MonitorRecord;

function outcome(more: object, minute: number) {
  const found = maintenanceOutcome({ ...monitor, ...more } as MonitorRecord, windows, at(minute));
  if (found === null) return null;
  const { status: standing, times, nextCheckAtMs, stateUntilMs, turns, check } = found;
  expect([turns, check, standing.pendingTransition]).toEqual([[], null, null]);
  const minuteOf = (ms: number | null | undefined): number | null =>
    ms == null ? null : (ms - beginMs) / minuteMs;
  return [
    standing.state,
    minuteOf(standing.stateSinceMs),
    minuteOf(stateUntilMs),
    minuteOf(nextCheckAtMs),
    times.map(({ fromMs, toMs, state }) => `${state} ${(toMs - fromMs) / minuteMs}`).join(),
  ];
}

const resting = { state: 'maintenance', stateSinceMs: at(0) };

it.each([
  // what it was, the minute: state, since, until, due, what its time counts as
  [{}, 0, ['maintenance', 0, 180, 60, 'up 2']],
  [{ state: 'down' }, 0, ['maintenance', 0, 180, 60, 'down 2']],
  [{ state: 'pending' }, 0, ['maintenance', 0, 180, 60, '']],
  // Nobody looked for long: the time is nobody's.
  [{ countedToMs: at(-60) }, 0, ['maintenance', 0, 180, 60, '']],
  [{ ...resting, countedToMs: at(60) }, 120, ['maintenance', 0, 180, 180, 'maintenance 60']],
  [{ ...resting, countedToMs: at(0) }, 120, ['maintenance', 0, 180, 180, '']],
  [{ ...resting, countedToMs: at(120) }, 180, ['pending', 180, null, 180, 'maintenance 60']],
  [{ state: 'up' }, 180, null],
  [{ state: 'up' }, -1, null],
])('%j after %i minutes', (more, minute, stands) => {
  expect(outcome(more, minute)).toEqual(stands);
});
