import { beforeEach, expect, it } from '@jest/globals';
import { findIssuesNeedingAttention } from '../../../src/core/page-models/overview/needs-attention.ts';
import type { IntervalRange, OverviewStore, RecentIssue } from '../../../src/core/store/page-queries.ts';

const hourMs = 3_600_000;
const range = { fromMs: 1_000 * hourMs, toMs: 1_024 * hourMs };

let seen: RecentIssue[];
let hours: Array<{ of: number; hour: number; events: number }>;
beforeEach(() => {
  seen = [];
  hours = [];
});

function put(
  id: number,
  more: Partial<RecentIssue>,
  ...events: ReadonlyArray<readonly [hour: number, events: number]>
): void {
  const issue = { id, projectId: 1, title: 'x', culprit: '', level: 'error', substatus: 'ongoing' } as const;
  seen.push({ ...issue, firstSeenMs: 0, lastSeenMs: range.toMs, users: 0, ...more });
  for (const [hour, count] of events) hours.push({ of: id, hour, events: count });
}

const store = {
  listSeenIssues: async () => seen,
  listIssueEventIntervals: async (_ids: readonly number[], { fromMs, sliceMs }: IntervalRange) =>
    hours.map(({ of, hour, events }) => ({
      issueId: of,
      slice: Math.floor(((1_000 + hour) * hourMs - fromMs) / sliceMs),
      events,
    })),
};

const looked = () => findIssuesNeedingAttention(store as unknown as OverviewStore, [1], range);
const reasons = async () => Object.fromEntries((await looked()).map((issue) => [issue.issue_id, issue.why]));

it('gives a reason: regressed, fatal, new, growing or ongoing', async () => {
  put(1, { substatus: 'regressed', level: 'fatal' }, [3, 1]);
  put(2, { level: 'fatal' }, [3, 1]);
  put(3, { firstSeenMs: range.fromMs }, [3, 1]);
  put(4, {}, [13, 5], [20, 11]);
  put(5, {}, [13, 5], [20, 10]);
  put(6, {}, [20, 9]);
  expect(await reasons()).toEqual({
    1: 'regressed',
    2: 'fatal',
    3: 'new',
    4: 'growing',
    5: 'seen',
    6: 'seen',
  });
});

it('sorts many events before few, and regressed before ongoing', async () => {
  put(1, {}, [3, 7]);
  put(2, { substatus: 'regressed' }, [3, 7]);
  put(3, { level: 'fatal' }, [3, 63]);
  put(4, {}, [3, 100_000]);
  expect((await looked()).map(({ issue_id: id }) => id)).toEqual([3, 4, 2, 1]);
});

it('shows six, each with its events over the whole range', async () => {
  for (let id = 1; id <= 9; id += 1) put(id, {}, [0, id], [23, 1]);
  const shown = await looked();
  expect(shown.map(({ issue_id: id }) => id)).toEqual([9, 8, 7, 6, 5, 4]);
  expect(shown[0]?.events).toBe(10);
  expect([shown[0]?.spark.length, shown[0]?.spark[0], shown[0]?.spark[23]]).toEqual([24, 9, 1]);
});
