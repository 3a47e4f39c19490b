import { describe, expect, it } from '@jest/globals';
import {
  applyCheckIn,
  applyTime,
  type CronMonitorState,
  noRuns,
  withSchedule,
} from '../../../../src/core/monitors/cron/state.ts';
import type { CronSettings, UptimeInterval } from '../../../../src/core/store/monitors.ts';

const minuteMs = 60_000;
const beginMs = Date.UTC(2026, 10, 21, 12);
const hourly: CronSettings = {
  schedule: { type: 'crontab', value: '0 * * * *' },
  timezone: 'UTC',
  marginMs: 5 * minuteMs,
  runtimeMs: 30 * minuteMs,
  failures: 1,
  recoveries: 1,
};
const fresh: CronMonitorState = {
  state: 'pending',
  stateSinceMs: beginMs,
  reason: '',
  pendingTransition: null,
  countedToMs: beginMs,
  runs: noRuns,
  lastCheck: null,
};

/**
 * `1 in_progress a`: a check-in of the run a in the first minute after noon; `65 time`: whoever looks does so
 * whenever something is due until then; `65 late`: somebody looks then for the first time.
 */
function follow(steps: string, more: Partial<CronSettings> = {}) {
  const settings = { ...hourly, ...more };
  let job = fresh;
  let dueAtMs: number | null = null;
  const codes: string[] = [];
  const times: UptimeInterval[] = [];
  const take = (step: ReturnType<typeof applyCheckIn>): void => {
    if (step === null) return;
    job = { ...step.status, runs: step.runs, lastCheck: step.check ?? job.lastCheck };
    if (step.check !== null) codes.push(step.check.code);
    times.push(...step.times);
    dueAtMs = step.nextCheckAtMs;
  };
  const passTo = (atMs: number): void => {
    while (dueAtMs !== null && dueAtMs <= atMs) take(applyTime(job, settings, dueAtMs));
  };
  for (const step of steps.split(', ')) {
    const [minute = '', what = '', id = null] = step.split(' ');
    const atMs = beginMs + Number(minute) * minuteMs;
    const status = what as 'in_progress' | 'ok' | 'error';
    if (what === 'pause') {
      job = { ...job, state: 'paused', stateSinceMs: atMs };
      continue;
    }
    if (what === 'resume') job = { ...job, state: 'pending', stateSinceMs: atMs };
    if (what === 'resume' || what === 'late') take(applyTime(job, settings, atMs));
    else passTo(atMs);
    if (id !== null || ['in_progress', 'ok', 'error'].includes(what)) {
      take(applyCheckIn(job, { id, status, durationMs: null }, settings, atMs));
    }
  }
  return { job, codes: codes.join(' '), times };
}

const minuteOf = (ms: number | null): number | null => (ms === null ? null : (ms - beginMs) / minuteMs);

function stands(steps: string, more: Partial<CronSettings> = {}) {
  const { job, codes } = follow(steps, more);
  return [job.state, minuteOf(job.stateSinceMs), minuteOf(job.runs.expectedAtMs), codes];
}

it.each([
  // steps: state, since, expected at, what became of its runs
  ['1 in_progress a', ['pending', 0, 60, '']],
  ['1 in_progress a, 9 ok a', ['up', 9, 60, 'ok']],
  ['1 ok', ['up', 1, 60, 'ok']],
  ['1 in_progress a, 9 ok a, 62 in_progress b, 70 ok b', ['up', 9, 120, 'ok ok']],
  ['1 error', ['down', 1, 60, 'error']],
  ['1 error, 61 ok', ['up', 61, 120, 'error ok']],
  // Missed: from the end of the margin on, and again at the next.
  ['1 ok, 65 time', ['down', 65, 120, 'ok missed']],
  ['1 ok, 64 time', ['up', 1, 60, 'ok']],
  ['1 ok, 125 time', ['down', 65, 180, 'ok missed missed']],
  ['1 ok, 80 ok', ['up', 80, 120, 'ok missed ok']],
  // Too long: from the end of its time on; that it ended after all counts as it ended.
  ['1 in_progress a, 31 time', ['down', 31, 60, 'timeout']],
  ['1 in_progress a, 30 time', ['pending', 0, 60, '']],
  ['1 in_progress a, 40 ok a', ['up', 40, 60, 'timeout ok']],
  // Two at a time are told apart, and the last is meant where none is named.
  ['1 in_progress a, 2 in_progress b, 3 ok b, 31 time', ['down', 31, 60, 'ok timeout']],
  ['1 in_progress a, 3 ok', ['up', 3, 60, 'ok']],
  ['1 in_progress a, 20 in_progress a, 31 time', ['down', 31, 60, 'timeout']],
  // What is sent again, or comes in another order, changes nothing.
  ['1 in_progress a, 3 error a, 4 error a, 5 in_progress a, 40 time', ['down', 3, 60, 'error']],
  // Two at the same moment are two.
  ['1 ok a, 1 ok b', ['up', 1, 60, 'ok ok']],
])('%s', (steps, stood) => {
  expect(stands(steps)).toEqual(stood);
});

