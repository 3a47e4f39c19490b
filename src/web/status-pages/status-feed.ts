import { renderToString } from 'preact-render-to-string';
import type { ComponentState } from '../../core/page-models/monitoring/kinds.ts';
import type { PublicIncident, PublicUpdate, StatusModel } from '../../core/page-models/monitoring/status.ts';
import { customDomainUrls } from '../../core/page-models/monitoring/status-urls.ts';
import { fillIn, textsOf } from '../../core/status-pages/languages/texts.ts';
import { html, type VNode } from '../el.ts';
import { replaceInvisible } from '../formatters.ts';

const itemsMax = 50;

/** RSS 2.0, newest first; `address` is the page's URL. */
export function statusFeed(model: StatusModel, address: string): string {
  const texts = textsOf(model.language);
  const incidents = new Map<number, PublicIncident>();
  const past = model.past.flatMap((day) => day.incidents);
  for (const each of [...model.open, ...model.planned, ...model.canceled, ...past]) {
    incidents.set(each.incident_id, each);
  }
  const canceled = new Set(model.canceled.map(({ incident_id: id }) => id));
  const stateOf = ({ incident_id: id }: PublicIncident, { state }: PublicUpdate): string =>
    state === 'resolved' && canceled.has(id) ? texts.maintenanceCanceled : texts.incidentStates[state];
  const items = [...incidents.values()]
    .flatMap((incident) => incident.words.map((word) => ({ incident, word })))
    .toSorted((one, other) => Date.parse(other.word.at) - Date.parse(one.word.at))
    .slice(0, itemsMax)
    .map(({ incident, word }) => itemOf(stateOf(incident, word), incident, word, address));
  const newest = model.generated_at;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    element('title', fillIn(texts.title, { page: model.name })),
    element('link', address),
    `<atom:link href="${escaped(feedAt(address))}" rel="self" type="application/rss+xml"/>`,
    element('description', model.headline),
    element('language', texts.tag),
    element('lastBuildDate', new Date(newest).toUTCString()),
    ...items,
    '</channel></rss>',
    '',
  ].join('\n');
}

/** At the root of a host the feed has a path of its own, otherwise the page's path with `.rss`. */
function feedAt(address: string): string {
  return address.endsWith(customDomainUrls.page)
    ? `${address.slice(0, -customDomainUrls.page.length)}${customDomainUrls.feed}`
    : `${address}.rss`;
}

function itemOf(
  state: string,
  { incident_id: id, title }: PublicIncident,
  { at, body }: PublicUpdate,
  address: string,
): string {
  return [
    '<item>',
    element('title', `${state}: ${title}`),
    element('link', address),
    `<guid isPermaLink="false">${escaped(`${address}#${id}-${Date.parse(at)}`)}</guid>`,
    element('pubDate', new Date(at).toUTCString()),
    element('description', body),
    '</item>',
  ].join('');
}

/** Preact renders HTML, where `link` has no end tag; so XML is written here. */
function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

/** `replaceInvisible` replaces control characters; the remaining characters that XML forbids are replaced here. */
function escaped(text: string): string {
  return replaceInvisible(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const badges = {
  working: ['up', '#11663c'],
  planned_work: ['maintenance', '#1d4ec2'],
  slow: ['degraded', '#7d5000'],
  not_working: ['down', '#b3211a'],
} as const satisfies Readonly<Record<ComponentState, readonly [state: string, fill: string]>>;

const letterPx = 6.6;
const wideLetterPx = 11;
const paddingPx = 8;
const height = 20;

/** An SVG for embedding in other pages. */
export function statusBadge({ state, language }: StatusModel): string {
  const texts = textsOf(language);
  const [day, fill] = badges[state];
  const [label, word] = [texts.badgeLabel, texts.dayStates[day]];
  const labelWidth = widthOf(label);
  const width = labelWidth + widthOf(word);
  const text = (content: string, x: number): VNode =>
    html`<text x=${x} y="14" fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
      ${content}
    </text>`;
  const picture = html`<svg
    xmlns="http://www.w3.org/2000/svg" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
    role="img" aria-label="${label}: ${word}"
  >
    <title>${label}: ${word}</title><rect width=${width} height=${height} rx="3" fill=${fill}></rect>
    <path d="M3 0H${labelWidth}v${height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#3d4d59"></path>
    ${text(label, paddingPx)}${text(word, labelWidth + paddingPx)}
  </svg>`;
  return renderToString(picture);
}

function widthOf(word: string): number {
  // Chinese and Japanese letters are as wide as they are high.
  const widths = [...word].map((letter) => (/[\u3000-\u9fff]/.test(letter) ? wideLetterPx : letterPx));
  return Math.round(widths.reduce((sum, each) => sum + each, 0) + 2 * paddingPx);
}
