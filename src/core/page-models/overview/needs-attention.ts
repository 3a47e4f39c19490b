import { hourMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import type { OverviewStore, RecentIssue } from '../../store/page-queries.ts';

/** `seen`: none of the other reasons. */
export type AttentionReason = 'regressed' | 'fatal' | 'growing' | 'new' | 'seen';

/** Multiplied by the logarithm of the number of events. */
const weights: Readonly<Record<AttentionReason, number>> = {
  regressed: 3,
  fatal: 3,
  growing: 2,
  new: 2,
  seen: 1,
};

export type AttentionIssue = ReturnType<typeof viewSeen> & { readonly project: string };

const shown = 6;
const candidatesMax = 60;
const slices = 24;
const newestSlices = 6;
const growthFactorMin = 2;
/** With fewer events, growth says nothing. */
const growthEventsMin = 10;

/** Most important first. The range must be whole days. */
export async function findIssuesNeedingAttention(
  store: OverviewStore,
  projectIds: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
) {
  const seen = await store.listSeenIssues(projectIds, fromMs, candidatesMax);
  const sliceMs = Math.ceil((toMs - fromMs) / slices / hourMs) * hourMs;
  const range = { fromMs: toMs - slices * sliceMs, toMs, sliceMs };
  const sparks = new Map<number, number[]>();
  for (const { id } of seen) sparks.set(id, new Array<number>(slices).fill(0));
  const ids = seen.map(({ id }) => id);
  for (const { issueId, slice, events } of await store.listIssueEventIntervals(ids, range)) {
    const spark = sparks.get(issueId);
    if (spark?.[slice] !== undefined) spark[slice] += events;
  }
  return seen
    .map((issue) => viewSeen(issue, sparks.get(issue.id) ?? [], fromMs))
    .sort((one, other) => weightOf(other) - weightOf(one) || other.issue_id - one.issue_id)
    .slice(0, shown);
}

function viewSeen(issue: RecentIssue, spark: readonly number[], fromMs: number) {
  return {
    issue_id: issue.id,
    project_id: issue.projectId,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    why: reasonOf(issue, spark, fromMs),
    /** Events in the range; `spark` has one number per part, oldest first. */
    events: sum(spark),
    spark,
  };
}

function reasonOf(issue: RecentIssue, spark: readonly number[], fromMs: number): AttentionReason {
  if (issue.substatus === 'regressed') return 'regressed';
  if (issue.level === 'fatal') return 'fatal';
  if (issue.firstSeenMs >= fromMs) return 'new';
  const now = sum(spark.slice(-newestSlices));
  const before = sum(spark.slice(-2 * newestSlices, -newestSlices));
  return now >= growthEventsMin && now > before * growthFactorMin ? 'growing' : 'seen';
}

function weightOf({ why, events }: Pick<AttentionIssue, 'why' | 'events'>): number {
  return weights[why] * Math.log2(1 + events);
}
