import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { viewDeploy } from '../../releases/views.ts';
import type { DeployWithRollback } from '../../store/releases.ts';
import {
  enumParam,
  type ProjectRef,
  pageCursors,
  requireViewedProject,
  sliceParam,
  textParam,
  viewedProjectIds,
} from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { ciSnippets } from './ci-snippets.ts';

/** `back`: a rollback to an earlier release. `taken_back`: rolled back later. */
export type DeployOutcome = 'done' | 'failed' | 'running' | 'stopped' | 'back' | 'taken_back';

export type ListedDeploy = ReturnType<typeof viewListedDeploy>;

export type DeploysModel = Awaited<ReturnType<typeof deploysModel>>;

const deploysAPage = 30;
const recentMs = 14 * dayMs;
const recentMax = 200;

export async function deploysModel(context: RequestContext) {
  const { store } = context.deps;
  const ids = viewedProjectIds(context);
  const filters = {
    environment: textParam(context, 'environment'),
    outcome: enumParam(context, 'outcome', ['failed', 'back']),
    q: textParam(context, 'q'),
  };
  const filter = { ...filters, search: filters.q, sinceMs: null };
  const sinceMs = context.nowMs - recentMs;
  const newest = { after: null, before: null, limit: recentMax };
  const [sliced, environments, recent] = await Promise.all([
    store.listDeployPage(ids, filter, sliceParam(context, deploysAPage)),
    store.countDeploys(ids, filters.q),
    store.listDeployPage(ids, { ...filter, outcome: null, sinceMs }, newest),
  ]);
  const listed = (row: DeployWithRollback): ListedDeploy =>
    viewListedDeploy(row, requireViewedProject(context, row.deploy.projectId, 'A project with this number'));
  return {
    filters,
    environments,
    deploys: sliced.rows.map(listed),
    ...pageCursors(sliced, ({ deploy }) => ({ atMs: deploy.createdAtMs, id: deploy.id })),
    /** Newest of the last 14 days; `is_all` is false if there are more. */
    recent: { from: formatTime(sinceMs), is_all: !recent.hasOlder, deploys: recent.rows.map(listed) },
    how_to_send:
      environments.length === 0 && filters.q === null ? ciSnippets('deploys', context.apiUrl) : null,
  };
}

export function viewListedDeploy(row: DeployWithRollback, project: ProjectRef) {
  const { deploy, takenBackBy } = row;
  const { dateStartedMs: from, dateFinishedMs: to } = deploy;
  return {
    ...viewDeploy(deploy),
    project,
    outcome: deployOutcome(row),
    duration_ms: from === null || to === null ? null : to - from,
    taken_back_by:
      takenBackBy === null ? null : { deploy_id: takenBackBy.id, at: formatTime(takenBackBy.atMs) },
  };
}

function deployOutcome({ deploy, isBack, takenBackBy }: DeployWithRollback): DeployOutcome {
  switch (deploy.status) {
    case 'failure':
    case 'error':
      return 'failed';
    case 'queued':
    case 'in_progress':
      return 'running';
    case 'cancelled':
    case 'inactive':
      return 'stopped';
    case 'success':
      return takenBackBy !== null ? 'taken_back' : isBack ? 'back' : 'done';
  }
}
