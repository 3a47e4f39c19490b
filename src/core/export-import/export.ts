// Exports everything as JSON lines in the shapes of the API, one item in memory at a time.
import { getNamespaceUrl } from '../config/public-urls.ts';
import type { Deps } from '../deps.ts';
import { viewDomain } from '../domains/views.ts';
import { viewEvent } from '../events/views.ts';
import { viewIssueDetails } from '../issues/views.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { viewKey, viewProject } from '../projects/views.ts';
import { viewDeploy, viewReleaseDetails } from '../releases/views.ts';
import type { Project } from '../store/projects.ts';
import { viewTestRun } from '../test-runs/views.ts';
import { exportFeedback } from './feedback.ts';
import { exportAssignee } from './issue-actions.ts';
import { type ExportLine, exportFormat } from './lines.ts';
import { exportTestUploads } from './test-runs.ts';

export type IterateIds = (
  kind: 'events' | 'releases' | 'deploys' | 'merges' | 'issues' | 'comments' | 'feedback' | 'test_runs',
  projectId: number,
) => AsyncIterable<{ readonly id: number; readonly name: string }>;

/** A header, all items of each project, and the counts per type, which reveal a truncated file. */
export async function* exportLines(
  deps: Deps,
  projects: readonly Project[],
  numbersOf: IterateIds,
  programVersion: string,
): AsyncGenerator<ExportLine> {
  const counts: Record<string, number> = {};
  const header = { format: exportFormat, made_at: formatTime(deps.now()), program_version: programVersion };
  yield { type: 'export', project: null, data: header };
  for (const project of projects) {
    for await (const line of projectLines(deps, project, numbersOf)) {
      counts[line.type] = (counts[line.type] ?? 0) + 1;
      yield line;
    }
  }
  yield { type: 'end', project: null, data: { counts } };
}

async function* projectLines(
  deps: Deps,
  project: Project,
  numbersOf: IterateIds,
): AsyncGenerator<ExportLine> {
  const { store } = deps;
  const { id, name } = project;
  const line = (type: string, data: object): ExportLine => ({
    type,
    project: name,
    data: data as ExportLine['data'],
  });
  const restUrl = (path: string): string => `${getNamespaceUrl(deps.config)}${path}`;

  yield line('project', viewProject(project));
  for (const key of await store.listKeys(id)) yield line('key', viewKey(key, deps.now()));
  const proofs = await store.listDomainVerifications(id);
  for (const domain of await store.listDomains(id)) yield line('domain', viewDomain(domain, proofs));
  for await (const each of numbersOf('releases', id)) {
    const release = await store.findRelease(id, each.id);
    if (release !== null) yield line('release', await viewReleaseDetails(deps, release));
  }
  for await (const each of numbersOf('deploys', id)) {
    const deploy = await store.findDeploy(id, each.id);
    if (deploy !== null) yield line('deploy', viewDeploy(deploy));
  }
  for await (const each of numbersOf('events', id)) {
    const event = await store.findEvent(id, each.name);
    if (event !== null) yield line('event', viewEvent(event, restUrl));
  }
  for await (const each of numbersOf('merges', id)) {
    const merge = await store.findForeignMerge(id, each.id);
    if (merge === null) continue;
    const { actor, atMs, events } = merge;
    yield line('merge', { event_id: orNull(each.name), events, actor, at: formatTime(atMs) });
  }
  for await (const each of numbersOf('issues', id)) {
    const issue = await store.findIssue(id, each.id);
    if (issue === null) continue;
    const view = await viewIssueDetails(deps, id, each.id);
    yield line('issue', { ...view, event_id: orNull(each.name) });
    const assignee = await exportAssignee(deps, issue);
    if (assignee !== null) yield line('assignment', { event_id: orNull(each.name), ...assignee });
  }
  for await (const each of numbersOf('comments', id)) {
    const comment = await store.findCommentByNumber(id, each.id);
    if (comment === null) continue;
    const { author, atMs, body } = comment;
    yield line('comment', { event_id: orNull(each.name), author, at: formatTime(atMs), body });
  }
  for await (const each of numbersOf('feedback', id)) {
    const found = await store.findFeedback(id, each.id);
    if (found !== null) yield line('feedback', exportFeedback(found, restUrl));
  }
  for await (const each of numbersOf('test_runs', id)) {
    const run = await store.findTestRun(id, each.id);
    if (run === null) continue;
    for await (const upload of exportTestUploads(deps, run)) yield line('test_upload', upload);
    yield line('test_run', viewTestRun(run));
  }
}

function orNull(name: string): string | null {
  return name === '' ? null : name;
}
