import {
  type StatusPageView as StatusPageApiView,
  type StatusPageLanguage,
  statusParts,
} from '../../../../schemas/status-pages.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { incidentAffects, publicIncidentsOf, withIncidentStates } from '../../status-pages/affected.ts';
import { textsOf } from '../../status-pages/languages/texts.ts';
import { viewBrandImage } from '../../status-pages/views.ts';
import type { Incident } from '../../store/incidents/incidents.ts';
import type { ComponentState, StatusPage, StatusPart } from '../../store/status-pages/status-pages.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { type IncidentView, isMaintenance, viewIncidentRow } from './incident-views.ts';
import {
  componentDays,
  groupComponents,
  monitorIdsOfPages,
  statusHeadline,
  worstComponentState,
} from './status-summary.ts';
import { type DayView, mergeWorstDays, startOfDayMs, viewDays } from './uptime.ts';

const daysOfList = 45;
const wordsFromDays = 90;

interface StatusPageView {
  readonly slug: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly is_public: boolean;
  readonly state: ComponentState;
  readonly headline: string;
  readonly components: number;
  readonly groups: number;
  readonly followers: { readonly rss: number; readonly mail: number } | null;
  /** Time of the newest public update; null if there was none in 90 days. */
  readonly newest_word_at: string | null;
}

export interface PlannedView extends IncidentView {
  readonly components: readonly string[];
  readonly pages: readonly string[];
  readonly is_under_way: boolean;
}

export interface StatusPagesModel {
  readonly pages: ReadonlyArray<StatusPageView & { readonly days: readonly DayView[] }>;
  /** Active and upcoming maintenance, next first. */
  readonly planned: readonly PlannedView[];
}

export async function statusPagesModel(context: RequestContext): Promise<StatusPagesModel> {
  const { nowMs } = context;
  const store = context.deps.store;
  const pages = await store.listStatusPages();
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
    planned: planned.map((each) => plannedView(context, each, pages)),
  };
}

function pageView(page: StatusPage, incidents: readonly Incident[]): StatusPageView {
  const publicIncidents = publicIncidentsOf(page, incidents);
  const moments = publicIncidents.flatMap(({ updates }) =>
    updates.filter(({ isPublic }) => isPublic).map(({ atMs }) => atMs),
  );
  return {
    slug: page.slug,
    name: page.name,
    hosts: page.hosts,
    is_public: page.isPublic,
    state: worstComponentState(page.components),
    headline: statusHeadline(page, publicIncidents, textsOf('en')),
    components: page.components.length,
    groups: groupComponents(page.components).length,
    followers: page.followers,
    newest_word_at: moments.length === 0 ? null : formatTime(Math.max(...moments)),
  };
}

function plannedView(context: RequestContext, incident: Incident, pages: readonly StatusPage[]): PlannedView {
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
    is_under_way: incident.startedAtMs <= context.nowMs,
  };
}

export interface ComponentView {
  readonly component_id: number;
  readonly name: string;
  readonly state: ComponentState;
  readonly monitors: ReadonlyArray<{ readonly slug: string; readonly name: string }>;
}

export interface StatusPageModel extends StatusPageView {
  readonly line: string;
  /** By e-mail and webhook. */
  readonly subscribers: number;
  readonly language: StatusPageLanguage;
  readonly accent: string | null;
  readonly logo: StatusPageApiView['logo'];
  readonly favicon: StatusPageApiView['favicon'];
  readonly shows: Readonly<Record<StatusPart, boolean>>;
  readonly parts: ReadonlyArray<{ readonly group: string; readonly components: readonly ComponentView[] }>;
  readonly created_at: string;
}

export async function statusPageModel(context: RequestContext): Promise<StatusPageModel> {
  const store = context.deps.store;
  const found = await store.findStatusPage(context.path['slug'] ?? '');
  if (found === null) throw pageNotFound('A status page with this name');
  const [monitors, confirmed, incidents] = await Promise.all([
    store.listMonitors(),
    store.countConfirmed([found.id]),
    store.listIncidents(startOfDayMs(context.nowMs) - wordsFromDays * dayMs),
  ]);
  const page = withIncidentStates(found, incidents, context.nowMs);
  const names = new Map(monitors.map(({ id, slug, name }) => [id, { slug, name }]));
  const shown = statusParts.map((part) => [part, page.shows.includes(part)] as const);
  return {
    ...pageView(page, incidents),
    line: page.line,
    subscribers: confirmed.get(page.id) ?? 0,
    language: page.language,
    accent: page.accent,
    logo: viewBrandImage(page.images.logo),
    favicon: viewBrandImage(page.images.favicon),
    shows: Object.fromEntries(shown) as Record<StatusPart, boolean>,
    parts: groupComponents(page.components).map(([group, components]) => ({
      group,
      components: components.map(({ id, name, state, monitorIds }) => ({
        component_id: id,
        name,
        state,
        monitors: monitorIds.flatMap((each) => names.get(each) ?? []),
      })),
    })),
    created_at: formatTime(page.createdAtMs),
  };
}
