import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { incidentAffects, publicIncidentsOf, withIncidentStates } from '../../status-pages/affected.ts';
import { textsOf } from '../../status-pages/languages/texts.ts';
import { viewStatusPage } from '../../status-pages/views.ts';
import type { Incident } from '../../store/incidents.ts';
import type { StatusPage, StatusPageRecord } from '../../store/status-pages.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { isMaintenance, viewIncidentRow } from './incident-views.ts';
import { componentDays, groupComponents, monitorIdsOfPages, statusHeadline } from './status.ts';
import { mergeWorstDays, startOfDayMs, viewDays } from './uptime.ts';

const daysOfList = 45;
const wordsFromDays = 90;

export type StatusPagesModel = Awaited<ReturnType<typeof statusPagesModel>>;

export async function statusPagesModel(context: RequestContext) {
  const { nowMs } = context;
  const store = context.deps.store;
  const pages = await store.listStatusPages(null);
  const [days, incidents] = await Promise.all([
    store.monitorDays(monitorIdsOfPages(pages), startOfDayMs(nowMs) - (daysOfList - 1) * dayMs, nowMs),
    store.listIncidents(startOfDayMs(nowMs) - wordsFromDays * dayMs),
  ]);
  const planned = incidents
    .filter((each) => isMaintenance(each) && each.resolvedAtMs === null)
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  return {
    pages: pages.map((page) => ({
      ...pageView(withIncidentStates(page, incidents, nowMs), incidents),
      days: viewDays(
        mergeWorstDays(page.components.map((component) => componentDays(component, days))),
        nowMs,
        daysOfList,
      ),
    })),
    /** Active and upcoming maintenance, next first. */
    planned: planned.map((each) => plannedView(context, each, pages)),
  };
}

function pageView(page: StatusPageRecord, incidents: readonly Incident[]) {
  const publicIncidents = publicIncidentsOf(page, incidents);
  const moments = publicIncidents.flatMap(({ updates }) =>
    updates.filter(({ isPublic }) => isPublic).map(({ atMs }) => atMs),
  );
  return {
    ...viewStatusPage(page),
    headline: statusHeadline(page, publicIncidents, textsOf('en')),
    groups: groupComponents(page.components).length,
    followers: page.followers,
    /** Time of the newest public update; null if there was none in 90 days. */
    newest_word_at: moments.length === 0 ? null : formatTime(Math.max(...moments)),
  };
}

function plannedView(context: RequestContext, incident: Incident, pages: readonly StatusPage[]) {
  const touched = pages.map(({ name, components }) => ({
    name,
    components: components.filter(
      ({ id, monitorIds }) =>
        incidentAffects(incident, 'component', [id]) || incidentAffects(incident, 'monitor', monitorIds),
    ),
  }));
  const on = touched.filter(({ components }) => components.length > 0);
  return {
    ...viewIncidentRow(context, incident),
    components: [...new Set(on.flatMap(({ components }) => components.map(({ name }) => name)))],
    pages: on.map(({ name }) => name),
    is_in_progress: incident.startedAtMs <= context.nowMs,
  };
}

export type ComponentView = StatusPageModel['parts'][number]['components'][number];

export type StatusPageModel = Awaited<ReturnType<typeof statusPageModel>>;

export async function statusPageModel(context: RequestContext) {
  const store = context.deps.store;
  const found = await store.findStatusPage(context.path['slug'] ?? '');
  if (found === null) throw pageNotFound('A status page with this name');
  const [monitors, confirmed, incidents] = await Promise.all([
    store.listMonitors(null),
    store.countConfirmed([found.id]),
    store.listIncidents(startOfDayMs(context.nowMs) - wordsFromDays * dayMs),
  ]);
  const page = withIncidentStates(found, incidents, context.nowMs);
  const names = new Map(monitors.map(({ id, slug, name }) => [id, { slug, name }]));
  return {
    ...pageView(page, incidents),
    /** By e-mail and webhook. */
    subscribers: confirmed.get(page.id) ?? 0,
    parts: groupComponents(page.components).map(([group, components]) => ({
      group,
      components: components.map(({ id, name, state, monitorIds }) => ({
        component_id: id,
        name,
        state,
        monitors: monitorIds.flatMap((each) => names.get(each) ?? []),
      })),
    })),
  };
}
