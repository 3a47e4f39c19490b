// Public status page. Without navigation and scripts, to stay small under high traffic.
import type { VNode } from 'preact';
import type { ComponentState } from '../../core/page-models/monitoring/kinds.ts';
import type {
  PublicComponent,
  PublicIncident,
  StatusModel,
} from '../../core/page-models/monitoring/status.ts';
import { statusPageUrls } from '../../core/page-models/monitoring/status-urls.ts';
import { textsOf } from '../../core/status-pages/languages/texts.ts';
import { dayStripLegend, smallDayStrip } from '../charts/day-strip.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { markdown } from '../components/markdown.ts';
import { timeElement } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { formatDate, formatDayAndTime, formatTimeOfDay } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import {
  commaSeparated,
  componentMark,
  dateStartMs,
  incidentStateNames,
  lengthText,
  shortDay,
  shortUntrustedName,
  shortUntrustedText,
  stripTextAlternative,
  toStripDays,
  untrustedText,
  uptimeText,
} from './labels.ts';

const stripPx = 26;

export function statusPage(model: StatusModel, context: PageContext): PageContent {
  const texts = textsOf('en');
  const places = statusPageUrls(model.slug, context.path);
  const feed = model.has_feeds ? places.feed : null;
  const link = (to: string, word: Content, attributes: Record<'class', string> | null = null): VNode =>
    pageLink(context, { path: to, query: { project: null } }, attributes, word);
  const measured = model.groups.some(({ components }) => components.some(({ days }) => days.length > 0));
  return {
    title: `${shortUntrustedName(model.name)} status`,
    everybody: {
      head: [
        link(places.page, shortUntrustedText(model.name), { class: 'brand' }),
        html`<p class="small acts">
          ${model.takes_subscribers ? link(places.subscribe, texts.subscribe) : null}
          ${feed === null ? null : link(feed, 'RSS')}
        </p>`,
      ],
      feed,
      texts,
    },
    main: [
      html`<p class="small dim">
        Status, ${timeElement(model.generated_at, `${fullDayAndTime(model.generated_at)} UTC`, false)}
        ${model.is_public ? null : [' ', statusMark('team', 'Members only')]}
      </p>`,
      html`<h1>${shortUntrustedText(model.headline, 400)}</h1>`,
      model.line === '' ? null : html`<p class="lede">${shortUntrustedText(model.line, 1_000)}</p>`,
      model.groups.length === 0 ? html`<p class="lede">${texts.noComponentsText}</p>` : null,
      ...model.open.map((each, at) => openIncident(each, at)),
      ...model.groups.map(({ name, components }, at) => group(name, components, at)),
      measured ? ends() : null,
      planned(model),
      model.past.length === 0 ? null : past(model),
      html`<footer class="foot">
        <p>Times are UTC. Degraded counts as up; maintenance is left out.</p>
        <p>${link(places.json, 'As JSON')}</p>
        <p>${link(places.badge, 'Badge')}</p>
      </footer>`,
    ],
  };
}

function fullDayAndTime(at: string): string {
  return `${formatDate(Date.parse(at))}, ${formatTimeOfDay(Date.parse(at))}`;
}

/** `13:58 UTC`, with the date if it is not today. */
function sinceWords(at: string, generatedAt: string): string {
  const isToday = at.slice(0, 10) === generatedAt.slice(0, 10);
  return isToday ? `${formatTimeOfDay(Date.parse(at))} UTC` : `${formatDayAndTime(Date.parse(at))} UTC`;
}

function openIncident(incident: PublicIncident, at: number): VNode {
  const { severity, title, started_at: began, lasted_ms: lasted, affects, words } = incident;
  const now = new Date(Date.parse(began) + lasted).toISOString();
  return el(
    'article',
    { class: severity === 'critical' ? 'incident' : 'incident minor', 'aria-labelledby': `i${at}` },
    html`<h2 id="i${at}">${markOf(severity === 'critical' ? 'not_working' : 'slow', title)}</h2>`,
    html`<p class="small dim">
      Since ${timeElement(began, sinceWords(began, now), false)}, ${lengthText(lasted)}.
      ${affects.length === 0 ? null : [' Affects ', ...commaSeparated(affects.map((each) => shortUntrustedText(each))), '.']}
    </p>`,
    el(
      'ol',
      { class: 'log' },
      words.map(
        (each) =>
          html`<li>
            ${timeElement(each.at, formatTimeOfDay(Date.parse(each.at)), false)}
            <p class="said"><strong>${incidentStateNames[each.state]}.</strong> ${untrustedText(each.body)}</p>
          </li>`,
      ),
    ),
  );
}

