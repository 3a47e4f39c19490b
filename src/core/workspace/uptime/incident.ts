import { momentText } from '../../reading/moments.ts';
import { dayMs, hourMs, hourOf } from '../../reading/spans.ts';
import type { Incident, IncidentState, IncidentUpdate } from '../../store/incidents/incidents.ts';
import type { Monitor, MonitorState } from '../../store/monitors/monitors.ts';
import type { ComponentState, StatusPage } from '../../store/status-pages/status-pages.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';
import { type BudgetView, budgetView, dayOf, stripDays } from './figures.ts';
import {
  hits,
  type IncidentView,
  incidentView,
  isPlanned,
  type LinkView,
  linksOf,
  linkView,
  type Places,
} from './incident-views.ts';
import { type Lengths, lengthsOf } from './incidents.ts';
import { projectName } from './monitors.ts';

const what = 'An incident with this number';
const beforeShown = 5;
/** Limit on linked issues whose titles are looked up. */
const titledMax = 20;
const budgetDays = 30;
/** Hours of events shown before and after the incident. */
const hoursBefore = 6;
const hoursAfter = 6;

export interface UpdateView {
  readonly at: string;
  readonly author: string;
  readonly is_public: boolean;
  readonly body: string;
  readonly from: IncidentState | null;
  readonly to: IncidentState | null;
}

export interface StepView {
  readonly step: 'began' | 'acknowledged' | 'identified' | 'mended' | 'resolved';
  readonly at: string;
  readonly after_ms: number;
}

export interface IncidentModel extends IncidentView {
  readonly opened_by: { readonly name: string; readonly path: string | null };
  readonly lead: string | null;
  readonly acknowledge_ms: number | null;
  readonly first_public_ms: number | null;
  /** Of the last 90 days. */
  readonly usual: { readonly to_acknowledge: Lengths; readonly to_resolve: Lengths };
  readonly steps: readonly StepView[];
  readonly updates: readonly UpdateView[];
  readonly causes: {
    readonly linked: readonly LinkView[];
    readonly proposed: readonly LinkView[];
    readonly dismissed: readonly LinkView[];
  };
  readonly hit: {
    readonly monitors: ReadonlyArray<LinkView & { readonly state: MonitorState | null }>;
    readonly components: ReadonlyArray<LinkView & { readonly state: ComponentState | null }>;
  };
  readonly shown_on: ReadonlyArray<{ readonly slug: string; readonly name: string }>;
  readonly components_in_all: number;
  readonly users_affected: number | null;
  // Of the monitor with the most used budget, in the 30 days up to the end; null without monitors.
  readonly budget: (BudgetView & { readonly monitor: string }) | null;
  readonly helpers: readonly string[];
  readonly told: readonly string[];
  readonly post_mortem: {
    readonly author: string;
    readonly written_at: string;
    readonly is_public: boolean;
    /** Absent in post-mortems that consist of parts. */
    readonly markdown?: string;
    readonly parts: ReadonlyArray<{ readonly heading: string; readonly paragraphs: readonly string[] }>;
    readonly actions: ReadonlyArray<{ readonly what: string; readonly who: string; readonly state: string }>;
  } | null;
  /** Events per hour of the first linked or suggested issue; null without one. */
  readonly events: {
    readonly issue_id: number;
    readonly name: string;
    readonly hours: ReadonlyArray<{ readonly at: string; readonly events: number }>;
  } | null;
  /** Earlier incidents of the same monitors, newest first. */
  readonly before: readonly IncidentView[];
}

