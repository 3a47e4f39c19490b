import { describe, expect, it } from '@jest/globals';
import { nextConfirmationMs, nextRegularCheckMs } from '../../../src/core/monitors/check-monitor.ts';
import { applyCheck } from '../../../src/core/monitors/state.ts';
import type { MonitorStatus, UptimeInterval } from '../../../src/core/store/monitors.ts';

const intervalMs = 30_000;
const letters = { u: 'up', s: 'degraded', d: 'down' } as const;
const begun = 1_000_000;

function play(
  checks: string,
  { confirmations = 2, from = 'pending' }: { confirmations?: number; from?: string } = {},
) {
  let standing = {
    state: from,
    stateSinceMs: begun,
    reason: '',
    pendingTransition: null,
    countedToMs: begun,
  } as MonitorStatus;
  let lastCheckAtMs: number | null = from === 'pending' ? null : begun;
  const states: string[] = [];
  const doubts: boolean[] = [];
  let isEnding = false;
  const times: UptimeInterval[] = [];
  [...checks].forEach((letter, index) => {
    const atMs = begun + (index + 1) * 10_000;
    const result = letters[letter as keyof typeof letters];
    const found = { result, reason: result === 'up' ? '' : `is ${result}`, isEnding: result === 'degraded' };
    const step = applyCheck(standing, found, atMs, {
      confirmations,
      watchedMsMax: 70_000,
      intervalMs,
      lastCheckAtMs,
    });
    standing = step.status;
    lastCheckAtMs = atMs;
    states.push(standing.state);
    doubts.push(step.needsConfirmation);
    isEnding = step.isEnding;
    times.push(...step.times);
  });
  const spent = (state: string): number =>
    times.filter((time) => time.state === state).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) /
    1000;
  return {
    states: states.map((state) => (state === 'degraded' ? 's' : state[0])).join(''),
    doubts,
    standing,
    isEnding,
    seconds: { up: spent('up'), degraded: spent('degraded'), down: spent('down') },
    times,
  };
}

describe('the state after each check', () => {
  it.each([
    ['the first good check ends pending', 'u', 'u'],
    ['a slow one too', 's', 's'],
    ['a bad one is confirmed first', 'dd', 'pd'],
    ['pending, one bad packet, then good', 'du', 'pu'],
    ['one lost packet is no outage', 'uuduuduu', 'uuuuuuuu'],
    ['down by two, up by two', 'uddduu', 'uudddu'],
    ['one good answer is no recovery', 'udduddd', 'uuddddd'],
    ['slow by two', 'ususss', 'uuuuss'],
    ['bad and slow agree that it is at least slow', 'uds', 'uus'],
    ['and from slow, bad and good agree on nothing', 'ssdudd', 'sssssd'],
    ['from down, slow and good agree that it is at least slow', 'ddsu', 'pdds'],
  ])('%s: %s', (_name, checks, states) => {
    expect(play(checks).states).toBe(states);
  });

  it('confirms with the configured number of checks', () => {
    expect(play('ud', { confirmations: 1 }).states).toBe('ud');
    expect(play('udddd', { confirmations: 4 }).states).toBe('uuuud');
  });

  it('has an early next check only while pending', () => {
    expect(play('uddduu').doubts).toEqual([false, true, false, false, true, false]);
  });

  it('has a reason while down or degraded, and none while up', () => {
    expect(play('udd').standing.reason).toBe('is down');
    expect(play('ud').standing.reason).toBe('');
    expect(play('udduu').standing.reason).toBe('');
  });

  it.each([
    ['down, then slow', 'uds', 'is degraded', true],
    ['slow, then down', 'usd', 'is degraded', true],
    ['slow, down, slow', 'usds', 'is degraded', true],
    ['from down: slow, then up', 'ddsu', 'is degraded', true],
    ['from down: up, then slow', 'ddus', 'is degraded', true],
    ['from slow: up twice', 'ssuu', '', false],
  ])(
    'has the reason of its confirmed state, whatever the last check was: %s',
    (_name, checks, reason, ends) => {
      const { standing, isEnding } = play(checks);
      expect([standing.reason, isEnding]).toEqual([reason, ends]);
    },
  );

  it('has the reason of the last check where the first has none', () => {
    const standing: MonitorStatus = {
      ...{ state: 'up', stateSinceMs: 0, reason: '', countedToMs: begun },
      pendingTransition: { state: 'down', count: 1, sinceMs: begun },
    };
    const manner = { confirmations: 2, watchedMsMax: 70_000, intervalMs, lastCheckAtMs: begun };
    const found = { result: 'down', reason: 'no', isEnding: false } as const;
    expect(applyCheck(standing, found, begun + 10_000, manner).status.reason).toBe('no');
  });

  it('begins with the first of the confirming checks', () => {
    expect(play('uudd').standing.stateSinceMs).toBe(begun + 30_000);
  });
});

