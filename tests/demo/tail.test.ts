import { mock } from 'node:test';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CurrentDemo } from '../../src/app/layers/demo-database.ts';
import type { LiveTail, TailClient } from '../../src/core/page-models/live-tail.ts';
import type { TailFilter } from '../../src/core/page-models/live-tail-reader.ts';
import { openDemoTail } from '../../src/demo/live-tail.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';
import { golden } from './look.ts';

const startMs = Date.UTC(2026, 10, 21, 0, 5);
const everything: TailFilter = { projectIds: null, level: null, words: [] };

interface Told {
  readonly row: number;
  readonly title: string;
}

describe('the live tail of the demo', () => {
  let nowMs = startMs;
  let demo: CurrentDemo;
  beforeAll(async () => {
    demo = await golden();
  });
  let tails: LiveTail[] = [];

  beforeEach(() => {
    nowMs = startMs;
    tails = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    for (const tail of tails) tail.close();
    mock.timers.reset();
  });

  function opened(): LiveTail {
    const tail = openDemoTail(() => demo, { now: () => nowMs });
    tails.push(tail);
    return tail;
  }

  function follow(tail: LiveTail, filter: TailFilter, afterRow: number | null): Told[] {
    const told: Told[] = [];
    const follower: TailClient = {
      filter,
      afterRow,
      sessionId: 0,
      memberId: null,
      scope: null,
      event: ({ row, title }) => void told.push({ row, title }),
      missed: () => {},
      outcomes: () => {},
      end: () => {},
    };
    tail.follow(follower);
    return told;
  }

  /** Lets so many seconds pass, one look after another. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      nowMs += 1_000;
      mock.timers.tick(1_000);
      // A look asks a file that is read at once: it is done once what waits in the process has run.
      for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** One each four seconds. */
  const rowsBetween = (fromMs: number, toMs: number): number[] =>
    Array.from(
      { length: Math.floor(toMs / 4_000) - Math.floor(fromMs / 4_000) },
      (_, nth) => Math.floor(fromMs / 4_000) + 1 + nth,
    );

  it('shows each event at its time, one every four seconds', async () => {
    const told = follow(opened(), everything, null);
    await pass(120);
    const rows = told.map(({ row }) => row);
    expect(rows).toEqual(rowsBetween(startMs, nowMs));
    expect(rows.length).toBeGreaterThan(5);
  });

  it('continues where it was after a restart', async () => {
    const before = follow(opened(), everything, null);
    await pass(60);
    for (const tail of tails) tail.close();
    const last = before.at(-1)?.row ?? null;
    expect(last).not.toBeNull();
    nowMs += 45_000;
    const after = follow(opened(), everything, last);
    await pass(60);
    expect([...before, ...after].map(({ row }) => row)).toEqual(rowsBetween(startMs, nowMs));
  });

  inFull(it)('shows only events that match the filter', async () => {
    const tail = opened();
    const all = follow(tail, everything, null);
    const none = follow(tail, { ...everything, words: ['nothing-is-called-so'] }, null);
    await pass(60);
    const [word = ''] = (all.at(0)?.title ?? '').toLowerCase().split(/\W+/);
    const some = follow(tail, { ...everything, words: [word] }, all.at(0)?.row ?? 0);
    await pass(fullOrShort(2_000, 400));
    expect(none).toEqual([]);
    expect(some.length).toBeGreaterThan(0);
    expect(some.every(({ title }) => title.toLowerCase().includes(word))).toBe(true);
  });
});
