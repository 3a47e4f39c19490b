import { lapsesAtMs } from '../../domains/states.ts';
import { momentText } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';
import type { DomainProof } from '../../store/domains.ts';
import type { Incident } from '../../store/incidents/incidents.ts';
import { type Monitor, type MonitorState, monitorStates } from '../../store/monitors/monitors.ts';
import type { EndingKey } from '../../store/projects.ts';
import { type DayView, dayOf, daysOf, uptimeView } from '../uptime/figures.ts';
import {
  type IncidentView,
  incidentView,
  isPlanned,
  type LinkView,
  linksOf,
  linkView,
} from '../uptime/incident-views.ts';
import { isLookedAt } from '../uptime/monitors.ts';
import { lookedAt, type Visit } from '../visit.ts';

const stripDays = 30;
const stripsShown = 7;
const endsShown = 5;
const endsWithinDays = 90;
const incidentsShown = 6;
const projectsMax = 1_000;
const proofsRead = 500;

export interface OverviewIncident extends IncidentView {
  /** Linked causes, or else suggested ones. */
  readonly links: readonly LinkView[];
  readonly newest_update: { readonly at: string; readonly author: string } | null;
}

export interface OverviewStrip {
  readonly slug: string;
  readonly name: string;
  readonly state: MonitorState;
  readonly state_since: string;
  readonly uptime: number | null;
  readonly days: readonly DayView[];
}

export interface OverviewEnd {
  readonly what: 'certificate' | 'proof' | 'key';
  readonly name: string;
  readonly path: string;
  readonly ends_at: string;
}

export interface OverviewWatched {
  readonly monitors: Readonly<Record<MonitorState | 'all', number>>;
  /** Without maintenance. `broken`: not yet monitoring. */
  readonly open: {
    readonly all: number;
    readonly broken: number;
    readonly investigating: number;
    readonly planned: number;
  };
  /** Broken ones first, maintenance last. */
  readonly incidents: readonly OverviewIncident[];
  readonly strips: readonly OverviewStrip[];
  readonly running_out: readonly OverviewEnd[];
}

export async function isWatching(visit: Visit): Promise<boolean> {
  const isOwn = ({ projectId }: { readonly projectId: number | null }): boolean =>
    isLookedAt(visit, projectId);
  const monitors = await visit.deps.store.listMonitors();
  return monitors.some(isOwn) || (await visit.deps.store.listOpenIncidents()).some(isOwn);
}

/** Null if nothing is monitored and nothing expires. */
export async function watchedOf(visit: Visit): Promise<OverviewWatched | null> {
  const [monitors, incidents, pages] = await Promise.all([
    visit.deps.store.listMonitors(),
    visit.deps.store.listOpenIncidents(),
    visit.deps.store.listStatusPages(),
  ]);
  const own = monitors.filter((each) => isLookedAt(visit, each.projectId));
  const open = incidents.filter((each) => isLookedAt(visit, each.projectId));
  const counts = { all: own.length, down: 0, degraded: 0, maintenance: 0, pending: 0, paused: 0, up: 0 };
  for (const { state } of own) counts[state] += 1;
  const [strips, runningOut] = await Promise.all([stripsOf(visit, own), runsOut(visit, own)]);
  if (own.length + open.length + runningOut.length === 0) return null;
  return {
    monitors: counts,
    open: openOf(open),
    incidents: open
      .toSorted((one, other) => rankOf(one) - rankOf(other) || one.startedAtMs - other.startedAtMs)
      .slice(0, incidentsShown)
      .map((each) => ({
        ...incidentView(visit, each),
        links: shownLinks(each).map((link) => linkView(link, { monitors, pages })),
        newest_update: newestOf(each),
      })),
    strips,
    running_out: runningOut,
  };
}

function openOf(open: readonly Incident[]): OverviewWatched['open'] {
  const trouble = open.filter((each) => !isPlanned(each));
  const states = trouble.map(({ state }) => state);
  return {
    all: trouble.length,
    broken: states.filter((state) => state !== 'monitoring' && state !== 'planned').length,
    investigating: states.filter((state) => state === 'investigating').length,
    planned: open.length - trouble.length,
  };
}

/** Unresolved and critical first, maintenance last. */
function rankOf(incident: Incident): number {
  if (isPlanned(incident)) return 4;
  return (incident.severity === 'critical' ? 0 : 1) + (incident.state === 'monitoring' ? 2 : 0);
}

function shownLinks(incident: Incident) {
  const linked = linksOf(incident, 'linked');
  return linked.length > 0 ? linked : linksOf(incident, 'proposed').slice(0, 1);
}

function newestOf({ updates: [newest] }: Incident): OverviewIncident['newest_update'] {
  return newest === undefined ? null : { at: momentText(newest.atMs), author: newest.author };
}

async function stripsOf(visit: Visit, monitors: readonly Monitor[]): Promise<OverviewStrip[]> {
  const shown = monitors
    .toSorted((one, other) => monitorStates.indexOf(one.state) - monitorStates.indexOf(other.state))
    .slice(0, stripsShown);
  const fromMs = dayOf(visit.nowMs) - (stripDays - 1) * dayMs;
  const days = await visit.deps.store.monitorDays(
    shown.map(({ id }) => id),
    fromMs,
    visit.nowMs,
  );
  return shown.map(({ id, slug, name, state, stateSinceMs }) => ({
    slug,
    name,
    state,
    state_since: momentText(stateSinceMs),
    uptime: uptimeView(days.get(id) ?? []).uptime,
    days: daysOf(days.get(id) ?? [], visit.nowMs, stripDays),
  }));
}

interface End extends Omit<OverviewEnd, 'ends_at'> {
  readonly endsAtMs: number;
}

async function runsOut(visit: Visit, monitors: readonly Monitor[]): Promise<OverviewEnd[]> {
  const { store } = visit.deps;
  const projects = lookedAt(visit).slice(0, projectsMax);
  const ids = projects.map(({ id }) => id);
  const untilMs = visit.nowMs + endsWithinDays * dayMs;
  const [proofs, keys] = await Promise.all([
    store.listUnsettledProofs(ids, proofsRead),
    store.listEndingKeys(ids, visit.nowMs, untilMs, endsShown),
  ]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return [...certificateEnds(monitors), ...proofs.flatMap(proofEnd), ...keys.map((key) => keyEnd(key, names))]
    .filter(({ what, endsAtMs }) => endsAtMs < untilMs && (what === 'certificate' || endsAtMs > visit.nowMs))
    .sort((one, other) => one.endsAtMs - other.endsAtMs || (one.name < other.name ? -1 : 1))
    .slice(0, endsShown)
    .map(({ endsAtMs, ...end }) => ({ ...end, ends_at: momentText(endsAtMs) }));
}

/** Several monitors may see the same certificate. */
function certificateEnds(monitors: readonly Monitor[]): End[] {
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

/** Pending verifications expire, failing ones lapse. */
function proofEnd(proof: DomainProof): End[] {
  const endsAtMs = proof.status === 'pending' ? proof.expiresAtMs : lapsesAtMs(proof);
  return endsAtMs === null
    ? []
    : [{ what: 'proof', name: proof.domain, path: `/domains/${proof.id}`, endsAtMs }];
}

function keyEnd({ projectId, endsAtMs }: EndingKey, names: ReadonlyMap<number, string>): End {
  return { what: 'key', name: names.get(projectId) ?? '', path: `/projects/${projectId}`, endsAtMs };
}