describe('counted time', () => {
  it('is down from the first failed check, and up from the first good one', () => {
    // Seen at 10 s; bad at 30 and 40 s, good at 60 and 70 s.
    expect(play('uudddduu').seconds).toEqual({ up: 30, degraded: 0, down: 40 });
  });

  it('counts a single failed check as up', () => {
    expect(play('uduu').seconds).toEqual({ up: 30, degraded: 0, down: 0 });
  });

  it.each([
    ['one check is enough: down from its check on', 'udud', 1, 'up', { up: 30, degraded: 0, down: 10 }],
    ['after a first one too', 'uudd', 1, 'pending', { up: 20, degraded: 0, down: 10 }],
    ['the same of one that was pending for long', 'd', 1, 'pending', { up: 0, degraded: 0, down: 0 }],
    ['a doubt both ways is none of either', 'dudd', 2, 'degraded', { up: 0, degraded: 30, down: 10 }],
    ['and one that goes on', 'sduduu', 2, 'degraded', { up: 10, degraded: 50, down: 0 }],
  ])('counts from the first of the confirming checks: %s', (_name, checks, confirmations, from, seconds) => {
    expect(play(checks, { confirmations, from }).seconds).toEqual(seconds);
  });

  it.each([1, 2, 3])('counts each moment once where %i checks must agree', (confirmations) => {
    const { times } = play('uuddsusudduudsdsuuu', { confirmations });
    const sorted = times.toSorted((one, other) => one.fromMs - other.fromMs);
    for (const [index, each] of sorted.entries()) {
      expect(each.fromMs).toBe(sorted[index - 1]?.toMs ?? each.fromMs);
    }
    expect(sorted.at(-1)?.toMs).toBe(begun + 190_000);
  });

  it('counts nothing beyond the interval of the last check', () => {
    const standing: MonitorStatus = {
      state: 'up',
      stateSinceMs: 0,
      reason: '',
      pendingTransition: { state: 'down', count: 1, sinceMs: begun },
      countedToMs: begun,
    };
    const atMs = begun + 3_600_000;
    const manner = { confirmations: 2, watchedMsMax: 70_000, intervalMs, lastCheckAtMs: begun };
    const step = applyCheck(standing, { result: 'down', reason: 'no', isEnding: false }, atMs, manner);
    expect(step.times).toEqual([{ fromMs: begun, toMs: begun + intervalMs, state: 'up' }]);
    // What was suspected an hour ago confirms nothing.
    expect(step.status).toMatchObject({ state: 'up', pendingTransition: { count: 1, sinceMs: atMs } });
  });
});

describe('the next check', () => {
  it('has a fixed offset in the interval', () => {
    const monitor = { id: 7, intervalMs };
    const first = nextRegularCheckMs(monitor, begun);
    expect(nextRegularCheckMs(monitor, first + 400)).toBe(first + intervalMs);
    expect(first - begun).toBeGreaterThanOrEqual(intervalMs / 2);
    expect(first - begun).toBeLessThanOrEqual(1.5 * intervalMs);
  });

  it('of a thousand monitors is spread over the interval', () => {
    const perSecond = new Map<number, number>();
    for (let id = 1; id <= 1_000; id += 1) {
      const second = Math.floor(nextRegularCheckMs({ id, intervalMs }, begun) / 1000) % 30;
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    expect(perSecond.size).toBe(30);
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(36);
  });

  it('of a pending monitor is after a third of the interval, at least five seconds', () => {
    expect(nextConfirmationMs({ id: 1, intervalMs: 60_000 }, begun)).toBe(begun + 20_000);
    expect(nextConfirmationMs({ id: 1, intervalMs: 10_000 }, begun)).toBe(begun + 5_000);
  });
});
