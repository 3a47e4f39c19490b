import { releaseVerdictQuery } from '../../../../schemas/releases.ts';
import { dayMs, hourMs, startOfHour } from '../../parsing/durations.ts';
import { formatTime, parseTime } from '../../parsing/timestamps.ts';
import { isJsonObject } from '../../parsing/unknown-values.ts';
import { getReleaseVerdict } from '../../releases/verdict.ts';
import { viewRelease, viewReleaseDetails } from '../../releases/views.ts';
import type { AdoptionInterval, Release } from '../../store/releases.ts';
import { type ListedIssueView, viewIssueRows } from '../issues/list.ts';
import { viewLinkedIncidents } from '../linked-incidents.ts';
import { requireViewedProject } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { viewListedDeploy } from './deploys.ts';
import { viewReleaseFiles } from './release-files.ts';
import { viewListedRun } from './test-runs.ts';

/** The longest time that a point covers. */
const adoptionWindowMs = dayMs;
/** With fewer sessions, the percentage fluctuates. */
const sessionsForShareMin = 100;
const pointsMax = 60;

type CommitView = ReturnType<typeof commitOf>;

export type ReleaseModel = Awaited<ReturnType<typeof releaseModel>>;

const issuesShown = 15;
const commitsShown = 20;
const pathsShown = 50;
const deploysShown = 20;
const adoptionMs = 14 * dayMs;

export async function releaseModel(context: RequestContext) {
  const { deps, nowMs } = context;
  const { store } = deps;
  const subject = 'A release with this number';
  const release = await store.findReleaseAnywhere(pathId(context, 'release_id', subject));
  if (release === null) throw pageNotFound(subject);
  const project = requireViewedProject(context, release.projectId, subject);
  const { commits, issue_ids: ids, ...details } = await viewReleaseDetails(deps, release);
  const before = await store.releaseBefore(release);
  const issues = async (all: readonly number[]): Promise<ListedIssueView[]> => {
    const found = await store.issuesOf(release.projectId, all.slice(0, issuesShown));
    return viewIssueRows(context, found, () => project.name);
  };
  const [sums, deploys, runs, files] = await Promise.all([
    store.releaseSums(before === null ? [release] : [release, before], nowMs - dayMs),
    store.listDeploys(release.projectId, {
      releaseId: release.id,
      orderBy: 'date_created',
      descending: true,
      limit: deploysShown,
      offset: 0,
    }),
    store.listTestRuns(release.projectId, {
      release: release.version,
      orderBy: 'created_at',
      descending: true,
      limit: 1,
      offset: 0,
    }),
    viewReleaseFiles(context, release),
  ]);
  const stats = sums.get(release.id);
  return {
    project,
    release: details,
    /** With the thresholds that `GET /releases/{id}/verdict` has by default. */
    verdict: await getReleaseVerdict(deps, release, releaseVerdictQuery.parse({})),
    events: stats?.events ?? 0,
    before:
      before === null
        ? null
        : { ...(await viewRelease(deps, before)), events: sums.get(before.id)?.events ?? 0 },
    adoption: {
      recent_sessions: stats?.recentSessions ?? 0,
      recent_sessions_of_all: stats?.recentSessionsOfProject ?? 0,
      ...(await adoptionOf(context, release, before)),
    },
    new_issues: await issues(ids.new),
    regressed_issues: await issues(ids.regressed),
    resolved_issues: await issues(ids.resolved),
    commits: commitsOf(commits),
    authors: authorsOf(commits),
    refs: refsOf(details.refs),
    deploys: deploys.rows.map((deploy) =>
      viewListedDeploy({ deploy, isBack: false, takenBackBy: null }, project),
    ),
    files,
    test_run: runs.rows[0] === undefined ? null : viewListedRun(runs.rows[0], project),
    ...(await viewLinkedIncidents(context, 'release', [release.id])),
  };
}

