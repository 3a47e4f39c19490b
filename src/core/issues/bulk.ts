// One action on several issues: in slices, each of them one transaction, so that events are stored in between.
import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError, type RestError } from '../errors.ts';
import type { Assignee, BulkActionKind, BulkStep, Issue, UndoStep } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import { assignIssueTo, updateIssueIfUnchanged } from './actions.ts';
import { loadPeople, pickAssignee } from './assignees.ts';
import { requireOneAction, requireStatusChange } from './change-requests.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

export const bulkIssuesMax = 1_000;
export const bulkMergeMax = 100;
export const undoMs = 60_000;
export const sliceIssues = 25;

export interface BulkTarget {
  readonly project: Project;
  readonly issueId: number;
}

interface BulkOutcomes {
  readonly changed: number[];
  readonly unchanged: number[];
  readonly missing: number[];
  /** The assignee has no access to their project. */
  readonly refused: number[];
}

export interface BulkResult extends BulkOutcomes {
  /** The action for `undoBulkAction`; null where there is nothing to undo. */
  readonly bulkId: number | null;
}

/** Who may undo the action: a member's id, 0 for the workspace token, null for nobody. */
export type UndoOwner = number | null;

/** A `status` or `assigned_to` for at most `bulkIssuesMax` issues. Throws 400 before anything is changed. */
export async function changeIssues(
  deps: ServiceDeps,
  targets: readonly BulkTarget[],
  changes: IssueChangeRequest,
  by: AuditSource,
  undoOwner: UndoOwner,
): Promise<BulkResult> {
  requireOneAction(changes);
  for (const { project } of targets.slice(0, 1)) requireStatusChange(changes, project);
  const assignees = await assigneesOf(deps, targets, changes);
  const result: BulkOutcomes = { changed: [], unchanged: [], missing: [], refused: [] };
  // In the order of ids, so that two actions cannot deadlock.
  const sorted = targets.toSorted((one, other) => one.issueId - other.issueId);
  let bulkId: number | null = null;
  for (let at = 0; at < sorted.length; at += sliceIssues) {
    const slice = sorted.slice(at, at + sliceIssues);
    const sliceResult = await deps.store.transaction(async (store) => {
      const txDeps = { ...deps, store };
      const done: BulkOutcomes = { changed: [], unchanged: [], missing: [], refused: [] };
      const steps: BulkStep[] = [];
      for (const target of slice) {
        const assignee = assignees?.get(target.project.id);
        const { outcome, step } = await changeOne(txDeps, target, { change: changes, assignee }, by);
        done[outcome].push(target.issueId);
        if (step !== null) steps.push(step);
      }
      const id = await recordSteps(txDeps, bulkId, steps, { undoOwner, action: kindOf(changes) });
      return { done, id };
    });
    // A transaction may run twice, so only what was committed counts.
    bulkId = sliceResult.id;
    for (const outcome of outcomes) result[outcome].push(...sliceResult.done[outcome]);
  }
  return { ...result, bulkId };
}

type Outcome = keyof BulkOutcomes;
const outcomes: readonly Outcome[] = ['changed', 'unchanged', 'missing', 'refused'];

interface BulkChange {
  readonly change: IssueChangeRequest;
  /** Undefined where the action assigns nobody, a sentence where the assignee is refused. */
  readonly assignee: Assignee | string | null | undefined;
}

async function changeOne(
  deps: ServiceDeps,
  { project, issueId }: BulkTarget,
  { change, assignee }: BulkChange,
  by: AuditSource,
): Promise<{ readonly outcome: Outcome; readonly step: BulkStep | null }> {
  if (typeof assignee === 'string') return { outcome: 'refused', step: null };
  const before = await deps.store.lockIssueForChange(project.id, issueId);
  if (before === null) return { outcome: 'missing', step: null };
  if (assignee !== undefined) await assignIssueTo(deps, before, assignee, by);
  else await updateIssueIfUnchanged(deps, project, before.id, { change, seen: null }, by);
  const after = await deps.store.findIssue(project.id, before.id);
  const step = after === null ? null : stepOf(before, after);
  if (step === null) return { outcome: 'unchanged', step };
  return { outcome: 'changed', step: { projectId: project.id, issueId: before.id, step } };
}

