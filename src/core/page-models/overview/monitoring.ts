import { lapsesAtMs } from '../../domains/verification-states.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { DomainVerification } from '../../store/domains.ts';
import type { Incident } from '../../store/incidents.ts';
import { type Monitor, monitorStates } from '../../store/monitors.ts';
import type { ExpiringKey } from '../../store/projects.ts';
import { filterLinks, isMaintenance, viewIncidentRow, viewLink } from '../monitoring/incident-views.ts';
import { isViewedProject } from '../monitoring/monitors.ts';
import { startOfDayMs, viewDays, viewUptime } from '../monitoring/uptime.ts';
import { type RequestContext, viewedProjects } from '../request-context.ts';

const stripDays = 30;
const stripsShown = 7;
const endsShown = 5;
const endsWithinDays = 90;
const incidentsShown = 6;
const projectsMax = 1_000;
const proofsRead = 500;

export type OverviewIncident = OverviewMonitoring['incidents'][number];

export type OverviewMonitorDays = Awaited<ReturnType<typeof stripsOf>>[number];

export interface OverviewExpiry {
  readonly what: 'certificate' | 'proof' | 'key';
  readonly name: string;
  readonly path: string;
  readonly ends_at: string;
}

export type OverviewMonitoring = NonNullable<Awaited<ReturnType<typeof overviewMonitoring>>>;

export async function hasMonitoring(context: RequestContext): Promise<boolean> {
  const isOwn = ({ projectId }: { readonly projectId: number | null }): boolean =>
    isViewedProject(context, projectId);
  const monitors = await context.deps.store.listMonitors(null);
  return monitors.some(isOwn) || (await context.deps.store.listOpenIncidents()).some(isOwn);
}

/** Null if nothing is monitored and nothing expires. */
export async function overviewMonitoring(context: RequestContext) {
  const [monitors, incidents, pages] = await Promise.all([
    context.deps.store.listMonitors(null),
    context.deps.store.listOpenIncidents(),
    context.deps.store.listStatusPages(null),
  ]);
  const viewed = monitors.filter((each) => isViewedProject(context, each.projectId));
  const open = incidents.filter((each) => isViewedProject(context, each.projectId));
  const counts = { all: viewed.length, down: 0, degraded: 0, maintenance: 0, pending: 0, paused: 0, up: 0 };
  for (const { state } of viewed) counts[state] += 1;
  const [strips, runningOut] = await Promise.all([stripsOf(context, viewed), findExpiring(context, viewed)]);
  if (viewed.length + open.length + runningOut.length === 0) return null;
  return {
    monitors: counts,
    /** Without maintenance. `broken`: not yet monitoring. */
    open: openOf(open),
    /** Broken ones first, maintenance last. */
    incidents: open
      .toSorted((one, other) => rankOf(one) - rankOf(other) || one.startedAtMs - other.startedAtMs)
      .slice(0, incidentsShown)
      .map((each) => ({
        ...viewIncidentRow(context, each),
        /** Linked causes, or else suggested ones. */
        links: shownLinks(each).map((link) => viewLink(link, { monitors, pages })),
        newest_update: newestOf(each),
      })),
    strips,
    running_out: runningOut,
  };
}

function openOf(open: readonly Incident[]) {
  const unplanned = open.filter((each) => !isMaintenance(each));
  const states = unplanned.map(({ state }) => state);
  return {
    all: unplanned.length,
    broken: states.filter((state) => state !== 'monitoring' && state !== 'planned').length,
    investigating: states.filter((state) => state === 'investigating').length,
    planned: open.length - unplanned.length,
  };
}

/** Unresolved and critical first, maintenance last. */
function rankOf(incident: Incident): number {
  if (isMaintenance(incident)) return 4;
  return (incident.severity === 'critical' ? 0 : 1) + (incident.state === 'monitoring' ? 2 : 0);
}

function shownLinks(incident: Incident) {
  const linked = filterLinks(incident, 'linked');
  return linked.length > 0 ? linked : filterLinks(incident, 'proposed').slice(0, 1);
}

function newestOf({ updates: [newest] }: Incident) {
  return newest === undefined ? null : { at: formatTime(newest.atMs), author: newest.author };
}

async function stripsOf(context: RequestContext, monitors: readonly Monitor[]) {
  const shown = monitors
    .toSorted((one, other) => monitorStates.indexOf(one.state) - monitorStates.indexOf(other.state))
    .slice(0, stripsShown);
  const fromMs = startOfDayMs(context.nowMs) - (stripDays - 1) * dayMs;
  const days = await context.deps.store.monitorDays(
    shown.map(({ id }) => id),
    fromMs,
    context.nowMs,
  );
  return shown.map(({ id, slug, name, state, stateSinceMs }) => ({
    slug,
    name,
    state,
    state_since: formatTime(stateSinceMs),
    uptime: viewUptime(days.get(id) ?? []).uptime,
    days: viewDays(days.get(id) ?? [], context.nowMs, stripDays),
  }));
}

interface End extends Omit<OverviewExpiry, 'ends_at'> {
  readonly endsAtMs: number;
}

async function findExpiring(
  context: RequestContext,
  monitors: readonly Monitor[],
): Promise<OverviewExpiry[]> {
  const { store } = context.deps;
  const projects = viewedProjects(context).slice(0, projectsMax);
  const ids = projects.map(({ id }) => id);
  const untilMs = context.nowMs + endsWithinDays * dayMs;
  const [proofs, keys] = await Promise.all([
    store.listUnsettledVerifications(ids, proofsRead),
    store.listEndingKeys(ids, context.nowMs, untilMs, endsShown),
  ]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return [
    ...certificateExpiries(monitors),
    ...proofs.flatMap(verificationExpiry),
    ...keys.map((key) => keyExpiry(key, names)),
  ]
    .filter(
      ({ what, endsAtMs }) => endsAtMs < untilMs && (what === 'certificate' || endsAtMs > context.nowMs),
    )
    .sort((one, other) => one.endsAtMs - other.endsAtMs || (one.name < other.name ? -1 : 1))
    .slice(0, endsShown)
    .map(({ endsAtMs, ...end }) => ({ ...end, ends_at: formatTime(endsAtMs) }));
}

/** Several monitors may see the same certificate. */
function certificateExpiries(monitors: readonly Monitor[]): End[] {
  const ends = new Map<string, End>();
  for (const { slug, name, target, certificateEndsAtMs: endsAtMs } of monitors) {
    if (endsAtMs === null) continue;
    const host = hostOf(target) ?? name;
    const known = ends.get(host);
    if (known !== undefined && known.endsAtMs <= endsAtMs) continue;
    ends.set(host, { what: 'certificate', name: host, path: `/monitors/${slug}`, endsAtMs });
  }
  return [...ends.values()];
}

function hostOf(target: string): string | null {
  const url = URL.parse(target.includes('://') ? target : `tls://${target}`);
  return url === null || url.hostname === '' ? null : url.hostname;
}

function verificationExpiry(proof: DomainVerification): End[] {
  const endsAtMs = proof.status === 'pending' ? proof.expiresAtMs : lapsesAtMs(proof);
  return endsAtMs === null
    ? []
    : [{ what: 'proof', name: proof.domain, path: `/domains/${proof.id}`, endsAtMs }];
}

function keyExpiry({ projectId, endsAtMs }: ExpiringKey, names: ReadonlyMap<number, string>): End {
  return { what: 'key', name: names.get(projectId) ?? '', path: `/projects/${projectId}`, endsAtMs };
}
