// A message as each type of channel takes it: made once, and sent as it is at every try. What an error says
// is somebody's own text: it is no markup, and calls nobody.
import { cutBytes, cutText } from '../reading/cut-text.ts';
import { momentText } from '../reading/moments.ts';
import { oneLine } from '../reading/one-line.ts';
import type { ChannelType } from '../store/alerts.ts';
import { type AlertMessage, counted, type ToldIssue } from './message.ts';

/** What is sent. */
export function bodyOf(type: ChannelType, message: AlertMessage): string {
  return bodies[type](message);
}

const bodies: Readonly<Record<ChannelType, (message: AlertMessage) => string>> = {
  email: plainText,
  ntfy: (message) => cutBytes(plainText(message), ntfyBytesMax),
  webhook: webhookBody,
  slack: slackBody,
  mattermost: (message) => JSON.stringify({ text: markdownText(message) }),
  discord: discordBody,
  teams: teamsBody,
};

/** ntfy makes an attachment of what is longer than 4,096 bytes. */
const ntfyBytesMax = 3_900;
const slackSectionMax = 2_900;
const discordTitleMax = 250;
const discordTextMax = 3_800;

/** The form of Standard Webhooks: type, timestamp, data. */
function webhookBody(message: AlertMessage): string {
  const { rule, channel, count, issues, overflow } = message;
  return JSON.stringify({
    type: message.type,
    timestamp: momentText(message.atMs),
    data: {
      subject: message.subject,
      why: message.why,
      url: message.url,
      stop_url: message.stopUrl,
      rule: rule === null ? null : { rule_id: rule.id, name: rule.name },
      channel: { alert_channel_id: channel.id, name: channel.name },
      issues_count: count,
      issues: issues.map((each) => ({
        issue_id: each.issueId,
        project: each.project,
        title: each.title,
        culprit: each.culprit,
        level: each.level,
        events: each.events,
        users: each.users,
        url: each.url,
      })),
      overflow: overflow.map(({ project, events, issueId }) => ({ project, events, issue_id: issueId })),
    },
  });
}

/** Lines for mail and for telephones. */
function plainText(message: AlertMessage): string {
  const { issues, url } = message;
  const named = issues.flatMap((issue) => [
    `${titleOf(message, issue)}`,
    `  ${figuresOf(issue)}`,
    ...(issue.url === null ? [] : [`  ${issue.url}`]),
  ]);
  return [
    message.subject,
    ...(named.length === 0 ? [] : ['', ...named]),
    ...restOf(message),
    ...(url === null || issues.length === 1 ? [] : ['', url]),
    '',
    message.why,
    ...(message.stopUrl === null ? [] : [`Stop it: ${message.stopUrl}`]),
    '',
  ].join('\n');
}

function titleOf({ count }: AlertMessage, { issueId, title, project }: ToldIssue): string {
  return count === 1 ? `${project}: ${title}` : `#${issueId} ${project}: ${title}`;
}

function figuresOf({ level, events, users, culprit }: ToldIssue): string {
  return [culprit, level, counted(events, 'event'), counted(users, 'user')]
    .filter((part) => part !== '')
    .join(', ');
}

/** What is not named: more issues, and what is over the limit of new ones. */
function restOf({ count, issues, overflow }: AlertMessage): string[] {
  const more = count - issues.length;
  return [
    ...(more > 0 ? ['', `and ${counted(more, 'more issue')}`] : []),
    ...overflow.map(
      ({ project, events }) => `${project}: ${counted(events, 'event')} over the limit of new issues`,
    ),
  ];
}

function slackBody(message: AlertMessage): string {
  const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);
  const lines = [
    ...message.issues.map(
      (issue) => `${link(slackText(titleOf(message, issue)), issue.url)}\n${slackText(figuresOf(issue))}`,
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
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}

function discordBody(message: AlertMessage): string {
  const lines = [
    ...message.issues.map(
      (issue) => `${markdownLink(titleOf(message, issue), issue.url)}\n${markdown(figuresOf(issue))}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(markdown),
    markdown(message.why) + (message.stopUrl === null ? '' : ` [Stop it](${message.stopUrl})`),
  ];
  return JSON.stringify({
    embeds: [
      {
        title: cutText(oneLine(message.subject), discordTitleMax),
        ...(message.url === null ? {} : { url: message.url }),
        description: withinLines(lines, discordTextMax),
        timestamp: momentText(message.atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  });
}

/** Lines in Markdown, which Mattermost shows. */
function markdownText(message: AlertMessage): string {
  return [
    `**${markdownLink(message.subject, message.url)}**`,
    ...message.issues.map(
      (issue) => `- ${markdownLink(titleOf(message, issue), issue.url)}, ${markdown(figuresOf(issue))}`,
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
  return oneLine(text)
    .replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}

/** A card for the workflow "Post to a channel when a webhook request is received". */
function teamsBody(message: AlertMessage): string {
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
    fallbackText: oneLine(message.subject),
    body: [
      block(markdown(message.subject), { weight: 'Bolder', size: 'Medium' }),
      ...message.issues.flatMap((issue) => [
        block(markdownLink(titleOf(message, issue), issue.url)),
        block(markdown(figuresOf(issue)), { isSubtle: true, spacing: 'None' }),
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

function withinLines(lines: readonly string[], charactersMax: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    kept.push(line);
  }
  return kept.join('\n');
}
