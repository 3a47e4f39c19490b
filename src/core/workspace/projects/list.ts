// What the page of all projects says: what came of each in a day, what is open, what was released last.
import { momentText } from '../../reading/moments.ts';
import { hourMs, lastHours } from '../../reading/spans.ts';
import type { Project } from '../../store/projects.ts';
import { lookedAt, type Visit } from '../visit.ts';

const hoursShown = 24;
/** Hosts of one project that a row says. */
const hostsShown = 3;
/** Projects on one page: each asks the store a few things. */
const projectsAPage = 100;

export interface ProjectRowView {
  readonly project_id: number;
  readonly name: string;
  readonly created_at: string;
  readonly hosts: readonly string[];
  readonly host_count: number;
  /** The SDK that was heard last. */
  readonly sdk: string | null;
  readonly events_24h: number;
  /** Accepted errors of the last 24 hours, the running one last. */
  readonly hours: readonly number[];
  readonly open_issues: number;
  readonly last_event_at: string | null;
  readonly newest_release: { readonly release_id: number; readonly version: string } | null;
}

export interface ProjectsModel {
  readonly asked: { readonly q: string | null; readonly page: number };
  /** How many there are, and how many of them fit. */
  readonly total: number;
  readonly found: number;
  readonly projects: readonly ProjectRowView[];
  readonly open_issues: number;
  readonly newer: number | null;
  readonly older: number | null;
}

/** Projects whose name or host holds `q`, those with most events first. */
export async function projectsModel(visit: Visit): Promise<ProjectsModel> {
  const q = visit.query.get('q')?.trim().slice(0, 200) || null;
  const fitting = await fittingProjects(visit, q);
  const page = Math.max(1, Math.trunc(Number(visit.query.get('page'))) || 1);
  const from = (page - 1) * projectsAPage;
  const slice = fitting.slice(from, from + projectsAPage);
  await visit.deps.outcomes.flush();
  const rows = await Promise.all(slice.map((each) => rowOf(visit, each)));
  rows.sort((one, other) => other.events_24h - one.events_24h || one.project_id - other.project_id);
  return {
    asked: { q, page },
    total: lookedAt(visit).length,
    found: fitting.length,
    projects: rows,
    open_issues: rows.reduce((sum, row) => sum + row.open_issues, 0),
    newer: page > 1 ? page - 1 : null,
    older: from + projectsAPage < fitting.length ? page + 1 : null,
  };
}

interface WithHosts {
  readonly project: Project;
  readonly hosts: readonly string[];
}

async function fittingProjects(visit: Visit, q: string | null): Promise<WithHosts[]> {
  const all = await Promise.all(
    lookedAt(visit).map(async (project) => ({
      project,
      hosts: (await visit.deps.store.listDomains(project.id)).map(({ host }) => host),
    })),
  );
  if (q === null) return all;
  const text = q.toLowerCase();
  return all.filter(({ project, hosts }) =>
    [project.name.toLowerCase(), ...hosts].some((each) => each.includes(text)),
  );
}

async function rowOf({ deps, nowMs }: Visit, { project, hosts }: WithHosts): Promise<ProjectRowView> {
  const { store } = deps;
  const { fromMs, toMs } = lastHours(nowMs, hoursShown);
  const [figures, outcomes, releases] = await Promise.all([
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
    created_at: momentText(project.createdAtMs),
    hosts: hosts.slice(0, hostsShown),
    host_count: hosts.length,
    sdk: figures.sdks[0]?.name ?? null,
    events_24h: figures.events24h,
    hours,
    open_issues: figures.issuesOpen,
    last_event_at: momentText(figures.lastEventAtMs),
    newest_release: release === undefined ? null : { release_id: release.id, version: release.version },
  };
}
