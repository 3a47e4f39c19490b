// Messages in chats: as cards, sections and Markdown. What an error says is no markup there and calls nobody;
// that it is one line and no link is seen to before (src/core/alerts/bodies.ts).
import { cutText } from '../reading/cut-text.ts';
import { momentText } from '../reading/moments.ts';
import { namedIn, restOf } from './lines.ts';
import type { AlertMessage } from './message.ts';

const slackSectionMax = 2_900;
const discordTitleMax = 250;
const discordTextMax = 3_800;

/** Blocks of sections, with the subject for notices of telephones. */
export function slackBody(message: AlertMessage): string {
  const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);
  const lines = [
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `${link(slackText(title), url)}${figures === '' ? '' : `\n${slackText(figures)}`}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(slackText),
  ];
  const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const context = `${slackText(message.why)}${message.stopUrl === null ? '' : ` <${message.stopUrl}|Stop it>`}`;
  return JSON.stringify({
    text: slackText(message.subject),
    blocks: [
      section(`*${link(slackText(message.subject), message.url)}*`),
      ...(lines.length === 0 ? [] : slackSections(lines).map(section)),
      { type: 'context', elements: [{ type: 'mrkdwn', text: context }] },
    ],
    unfurl_links: false,
  });
}

/** Whole lines, as many as a section takes. */
function slackSections(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    const fits = last !== undefined && last.length + line.length < slackSectionMax;
    if (fits) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections;
}

/** Without Slack's own three characters nothing is a link or calls anybody. What would be bold stays text. */
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}

/** One embed. */
export function discordBody(message: AlertMessage): string {
  const lines = [
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `${markdownLink(title, url)}${figures === '' ? '' : `\n${markdown(figures)}`}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(markdown),
  ];
  const foot = markdown(message.why) + (message.stopUrl === null ? '' : ` [Stop it](${message.stopUrl})`);
  return JSON.stringify({
    embeds: [
      {
        title: cutText(message.subject, discordTitleMax),
        ...(message.url === null ? {} : { url: message.url }),
        description: withinLines(lines, foot, discordTextMax),
        timestamp: momentText(message.atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  });
}

/** Lines in Markdown, which Mattermost shows. */
export function markdownText(message: AlertMessage): string {
  return [
    `**${markdownLink(message.subject, message.url)}**`,
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${markdown(figures)}`}`,
    ),
    ...restOf(message).map(markdown),
    '',
    markdown(message.why) + (message.stopUrl === null ? '' : ` [Stop it](${message.stopUrl})`),
  ].join('\n');
}

function markdownLink(text: string, url: string | null): string {
  return url === null ? markdown(text) : `[${markdown(text)}](${url})`;
}

/** A text that Markdown leaves as it is, and by which nobody is called. */
function markdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&').replaceAll('@', '@\u200b');
}

/** A card for the workflow "Post to a channel when a webhook request is received". */
export function teamsBody(message: AlertMessage): string {
  const block = (text: string, more: object = {}): object => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...more,
  });
  const actions = [
    ...(message.url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Look', url: message.url }]),
    ...(message.stopUrl === null ? [] : [{ type: 'Action.OpenUrl', title: 'Stop it', url: message.stopUrl }]),
  ];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: message.subject,
    body: [
      block(markdown(message.subject), { weight: 'Bolder', size: 'Medium' }),
      ...namedIn(message).flatMap(({ title, figures, url }) => [
        block(markdownLink(title, url)),
        ...(figures === '' ? [] : [block(markdown(figures), { isSubtle: true, spacing: 'None' })]),
      ]),
      ...restOf(message)
        .filter((line) => line !== '')
        .map((line) => block(markdown(line))),
      block(markdown(message.why), { isSubtle: true, separator: true, size: 'Small' }),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  };
  return JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
    ],
  });
}

/** As many whole lines as there is room for above the last. */
function withinLines(lines: readonly string[], foot: string, charactersMax: number): string {
  const kept: string[] = [];
  let length = foot.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    kept.push(line);
  }
  return [...kept, foot].join('\n');
}
