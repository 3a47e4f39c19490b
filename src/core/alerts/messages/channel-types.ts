import { cutBytes, cutText } from '../../parsing/cut-text.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { ChannelType } from '../../store/alerts.ts';
import {
  type ChannelTarget,
  type ChannelTypeHandler,
  jsonWebhookType,
  parseTargetUrl,
} from './channel-type.ts';
import { describeOmitted, listItems } from './items.ts';
import { escapeMarkdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';
import { buildFooter, buildMainText, buildPlainText } from './plain-text.ts';
import { webhook } from './webhook.ts';

const sectionCharactersMax = 2_900;

const slack = jsonWebhookType(buildSlackBody);

const titleCharactersMax = 250;
const textCharactersMax = 3_800;

const discord = jsonWebhookType(buildDiscordBody);

const teams = jsonWebhookType(buildTeamsBody);

const mailboxesMax = 20;

const email: ChannelTypeHandler = {
  readTarget: parseMailboxes,
  bodyOf: buildPlainText,
  send(messenger, { messageId, atMs, subject, body, html, channel, pagesUrl }) {
    const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
    const stopUrl = pagesUrl === null ? null : `${pagesUrl}/alert-channels/${channel.id}`;
    const sent = { to: channel.address, subject, text: body, html };
    return messenger.mail({ ...sent, messageId: `<${messageId}@${host}>`, atMs, stopUrl });
  },
};

/** ntfy turns messages over 4,096 bytes into attachments. */
const bytesMax = 3_900;

const ntfy: ChannelTypeHandler = {
  readTarget(text) {
    const target = parseTargetUrl(text);
    if (typeof target === 'string') return target;
    return /^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(new URL(target.address).pathname)
      ? target
      : 'url must end with the topic, for example https://ntfy.sh/on-call.';
  },
  bodyOf: buildNtfyText,
  send(messenger, { subject, path, body, channel, pagesUrl }) {
    const click = pagesUrl === null || path === null ? {} : { click: pagesUrl + path };
    return messenger.post({ url: channel.address, headers: { title: encodedWord(subject), ...click }, body });
  },
};

const mattermost = jsonWebhookType((message) => JSON.stringify({ text: markdownText(message) }));

export const channelTypeHandlers: Readonly<Record<ChannelType, ChannelTypeHandler>> = {
  email,
  webhook,
  slack,
  mattermost,
  discord,
  teams,
  ntfy,
};

function markdownText(message: AlertMessage): string {
  return [
    `**${markdownLink(message.subject, message.url)}**`,
    ...listItems(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${escapeMarkdown(figures)}`}`,
    ),
    ...describeOmitted(message).map(escapeMarkdown),
    '',
    escapeMarkdown(message.why) + (message.stopUrl === null ? '' : ` [Edit rule](${message.stopUrl})`),
  ].join('\n');
}

function buildNtfyText(message: AlertMessage): string {
  const end = buildFooter(message);
  return cutBytes(cutBytes(buildMainText(message), bytesMax - Buffer.byteLength(end)) + end, bytesMax);
}

/** RFC 2047, which ntfy decodes. */
function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function parseMailboxes(text: string): ChannelTarget | string {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isMailbox = (each: string): boolean =>
    /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u.test(each);
  if (all.length === 0 || all.length > mailboxesMax || !all.every(isMailbox)) {
    return `to must be one to ${mailboxesMax} e-mail addresses separated by commas.`;
  }
  return { address: all.join(', '), shown: all.map(maskMailbox).join(', ') };
}

function maskMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}

function buildTeamsBody(message: AlertMessage): string {
  const block = (text: string, more: object = {}): object => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...more,
  });
  const actions = [
    ...(message.url === null ? [] : [{ type: 'Action.OpenUrl', title: 'View', url: message.url }]),
    ...(message.stopUrl === null
      ? []
      : [{ type: 'Action.OpenUrl', title: 'Edit rule', url: message.stopUrl }]),
  ];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: message.subject,
    body: [
      block(escapeMarkdown(message.subject), { weight: 'Bolder', size: 'Medium' }),
      ...listItems(message).flatMap(({ title, figures, url }) => [
        block(markdownLink(title, url)),
        ...(figures === '' ? [] : [block(escapeMarkdown(figures), { isSubtle: true, spacing: 'None' })]),
      ]),
      ...describeOmitted(message)
        .filter((line) => line !== '')
        .map((line) => block(escapeMarkdown(line))),
      block(escapeMarkdown(message.why), { isSubtle: true, separator: true, size: 'Small' }),
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

function buildDiscordBody(message: AlertMessage): string {
  const lines = [
    ...listItems(message).map(
      ({ title, figures, url }) =>
        `${markdownLink(title, url)}${figures === '' ? '' : `\n${escapeMarkdown(figures)}`}`,
    ),
    ...describeOmitted(message)
      .filter((line) => line !== '')
      .map(escapeMarkdown),
  ];
  const foot =
    escapeMarkdown(message.why) + (message.stopUrl === null ? '' : ` [Edit rule](${message.stopUrl})`);
  return JSON.stringify({
    embeds: [
      {
        title: cutText(message.subject, titleCharactersMax),
        ...(message.url === null ? {} : { url: message.url }),
        description: joinLinesUpTo(lines, foot, textCharactersMax),
        timestamp: formatTime(message.atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  });
}

function joinLinesUpTo(lines: readonly string[], foot: string, charactersMax: number): string {
  const kept: string[] = [];
  let length = foot.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    kept.push(line);
  }
  return [...kept, foot].join('\n');
}

function buildSlackBody(message: AlertMessage): string {
  const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);
  const lines = [
    ...listItems(message).map(
      ({ title, figures, url }) =>
        `${link(escapeSlack(title), url)}${figures === '' ? '' : `\n${escapeSlack(figures)}`}`,
    ),
    ...describeOmitted(message)
      .filter((line) => line !== '')
      .map(escapeSlack),
  ];
  const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const context = `${escapeSlack(message.why)}${message.stopUrl === null ? '' : ` <${message.stopUrl}|Edit rule>`}`;
  return JSON.stringify({
    text: escapeSlack(message.subject),
    blocks: [
      section(`*${link(escapeSlack(message.subject), message.url)}*`),
      ...(lines.length === 0 ? [] : slackSections(lines).map(section)),
      { type: 'context', elements: [{ type: 'mrkdwn', text: context }] },
    ],
    unfurl_links: false,
  });
}

function slackSections(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    const fits = last !== undefined && last.length + line.length < sectionCharactersMax;
    if (fits) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections;
}

// Escapes Slack's control characters, so that text has no links or mentions, and keeps its formatting off.
function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}
