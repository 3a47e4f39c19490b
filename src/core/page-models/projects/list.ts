import { getLastHours, hourMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { findRetentionNote } from '../../retention/views.ts';
import { pageNumberParam } from '../list-params.ts';
import { type RequestContext, viewedProjects } from '../request-context.ts';

const hoursShown = 24;
const hostsShown = 3;
/** Each row needs several queries. */
const projectsAPage = 100;

export type ProjectRowView = Awaited<ReturnType<typeof rowOf>>;

export type ProjectsModel = Awaited<ReturnType<typeof projectsModel>>;

/** Sorted by events, most first. `q` matches names and hosts. */
export async function projectsModel(context: RequestContext) {
  const q = context.query.get('q')?.trim().slice(0, 200) || null;
  const platform = context.query.get('platform')?.slice(0, 64) || null;
  const all = await knownProjects(context);
  const fitting = all.filter((each) => matchesFilters(each, q, platform));
  const page = pageNumberParam(context);
  const from = (page - 1) * projectsAPage;
  const slice = fitting.slice(from, from + projectsAPage);
  await context.deps.outcomes.flush();
  const rows = await Promise.all(slice.map((each) => rowOf(context, each)));
  rows.sort((one, other) => other.events_24h - one.events_24h || one.project_id - other.project_id);
  return {
    filters: { q, platform, page },
    platforms: [...new Set(all.flatMap(({ platforms }) => platforms))].sort(),
    total: all.length,
    found: fitting.length,
    projects: rows,
    open_issues: sum(rows.map((row) => row.open_issues)),
    retention: await findRetentionNote(context.deps),
    newer: page > 1 ? page - 1 : null,
    older: from + projectsAPage < fitting.length ? page + 1 : null,
  };
}

type KnownProject = Awaited<ReturnType<typeof knownProjects>>[number];

async function knownProjects(context: RequestContext) {
  const { store } = context.deps;
  return Promise.all(
    viewedProjects(context).map(async (project) => ({
      project,
      hosts: (await store.listDomains(project.id)).map(({ host }) => host),
      platforms: await store.recentPlatforms(project.id),
    })),
  );
}

function matchesFilters(
  { project, hosts, platforms }: KnownProject,
  q: string | null,
  platform: string | null,
): boolean {
  if (platform !== null && !platforms.includes(platform)) return false;
  const text = q?.toLowerCase() ?? '';
  return [project.name.toLowerCase(), ...hosts].some((each) => each.includes(text));
}

async function rowOf({ deps, nowMs }: RequestContext, { project, hosts, platforms }: KnownProject) {
  const { store } = deps;
  const { fromMs, toMs } = getLastHours(nowMs, hoursShown);
  const [stats, outcomes, releases] = await Promise.all([
    store.projectStatistics(project.id, nowMs),
    store.listOutcomes(project.id, fromMs, toMs),
    store.listReleases(project.id, { limit: 1, offset: 0, orderBy: 'date_created', descending: true }),
  ]);
  const hours = Array.from({ length: hoursShown }, () => 0);
  for (const { atMs, outcome, category, quantity } of outcomes) {
    const at = Math.floor((atMs - fromMs) / hourMs);
    if (outcome === 'accepted' && category === 'error') hours[at] = (hours[at] ?? 0) + quantity;
  }
  const [release] = releases.rows;
  return {
    project_id: project.id,
    name: project.name,
    created_at: formatTime(project.createdAtMs),
    /** From its newest issues. */
    platforms,
    hosts: hosts.slice(0, hostsShown),
    host_count: hosts.length,
    sdk: stats.sdks[0]?.name ?? null,
    events_24h: stats.events24h,
    hours,
    open_issues: stats.issuesOpen,
    last_event_at: formatTime(stats.lastEventAtMs),
    newest_release: release === undefined ? null : { release_id: release.id, version: release.version },
  };
}
