// Public status page. Without navigation and scripts, to stay small under high traffic.
import type { ComponentState } from '../../core/page-models/monitoring/kinds.ts';
import type {
  PublicBrand,
  PublicComponent,
  PublicIncident,
  StatusModel,
} from '../../core/page-models/monitoring/status.ts';
import { type StatusPageUrls, statusPageUrls } from '../../core/page-models/monitoring/status-urls.ts';
import type { DayView } from '../../core/page-models/monitoring/uptime.ts';
import type { StatusTexts } from '../../core/status-pages/languages/en.ts';
import {
  fillInCount,
  formatDay,
  formatDays,
  formatFullDay,
  formatLength,
  formatLengthAtEnd,
  formatTimeOfDay,
  formatUptime,
} from '../../core/status-pages/languages/formats.ts';
import { fillIn, fillInParts, textsOf } from '../../core/status-pages/languages/texts.ts';
import { dayStripLegend, type StripDay, smallDayStrip } from '../charts/day-strip.ts';
import { section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { markdown } from '../components/markdown.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { timeElement, untrustedText } from '../formatters.ts';
import { componentMark, dateStartMs, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const stripPx = 26;
const stripDays = 90;

export function statusPage(model: StatusModel, context: PageContext): PageContent {
  const texts = textsOf(model.language);
  const urls = statusPageUrls(model.slug, context.path);
  const feed = model.has_feeds ? urls.feed : null;
  const link = (to: string, word: Content, attributes: Record<'class', string> | null = null): VNode =>
    pageLink(context, { path: to, query: { project: null } }, attributes, word);
  const measured = model.groups.some(({ components }) => components.some(({ days }) => days.length > 0));
  const now = timeElement(model.generated_at, fullTime(texts, model.generated_at), false);
  return {
    title: fillIn(texts.title, { page: shortUntrustedName(model.name) }),
    publicPage: {
      head: [
        link(urls.page, [brandLogo(model.brand, urls, context), shortUntrustedText(model.name)], {
          class: 'brand',
        }),
        html`<p class="small acts">
          ${model.takes_subscribers ? link(urls.subscribe, texts.subscribe) : null}
          ${feed === null ? null : link(feed, 'RSS')}
        </p>`,
      ],
      feed,
      ...brandResources(model.brand, urls),
      texts,
    },
    main: [
      html`<p class="small dim">
        ${fillInParts<Content>(texts.status, { time: now })}
        ${model.is_public ? null : [' ', statusMark('team', texts.membersOnly)]}
      </p>`,
      html`<h1>${shortUntrustedText(model.headline, 400)}</h1>`,
      model.description === ''
        ? null
        : html`<p class="lede">${shortUntrustedText(model.description, 1_000)}</p>`,
      model.groups.length === 0 ? html`<p class="lede">${texts.noComponentsText}</p>` : null,
      ...model.open.map((each, at) => openIncident(texts, each, at)),
      ...model.groups.map(({ name, components }, at) => group(texts, { name, components }, at)),
      measured ? ends(texts) : null,
      planned(texts, model),
      model.past.length === 0 ? null : pastIncidents(texts, model),
      html`<footer class="foot">
        <p>${texts.footNote}</p>
        <p>${link(urls.json, texts.asJson)}</p>
        <p>${link(urls.badge, texts.badge)}</p>
      </footer>`,
    ],
  };
}

function fullTime(texts: StatusTexts, at: string): string {
  const ms = Date.parse(at);
  return fillIn(texts.utc, { time: `${formatFullDay(texts, ms)}, ${formatTimeOfDay(texts, ms)}` });
}

/** `13:58 UTC`, with the date if it is not today. */
function sinceText(texts: StatusTexts, at: string, generatedAt: string): string {
  const ms = Date.parse(at);
  const time = formatTimeOfDay(texts, ms);
  const isToday = at.slice(0, 10) === generatedAt.slice(0, 10);
  return fillIn(texts.utc, { time: isToday ? time : `${formatDay(texts, ms)}, ${time}` });
}

function openIncident(texts: StatusTexts, incident: PublicIncident, at: number): VNode {
  const { severity, title, started_at: startedAt, lasted_ms: lasted, affects, words: updates } = incident;
  const now = new Date(Date.parse(startedAt) + lasted).toISOString();
  const since = {
    time: timeElement(startedAt, sinceText(texts, startedAt, now), false),
    length: formatLengthAtEnd(texts, lasted),
  };
  const components = affects.flatMap((each, index) => [
    index === 0 ? null : texts.separator,
    shortUntrustedText(each),
  ]);
  return el(
    'article',
    { class: severity === 'critical' ? 'incident' : 'incident minor', 'aria-labelledby': `i${at}` },
    html`<h2 id="i${at}">${markOf(severity === 'critical' ? 'not_working' : 'slow', title)}</h2>`,
    html`<p class="small dim">
      ${fillInParts<Content>(texts.sinceFor, since)}
      ${affects.length === 0 ? null : [' ', ...fillInParts<Content>(texts.affects, { components })]}
    </p>`,
    el(
      'ol',
      { class: 'log' },
      updates.map(
        (each) =>
          html`<li>
            ${timeElement(each.at, formatTimeOfDay(texts, Date.parse(each.at)), false)}
            <p class="said"><strong>${texts.incidentStates[each.state]}.</strong> ${untrustedText(each.body)}</p>
          </li>`,
      ),
    ),
  );
}

function markOf(state: ComponentState, title: string): VNode {
  return componentMark(state, shortUntrustedName(title, 400));
}

function group(texts: StatusTexts, { name, components }: StatusModel['groups'][number], at: number): VNode {
  return section(
    { id: `g${at}`, title: name === '' ? texts.allComponents : shortUntrustedText(name) },
    html`<ul class="comps">${components.map((each) => component(texts, each))}</ul>`,
  );
}

function component(texts: StatusTexts, { name, state, uptime, days }: PublicComponent): VNode {
  const share = uptime === null ? null : html`<span class="dim n">${formatUptime(texts, uptime)}</span>`;
  return el(
    'li',
    null,
    html`<div class="top">
      <h3>${shortUntrustedText(name)}</h3>
      <span>
        ${componentMark(state, texts.componentStates[state])} ${share}
      </span>
    </div>`,
    days.length === 0
      ? null
      : smallDayStrip(
          days.map((day) => stripDay(texts, day)),
          stripText(texts, name, { days, uptime: uptime ?? 1 }),
          stripPx,
        ),
  );
}

function stripDay(texts: StatusTexts, day: DayView): StripDay {
  const textsByState = {
    up: null,
    none: null,
    down: [texts.downFor, day.down_ms],
    degraded: [texts.degradedFor, day.degraded_ms],
    maintenance: [texts.maintenanceFor, day.maintenance_ms],
  } as const;
  const [template, ms] = textsByState[day.state] ?? [];
  if (template === undefined || ms === undefined) return { state: day.state, label: null };
  const stateText = fillIn(template, { length: formatLength(texts, ms) });
  return { state: day.state, label: `${formatDay(texts, dateStartMs(day.date))}: ${stateText}` };
}

function stripText(
  texts: StatusTexts,
  name: string,
  { days, uptime }: { readonly days: readonly DayView[]; readonly uptime: number },
): string {
  const all = { name: shortUntrustedName(name), uptime: formatUptime(texts, uptime) };
  const stateTexts = (['down', 'degraded', 'maintenance'] as const).flatMap((state) => {
    const count = days.filter((day) => day.state === state).length;
    return count === 0 ? [] : [fillInCount(texts, texts[`${state}Days`], count)];
  });
  return [fillInCount(texts, texts.uptimeOver, days.length, all), ...stateTexts].join(texts.separator);
}

function ends(texts: StatusTexts): VNode {
  return html`<div class="ends small dim">
    <span>${fillInCount(texts, texts.daysAgo, stripDays)}</span>
    <span class="key">${dayStripLegend(texts.dayStates)}</span>
    <span>${texts.today}</span>
  </div>`;
}

/** Canceled maintenance stays until it would have begun. */
function planned(texts: StatusTexts, { planned: open, canceled, generated_at: now }: StatusModel): Content {
  const all = [...open, ...canceled.filter(({ started_at: at }) => at > now)];
  if (all.length === 0) return null;
  const lines = all.map((each) => {
    const { title, started_at: at, planned_end_at: until, words: updates, resolved_at: over } = each;
    const when =
      at <= now
        ? html`<span class="dim">${texts.now}</span>`
        : timeElement(at, formatDay(texts, Date.parse(at)), false);
    const from = formatTimeOfDay(texts, Date.parse(at));
    const time =
      until === null
        ? sinceText(texts, at, now)
        : fillIn(texts.timeRange, { from, to: formatTimeOfDay(texts, Date.parse(until)) });
    const word = updates[0];
    return html`<li>
      ${when}
      <p class="said">
        <strong>${over === null ? null : `${texts.maintenanceCanceled}: `}${shortUntrustedText(title)}</strong><br />${time}.${word === undefined ? null : [' ', untrustedText(word.body)]}
      </p>
    </li>`;
  });
  return section({ id: 'planned', title: texts.planned }, html`<ol class="log">${lines}</ol>`);
}

function pastIncidents(texts: StatusTexts, { past: days }: StatusModel): VNode {
  const lines: VNode[] = [];
  let quietDates: string[] = [];
  const flush = (): void => {
    if (quietDates.length > 0) {
      const [last = '', first = ''] = [quietDates.at(0), quietDates.at(-1)];
      const when = formatDays(texts, dateStartMs(first), dateStartMs(last));
      lines.push(dayLine(when, html`<p class="dim">${texts.noIncidents}</p>`));
    }
    quietDates = [];
  };
  for (const { date, incidents } of days) {
    if (incidents.length === 0) {
      quietDates.push(date);
      continue;
    }
    flush();
    const content = html`<div>${incidents.map((each) => pastIncident(texts, each))}</div>`;
    lines.push(dayLine(formatDay(texts, dateStartMs(date)), content));
  }
  flush();
  const title = fillInCount(texts, texts.lastDays, days.length);
  return section({ id: 'past', title }, html`<ol class="log days">${lines}</ol>`);
}

function dayLine(when: string, content: VNode): VNode {
  return html`<li><span class="dim">${when}</span>${content}</li>`;
}

function pastIncident(
  texts: StatusTexts,
  {
    title,
    resolved_at: over,
    started_at: at,
    lasted_ms: lasted,
    words: updates,
    post_mortem: postMortem,
  }: PublicIncident,
): VNode {
  const last = updates[0]?.body ?? '';
  const time = fillIn(texts.utc, { time: formatTimeOfDay(texts, Date.parse(at)) });
  const state =
    over === null
      ? fillIn(texts.since, { time })
      : fillIn(texts.resolvedAfter, { length: formatLengthAtEnd(texts, lasted) });
  const line = html`<p class="said"><strong>${shortUntrustedText(title)}.</strong> ${state} ${untrustedText(last)}</p>`;
  if (postMortem === undefined) return line;
  return html`<div>
    ${line}
    <details><summary>${texts.postMortem}</summary><div class="md">${markdown(postMortem)}</div></details>
  </div>`;
}

const logoHeightPx = 32;
const logoWidthPxMax = 240;

/** Decorative: the name of the page stands beside it. */
export function brandLogo({ logo }: PublicBrand, urls: StatusPageUrls, { base }: PageContext): Content {
  if (logo === null) return null;
  const scale = Math.min(logoHeightPx / logo.height, logoWidthPxMax / logo.width);
  const [width, height] = [logo.width, logo.height].map((pixels) => Math.max(1, Math.round(pixels * scale)));
  return el('img', { src: base + urls.logo, alt: '', width, height });
}

export function brandResources(
  { accent, has_favicon: hasIcon }: PublicBrand,
  urls: StatusPageUrls,
): Pick<NonNullable<PageContent['publicPage']>, 'icon' | 'sheet'> {
  return { icon: hasIcon ? urls.favicon : null, sheet: accent === null ? null : urls.accent };
}

/** A file of its own, since the pages allow no style in themselves. Null without a colour. */
export function accentSheet({ accent, text_on_accent: ink }: PublicBrand): string | null {
  if (accent === null) return null;
  return `.everybody .mast-head{border-block-end:3px solid ${accent}}
.everybody main a{text-decoration:underline 2px ${accent}}
.everybody .btn.primary{border-color:${accent};background:${accent};color:${ink}}
`;
}
