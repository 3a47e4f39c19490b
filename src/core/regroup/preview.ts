// Computes what regrouping a project would change, from all stored events. Changes nothing; see regroup.ts.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { groupEvent, newestGrouping } from '../grouping/group-event.ts';
import type { Grouping } from '../store/events.ts';
import type { Project } from '../store/projects.ts';
import type { RegroupEvent, RegroupIssue, RegroupRun } from '../store/regroup.ts';
import { addHashCount, type HashCount, planRegroup, type RegroupPlan } from './plan.ts';

export const eventsPerPage = 200;
const pageIssues = 1_000;

export interface RegroupOptions {
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onProgress: (step: 'read' | 'moved', events: number) => void;
  /** For tests; default is the newest grouping config. */
  readonly groupingOf?: (event: NormalizedEvent) => Grouping;
}

export interface RegroupPreview {
  readonly plan: RegroupPlan;
  readonly issues: ReadonlyMap<number, RegroupIssue>;
  readonly events: number;
  /** Events with damaged payloads; they stay where they are. */
  readonly unreadable: number;
}

export async function previewRegroup(
  { store }: Pick<Deps, 'store'>,
  project: Project,
  options: RegroupOptions,
): Promise<RegroupPreview> {
  const counts = new Map<string, HashCount>();
  let [events, unreadable] = [0, 0];
  let after: RegroupEvent | null = null;
  for (;;) {
    const page: RegroupEvent[] = await store.listRegroupEvents(project.id, after, eventsPerPage);
    for (const event of page) {
      const key = regroupKeyOf(event, options);
      if (key === null) unreadable += 1;
      else count(counts, event, key);
    }
    events += page.length;
    options.onProgress('read', events);
    const last = page.at(-1);
    if (last === undefined || page.length < eventsPerPage) break;
    after = last;
  }
  const issues = await readIssues(store, project.id);
  const counted = [...counts.values()];
  const hashes = await readInParts(
    counted.map(({ grouping }) => grouping.hash),
    (part) => store.findRegroupHashes(project.id, part),
  );
  const leads = await readInParts(
    counted.flatMap(({ grouping }) => grouping.secondary?.hash ?? []),
    (part) => store.findRegroupLeads(project.id, part),
  );
  return { plan: planRegroup(counted, issues, hashes, leads), issues, events, unreadable };
}

type RegroupKey = NonNullable<ReturnType<typeof regroupKeyOf>>;

export function regroupKeyOf({ payload }: RegroupEvent, options: RegroupOptions) {
  if (payload === null) return null;
  const event = JSON.parse(payload) as NormalizedEvent;
  const override = options.groupingOf?.(event);
  return override === undefined
    ? groupEvent(event)
    : { grouping: override, secondaryHash: () => override.secondary ?? null };
}

function count(counts: Map<string, HashCount>, event: RegroupEvent, { grouping, secondaryHash }: RegroupKey) {
  const { issueId, receivedAtMs, row } = event;
  const known = counts.get(`${issueId} ${grouping.hash}`)?.grouping;
  const counted = known ?? { ...grouping, secondary: secondaryHash() };
  addHashCount(counts, { issueId, grouping: counted, events: 1, firstMs: receivedAtMs, firstRow: row });
}

async function readIssues(store: Deps['store'], projectId: number): Promise<Map<number, RegroupIssue>> {
  const issues = new Map<number, RegroupIssue>();
  for (let afterId = 0; ; ) {
    const page = await store.listRegroupIssues(projectId, afterId, pageIssues);
    for (const issue of page) issues.set(issue.id, issue);
    if (page.length < pageIssues) return issues;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

async function readInParts<Value>(
  hashes: readonly string[],
  read: (part: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<Map<string, Value>> {
  const distinct = [...new Set(hashes)];
  const found = new Map<string, Value>();
  for (let at = 0; at < distinct.length; at += pageIssues) {
    for (const [hash, value] of await read(distinct.slice(at, at + pageIssues))) found.set(hash, value);
  }
  return found;
}

const namedMax = 100;

/** `run` is null if nothing was applied. */
export function viewRegroup(
  project: Project,
  { plan, issues, events, unreadable }: RegroupPreview,
  run: Pick<RegroupRun, 'id'> | null,
) {
  const { moves, claims, joins, labels } = plan;
  const titleOf = (id: number): string => issues.get(id)?.title ?? '';
  return {
    project_id: project.id,
    name: project.name,
    grouping: project.groupingVersion,
    grouping_after: newestGrouping,
    applied: run !== null,
    run_id: run?.id ?? null,
    events,
    events_unreadable: unreadable,
    events_moved: moves.reduce((sum, move) => sum + move.events, 0),
    issues: [...issues.values()].filter((issue) => issue.headId === issue.id).length,
    issues_split: new Set(moves.map((move) => move.fromId)).size,
    issues_made: new Set(moves.filter((move) => move.toId === null).map((move) => move.grouping.hash)).size,
    issues_joined: joins.reduce((sum, join) => sum + join.issueIds.length, 0),
    hashes_changed: claims.length,
    keys_shown_anew: labels.length,
    splits_count: moves.length,
    joins_count: joins.length,
    splits: moves.slice(0, namedMax).map(({ fromId, toId, events: moved, grouping }) => ({
      issue_id: fromId,
      title: titleOf(fromId),
      events: moved,
      into: toId,
      key: grouping.parts,
    })),
    joins: joins.slice(0, namedMax).map(({ intoId, issueIds }) => ({
      into: intoId,
      title: titleOf(intoId),
      issue_ids: issueIds,
    })),
  };
}
