// All that a store holds of its projects, read by the store's own methods, so that two can be compared.
import { expireIfDue } from '../../../src/core/domains/verification-states.ts';
import type { EventSummary } from '../../../src/core/store/events.ts';
import type { Issue } from '../../../src/core/store/issues.ts';
import type { Store } from '../../../src/core/store/store.ts';

export type Whole = Awaited<ReturnType<typeof wholeOf>>;

const window = { limit: 1000, offset: 0, descending: true } as const;

/** Every noun of every project; `nowMs` decides which proofs have expired. */
export async function wholeOf(store: Store, nowMs: number) {
  const projects = await store.listProjects();
  return { projects: await Promise.all(projects.map((project) => projectOf(store, project, nowMs))) };
}

async function projectOf(
  store: Store,
  project: Awaited<ReturnType<Store['listProjects']>>[number],
  nowMs: number,
) {
  const { id } = project;
  const issues = (await store.listIssues(id, { ...window, orderBy: 'id' })).rows;
  const reports = [false, true].map((spam) => store.listFeedback(id, { ...window, spam }));
  return {
    project,
    issues,
    events: await eventsOfIssues(store, id, issues),
    releases: (await store.listReleases(id, { ...window, orderBy: 'date_created' })).rows,
    deploys: (await store.listDeploys(id, { ...window, orderBy: 'date_created' })).rows,
    runs: (await store.listTestRuns(id, { ...window, orderBy: 'created_at' })).rows,
    artifacts: (await store.listArtifacts(id, window)).rows,
    reports: (await Promise.all(reports)).flatMap(({ rows }) => rows),
    domains: await store.listDomains(id),
    proofs: (await store.listDomainVerifications(id)).map((proof) => expireIfDue(proof, nowMs)),
    outcomes: await store.listOutcomes(id, 0, nowMs + 1),
    statistics: await store.projectStatistics(id, nowMs),
  };
}

/** All events of these issues, the newest first. */
export async function eventsOfIssues(
  store: Store,
  projectId: number,
  issues: readonly Issue[],
): Promise<EventSummary[]> {
  const pages = await Promise.all(issues.map(({ id }) => store.listIssueEvents(projectId, id, window)));
  return pages.flatMap((page) => page?.rows ?? []);
}
