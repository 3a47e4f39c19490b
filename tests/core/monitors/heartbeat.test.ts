import { describe, expect, it } from '@jest/globals';
import { applyHeartbeatCall, applyHeartbeatTimeout } from '../../../src/core/monitors/heartbeat.ts';
import { defaultSettings } from '../../../src/core/monitors/settings.ts';
import { formatShortDuration } from '../../../src/core/parsing/durations.ts';
import type { MonitorRecord, UptimeInterval } from '../../../src/core/store/monitors.ts';

const minuteMs = 60_000;
const beginMs = Date.UTC(2026, 10, 21, 12);

/** Made at 12:00, called every 60 minutes, 10 minutes late allowed. */
const fresh = {
  type: 'heartbeat',
  state: 'pending',
  stateSinceMs: beginMs,
  reason: '',
  pendingTransition: null,
  countedToMs: beginMs,
  lastCheck: null,
  intervalMs: 60 * minuteMs,
  nextCheckAtMs: null,
  settings: { ...defaultSettings, graceMs: 10 * minuteMs },
} as unknown as MonitorRecord;

/** `5 call`: a call after five minutes; `70 end`: somebody looks what is due; `20 pause`, `30 resume`. */
function after(steps: string) {
  let monitor = fresh;
  const times: UptimeInterval[] = [];
  for (const step of steps.split(', ')) {
    const [minute = '', what] = step.split(' ');
    const atMs = beginMs + Number(minute) * minuteMs;
    if (what === 'pause' || what === 'resume') {
      const state = what === 'pause' ? 'paused' : 'pending';
      monitor = { ...monitor, state, stateSinceMs: atMs };
      continue;
    }
    const heard = what === 'call' ? applyHeartbeatCall(monitor, atMs) : applyHeartbeatTimeout(monitor, atMs);
    if (heard === null) continue;
    const { check, status: standing, nextCheckAtMs } = heard;
    monitor = { ...monitor, ...standing, nextCheckAtMs, lastCheck: check ?? monitor.lastCheck };
    times.push(...heard.times);
  }
  const minuteOf = (atMs: number): number => (atMs - beginMs) / minuteMs;
  const length = (state: string): number =>
    times.filter((each) => each.state === state).reduce((sum, each) => sum + each.toMs - each.fromMs, 0);
  const { state, stateSinceMs, reason, nextCheckAtMs } = monitor;
  return [
    state,
    minuteOf(stateSinceMs),
    nextCheckAtMs === null ? null : minuteOf(nextCheckAtMs),
    length('up') / minuteMs,
    length('down') / minuteMs,
    reason,
  ];
}

const silent = 'was not called within 70 min';

it.each([
  // steps: state, since, due at, minutes up, minutes down, why
  ['0 end', ['pending', 0, null, 0, 0, '']],
  ['500 end', ['pending', 0, null, 0, 0, '']],
  ['5 call', ['up', 5, 75, 0, 0, '']],
  ['5 call, 65 call', ['up', 5, 135, 60, 0, '']],
  ['5 call, 74 call', ['up', 5, 144, 69, 0, '']],
  ['5 call, 30 end', ['up', 5, 75, 0, 0, '']],
  ['5 call, 75 end', ['down', 75, 135, 70, 0, silent]],
  ['5 call, 75.5 end', ['down', 75, 135.5, 70, 0.5, silent]],
  ['5 call, 75 end, 135 end, 195 end', ['down', 75, 255, 70, 120, silent]],
  ['5 call, 75 end, 80 end', ['down', 75, 135, 70, 0, silent]],
  ['5 call, 75 end, 100 call', ['up', 100, 170, 70, 25, '']],
  ['5 call, 75 end, 100 call, 160 call', ['up', 100, 230, 130, 25, '']],
  // Nobody looked when it was due: whoever called then was not heard, and the time is nobody's.
  ['5 call, 100 end', ['up', 5, 170, 0, 0, '']],
  ['5 call, 100 end, 170 end', ['down', 170, 230, 70, 0, silent]],
  ['5 call, 100 call', ['up', 5, 170, 0, 0, '']],
  ['5 call, 75 end, 500 call', ['up', 500, 570, 70, 0, '']],
  // A pause is no time of its own, and begins anew.
  ['5 call, 20 pause, 30 call', ['paused', 20, 75, 0, 0, '']],
  ['5 call, 20 pause, 200 resume, 200 end', ['pending', 200, 270, 0, 0, '']],
  ['5 call, 20 pause, 200 resume, 210 call', ['up', 210, 280, 0, 0, '']],
  ['5 call, 20 pause, 200 resume, 270 end', ['down', 270, 330, 0, 0, silent]],
  ['0 pause, 200 resume, 200 end', ['pending', 200, null, 0, 0, '']],
])('%s', (steps, stands) => {
  expect(after(steps)).toEqual(stands);
});

describe('rapid calls', () => {
  it('change nothing within a second', () => {
    const called = { ...fresh, ...applyHeartbeatCall(fresh, beginMs)?.status } as MonitorRecord;
    const check = applyHeartbeatCall(fresh, beginMs)?.check ?? null;
    expect(applyHeartbeatCall({ ...called, lastCheck: check }, beginMs + 999)).toBeNull();
    expect(applyHeartbeatCall({ ...called, lastCheck: check }, beginMs + 1000)).not.toBeNull();
  });
});

it.each([
  [45_000, '45 s'],
  [60_000, '60 s'],
  [3_600_000, '60 min'],
  [5_400_000, '90 min'],
  [86_400_000, '24 h'],
  [172_800_000, '2 days'],
  [90_061_000, '90061 s'],
])('%i ms are shown as %s', (ms, text) => {
  expect(formatShortDuration(ms)).toBe(text);
});
