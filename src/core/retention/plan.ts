import { createPace } from '../reading/pace.ts';
import { dayMs } from '../reading/spans.ts';
import type { EvictionWalk, KeptIssue, Promised } from '../store/storage/retention.ts';
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

export interface LookOptions {
  readonly projectId?: number | undefined;
  readonly isOver: () => boolean;
}

/** The newest events of an issue that are kept whatever their age. */
export const newestKept = 100;

export const promisedToAll: Promised = { newest: newestKept, first: true, releases: true };

const issuesRead = 1_000;
const rowsRead = 500;

type Parts = { readonly store: Store; now(): number };

/** Reads only. Leaves out projects that are being deleted. */
export async function planRetention(
  { store, now }: Parts,
  limits: RetentionLimits,
  options: LookOptions,
): Promise<ProjectPlan[]> {
  const pace = createPace();
  const issues = await readIssues(store, options);
  const weights = limits.bytes === 0 ? null : await weigh(store, options);
  const beforeMs = cutoffOf(limits, now());
  const plans: ProjectPlan[] = [];
  for (const [projectId, members] of issues) {
    let byAge = 0;
    for (const issue of members) {
      if (options.isOver()) return plans;
      if (mayHaveAged(issue, beforeMs)) byAge += await countAged(store, issue, beforeMs);
      await pace();
    }
    const stored = members.reduce((sum, issue) => sum + issue.stored, 0);
    const bytes = weights?.get(projectId) ?? null;
    const left = { events: stored - byAge, bytes: leftOf(bytes, stored, byAge) };
    const byQuota = Math.max(0, excessOf(left, limits));
    plans.push({ projectId, stored, bytes, byAge, byQuota });
  }
  return plans;
}

export async function readIssues(
  store: Store,
  { projectId: only, isOver }: LookOptions,
): Promise<Map<number, KeptIssue[]>> {
  const projects = await store.listProjects();
  const found = new Map<number, KeptIssue[]>(
    projects.filter(({ id }) => only === undefined || id === only).map(({ id }) => [id, []]),
  );
  for (let after = 0; !isOver(); ) {
    const page = await store.listKeptIssues(after, issuesRead);
    for (const issue of page) found.get(issue.projectId)?.push(issue);
    const last = page.at(-1);
    if (last === undefined || page.length < issuesRead) break;
    after = last.id;
  }
  return found;
}

export async function weigh(
  store: Store,
  { isOver }: Pick<LookOptions, 'isOver'>,
): Promise<Map<number, number>> {
  const weights = await store.weighEvents(isOver);
  return new Map(weights.map(({ projectId, bytes }) => [projectId, bytes]));
}

export function cutoffOf({ days }: RetentionLimits, nowMs: number): number | null {
  return days === 0 ? null : nowMs - days * dayMs;
}

/** Cheap check first: most issues have no more events than are kept anyway. */
export function mayHaveAged(issue: KeptIssue, beforeMs: number | null): beforeMs is number {
  return beforeMs !== null && issue.stored > newestKept && issue.firstSeenMs < beforeMs;
}

export function walkOf(
  { id, projectId }: Pick<KeptIssue, 'id' | 'projectId'>,
  promised: Promised,
  beforeMs: number | null = null,
  runner = 0,
): EvictionWalk {
  return { projectId, issueId: id, promised, beforeMs, runner, after: null, passed: 0, keepers: new Map() };
}

/** How many events are over the quotas. For bytes: as many events of average size as make up the excess. */
export function excessOf(
  held: { readonly events: number; readonly bytes: number | null },
  { events, bytes }: RetentionLimits,
): number {
  const byNumber = events === 0 ? 0 : held.events - events;
  const isHeavy = bytes > 0 && held.bytes !== null && held.bytes > bytes && held.events > 0;
  const byBytes = isHeavy ? Math.ceil(((Number(held.bytes) - bytes) * held.events) / Number(held.bytes)) : 0;
  return Math.max(byNumber, byBytes);
}

function leftOf(bytes: number | null, stored: number, gone: number): number | null {
  return bytes === null || stored === 0 ? bytes : (bytes * (stored - gone)) / stored;
}

async function countAged(store: Store, issue: KeptIssue, beforeMs: number): Promise<number> {
  const walk = walkOf(issue, promisedToAll, beforeMs);
  const pace = createPace();
  for (let events = 0; ; await pace()) {
    const step = await store.lookAtOldest(walk, rowsRead);
    events += step.events;
    if (step.done) return events;
  }
}
