import { dayMs, hourMs, startOfHour } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { incidentAffects, incidentAffectsPage } from '../../status-pages/affected.ts';
import type { Incident, IncidentUpdate } from '../../store/incidents.ts';
import type { Monitor } from '../../store/monitors.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import {
  filterLinks,
  isMaintenance,
  type LinkTargets,
  type LinkView,
  viewIncidentRow,
  viewLink,
} from './incident-views.ts';
import { computeDurations } from './incidents.ts';
import { findProjectRef } from './monitors.ts';
import { startOfDayMs, uptimeDays, viewErrorBudget } from './uptime.ts';

const subject = 'An incident with this number';
const beforeShown = 5;
const titledMax = 20;
const budgetDays = 30;
/** Hours of events shown before and after the incident. */
const hoursBefore = 6;
const hoursAfter = 6;

export type UpdateView = ReturnType<typeof updateView>;

export type IncidentModel = Awaited<ReturnType<typeof incidentModel>>;

export async function incidentModel(context: RequestContext) {
  const store = context.deps.store;
  const incident = await store.findIncident(pathId(context, 'incident_id', subject));
  if (incident === null) throw pageNotFound(subject);
  const [monitors, pages, others] = await Promise.all([
    context.deps.store.listMonitors(null),
    context.deps.store.listStatusPages(null),
    store.listIncidents(
      Math.min(incident.startedAtMs, startOfDayMs(context.nowMs)) - (uptimeDays - 1) * dayMs,
    ),
  ]);
  const targets = { monitors, pages };
  const opener = await openerOf(context, incident, monitors);
  const causes = await causesOf(context, incident, targets);
  const [events, budget] = await Promise.all([
    eventsOf(context, incident, [...causes.linked, ...causes.proposed]),
    budgetOf(context, incident, monitors),
  ]);
  return {
    ...viewIncidentRow(context, incident),
    opened_by: { name: incident.openedBy, path: opener },
    lead: incident.lead,
    acknowledge_ms: since(incident, incident.acknowledgedAtMs),
    first_public_ms: firstPublicMs(incident),
    /** Of the last 90 days. */
    usual: computeDurations(
      others.filter((each) => !isMaintenance(each)),
      context.nowMs,
    ),
    steps: stepsOf(incident),
    updates: incident.updates.map(updateView),
    causes,
    hit: hitOf(incident, targets),
    shown_on: pages
      .filter((page) => incidentAffectsPage(incident, page))
      .map(({ slug, name }) => ({ slug, name })),
    components_in_all: pages.find((page) => incidentAffectsPage(incident, page))?.components.length ?? 0,
    users_affected: incident.usersAffected,
    /** Of the monitor with the most used budget, in the 30 days up to the end; null without monitors. */
    budget,
    helpers: incident.helpers,
    notified: incident.told,
    post_mortem: postMortemOf(incident),
    /** Events per hour of the first linked or suggested issue; null without one. */
    events,
    /** Earlier incidents of the same monitors, newest first. */
    before: findEarlierIncidents(incident, others).map((each) => viewIncidentRow(context, each)),
  };
}

/** Null if a person opened it, or the monitor or rule was deleted. */
async function openerOf(
  context: RequestContext,
  { ruleId, openedBy }: Incident,
  monitors: readonly Monitor[],
): Promise<string | null> {
  if (ruleId == null) {
    const monitor = monitors.find(({ name }) => name === openedBy);
    return monitor === undefined ? null : `/monitors/${monitor.slug}`;
  }
  const channels = await context.deps.store.listChannels();
  const isThere = channels.some(({ rules }) => rules.some(({ id }) => id === ruleId));
  return isThere ? `/alert-channels/rules/${ruleId}` : null;
}

function updateView(update: IncidentUpdate) {
  const { atMs, author, isPublic, body, from, to } = update;
  return { at: formatTime(atMs), author, is_public: isPublic, body, from, to };
}

function since({ startedAtMs }: Incident, atMs: number | null): number | null {
  return atMs === null ? null : Math.max(0, atMs - startedAtMs);
}

function firstPublicMs(incident: Incident): number | null {
  const publicTimes = incident.updates.filter(({ isPublic }) => isPublic).map(({ atMs }) => atMs);
  return publicTimes.length === 0 ? null : since(incident, Math.min(...publicTimes));
}

function stepsOf(incident: Incident) {
  const steps = [
    ['began', incident.startedAtMs],
    ['acknowledged', incident.acknowledgedAtMs],
    ['identified', incident.identifiedAtMs],
    ['mitigated', incident.mitigatedAtMs],
    ['resolved', incident.resolvedAtMs],
  ] as const;
  return steps
    .flatMap(([step, atMs]) =>
      atMs === null
        ? []
        : [{ step, at: formatTime(atMs), after_ms: Math.max(0, atMs - incident.startedAtMs) }],
    )
    .sort((one, other) => one.after_ms - other.after_ms);
}

