import { describe, expect, it } from '@jest/globals';
import { createThresholdRuleCheck } from '../../../src/core/alerts/threshold-rules.ts';
import { finishBackgroundWork } from '../../../src/core/issues/background-work.ts';
import { viewEventSlots } from '../../../src/core/page-models/issue/head.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import { databases, startMs, storeForEachTest } from '../../data/support/databases.ts';
import { eventOf, hashOf } from '../../data/support/events.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const nowMs = startMs + 25 * 60 * minuteMs + 7 * minuteMs + 12_345;
const act = { actor: 'ada', nowMs };
const spans = [5, 10, 60, 24 * 60];
const times = (count: number, atMs: number): number[] => new Array(count).fill(atMs);

describe.each(databases)('the slots of an issue on $name', (database) => {
  const store = storeForEachTest(database);

  /** Files events of a kind, in the issue that `first` leads to; answers their issue. */
  async function file(kind: string, receivedAtMs: readonly number[], first = kind): Promise<number> {
    let issueId = 0;
    for (const atMs of receivedAtMs) {
      const event = eventOf({ kind, receivedAtMs: atMs, timestampMs: atMs });
      ({ issueId } = await store.recordEvent({
        ...event,
        secondaryHash: { hash: hashOf(first), hasSource: kind === first },
      }));
    }
    return issueId;
  }

  async function slots(issueId: number) {
    const query = new URLSearchParams({ span: 'day' });
    const found = await viewEventSlots(
      { deps: { store }, nowMs, query } as RequestContext,
      {
        projectId: 1,
        id: issueId,
      } as never,
    );
    expect(found).toHaveLength(288);
    return found ?? [];
  }

  async function told(issueId: number, limits: ReadonlyArray<readonly [minutes: number, count: number]>) {
    const rules = limits.map(([minutes, count], at) => {
      const limit = { count, unit: 'events', withinMs: minutes * minuteMs };
      return { id: at, projectId: null, conditions: { limit, filters: [] } };
    });
    const found: Array<readonly [number, number] | undefined> = [];
    const asked = {
      ...store,
      listScheduledRules: async () => rules,
      listActiveAlerts: async () => [],
      async beginActiveAlert({ ruleId, objectId }: { ruleId: number; objectId: number }) {
        if (objectId === issueId) found.push(limits[ruleId]);
        return true;
      },
    };
    await createThresholdRuleCheck({ store: asked as never, now: () => nowMs })();
    return found;
  }

  /** The sums of the page's last slots, once rules told by one less and not by as many. */
  async function sums(issueId: number): Promise<number[]> {
    const events = (await slots(issueId)).map((slot) => slot.events);
    const shown = spans.map((minutes) => events.slice(-minutes / 5).reduce((sum, each) => sum + each, 0));
    const limits = spans.flatMap((minutes, at) =>
      [-1, 0].map((more) => [minutes, (shown[at] ?? 0) + more] as const),
    );
    const within = limits.filter(([, count]) => count >= 0);
    expect(await told(issueId, within)).toEqual(limits.filter(([, count], at) => at % 2 === 0 && count >= 0));
    return shown;
  }

  const slotMs = 5 * minuteMs;
  const runningMs = nowMs - (nowMs % slotMs);
  const firstMs = runningMs + slotMs - dayMs;

  it('are counted as rules count, to the millisecond of their start', async () => {
    const issue = await file('a', [
      ...times(4, firstMs - 1),
      ...times(3, firstMs),
      ...times(5, runningMs - 55 * minuteMs),
      ...times(2, runningMs - 55 * minuteMs - 1),
      ...times(1, runningMs - 1),
      ...times(2, runningMs),
      ...times(1, nowMs),
    ]);
    await file('other', times(9, nowMs));
    expect(await sums(issue)).toEqual([3, 4, 9, 14]);
    const found = await slots(issue);
    expect(found.filter(({ events }) => events > 0)).toEqual([
      { at: new Date(firstMs).toISOString(), events: 3 },
      { at: new Date(runningMs - 60 * minuteMs).toISOString(), events: 2 },
      { at: new Date(runningMs - 55 * minuteMs).toISOString(), events: 5 },
      { at: new Date(runningMs - slotMs).toISOString(), events: 1 },
      { at: new Date(runningMs).toISOString(), events: 3 },
    ]);
    expect(found.map(({ at }) => Date.parse(at))).toEqual(found.map((_, at) => firstMs + at * slotMs));
  });

  it('hold events of the future after the clock was set back', async () => {
    const issue = await file('a', [nowMs, nowMs + 3 * slotMs, nowMs + 2 * dayMs]);
    expect(await sums(issue)).toEqual([3, 3, 3, 3]);
  });

  it('follow merges, and their undo', async () => {
    const [head, one, two] = [
      await file('head', [...times(2, runningMs), runningMs - dayMs + slotMs]),
      await file('one', [nowMs, ...times(3, runningMs - 4 * minuteMs)]),
      await file('silent', [startMs]),
    ];
    expect(await sums(head)).toEqual([2, 2, 2, 3]);
    const merge = await store.mergeIssues(1, head, [one, two], act);
    expect(await sums(head)).toEqual([3, 6, 6, 7]);
    await file('one', times(2, nowMs));
    expect(await sums(head)).toEqual([5, 8, 8, 9]);
    // What was merged stands for itself nowhere.
    expect((await slots(one)).reduce((sum, { events }) => sum + events, 0)).toBe(6);
    expect(await told(one, [[60, 1]])).toEqual([]);
    await store.unmergeIssues(1, head, merge?.id ?? 0, act);
    expect([await sums(head), await sums(one)]).toEqual([
      [2, 2, 2, 3],
      [3, 6, 6, 6],
    ]);
  });

  it('follow a split, before and after each slice is moved', async () => {
    const issue = await file('cart', [...times(3, nowMs), ...times(2, runningMs - 40 * minuteMs)]);
    await file('basket', [...times(104, runningMs - 20 * minuteMs), runningMs], 'cart');
    expect(await sums(issue)).toEqual([4, 4, 110, 110]);
    const done = await store.splitIssue(1, issue, [hashOf('basket')], act);
    if (typeof done === 'string') throw new Error(done);
    await file('basket', [nowMs]);
    const both = async (): Promise<number> =>
      ((await sums(issue))[2] ?? 0) + ((await sums(done.into))[2] ?? 0);
    expect(await both()).toBe(111);
    expect(await store.moveSplitSlice()).toBe(true);
    expect(await both()).toBe(111);
    await finishBackgroundWork({ store, now: () => nowMs }, () => false);
    expect(await sums(issue)).toEqual([3, 3, 5, 5]);
    expect(await sums(done.into)).toEqual([2, 2, 106, 106]);
  });

  it('end with the one that brings the sum over the limit, and say of one slot no more than that', async () => {
    const issue = await file('a', [
      ...times(2, runningMs - 4 * slotMs),
      ...times(3, runningMs - 3 * slotMs),
      ...times(4, runningMs - slotMs),
      nowMs,
    ]);
    const counted = async (limit: number) => {
      const asked = { projectId: 1, issueId: issue, fromMs: runningMs - 5 * slotMs };
      return (await store.listSeenSlots(asked, runningMs + slotMs, limit)).map(({ events }) => events);
    };
    expect(await counted(10)).toEqual([0, 2, 3, 0, 4, 1]);
    expect(await counted(8)).toEqual([2, 3, 0, 4, 1]);
    expect(await counted(7)).toEqual([3, 0, 4, 1]);
    expect(await counted(5)).toEqual([3, 0, 4, 1]);
    expect(await counted(4)).toEqual([4, 1]);
    expect(await counted(3)).toEqual([4, 1]);
    expect(await counted(2)).toEqual([3, 1]);
    expect(await counted(0)).toEqual([1]);
  });

  it('hold counts for rules with conditions, beyond the events that are read', async () => {
    const issue = await file('a', [
      ...times(3, runningMs - 3 * slotMs),
      ...times(4, runningMs - slotMs),
      nowMs,
    ]);
    const merged = await file('b', [...times(2, runningMs - slotMs), runningMs - 2 * slotMs]);
    const asked = { projectId: 1, issueId: issue, fromMs: runningMs - 5 * slotMs };
    const counted = async (limit: number) => {
      const parts = await store.seenParts(asked, 'events', runningMs + slotMs, limit);
      return parts.reduce((sum, { events }) => sum + events, 0);
    };
    expect([await counted(8), await counted(7), await counted(4), await counted(0)]).toEqual([8, 8, 5, 1]);
    await store.mergeIssues(1, issue, [merged], act);
    expect([await counted(11), await counted(8), await counted(6)]).toEqual([11, 11, 7]);
    expect(await counted(7)).toBe(8);
  });

  it('are empty for an issue of another project', async () => {
    const issue = await file('a', [nowMs]);
    const found = await store.listSeenSlots(
      { projectId: 2, issueId: issue, fromMs: firstMs },
      runningMs + slotMs,
      9,
    );
    expect(found).toHaveLength(288);
    expect(found.every(({ events }) => events === 0)).toBe(true);
  });
});
