import { cutBytes, cutText } from '../../reading/cut-text.ts';
import { momentText } from '../../reading/moments.ts';
import type { ChannelType } from '../../store/alerts.ts';
import { namedIn, restOf } from './lines.ts';
import { markdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';
import { footer, mainText, plainText } from './text.ts';
import { type ChannelTypeRules, chat, readUrl, type Target } from './type.ts';
import { webhook } from './webhook.ts';

const sectionCharactersMax = 2_900;

const slack = chat(slackBody);

const titleCharactersMax = 250;
const textCharactersMax = 3_800;

const discord = chat(discordBody);

const teams = chat(teamsBody);

const mailboxesMax = 20;

const email: ChannelTypeRules = {
  readTarget: readMailboxes,
  bodyOf: plainText,
  send(messenger, { messageId, atMs, subject, body, html, channel, pagesUrl }) {
    const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
    const stopUrl = pagesUrl === null ? null : `${pagesUrl}/alert-channels/${channel.id}`;
    const sent = { to: channel.address, subject, text: body, html };
    return messenger.mail({ ...sent, messageId: `<${messageId}@${host}>`, atMs, stopUrl });
  },
};

/** ntfy turns messages over 4,096 bytes into attachments. */
const bytesMax = 3_900;

const ntfy: ChannelTypeRules = {
  readTarget(text) {
    const target = readUrl(text);
    if (typeof target === 'string') return target;
    return /^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(new URL(target.address).pathname)
      ? target
      : 'url must end with the topic, for example https://ntfy.sh/on-call.';
  },
  bodyOf: ntfyText,
  send(messenger, { subject, path, body, channel, pagesUrl }) {
    const click = pagesUrl === null || path === null ? {} : { click: pagesUrl + path };
    return messenger.post({ url: channel.address, headers: { title: encodedWord(subject), ...click }, body });
  },
};

const mattermost = chat((message) => JSON.stringify({ text: markdownText(message) }));

export const channelTypeRules: Readonly<Record<ChannelType, ChannelTypeRules>> = {
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
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${markdown(figures)}`}`,
    ),
    ...restOf(message).map(markdown),
    '',
    markdown(message.why) + (message.stopUrl === null ? '' : ` [Edit rule](${message.stopUrl})`),
  ].join('\n');
}

function ntfyText(message: AlertMessage): string {
  const end = footer(message);
  return cutBytes(cutBytes(mainText(message), bytesMax - Buffer.byteLength(end)) + end, bytesMax);
}

/** RFC 2047, which ntfy decodes. */
function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function readMailboxes(text: string): Target | string {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isMailbox = (each: string): boolean =>
    /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u.test(each);
  if (all.length === 0 || all.length > mailboxesMax || !all.every(isMailbox)) {
    return `to must be one to ${mailboxesMax} e-mail addresses separated by commas.`;
  }
  return { address: all.join(', '), shown: all.map(shownMailbox).join(', ') };
}

function shownMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}

function teamsBody(message: AlertMessage): string {
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

function discordBody(message: AlertMessage): string {
  const lines = [
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `${markdownLink(title, url)}${figures === '' ? '' : `\n${markdown(figures)}`}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(markdown),
  ];
  const foot = markdown(message.why) + (message.stopUrl === null ? '' : ` [Edit rule](${message.stopUrl})`);
  return JSON.stringify({
    embeds: [
      {
        title: cutText(message.subject, titleCharactersMax),
        ...(message.url === null ? {} : { url: message.url }),
        description: withinLines(lines, foot, textCharactersMax),
        timestamp: momentText(message.atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  });
}

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

function slackBody(message: AlertMessage): string {
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
  const context = `${slackText(message.why)}${message.stopUrl === null ? '' : ` <${message.stopUrl}|Edit rule>`}`;
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
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}
