import { describe, expect, it } from '@jest/globals';
import {
  Admission,
  type AdmissionLimits,
  type AdmissionRequest,
  type RefusalReason,
  type Shortage,
} from '../../../src/http/server/admission.ts';
import { fullOrShort, inFull } from '../../support/test-level.ts';

const limits: AdmissionLimits = {
  concurrencyMax: 2,
  runningBytesMax: 100,
  waitMsMax: 2_000,
  waitingBytesMax: 1_000,
  refuseAfterMs: 0,
  pressureCheckMs: 500,
};

interface Asked {
  readonly outcome: () => 'waits' | 'admitted' | RefusalReason;
  leave(): void;
}

function admissionAt(own: Partial<AdmissionLimits> = {}) {
  let [nowMs, scarce] = [0, null as Shortage | null];
  let look: (() => void) | null = null;
  const waits: number[] = [];
  const admission = new Admission({
    limits: { ...limits, ...own },
    nowMs: () => nowMs,
    scarce: () => scarce,
    every(each) {
      look = each;
      return () => {
        look = null;
      };
    },
    waited: (milliseconds) => void waits.push(milliseconds),
  });
  return {
    admission,
    waits,
    isWatching: () => look !== null,
    scarceIs(now: Shortage | null) {
      scarce = now;
    },
    /** So many milliseconds later. */
    pass(milliseconds: number) {
      nowMs += milliseconds;
      look?.();
    },
    ask(asked: Partial<AdmissionRequest> = {}): Asked {
      let outcome: ReturnType<Asked['outcome']> = 'waits';
      const { leave } = admission.enter({
        address: '192.0.2.1',
        key: 'one',
        bodyBytes: 1,
        heldBytesMax: 10,
        heldBytes: () => 10,
        isHere: () => true,
        isSlow: () => false,
        settled(now) {
          if (outcome !== 'waits') throw new Error('settled twice');
          outcome = now === 'admitted' ? now : now.refused;
        },
        ...asked,
      });
      return { outcome: () => outcome, leave };
    },
  };
}

const outcomes = (asked: readonly Asked[]) => asked.map(({ outcome }) => outcome());