export async function incidentModel(visit: Visit): Promise<IncidentModel> {
  const store = visit.deps.store;
  const incident = await store.findIncident(pathNumber(visit, 'incident_id', what));
  if (incident === null) throw notHere(what);
  const [monitors, pages, others] = await Promise.all([
    visit.deps.store.listMonitors(),
    visit.deps.store.listStatusPages(),
    store.listIncidents(Math.min(incident.startedAtMs, dayOf(visit.nowMs)) - (stripDays - 1) * dayMs),
  ]);
  const places = { monitors, pages };
  const opener = await openerOf(visit, incident, monitors);
  const causes = await causesOf(visit, incident, places);
  const [events, budget] = await Promise.all([
    eventsOf(visit, incident, [...causes.linked, ...causes.proposed]),
    budgetOf(visit, incident, monitors),
  ]);
  return {
    ...incidentView(visit, incident),
    opened_by: { name: incident.openedBy, path: opener },
    lead: incident.lead,
    acknowledge_ms: since(incident, incident.acknowledgedAtMs),
    first_public_ms: firstPublicMs(incident),
    usual: lengthsOf(
      others.filter((each) => !isPlanned(each)),
      visit.nowMs,
    ),
    steps: stepsOf(incident),
    updates: incident.updates.map(updateView),
    causes,
    hit: hitOf(incident, places),
    shown_on: pages.filter((page) => isOn(incident, page)).map(({ slug, name }) => ({ slug, name })),
    components_in_all: pages.find((page) => isOn(incident, page))?.components.length ?? 0,
    users_affected: incident.usersAffected,
    budget,
    helpers: incident.helpers,
    told: incident.told,
    post_mortem: postMortemOf(incident),
    events,
    before: alikeBefore(incident, others).map((each) => incidentView(visit, each)),
  };
}

/** Null if a person opened it, or the monitor or rule was deleted. */
async function openerOf(
  visit: Visit,
  { ruleId, openedBy }: Incident,
  monitors: readonly Monitor[],
): Promise<string | null> {
  if (ruleId == null) {
    const monitor = monitors.find(({ name }) => name === openedBy);
    return monitor === undefined ? null : `/monitors/${monitor.slug}`;
  }
  const channels = await visit.deps.store.listChannels();
  const isThere = channels.some(({ rules }) => rules.some(({ id }) => id === ruleId));
  return isThere ? `/alert-channels/rules/${ruleId}` : null;
}

/** Directly, or through a monitor of a component. */
export function isOn(incident: Incident, { components }: StatusPage): boolean {
  return components.some(
    ({ id, monitorIds }) => hits(incident, 'component', [id]) || hits(incident, 'monitor', monitorIds),
  );
}

function updateView(update: IncidentUpdate): UpdateView {
  const { atMs, author, isPublic, body, from, to } = update;
  return { at: momentText(atMs), author, is_public: isPublic, body, from, to };
}

function since({ startedAtMs }: Incident, atMs: number | null): number | null {
  return atMs === null ? null : Math.max(0, atMs - startedAtMs);
}

function firstPublicMs(incident: Incident): number | null {
  const said = incident.updates.filter(({ isPublic }) => isPublic).map(({ atMs }) => atMs);
  return said.length === 0 ? null : since(incident, Math.min(...said));
}

function stepsOf(incident: Incident): StepView[] {
  const steps = [
    ['began', incident.startedAtMs],
    ['acknowledged', incident.acknowledgedAtMs],
    ['identified', incident.identifiedAtMs],
    ['mended', incident.mendedAtMs],
    ['resolved', incident.resolvedAtMs],
  ] as const;
  return steps
    .flatMap(([step, atMs]) =>
      atMs === null
        ? []
        : [{ step, at: momentText(atMs), after_ms: Math.max(0, atMs - incident.startedAtMs) }],
    )
    .sort((one, other) => one.after_ms - other.after_ms);
}

async function causesOf(visit: Visit, incident: Incident, places: Places): Promise<IncidentModel['causes']> {
  const titles = await titlesOf(visit, incident);
  const isOfMany = incident.projectId === null && visit.projects.length > 1;
  const views = (which: 'linked' | 'proposed' | 'dismissed'): LinkView[] =>
    linksOf(incident, which).map((link) => {
      const title = link.kind === 'issue' ? titles.get(link.id) : undefined;
      const project = isOfMany ? projectName(visit, link.projectId)?.name : undefined;
      return {
        ...linkView(link, places),
        ...(title === undefined ? {} : { title }),
        ...(project === undefined ? {} : { project }),
      };
    });
  return { linked: views('linked'), proposed: views('proposed'), dismissed: views('dismissed') };
}

