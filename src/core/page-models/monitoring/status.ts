// A public status page. Leaves out internal updates, names of people and monitors, and linked causes.
import type { StatusLanguage, StatusPageLanguage } from '../../../../schemas/status-pages.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatDate, formatTime } from '../../parsing/timestamps.ts';
import {
  affectedComponentNames,
  isCanceled,
  publicIncidentsOf,
  publicIncidentTitle,
  withIncidentStates,
} from '../../status-pages/affected.ts';
import { textColorOn } from '../../status-pages/brand.ts';
import type { StatusTexts } from '../../status-pages/languages/en.ts';
import { fillIn, textsOf } from '../../status-pages/languages/texts.ts';
import { worstState } from '../../status-pages/states.ts';
import { takesEmails } from '../../status-pages/subscribers.ts';
import type { Incident, IncidentState } from '../../store/incidents.ts';
import type { MonitorInterval } from '../../store/monitors.ts';
import type {
  BrandImage,
  BrandImageKind,
  Component,
  ComponentState,
  StatusPage,
  StatusPart,
} from '../../store/status-pages.ts';
import type { Store } from '../../store/store.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { durationMs, isMaintenance } from './incident-views.ts';
import { mergeWorstDays, startOfDayMs, uptimeDays, viewDays, viewUptime } from './uptime.ts';

const pastDays = 14;
const incidentsMax = 50;
const wordsMax = 20;

export type PublicUpdate = ReturnType<typeof publicUpdates>[number];

export type PublicIncident = ReturnType<typeof publicIncident>;

export type PublicComponent = ReturnType<typeof publicComponent>;

export type PublicBrand = ReturnType<typeof publicBrand>;

export type StatusModel = ReturnType<typeof modelOf>;

export async function statusModel(context: RequestContext) {
  const { store, notificationSender } = context.deps;
  const source = await findPublicStatus(
    store,
    context.path['slug'] ?? '',
    context.nowMs,
    notificationSender?.canMail === true,
  );
  if (source === null) throw pageNotFound('A status page with this name');
  return source.modelIn(languageOf(source.language));
}

export interface StatusSource {
  readonly pageId: number;
  readonly isPublic: boolean;
  readonly language: StatusPageLanguage;
  modelIn(language: StatusLanguage): StatusModel;
}

/** Where nobody's browser is asked. */
export function languageOf(language: StatusPageLanguage): StatusLanguage {
  return language === 'auto' ? 'en' : language;
}

/** Null if there is no such page. The caller must check `isPublic`. */
export async function findPublicStatus(
  store: Pick<Store, 'findStatusPage' | 'monitorDays' | 'listIncidents'>,
  slug: string,
  nowMs: number,
  canMail: boolean,
): Promise<StatusSource | null> {
  const page = await store.findStatusPage(slug);
  if (page === null) return null;
  const from90 = startOfDayMs(nowMs) - (uptimeDays - 1) * dayMs;
  const [days, incidents] = await Promise.all([
    store.monitorDays(monitorIdsOfPages([page]), from90, nowMs),
    store.listIncidents(from90),
  ]);
  const facts = { page: withIncidentStates(page, incidents, nowMs), days, incidents, nowMs, canMail };
  return {
    pageId: page.id,
    isPublic: page.isPublic,
    language: page.language,
    modelIn: (language) => modelOf(facts, language),
  };
}

interface StatusFacts {
  readonly page: StatusPage;
  readonly days: ReadonlyMap<number, readonly MonitorInterval[]>;
  readonly incidents: readonly Incident[];
  readonly nowMs: number;
  readonly canMail: boolean;
}

function modelOf({ page, days, incidents, nowMs, canMail }: StatusFacts, language: StatusLanguage) {
  const texts = textsOf(language);
  const shows = (part: StatusPart): boolean => page.shows.includes(part);
  const publicIncidents = shows('incidents') ? publicIncidentsOf(page, incidents) : [];
  const view = (each: Incident): PublicIncident => publicIncident(page, each, { nowMs, texts });
  const canceled = publicIncidents.filter(isCanceled);
  const views = publicIncidents.filter((each) => !isCanceled(each)).map(view);
  const isWork = ({ severity }: PublicIncident): boolean => severity === 'planned';
  return {
    slug: page.slug,
    name: page.name,
    is_public: page.isPublic,
    generated_at: formatTime(nowMs),
    language,
    state: worstComponentState(page.components),
    headline: statusHeadline(page, publicIncidents, texts),
    description: page.description,
    brand: publicBrand(page),
    has_feeds: shows('feeds'),
    takes_subscribers: takesEmails(page, canMail),
    groups: groupComponents(page.components).map(([name, components]) => ({
      name,
      components: components.map((each) => publicComponent(each, days, shows, nowMs)),
    })),
    /** Critical ones first. */
    open: views
      .filter((each) => each.resolved_at === null && !isWork(each))
      .toSorted((one, other) => Number(other.severity === 'critical') - Number(one.severity === 'critical'))
      .slice(0, incidentsMax),
    /** Active and upcoming, next first. */
    planned: views
      .filter((each) => each.resolved_at === null && isWork(each))
      .toReversed()
      .slice(0, incidentsMax),
    /** Maintenance that was canceled in the last 14 days, before it began. */
    canceled: canceled
      .filter(({ resolvedAtMs }) => (resolvedAtMs ?? 0) >= startOfDayMs(nowMs) - (pastDays - 1) * dayMs)
      .slice(0, incidentsMax)
      .map(view),
    /** The last 14 days, newest first; empty if the page hides incidents. */
    past: shows('incidents') ? pastOf(views, nowMs) : [],
  };
}