describe('admission', () => {
  it('admits up to the limit, then in the order of arrival', () => {
    const { ask, admission, isWatching } = admissionAt();
    const asked = [ask(), ask(), ask(), ask()];
    expect(outcomes(asked)).toEqual(['admitted', 'admitted', 'waits', 'waits']);
    expect([admission.running, admission.waiting, isWatching()]).toEqual([2, 2, true]);
    asked[1]?.leave();
    asked[1]?.leave();
    expect(outcomes(asked)).toEqual(['admitted', 'admitted', 'admitted', 'waits']);
    asked[3]?.leave();
    asked[0]?.leave();
    expect(outcomes(asked)[3]).toBe('waits');
    expect([admission.running, admission.waiting, isWatching()]).toEqual([1, 0, false]);
  });

  it('refuses after two seconds of waiting, and not sooner', () => {
    const { ask, pass, waits } = admissionAt();
    const first = [ask(), ask()];
    const waiting = ask();
    pass(1_000);
    const later = ask();
    pass(999);
    expect(waiting.outcome()).toBe('waits');
    pass(1);
    expect([waiting.outcome(), later.outcome()]).toEqual(['waited', 'waits']);
    first[0]?.leave();
    expect([later.outcome(), waits]).toEqual(['admitted', [0, 0, 1_000]]);
  });

  it('admits a request that reaches the maximum wait when a slot is free', () => {
    const { ask, pass, scarceIs } = admissionAt();
    scarceIs('memory');
    const waiting = ask();
    scarceIs(null);
    pass(2_000);
    expect(waiting.outcome()).toBe('admitted');
  });

  it('delays a body while running ones leave no memory for it, except a single one', () => {
    const { ask } = admissionAt({ concurrencyMax: 10 });
    const large = ask({ bodyBytes: 1_000 });
    const next = [ask({ bodyBytes: 60 }), ask({ bodyBytes: 41 }), ask({ bodyBytes: 40 })];
    expect([large.outcome(), outcomes(next)]).toEqual(['admitted', ['waits', 'waits', 'waits']]);
    large.leave();
    expect(outcomes(next)).toEqual(['admitted', 'waits', 'waits']);
    next[0]?.leave();
    expect(outcomes(next)).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it('refuses at once what would need too much memory while it waits', () => {
    const { ask, pass } = admissionAt();
    const of = (bytes: number) => ask({ heldBytesMax: bytes, heldBytes: () => bytes });
    of(1_000_000);
    ask();
    const asked = [of(600), of(401), of(280)];
    expect(outcomes(asked)).toEqual(['waits', 'waiting_bytes', 'waits']);
    asked[0]?.leave();
    pass(10);
    expect(of(600).outcome()).toBe('waits');
  });

  it('leaves memory to others when one address has its maximum waiting', () => {
    const { ask } = admissionAt();
    const flood = Array.from({ length: 100 }, () => ask());
    expect(flood.filter(({ outcome }) => outcome() === 'waits')).toHaveLength(88);
    expect(outcomes([ask(), ask({ address: '192.0.2.2' })])).toEqual(['waiting_bytes', 'waits']);
  });

  it('does not count bytes that did not arrive yet', () => {
    const { ask, pass } = admissionAt();
    const slow = Array.from({ length: 50 }, () => {
      pass(10);
      return ask({ heldBytesMax: 500, heldBytes: () => 5, isHere: () => false });
    });
    expect(new Set(outcomes(slow.slice(2)))).toEqual(new Set(['waits']));
  });

  it('admits a body that has not arrived last, and without a slot', () => {
    const { ask, pass, admission } = admissionAt();
    const first = [ask(), ask()];
    let isHere = false;
    const slow = ask({ isHere: () => false });
    const late = ask({ isHere: () => isHere });
    const next = ask();
    first[0]?.leave();
    expect(outcomes([slow, late, next])).toEqual(['waits', 'waits', 'admitted']);
    isHere = true;
    first[1]?.leave();
    expect(late.outcome()).toBe('waits');
    pass(50);
    expect(outcomes([slow, late])).toEqual(['waits', 'admitted']);
    pass(1_950);
    expect([slow.outcome(), admission.running]).toEqual(['admitted', 2]);
  });

  it.each<Shortage>(['memory', 'write_queue'])('admits nobody during a shortage of: %s', (scarce) => {
    const { ask, pass, scarceIs } = admissionAt();
    scarceIs(scarce);
    const waiting = ask();
    pass(1_999);
    const later = ask();
    expect(outcomes([waiting, later])).toEqual(['waits', 'waits']);
    pass(1);
    expect(waiting.outcome()).toBe(scarce);
    scarceIs(null);
    pass(50);
    expect(later.outcome()).toBe('admitted');
  });

  it('alternates between addresses, and within an address between keys', () => {
    const { ask } = admissionAt({ concurrencyMax: 1 });
    let running = ask();
    const order: string[] = [];
    const waiting = [
      ...['a1 x', 'a2 x', 'a3 x', 'a4 y', 'a5 y', 'b1 x', 'b2 x', 'c1 x'].map((name) => ({
        name,
        asked: ask({ address: name[0] as string, key: name.slice(3) }),
      })),
    ];
    while (order.length < waiting.length) {
      running.leave();
      const next = waiting.find(({ name, asked }) => asked.outcome() === 'admitted' && !order.includes(name));
      if (next === undefined) throw new Error('nobody has the turn');
      order.push(next.name);
      running = next.asked;
    }
    expect(order).toEqual(['a1 x', 'b1 x', 'c1 x', 'a4 y', 'b2 x', 'a2 x', 'a5 y', 'a3 x']);
  });

  it('admits the newest first once one has waited for 1.5 seconds', () => {
    const { ask, pass } = admissionAt({ concurrencyMax: 1 });
    const running = ask();
    const early = [ask(), ask(), ask()];
    pass(1_499);
    running.leave();
    expect(outcomes(early)).toEqual(['admitted', 'waits', 'waits']);
    pass(1);
    const late = [ask(), ask()];
    early[0]?.leave();
    expect(outcomes([...early, ...late])).toEqual(['admitted', 'waits', 'waits', 'waits', 'admitted']);
    pass(500);
    expect(outcomes(early)).toEqual(['admitted', 'waited', 'waited']);
    pass(50);
    const latest = ask();
    late[1]?.leave();
    expect(outcomes([...late, latest])).toEqual(['admitted', 'admitted', 'waits']);
  });

  it('reuses the slot of a slow body, which continues without one', () => {
    const { ask, pass, admission } = admissionAt();
    const slow = [0, 1].map(() => ask({ isSlow: (ageMs) => ageMs >= 250 }));
    const waiting = ask();
    pass(249);
    expect(waiting.outcome()).toBe('waits');
    pass(1);
    expect([waiting.outcome(), admission.running]).toEqual(['admitted', 1]);
    for (const each of slow) each.leave();
    expect(admission.running).toBe(1);
  });
});

interface Simulated {
  readonly asked: Asked;
  readonly phase: number;
  readonly cameAtMs: number;
  left: number;
}

/**
 * What came of loads, one after the other, on a server that does `capacity` requests a second, those that
 * have a turn side by side. Of each load: how many of those that came in it were refused, and how long one
 * waited.
 */
function simulate(loads: ReadonlyArray<readonly [perSecond: number, seconds: number]>, capacity: number) {
  const { ask, pass } = admissionAt({ concurrencyMax: 24, waitingBytesMax: 1e9 });
  const found = loads.map(() => ({ refused: 0, longestMs: 0 }));
  let waiting: Simulated[] = [];
  let running: Simulated[] = [];
  let [due, atMs] = [0, 0];
  const step = (phase: number, perSecond: number): void => {
    for (due += perSecond / 1_000; due >= 1; due -= 1) {
      waiting.push({ asked: ask(), phase, cameAtMs: atMs, left: 1_000 / capacity });
    }
    for (const each of running) each.left -= 1 / running.length;
    for (const { asked, left } of running) if (left <= 1e-9) asked.leave();
    running = running.filter(({ left }) => left > 1e-9);
    atMs += 1;
    pass(1);
    for (const each of waiting) {
      const of = found[each.phase] as { refused: number; longestMs: number };
      const outcome = each.asked.outcome();
      if (outcome === 'waits') continue;
      if (outcome !== 'admitted') of.refused += 1;
      else running.push(each);
      of.longestMs = Math.max(of.longestMs, atMs - 1 - each.cameAtMs);
    }
    waiting = waiting.filter(({ asked }) => asked.outcome() === 'waits');
  };
  for (const [phase, [perSecond, seconds]] of loads.entries()) {
    for (let ms = 0; ms < seconds * 1_000; ms += 1) step(phase, perSecond);
  }
  for (let ms = 0; ms < 2_001; ms += 1) step(0, 0);
  return found;
}

describe('load', () => {
  const capacity = 200;
  it.each([0.1, 0.5, 0.8, 0.95])('at %s of the capacity is never refused', (share) => {
    const [steady] = simulate([[share * capacity, 20]], capacity);
    expect(steady).toEqual({ refused: 0, longestMs: 0 });
  });

  inFull(it)('at five times the capacity uses all of it, and is over two seconds later', () => {
    const seconds = fullOrShort(10, 4);
    const [burst, after, calm] = simulate(
      [
        [5 * capacity, seconds],
        [0.8 * capacity, 2],
        [0.8 * capacity, seconds],
      ],
      capacity,
    );
    const offered = 5 * capacity * seconds;
    // Who waits at the end of the burst has not been served yet.
    expect(offered - (burst?.refused ?? 0)).toBeGreaterThan(0.95 * capacity * seconds);
    expect(after?.refused).toBeLessThanOrEqual(5 * capacity * 2);
    expect(calm).toEqual({ refused: 0, longestMs: 0 });
  });

  inFull(it)('with a queue that can be served in time is all served, in order of arrival', () => {
    const [, steady] = simulate(
      [
        [1.2 * capacity * 1_000, 0.001],
        [capacity, 10],
      ],
      capacity,
    );
    expect(steady?.refused).toBe(0);
    expect(steady?.longestMs).toBeLessThan(1_300);
  });

  it('in a burst that takes less than two seconds is all served', () => {
    const [burst, after] = simulate(
      [
        [8 * capacity, 0.2],
        [0.5 * capacity, 5],
      ],
      capacity,
    );
    expect([burst?.refused, after?.refused]).toEqual([0, 0]);
    expect(after?.longestMs).toBeLessThanOrEqual(2_000);
  });
});