it.each([
  ['1 ok, 61 error', ['up', 1, 120, 'ok error']],
  ['1 ok, 61 error, 121 error', ['down', 121, 180, 'ok error error']],
  ['1 ok, 61 error, 125 time', ['down', 125, 180, 'ok error missed']],
  ['1 ok, 61 error, 121 ok, 181 error', ['up', 1, 240, 'ok error ok error']],
  ['1 ok, 61 error, 121 error, 181 ok', ['down', 121, 240, 'ok error error ok']],
  ['1 ok, 61 error, 121 error, 181 ok, 241 ok, 301 ok', ['up', 301, 360, 'ok error error ok ok ok']],
  ['1 error', ['pending', 0, 60, 'error']],
  ['1 error, 61 error', ['down', 61, 120, 'error error']],
])('of two failures and three recoveries: %s', (steps, stood) => {
  expect(stands(steps, { failures: 2, recoveries: 3 })).toEqual(stood);
});

describe('a run that starts a little early', () => {
  it.each([
    // By a clock that goes ahead: it is the one that is awaited.
    ['1 ok, 59.5 in_progress a, 63 ok a, 70 time', ['up', 1, 120, 'ok ok']],
    // Out of its turn: the one of its time is still awaited.
    ['1 ok, 50 ok, 66 time', ['down', 65, 120, 'ok ok missed']],
  ])('%s', (steps, stood) => {
    expect(stands(steps)).toEqual(stood);
  });

  it('is the one that is due, with a schedule of every minute', () => {
    const schedule = { type: 'crontab', value: '* * * * *' } as const;
    const more = { schedule, marginMs: minuteMs };
    expect(stands('0.1 ok, 0.9 ok', more)).toEqual(['up', 0.1, 2, 'ok ok']);
    expect(stands('0.1 ok, 1.1 ok', more)).toEqual(['up', 0.1, 2, 'ok ok']);
    expect(stands('0.1 ok, 0.4 ok', more)).toEqual(['up', 0.1, 1, 'ok ok']);
  });

  it('is the start of the next interval', () => {
    const schedule = { type: 'interval', value: 30, unit: 'minute' } as const;
    expect(stands('1 ok, 20 ok, 54 time', { schedule })).toEqual(['up', 1, 50, 'ok ok']);
    expect(stands('1 ok, 20 ok, 55 time', { schedule })).toEqual(['down', 55, 80, 'ok ok missed']);
  });
});

describe('a missed run', () => {
  it.each([
    // For long nobody looked: nothing is known of what was due meanwhile.
    ['1 ok, 62 time, 66 late', ['down', 65, 120, 'ok missed']],
    ['1 ok, 62 time, 66.1 late', ['up', 1, 120, 'ok']],
    ['1 ok, 400 late', ['up', 1, 420, 'ok']],
    ['1 in_progress a, 40 late, 70 time', ['down', 65, 120, 'missed']],
    // While it was paused: neither the runs from before nor those of that time.
    ['1 ok, 50 pause, 62 resume, 70 time', ['pending', 62, 120, 'ok']],
    ['1 ok, 55 in_progress a, 56 pause, 62 resume, 119 time', ['pending', 62, 120, 'ok']],
    ['1 ok, 50 pause, 52 ok, 55 resume, 65 time', ['down', 65, 120, 'ok missed']],
  ])('%s', (steps, stood) => {
    expect(stands(steps)).toEqual(stood);
  });
});

it('is counted for its hour, and not for a time when the server was down', () => {
  const length = (steps: string, state: string): number =>
    follow(steps, { schedule: { type: 'crontab', value: '0 0 1 * *' } })
      .times.filter((each) => each.state === state)
      .reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / minuteMs, 0);
  expect(length('0 ok, 150 time', 'up')).toBe(120);
  expect(length('0 ok, 150 ok', 'up')).toBe(150);
  expect(length('0 ok, 150 error, 300 ok', 'up')).toBe(150);
  expect(length('0 ok, 150 error, 300 ok', 'down')).toBe(150);
  expect(length('0 ok, 60 late, 1000 late, 1030 ok', 'up')).toBe(90);
});

it('is expected by a changed schedule, and not for a job that never ran', () => {
  const daily = { ...hourly, schedule: { type: 'crontab', value: '0 0 * * *' } } as const;
  const { job } = follow('1 ok a');
  expect(minuteOf(withSchedule(job.runs, daily, beginMs).expectedAtMs)).toBe(720);
  expect(withSchedule(noRuns, daily, beginMs)).toBe(noRuns);
});

it('drops the oldest beyond the limit of parallel runs', () => {
  const steps = Array.from({ length: 25 }, (_, at) => `1 in_progress r${at}`).join(', ');
  const { inProgress } = follow(steps).job.runs;
  expect([inProgress.length, inProgress[0]?.id]).toEqual([20, 'r5']);
});