async function titlesOf({ deps }: Visit, { links }: Incident): Promise<ReadonlyMap<number, string>> {
  const ids = links.filter(({ kind }) => kind === 'issue').map(({ id }) => id);
  const issues = ids.slice(0, titledMax).map((id) => deps.store.findIssueAnywhere(id));
  return new Map(
    (await Promise.all(issues)).flatMap((each) => (each === null ? [] : [[each.id, each.title]])),
  );
}

function hitOf(incident: Incident, places: Places): IncidentModel['hit'] {
  const views = incident.affects.map((link) => linkView(link, places));
  const components = places.pages.flatMap((page) => page.components);
  return {
    monitors: views
      .filter(({ kind }) => kind === 'monitor')
      .map((each) => ({ ...each, state: places.monitors.find(({ id }) => id === each.id)?.state ?? null })),
    components: views
      .filter(({ kind }) => kind === 'component')
      .map((each) => ({ ...each, state: components.find(({ id }) => id === each.id)?.state ?? null })),
  };
}

async function budgetOf(
  visit: Visit,
  incident: Incident,
  monitors: readonly Monitor[],
): Promise<IncidentModel['budget']> {
  const hit = monitors.filter(({ id }) => hits(incident, 'monitor', [id]));
  if (hit.length === 0 || isPlanned(incident)) return null;
  const toMs = incident.resolvedAtMs ?? visit.nowMs;
  const fromMs = dayOf(toMs) - (budgetDays - 1) * dayMs;
  const days = await visit.deps.store.monitorDays(
    hit.map(({ id }) => id),
    fromMs,
    toMs,
  );
  const budgets = hit.map(({ id, name, goal }) => ({
    ...budgetView(goal, days.get(id) ?? []),
    monitor: name,
  }));
  return budgets.toSorted((one, other) => (other.share ?? 0) - (one.share ?? 0))[0] ?? null;
}

function postMortemOf({ postMortem }: Incident): IncidentModel['post_mortem'] {
  if (postMortem === null) return null;
  const { author, writtenAtMs, isPublic, markdown, parts, actions } = postMortem;
  const written = markdown === undefined ? {} : { markdown };
  return { author, written_at: momentText(writtenAtMs), is_public: isPublic, ...written, parts, actions };
}

async function eventsOf(
  { deps, nowMs }: Visit,
  { startedAtMs, resolvedAtMs }: Incident,
  causes: readonly LinkView[],
): Promise<IncidentModel['events']> {
  const issue = causes.find(({ kind }) => kind === 'issue');
  if (issue === undefined) return null;
  const fromMs = hourOf(startedAtMs) - hoursBefore * hourMs;
  const endMs = Math.min(nowMs, (resolvedAtMs ?? nowMs) + hoursAfter * hourMs);
  const toMs = Math.min(hourOf(endMs) + hourMs, fromMs + 72 * hourMs);
  const slices = await deps.store.sliceIssueEvents([issue.id], { fromMs, toMs, sliceMs: hourMs });
  const hours = Array.from({ length: Math.max(1, (toMs - fromMs) / hourMs) }, (_, slice) => ({
    at: momentText(fromMs + slice * hourMs),
    events: slices.filter((each) => each.slice === slice).reduce((sum, { events }) => sum + events, 0),
  }));
  return { issue_id: issue.id, name: issue.name, hours };
}

function alikeBefore(incident: Incident, others: readonly Incident[]): Incident[] {
  const ids = incident.affects.filter(({ kind }) => kind === 'monitor').map(({ id }) => id);
  return others
    .filter((each) => each.id !== incident.id && each.startedAtMs < incident.startedAtMs)
    .filter((each) => !isPlanned(each) && hits(each, 'monitor', ids))
    .slice(0, beforeShown);
}