function markOf(state: ComponentState, title: string): VNode {
  return componentMark(state, shortUntrustedName(title, 400));
}

function group(name: string, components: readonly PublicComponent[], at: number): VNode {
  return html`<section class="sec" aria-labelledby="g${at}">
    <h2 id="g${at}">${name === '' ? 'All components' : shortUntrustedText(name)}</h2>
    <ul class="comps">${components.map(component)}</ul>
  </section>`;
}

function component({ name, state, uptime, days }: PublicComponent): VNode {
  return el(
    'li',
    null,
    html`<div class="top">
      <h3>${shortUntrustedText(name)}</h3>
      <span>
        ${componentMark(state)}
        ${uptime === null ? null : [' ', html`<span class="dim n">${uptimeText(uptime)}</span>`]}
      </span>
    </div>`,
    days.length === 0
      ? null
      : smallDayStrip(toStripDays(days, true), stripTextAlternative(name, days, uptime ?? 1), stripPx),
  );
}

function ends(): VNode {
  return html`<div class="ends small dim">
    <span>90 days ago</span>
    <span class="key">
      ${dayStripLegend({ up: 'operational', degraded: 'degraded', down: 'down', maintenance: 'maintenance' })}
    </span>
    <span>today</span>
  </div>`;
}

function planned({ planned: all, generated_at: now }: StatusModel): Content {
  if (all.length === 0) return null;
  const lines = all.map((each) => {
    const { title, started_at: at, planned_end_at: until, words } = each;
    const isNow = at <= now;
    const when = isNow
      ? html`<span class="dim">Now</span>`
      : timeElement(at, shortDay(at.slice(0, 10)), false);
    const time =
      until === null
        ? sinceWords(at, now)
        : `${formatTimeOfDay(Date.parse(at))} to ${formatTimeOfDay(Date.parse(until))} UTC`;
    const word = words[0];
    return html`<li>
      ${when}
      <p class="said">
        <strong>${shortUntrustedText(title)}</strong><br />${time}.${word === undefined ? null : [' ', untrustedText(word.body)]}
      </p>
    </li>`;
  });
  return html`<section class="sec" aria-labelledby="planned">
    <h2 id="planned">Planned</h2>
    <ol class="log">${lines}</ol>
  </section>`;
}

function past({ past: days }: StatusModel): VNode {
  const lines: VNode[] = [];
  let quiet: string[] = [];
  const flush = (): void => {
    if (quiet.length > 0) {
      lines.push(dayLine(quietDays(quiet), html`<p class="dim">No incidents</p>`));
    }
    quiet = [];
  };
  for (const { date, incidents } of days) {
    if (incidents.length === 0) {
      quiet.push(date);
      continue;
    }
    flush();
    lines.push(dayLine(shortDay(date), html`<div>${incidents.map(pastIncident)}</div>`));
  }
  flush();
  return html`<section class="sec" aria-labelledby="past">
    <h2 id="past">The last 14 days</h2>
    <ol class="log days">${lines}</ol>
  </section>`;
}

function dayLine(when: string, content: VNode): VNode {
  return html`<li><span class="dim">${when}</span>${content}</li>`;
}

/** `16 to 20 Nov`, `8 and 9 Nov`, `28 Oct to 2 Nov`. `dates` are newest first. */
function quietDays(dates: readonly string[]): string {
  const [last = '', first = ''] = [dates.at(0), dates.at(-1)];
  if (dates.length === 1) return shortDay(last);
  const isOneMonth = first.slice(0, 7) === last.slice(0, 7);
  const from = isOneMonth ? String(new Date(dateStartMs(first)).getUTCDate()) : shortDay(first);
  return `${from} ${dates.length === 2 ? 'and' : 'to'} ${shortDay(last)}`;
}

function pastIncident({
  title,
  resolved_at: over,
  started_at: at,
  lasted_ms: lasted,
  words,
  post_mortem: learnt,
}: PublicIncident): VNode {
  const last = words[0]?.body ?? '';
  const state =
    over === null ? `Since ${formatTimeOfDay(Date.parse(at))} UTC.` : `Resolved after ${lengthText(lasted)}.`;
  const line = html`<p class="said"><strong>${shortUntrustedText(title)}.</strong> ${state} ${untrustedText(last)}</p>`;
  if (learnt === undefined) return line;
  return html`<div>
    ${line}
    <details><summary>Post-mortem</summary><div class="md">${markdown(learnt)}</div></details>
  </div>`;
}
