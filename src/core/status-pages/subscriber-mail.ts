// Mails to subscribers of a status page, in the language of the page where they subscribed.
import { escapeHtml } from '../alerts/messages/html.ts';
import { cutText } from '../parsing/cut-text.ts';
import { toOneLine } from '../parsing/display-text.ts';
import type { StatusPage, StatusSubscriber } from '../store/status-pages.ts';
import type { StatusUpdateMessage, StatusUpdateType } from './announce.ts';
import type { StatusTexts } from './languages/en.ts';
import { formatDay, formatTimeOfDay } from './languages/formats.ts';
import { fillIn, textsOfStored } from './languages/texts.ts';

const subjectCharactersMax = 200;

interface SubscriberMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly stopUrl: string | null;
}

/** Where the page and the links of its mails are: on the host where they subscribed, while that is the page's. */
export function subscriberUrls(
  { slug, hosts }: Pick<StatusPage, 'slug' | 'hosts'>,
  { origin, token }: Pick<StatusSubscriber, 'origin' | 'token'>,
  pagesUrl: string,
) {
  const host = URL.parse(origin ?? '')?.hostname ?? '';
  const pageOrigin = hosts.includes(host) ? origin : null;
  const page = pageOrigin ?? `${pagesUrl}/status/${encodeURIComponent(slug)}`;
  return {
    page: pageOrigin === null ? page : `${page}/`,
    confirm: `${page}/confirm/${token}`,
    unsubscribe: `${page}/unsubscribe/${token}`,
  };
}

type Urls = ReturnType<typeof subscriberUrls>;

export function confirmationMail(pageName: string, language: string, urls: Urls): SubscriberMail {
  const texts = textsOfStored(language);
  const page = toOneLine(pageName);
  const lines = [fillIn(texts.mailConfirmText, { page }), texts.mailConfirmLink];
  return {
    subject: cutText(fillIn(texts.mailConfirmSubject, { page }), subjectCharactersMax),
    text: [lines[0], '', lines[1], '', urls.confirm, '', texts.mailIgnore, ''].join('\n'),
    html: htmlOf(texts, [
      paragraph(lines[0] ?? ''),
      paragraph(lines[1] ?? ''),
      `<p><a href="${escapeHtml(urls.confirm)}">${escapeHtml(texts.confirmButton)}</a></p>`,
      small(escapeHtml(texts.mailIgnore)),
    ]),
    // There is nothing to unsubscribe from yet.
    stopUrl: null,
  };
}

export function updateMail(message: StatusUpdateMessage, language: string, urls: Urls): SubscriberMail {
  const texts = textsOfStored(language);
  const { incident, message: body, page } = message.data;
  const components = incident.components.map(toOneLine).join(texts.separator);
  const title = toOneLine(incident.is_title_made ? fillIn(texts.problems, { components }) : incident.title);
  const word = wordOf(texts, message.type, incident.state);
  const heading = `${word}: ${title}`;
  const affects = components === '' ? '' : fillIn(texts.mailAffects, { components });
  const times = incident.severity === 'planned' ? plannedTimes(texts, incident) : '';
  const reason = fillIn(texts.mailReason, { page: toOneLine(page.name) });
  const paragraphs = [heading, times, body.trim(), affects].filter((part) => part !== '');
  return {
    subject: cutText(`[${toOneLine(page.name)}] ${heading}`, subjectCharactersMax),
    text: [
      ...paragraphs.flatMap((part) => [part, '']),
      `${texts.mailView}: ${urls.page}`,
      '',
      reason,
      `${texts.unsubscribe}: ${urls.unsubscribe}`,
      '',
    ].join('\n'),
    html: htmlOf(texts, [
      `<h1 style="font-size:20px;line-height:26px;margin:0 0 16px">${escapeHtml(heading)}</h1>`,
      ...paragraphs.slice(1).map(paragraph),
      `<p><a href="${escapeHtml(urls.page)}">${escapeHtml(texts.mailView)}</a></p>`,
      small(
        `${escapeHtml(reason)}<br><a href="${escapeHtml(urls.unsubscribe)}">${escapeHtml(texts.unsubscribe)}</a>`,
      ),
    ]),
    stopUrl: urls.unsubscribe,
  };
}

function wordOf(
  texts: StatusTexts,
  type: StatusUpdateType,
  state: StatusUpdateMessage['data']['incident']['state'],
): string {
  switch (type) {
    case 'maintenance.scheduled':
      return texts.maintenancePlanned;
    case 'maintenance.rescheduled':
      return texts.maintenanceMoved;
    case 'maintenance.started':
      return texts.maintenanceBegan;
    case 'maintenance.updated':
      return texts.maintenanceUpdated;
    case 'maintenance.completed':
      return texts.maintenanceCompleted;
    case 'maintenance.canceled':
      return texts.maintenanceCanceled;
    default:
      return texts.incidentStates[state];
  }
}

function plannedTimes(
  texts: StatusTexts,
  { started_at: from, planned_end_at: to }: StatusUpdateMessage['data']['incident'],
): string {
  const time = (at: string): string =>
    `${formatDay(texts, Date.parse(at))}, ${formatTimeOfDay(texts, Date.parse(at))}`;
  if (to === null) return fillIn(texts.utc, { time: time(from) });
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  const until = isOneDay ? formatTimeOfDay(texts, Date.parse(to)) : time(to);
  return fillIn(texts.timeRange, { from: time(from), to: until });
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 12px;overflow-wrap:anywhere">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
}

function small(html: string): string {
  return `<p style="margin:24px 0 0;font-size:12px;line-height:18px">${html}</p>`;
}

/** The mail program's own colours, so that it is readable in light and dark. */
function htmlOf({ tag }: StatusTexts, paragraphs: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="${tag}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px 16px;font:14px/20px system-ui,sans-serif"><div style="max-width:36rem;margin:0 auto">
${paragraphs.join('\n')}
</div></body></html>
`;
}
