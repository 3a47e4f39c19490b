import { dayMs } from '../parsing/durations.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { EvictionCursor, ProtectedEvents, RetainedIssue } from '../store/retention.ts';
import type { Store } from '../store/store.ts';

/** 0 means no limit. */
export interface RetentionLimits {
  readonly days: number;
  readonly events: number;
  readonly bytes: number;
}

export interface ProjectPlan {
  readonly projectId: number;
  readonly stored: number;
  readonly bytes: number | null;
  readonly byAge: number;
  /** Events over the quotas, in addition to `byAge`. */
  readonly byQuota: number;
}

export interface PlanOptions {
  readonly projectId?: number | undefined;
  readonly isOver: () => boolean;
}

/** The newest events of an issue that are kept whatever their age. */
export const newestEventsKept = 100;

export const keptOfEveryIssue: ProtectedEvents = { newest: newestEventsKept, first: true, releases: true };

const issuesRead = 1_000;
const rowsRead = 500;

type ServiceDeps = { readonly store: Store; now(): number };

/** Reads only. Leaves out projects that are being deleted. */
export async function planRetention(
  { store, now }: ServiceDeps,
  limits: RetentionLimits,
  options: PlanOptions,
): Promise<ProjectPlan[]> {
  const yieldToEventLoop = createYielder();
  const issues = await listIssuesByProject(store, options);
  const weights = limits.bytes === 0 ? null : await storedBytesByProject(store, options);
  const beforeMs = ageCutoffMs(limits, now());
  const plans: ProjectPlan[] = [];
  for (const [projectId, members] of issues) {
    let byAge = 0;
    for (const issue of members) {
      if (options.isOver()) return plans;
      if (mayHaveExpiredEvents(issue, beforeMs)) byAge += await countExpiredEvents(store, issue, beforeMs);
      await yieldToEventLoop();
    }
    const stored = members.reduce((sum, issue) => sum + issue.stored, 0);
    const bytes = weights?.get(projectId) ?? null;
    const remaining = { events: stored - byAge, bytes: estimateBytesLeft(bytes, stored, byAge) };
    const byQuota = Math.max(0, countEventsOverQuota(remaining, limits));
    plans.push({ projectId, stored, bytes, byAge, byQuota });
  }
  return plans;
}

export async function listIssuesByProject(
  store: Store,
  { projectId: onlyProjectId, isOver }: PlanOptions,
): Promise<Map<number, RetainedIssue[]>> {
  const projects = await store.listProjects();
  const found = new Map<number, RetainedIssue[]>(
    projects
      .filter(({ id }) => onlyProjectId === undefined || id === onlyProjectId)
      .map(({ id }) => [id, []]),
  );
  for (let after = 0; !isOver(); ) {
    const page = await store.listRetainedIssues(after, issuesRead);
    for (const issue of page) found.get(issue.projectId)?.push(issue);
    const last = page.at(-1);
    if (last === undefined || page.length < issuesRead) break;
    after = last.id;
  }
  return found;
}

export async function storedBytesByProject(
  store: Store,
  { isOver }: Pick<PlanOptions, 'isOver'>,
): Promise<Map<number, number>> {
  const weights = await store.sumEventBytes(isOver);
  return new Map(weights.map(({ projectId, bytes }) => [projectId, bytes]));
}

export function ageCutoffMs({ days }: RetentionLimits, nowMs: number): number | null {
  return days === 0 ? null : nowMs - days * dayMs;
}

/** Cheap check first: most issues have no more events than are kept anyway. */
export function mayHaveExpiredEvents(issue: RetainedIssue, beforeMs: number | null): beforeMs is number {
  return beforeMs !== null && issue.stored > newestEventsKept && issue.firstSeenMs < beforeMs;
}

export function createEvictionCursor(
  { id, projectId }: Pick<RetainedIssue, 'id' | 'projectId'>,
  protectedEvents: ProtectedEvents,
  beforeMs: number | null = null,
  runner = 0,
): EvictionCursor {
  return {
    projectId,
    issueId: id,
    protectedEvents,
    beforeMs,
    runner,
    after: null,
    passed: 0,
    keptByRelease: new Map(),
  };
}

/** How many events are over the quotas. For bytes: as many events of average size as make up the excess. */
export function countEventsOverQuota(
  usage: { readonly events: number; readonly bytes: number | null },
  { events, bytes }: RetentionLimits,
): number {
  const byNumber = events === 0 ? 0 : usage.events - events;
  const isOverBytes = bytes > 0 && usage.bytes !== null && usage.bytes > bytes && usage.events > 0;
  const byBytes = isOverBytes
    ? Math.ceil(((Number(usage.bytes) - bytes) * usage.events) / Number(usage.bytes))
    : 0;
  return Math.max(byNumber, byBytes);
}

function estimateBytesLeft(bytes: number | null, stored: number, removed: number): number | null {
  return bytes === null || stored === 0 ? bytes : (bytes * (stored - removed)) / stored;
}

async function countExpiredEvents(store: Store, issue: RetainedIssue, beforeMs: number): Promise<number> {
  const cursor = createEvictionCursor(issue, keptOfEveryIssue, beforeMs);
  const yieldToEventLoop = createYielder();
  for (let events = 0; ; await yieldToEventLoop()) {
    const step = await store.previewOldest(cursor, rowsRead);
    events += step.events;
    if (step.done) return events;
  }
}