function stepOf(before: Issue, after: Issue): UndoStep | null {
  const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (!isSame(before.state, after.state)) return { of: 'state', before: before.state, after: after.state };
  const [was, is] = [assigneeIdsOf(before), assigneeIdsOf(after)];
  return isSame(was, is) ? null : { of: 'assignee', before: was, after: is };
}

export function assigneeIdsOf({ assignedTo, assignedTeam }: Issue) {
  return { assignedTo, assignedTeam };
}

/** By project; null unless the action assigns. Throws 400 where the assignee can be given none of the issues. */
async function assigneesOf(
  { store, now }: ServiceDeps,
  targets: readonly BulkTarget[],
  { assigned_to: word }: IssueChangeRequest,
): Promise<Map<number, Assignee | string | null> | null> {
  if (word === undefined) return null;
  const people = word === null ? null : await loadPeople({ store }, now());
  const found = new Map(
    targets.map(({ project: { id } }) => [id, people && pickAssignee(people, id, String(word))]),
  );
  const [first] = found.values();
  if (typeof first === 'string' && [...found.values()].every((each) => typeof each === 'string')) {
    throw createInvalidParamError({ assigned_to: first });
  }
  return found;
}

export function kindOf({ status, assigned_to: assignee }: IssueChangeRequest): BulkActionKind {
  return status ?? (assignee === null ? 'unassigned' : 'assigned');
}

/** Answers the number of the action, null while there is nothing to undo. */
async function recordSteps(
  { store, now }: ServiceDeps,
  bulkId: number | null,
  steps: readonly BulkStep[],
  { undoOwner: ownerId, action }: { readonly undoOwner: UndoOwner; readonly action: BulkActionKind },
): Promise<number | null> {
  if (ownerId === null || steps.length === 0) return bulkId;
  const atMs = now();
  const id = bulkId ?? (await store.addBulkAction({ ownerId, action, atMs }, atMs - undoMs));
  await store.addBulkSteps(id, steps);
  return id;
}

/** Into the issue seen first. Throws 400 for several projects, fewer than two or more than `bulkMergeMax` issues. */
export async function mergeSelectedIssues(
  deps: ServiceDeps,
  selected: ReadonlyArray<{ readonly project: Project; readonly issue: Issue }>,
  by: AuditSource,
  undoOwner: UndoOwner,
): Promise<{ readonly into: Issue; readonly merged: readonly number[]; readonly bulkId: number | null }> {
  const [into, ...others] = selected.toSorted(
    ({ issue: one }, { issue: other }) => one.firstSeenMs - other.firstSeenMs || one.id - other.id,
  );
  if (into === undefined || others.length === 0) throw mergeRefused('Select at least two issues to merge.');
  if (others.some(({ project }) => project.id !== into.project.id)) {
    throw mergeRefused('Only issues of the same project can be merged.');
  }
  if (selected.length > bulkMergeMax) {
    throw mergeRefused(`At most ${bulkMergeMax} issues can be merged at once.`);
  }
  const merged = others.map(({ issue }) => issue.id);
  const changes: IssueChangeRequest = { merge: merged, in: 'now', until: 'forever' };
  const { project, issue } = into;
  return deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    await updateIssueIfUnchanged(txDeps, project, issue.id, { change: changes, seen: null }, by);
    const [merge] = await store.listMerges(project.id, issue.id);
    const ids = { projectId: project.id, issueId: issue.id };
    const steps: BulkStep[] =
      merge === undefined ? [] : [{ ...ids, step: { of: 'merge', mergeId: merge.id } }];
    const bulkId = await recordSteps(txDeps, null, steps, { undoOwner, action: 'merged' });
    return { into: issue, merged, bulkId };
  });
}

function mergeRefused(reason: string): RestError {
  return createInvalidParamError({ merge: reason });
}