async function adoptionOf({ deps, nowMs }: RequestContext, release: Release, before: Release | null) {
  const madeMs = Math.min(release.createdAtMs, release.dateReleasedMs ?? release.createdAtMs);
  const fromMs = startOfHour(madeMs - dayMs);
  const toMs = Math.max(fromMs, startOfHour(Math.min(nowMs, fromMs + adoptionMs)));
  const span = { fromMs: fromMs - adoptionWindowMs, toMs: toMs + hourMs, stepMs: hourMs };
  const hours = await deps.store.adoption(release, before?.version ?? null, span);
  return buildAdoptionPoints(hours, fromMs, toMs);
}

function commitsOf(commits: unknown): CommitView[] {
  if (!Array.isArray(commits)) return [];
  return commits
    .slice(0, commitsShown)
    .flatMap((commit: unknown) => (isJsonObject(commit) ? [commitOf(commit)] : []));
}

function commitOf(commit: Readonly<Record<string, unknown>>) {
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const { patch_set: sent } = commit;
  const changed = Array.isArray(sent) ? sent.filter(isJsonObject) : [];
  return {
    id: String(commit['id'] ?? ''),
    message: text(commit['message']),
    author: text(commit['author_name']),
    repository: text(commit['repository']),
    at: formatTime(parseTime(commit['timestamp'])),
    /** The first changed files; `type` is A (added), M (modified) or D (deleted). */
    paths: changed
      .slice(0, pathsShown)
      .map(({ path, type }) => ({ path: text(path) ?? '', type: text(type) ?? '' })),
    path_count: changed.length,
  };
}

function refsOf(refs: unknown) {
  if (!Array.isArray(refs)) return [];
  return refs.filter(isJsonObject).map(({ repository, commit, previous_commit: previous }) => ({
    repository: String(repository),
    commit: String(commit),
    previous: typeof previous === 'string' ? previous : null,
  }));
}

function authorsOf(commits: unknown): number {
  const all = Array.isArray(commits) ? commits.filter(isJsonObject) : [];
  const names = all.map(({ author_email: email, author_name: name }) => email ?? name);
  return new Set(names.filter((name) => typeof name === 'string' && name !== '')).size;
}

/** Evenly spaced points, at least an hour apart, the last at `toMs`. `hours` may be in any order. */
export function buildAdoptionPoints(hours: readonly AdoptionInterval[], fromMs: number, toMs: number) {
  const stepMs = Math.max(1, Math.ceil((toMs - fromMs) / hourMs / pointsMax)) * hourMs;
  const count = Math.floor((toMs - fromMs) / stepMs) + 1;
  const points = Array.from({ length: count }, (_, index) => {
    const atMs = toMs - (count - 1 - index) * stepMs;
    return { atMs, ...sessionsBefore(hours, atMs) };
  });
  const spans = points.filter(({ all }) => all > 0).map((point) => point.hours);
  const hoursMost = adoptionWindowMs / hourMs;
  return {
    /** How many hours of sessions a point covers. */
    point_hours: { least: Math.min(hoursMost, ...spans), most: Math.max(1, ...spans) },
    points: points.map(({ atMs, own: releaseSessions, before, all }) => ({
      at: formatTime(atMs),
      sessions: releaseSessions,
      before_sessions: before,
      all_sessions: all,
    })),
  };
}

/** Goes back until there are enough sessions for a percentage, a day at most. */
function sessionsBefore(hours: readonly AdoptionInterval[], atMs: number) {
  const within = hours
    .filter((hour) => hour.fromMs <= atMs && hour.fromMs > atMs - adoptionWindowMs)
    .sort((one, other) => other.fromMs - one.fromMs);
  const sum = { own: 0, before: 0, all: 0 };
  for (const { fromMs, sessions, otherSessions, allSessions } of within) {
    sum.own += sessions;
    sum.before += otherSessions;
    sum.all += allSessions;
    if (sum.all >= sessionsForShareMin) return { ...sum, hours: Math.floor((atMs - fromMs) / hourMs) + 1 };
  }
  return { ...sum, hours: adoptionWindowMs / hourMs };
}
