import type { Deps } from '../deps.ts';
import { StoreBusyError } from '../errors.ts';
import { newestGrouping } from '../grouping/group-event.ts';
import type { Project } from '../store/projects.ts';
import type { RegroupEvent, RegroupedEvent, RegroupRun } from '../store/regroup.ts';
import type { PlannedMove, RegroupPlan } from './plan.ts';
import { eventsPerPage, type RegroupOptions, type RegroupPreview, regroupKeyOf } from './preview.ts';

const batchEvents = 100;
const batchIssues = 50;

type RegroupDeps = Pick<Deps, 'store' | 'now'>;

/** Applies a plan in slices while servers run; continues an interrupted one. `run`: null if nothing to do. */
export async function applyRegroup(
  deps: RegroupDeps,
  project: Project,
  preview: RegroupPreview,
  options: RegroupOptions,
): Promise<{ readonly run: RegroupRun | null; readonly moved: number }> {
  const { store } = deps;
  if (await isUpToDate(store, project, preview.plan)) return { run: null, moved: 0 };
  const runBatch = createBatchRunner(deps, options);
  const run = await runBatch(() => store.beginRegroup(project.id, newestGrouping, deps.now()));
  const running = { run, projectId: project.id, runBatch };
  const { plan } = preview;
  for (const { grouping, issueId } of plan.claims) {
    await runBatch(() => store.claimRegroupHash(run, project.id, grouping, issueId));
  }
  const leadOf = new Map(plan.joined.map(({ grouping, lead: targetHash }) => [grouping.hash, targetHash]));
  const createdIssues = new Map<string, number>();
  let moved = 0;
  for (const [fromId, moves] of Map.groupBy(plan.moves, (move) => move.fromId)) {
    const targets = await targetsOf(deps, { ...running, createdIssues }, moves);
    moved += await moveAll(deps, { ...running, fromId, targets, leadOf }, options, moved);
  }
  for (const { grouping, lead: targetHash } of plan.joined) {
    const home = createdIssues.get(targetHash);
    if (home !== undefined) await runBatch(() => store.claimRegroupHash(run, project.id, grouping, home));
  }
  for (const { intoId, issueIds } of plan.joins) {
    for (let at = 0; at < issueIds.length; at += batchIssues) {
      const part = issueIds.slice(at, at + batchIssues);
      await runBatch(() => store.joinRegrouped(run, project.id, intoId, part));
    }
  }
  for (let at = 0; at < plan.labels.length; at += batchIssues) {
    const part = plan.labels.slice(at, at + batchIssues);
    await runBatch(() => store.labelRegrouped(project.id, part));
  }
  while (await runBatch(() => store.recountRegrouped(run, project.id)));
  await runBatch(() => store.finishRegroup(run, project.id, deps.now()));
  return { run, moved };
}

async function isUpToDate(store: Deps['store'], project: Project, plan: RegroupPlan): Promise<boolean> {
  const { moves, claims, joins, labels } = plan;
  if (moves.length + claims.length + joins.length + labels.length > 0) return false;
  const last = await store.findRegroupRun(project.id);
  return project.groupingVersion === newestGrouping && (last === null || last.finishedAtMs !== null);
}

type BatchRunner = <Value>(slice: () => Promise<Value>) => Promise<Value>;

interface RegroupRunContext {
  readonly run: RegroupRun;
  readonly projectId: number;
  readonly runBatch: BatchRunner;
}

async function targetsOf(
  { store }: RegroupDeps,
  {
    run,
    projectId,
    runBatch,
    createdIssues,
  }: RegroupRunContext & { readonly createdIssues: Map<string, number> },
  moves: readonly PlannedMove[],
): Promise<Map<string, number>> {
  const targets = new Map<string, number>();
  for (const { grouping, fromId, firstRow: eventRow, events, toId } of moves) {
    const known = toId ?? createdIssues.get(grouping.hash);
    const target =
      known ??
      (await runBatch(() => store.splitRegroupIssue(run, { projectId, fromId, eventRow, grouping, events })));
    if (target === null) continue;
    targets.set(grouping.hash, target);
    createdIssues.set(grouping.hash, target);
  }
  return targets;
}

/** Includes events that arrived since the plan was made. */
async function moveAll(
  { store }: RegroupDeps,
  {
    run,
    projectId,
    runBatch,
    fromId,
    targets,
    leadOf,
  }: RegroupRunContext & {
    fromId: number;
    targets: ReadonlyMap<string, number>;
    leadOf: ReadonlyMap<string, string>;
  },
  options: RegroupOptions,
  movedBefore: number,
): Promise<number> {
  let moved = 0;
  let after: RegroupEvent | null = null;
  // Collected by target issue, because each transaction moves events to one issue.
  const leaving = new Map<number, RegroupedEvent[]>();
  const moveTo = async (toId: number): Promise<void> => {
    const events = leaving.get(toId) ?? [];
    leaving.delete(toId);
    moved += await runBatch(() => store.moveRegrouped(run, { projectId, fromId, toId }, events));
    options.onProgress('moved', movedBefore + moved);
  };
  for (;;) {
    const page: RegroupEvent[] = await store.listRegroupEventsOf(projectId, fromId, after, eventsPerPage);
    for (const event of page) {
      const grouping = regroupKeyOf(event, options)?.grouping;
      if (grouping === undefined) continue;
      const toId = targets.get(leadOf.get(grouping.hash) ?? grouping.hash);
      if (toId === undefined) continue;
      const collected = leaving.get(toId) ?? [];
      collected.push({ row: event.row, grouping });
      leaving.set(toId, collected);
      if (collected.length === batchEvents) await moveTo(toId);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < eventsPerPage) break;
    after = last;
  }
  for (const toId of [...leaving.keys()]) await moveTo(toId);
  return moved;
}

const busyMs = 200;
const busyTriesMax = 150;

/** Retries a slice while the database is busy, and pauses afterwards as long as it took. */
function createBatchRunner({ now }: Pick<Deps, 'now'>, { sleep }: RegroupOptions): BatchRunner {
  return async (slice) => {
    for (let tries = 1; ; tries += 1) {
      const startedMs = now();
      try {
        const value = await slice();
        await sleep(Math.max(1, now() - startedMs));
        return value;
      } catch (error) {
        if (!(error instanceof StoreBusyError) || tries >= busyTriesMax) throw error;
        await sleep(busyMs);
      }
    }
  };
}