async function causesOf(context: RequestContext, incident: Incident, targets: LinkTargets) {
  const titles = await titlesOf(context, incident);
  const isOfMany = incident.projectId === null && context.projects.length > 1;
  const views = (which: 'linked' | 'proposed' | 'dismissed'): LinkView[] =>
    filterLinks(incident, which).map((link) => {
      const title = link.kind === 'issue' ? titles.get(link.id) : undefined;
      const project = isOfMany ? findProjectRef(context, link.projectId)?.name : undefined;
      return {
        ...viewLink(link, targets),
        ...(title === undefined ? {} : { title }),
        ...(project === undefined ? {} : { project }),
      };
    });
  return { linked: views('linked'), proposed: views('proposed'), dismissed: views('dismissed') };
}

async function titlesOf({ deps }: RequestContext, { links }: Incident): Promise<ReadonlyMap<number, string>> {
  const ids = links.filter(({ kind }) => kind === 'issue').map(({ id }) => id);
  const issues = ids.slice(0, titledMax).map((id) => deps.store.findIssueAnywhere(id));
  return new Map(
    (await Promise.all(issues)).flatMap((each) => (each === null ? [] : [[each.id, each.title]])),
  );
}

function hitOf(incident: Incident, targets: LinkTargets) {
  const views = incident.affects.map((link) => viewLink(link, targets));
  const components = targets.pages.flatMap((page) => page.components);
  return {
    monitors: views
      .filter(({ kind }) => kind === 'monitor')
      .map((each) => ({ ...each, state: targets.monitors.find(({ id }) => id === each.id)?.state ?? null })),
    components: views
      .filter(({ kind }) => kind === 'component')
      .map((each) => ({ ...each, state: components.find(({ id }) => id === each.id)?.state ?? null })),
  };
}

async function budgetOf(context: RequestContext, incident: Incident, monitors: readonly Monitor[]) {
  const hit = monitors.filter(({ id }) => incidentAffects(incident, 'monitor', [id]));
  if (hit.length === 0 || isMaintenance(incident)) return null;
  const toMs = incident.resolvedAtMs ?? context.nowMs;
  const fromMs = startOfDayMs(toMs) - (budgetDays - 1) * dayMs;
  const days = await context.deps.store.monitorDays(
    hit.map(({ id }) => id),
    fromMs,
    toMs,
  );
  const budgets = hit.map(({ id, name, goal }) => ({
    ...viewErrorBudget(goal, days.get(id) ?? []),
    monitor: name,
  }));
  return budgets.toSorted((one, other) => (other.share ?? 0) - (one.share ?? 0))[0] ?? null;
}

function postMortemOf({ postMortem }: Incident) {
  if (postMortem === null) return null;
  const { author, writtenAtMs, isPublic, markdown, parts, actions } = postMortem;
  // Absent in post-mortems that consist of parts.
  const written = markdown === undefined ? {} : { markdown };
  return { author, written_at: formatTime(writtenAtMs), is_public: isPublic, ...written, parts, actions };
}

async function eventsOf(
  { deps, nowMs }: RequestContext,
  { startedAtMs, resolvedAtMs }: Incident,
  causes: readonly LinkView[],
) {
  const issue = causes.find(({ kind }) => kind === 'issue');
  if (issue === undefined) return null;
  const fromMs = startOfHour(startedAtMs) - hoursBefore * hourMs;
  const endMs = Math.min(nowMs, (resolvedAtMs ?? nowMs) + hoursAfter * hourMs);
  const toMs = Math.min(startOfHour(endMs) + hourMs, fromMs + 72 * hourMs);
  const slices = await deps.store.listIssueEventIntervals([issue.id], { fromMs, toMs, sliceMs: hourMs });
  const hours = Array.from({ length: Math.max(1, (toMs - fromMs) / hourMs) }, (_, slice) => ({
    at: formatTime(fromMs + slice * hourMs),
    events: sum(slices.filter((each) => each.slice === slice).map(({ events }) => events)),
  }));
  return { issue_id: issue.id, name: issue.name, hours };
}

function findEarlierIncidents(incident: Incident, others: readonly Incident[]): Incident[] {
  const ids = incident.affects.filter(({ kind }) => kind === 'monitor').map(({ id }) => id);
  return others
    .filter((each) => each.id !== incident.id && each.startedAtMs < incident.startedAtMs)
    .filter((each) => !isMaintenance(each) && incidentAffects(each, 'monitor', ids))
    .slice(0, beforeShown);
}