export function publicBrand({ accent, images }: Pick<StatusPage, 'accent' | 'images'>) {
  const { logo, favicon } = images;
  return {
    accent,
    text_on_accent: accent === null ? null : textColorOn(accent),
    logo: logo === null ? null : { width: logo.width, height: logo.height },
    has_favicon: favicon !== null || logo !== null,
  };
}

/** Null where the page has none; without a favicon the logo is one. */
export async function findBrandFile(
  store: Pick<Store, 'findBrandImage'>,
  pageId: number,
  kind: BrandImageKind,
): Promise<BrandImage | null> {
  const image = await store.findBrandImage(pageId, kind);
  return image ?? (kind === 'favicon' ? store.findBrandImage(pageId, 'logo') : null);
}

function publicComponent(
  component: Component,
  days: ReadonlyMap<number, readonly MonitorInterval[]>,
  shows: (part: StatusPart) => boolean,
  nowMs: number,
) {
  const intervals = componentDays(component, days);
  const isMeasured = component.monitorIds.length > 0;
  return {
    name: component.name,
    state: component.state,
    /** Of 90 days; null if no monitor measures it, or the page hides it. */
    uptime: shows('percent') && isMeasured ? viewUptime(intervals).uptime : null,
    days: shows('days') && isMeasured ? viewDays(intervals, nowMs, uptimeDays) : [],
  };
}

function publicIncident(
  page: StatusPage,
  incident: Incident,
  { nowMs, texts }: { readonly nowMs: number; readonly texts: StatusTexts },
) {
  const { postMortem, resolvedAtMs } = incident;
  // A post-mortem may still change until the incident is resolved.
  const postMortemText =
    postMortem?.isPublic === true && resolvedAtMs !== null ? postMortem.markdown : undefined;
  return {
    incident_id: incident.id,
    title: publicIncidentTitle(page, incident, texts),
    severity: incident.severity,
    state: incident.state,
    started_at: formatTime(incident.startedAtMs),
    resolved_at: formatTime(resolvedAtMs),
    planned_end_at: formatTime(incident.plannedEndAtMs),
    lasted_ms: isMaintenance(incident) && incident.startedAtMs > nowMs ? 0 : durationMs(incident, nowMs),
    affects: affectedComponentNames(page, incident),
    /** Newest first. */
    words: publicUpdates(incident),
    ...(postMortemText === undefined ? {} : { post_mortem: postMortemText }),
  };
}

/** Each update with the state after it; internal updates change the state too. */
function publicUpdates(incident: Incident) {
  const words: Array<{ at: string; state: IncidentState; body: string }> = [];
  let state: IncidentState = isMaintenance(incident) ? 'planned' : 'investigating';
  for (const { atMs, isPublic, body, to } of incident.updates.toReversed()) {
    if (to !== null) state = to;
    if (isPublic) words.push({ at: formatTime(atMs), state, body });
  }
  return words.reverse().slice(0, wordsMax);
}

function pastOf(views: readonly PublicIncident[], nowMs: number) {
  const started = views.filter(({ severity, resolved_at: over, started_at: at }) =>
    severity === 'planned' ? over !== null : Date.parse(at) <= nowMs,
  );
  const byDay = Map.groupBy(started.slice(0, incidentsMax), ({ started_at: at }) => at.slice(0, 10));
  return Array.from({ length: pastDays }, (_, back) => {
    const date = formatDate(startOfDayMs(nowMs) - back * dayMs);
    return { date, incidents: byDay.get(date) ?? [] };
  });
}

function worstComponentState(components: readonly Component[]): ComponentState {
  return worstState(components.map(({ state }) => state));
}

/** In the order of their first components. */
export function groupComponents(
  components: readonly Component[],
): ReadonlyArray<readonly [string, Component[]]> {
  return [...Map.groupBy(components, ({ group }) => group)];
}

export function componentDays(
  { monitorIds }: Pick<Component, 'monitorIds'>,
  days: ReadonlyMap<number, readonly MonitorInterval[]>,
): MonitorInterval[] {
  return mergeWorstDays(monitorIds.map((id) => days.get(id) ?? []));
}

export function monitorIdsOfPages(pages: readonly StatusPage[]): number[] {
  return [...new Set(pages.flatMap(({ components }) => components.flatMap(({ monitorIds }) => monitorIds)))];
}

/** Open incidents, otherwise the states of the components: also where a fix is monitored, as those say what works. */
export function statusHeadline(
  page: StatusPage,
  publicIncidents: readonly Incident[],
  texts: StatusTexts,
): string {
  const { components } = page;
  const open = page.shows.includes('incidents') ? publicIncidents : [];
  const unplanned = open.filter(
    ({ severity, state, resolvedAtMs }) =>
      severity !== 'planned' && state !== 'monitoring' && resolvedAtMs === null,
  );
  if (unplanned.length > 0) {
    const worst = unplanned.toSorted((one, other) => rank(one) - rank(other));
    return worst.map((each) => publicIncidentTitle(page, each, texts)).join('. ');
  }
  if (components.length === 0) return texts.noComponents;
  const sentences = (
    [
      [texts.down, 'not_working'],
      [texts.degraded, 'slow'],
      [texts.maintenance, 'planned_work'],
    ] as const
  ).flatMap(([template, state]) => {
    const named = components.filter((each) => each.state === state).map(({ name }) => name);
    return named.length === 0 ? [] : [fillIn(template, { components: named.join(texts.separator) })];
  });
  return sentences.length === 0 ? texts.allOperational : sentences.join('. ');
}

function rank({ severity }: Incident): number {
  return severity === 'critical' ? 0 : 1;
}
