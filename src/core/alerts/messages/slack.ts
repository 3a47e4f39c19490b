// Block Kit. Limits: 50 blocks, 3,000 characters in a section, 10 fields of 2,000, 75 in a button.
// By an incoming webhook, or with the token of a bot by chat.postMessage, which can post into a thread.
import { z } from 'zod';
import { type ChannelFields, keyField, webhookUrl } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import type { DeliveryResult } from '../../ports/notification-sender.ts';
import type { MessageThread } from '../../store/alert-records.ts';
import { type ChannelTypeDefinition, jsonHeaders, webhookTarget } from './channel-type.ts';
import {
  allIssueFacts,
  colorOf,
  frameLines,
  headlineOf,
  issueLinks,
  type SingleIssue,
  singleIssueOf,
} from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

interface Mrkdwn {
  readonly type: 'mrkdwn';
  readonly text: string;
}

type SlackBlock =
  | { readonly type: 'section'; readonly text: Mrkdwn }
  | { readonly type: 'section'; readonly fields: readonly Mrkdwn[] }
  | {
      readonly type: 'actions';
      readonly elements: ReadonlyArray<{
        readonly type: 'button';
        readonly text: { readonly type: 'plain_text'; readonly text: string };
        readonly url: string;
        readonly style?: 'primary';
      }>;
    }
  | { readonly type: 'context'; readonly elements: readonly Mrkdwn[] };

export interface SlackMessage {
  readonly text: string;
  readonly blocks?: readonly SlackBlock[];
  readonly attachments?: ReadonlyArray<{ readonly color: string; readonly blocks: readonly SlackBlock[] }>;
}

const sectionCharactersMax = 2_900;
const fieldCharactersMax = 1_900;
const methodUrl = 'https://slack.com/api/chat.postMessage';

/** Replies that are of interest to those who read the thread; others are shown in the channel too. */
const endingTypes: readonly string[] = ['monitor.up', 'issue.resolved'];
/** Why a thread takes no reply: the next try posts to the channel. */
const closedThread = /^(?:thread_not_found|cannot_reply_to_message|restricted_action_thread_locked)$/;

const advice: Readonly<Record<string, string>> = {
  channel_not_found: 'check the channel, and invite the bot to it',
  not_in_channel: 'invite the bot to the channel',
  is_archived: 'the channel is archived',
  missing_scope: 'the bot needs the scope chat:write',
  invalid_auth: 'enter the token again',
  account_inactive: 'the bot was removed',
  token_revoked: 'the token was revoked',
};

export const slack: ChannelTypeDefinition = {
  name: 'Slack',
  group: 'Chat',
  needs: 'Incoming webhook or bot',
  fields: {
    url: {
      ...webhookUrl(
        'https://hooks.slack.com/services/T…/B…/…',
        'In Slack: Apps, Incoming Webhooks, Add to Slack.',
      ),
      optional: true,
    },
    token: {
      ...keyField('Bot token', /^xoxb-[A-Za-z0-9-]{10,200}$/, 'must be a bot token such as xoxb-….', {
        hint: 'In place of the URL: recoveries then go into the thread of the first message. In your Slack app: OAuth & Permissions, with the scope chat:write.',
        example: 'xoxb-…',
      }),
      optional: true,
    },
    channel: {
      label: 'Channel',
      hint: 'With a bot token: its ID or name. Invite the bot to it.',
      schema: z
        .string()
        .regex(
          /^(?:[CGD][A-Z0-9]{6,20}|#[^\s#@,\p{C}]{1,80})$/u,
          'must be an ID such as C0123456789 or a name such as #alerts.',
        ),
      example: '#alerts',
      optional: true,
    },
  },
  oneOf: {
    groups: [['url'], ['token', 'channel']],
    error: 'Enter either the webhook URL, or a bot token and a channel.',
  },
  instructions: {
    field: 'url',
    steps: [
      'Open api.slack.com/apps, choose Create New App, From scratch, and your workspace.',
      'Under Incoming Webhooks, turn on Activate Incoming Webhooks.',
      'Choose Add New Webhook to Workspace, then the channel, and Allow.',
      'Copy the webhook URL. It starts with https://hooks.slack.com/services/.',
    ],
  },
  targetOf(fields) {
    if (fields.token === undefined) return webhookTarget(fields);
    return { address: '', shown: `slack.com, ${fields.channel ?? ''}` };
  },
  bodyOf(message, settings) {
    const single = singleIssueOf(message);
    const sent = {
      text: escapeSlack(headlineOf(message)),
      ...(single === null
        ? { blocks: listBlocks(message) }
        : { attachments: [{ color: colorOf(message), blocks: issueBlocks(message, single) }] }),
      unfurl_links: false,
      ...(isShownInChannel(message, settings) ? { reply_broadcast: true } : {}),
    };
    return JSON.stringify(sent);
  },
  threadOf,
  async send(sender, { channel: { address, settings }, body, threadTs }) {
    const { token, channel } = settings;
    if (token === undefined) return sender.post({ url: address, headers: jsonHeaders, body });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Bearer ${token}`,
    };
    const { reply_broadcast: broadcast, ...sent } = JSON.parse(body) as { reply_broadcast?: true };
    const reply =
      threadTs === null ? {} : { thread_ts: threadTs, ...(broadcast && { reply_broadcast: true }) };
    const request = JSON.stringify({ channel, ...sent, ...reply });
    return readAnswer(await sender.post({ url: methodUrl, headers, body: request }), threadTs);
  },
};

/** Refusals have status 200 too. The answer repeats the message, and may be cut off: then it is no JSON. */
function readAnswer(answer: DeliveryResult, inThread: string | null): DeliveryResult {
  if (!answer.ok) return answer;
  const { status, text = '', retryAfter } = answer;
  // In texts of the message quotes are escaped.
  if (/"ok":\s*true\b/.test(text)) {
    const ts = inThread ?? /"ts":\s*"(\d{1,20}\.\d{1,20})"/.exec(text)?.[1];
    return { ...answer, ...(ts === undefined ? {} : { threadTs: ts }) };
  }
  const error = /"error":\s*"(\w{1,100})"/.exec(text)?.[1] ?? 'its response is invalid';
  const toDo = Object.hasOwn(advice, error) ? `: ${advice[error]}` : '';
  return {
    ...{ ok: false, status, detail: `${error}${toDo}` },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(closedThread.test(error) ? { threadTs: '' } : {}),
  };
}

function threadOf({ type, issues, objects }: AlertMessage, { channel }: ChannelFields): MessageThread | null {
  if (channel === undefined) return null;
  // A monitor that recovers may be slow at once: that is not part of the outage.
  const monitors = type === 'monitor.down' || type === 'monitor.up' ? objects : [];
  const keys = [
    ...issues.map(({ issueId }) => `issue-${issueId}`),
    ...monitors.flatMap(({ id }) => (id === null ? [] : [`monitor-${id}`])),
  ];
  if (keys.length === 0) return null;
  // Threads stay in the channel where they began.
  return { keys: keys.map((key) => `${channel} ${key}`), isNew: type === 'monitor.down' };
}

function isShownInChannel(message: AlertMessage, settings: ChannelFields): boolean {
  const thread = threadOf(message, settings);
  if (thread === null || thread.keys.length > 1 || thread.isNew) return false;
  return message.type !== 'issue.is_new' && !endingTypes.includes(message.type);
}

function issueBlocks(message: AlertMessage, single: SingleIssue): SlackBlock[] {
  const { issue, details } = single;
  const frames = frameLines(details).map(escapeSlack).join('\n');
  const fields = allIssueFacts(single).map(([name, value]) =>
    mrkdwn(`*${name}*\n${cutText(escapeSlack(value), fieldCharactersMax)}`),
  );
  const buttons = issueLinks(single).map(([word, url], at) => ({
    type: 'button' as const,
    text: { type: 'plain_text' as const, text: word },
    url,
    action_id: `link-${at}`,
    ...(at === 0 ? { style: 'primary' as const } : {}),
  }));
  return [
    section(`*${link(escapeSlack(issue.title), issue.url)}*`),
    ...(frames === '' ? [] : [section(`\`\`\`${cutText(frames, sectionCharactersMax)}\`\`\``)]),
    { type: 'section', fields },
    ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons }]),
    ...slackSections(moreLines(message)).map(section),
    footer(message),
  ];
}

function moreLines(message: AlertMessage): string[] {
  const incidents = listItems({ ...message, issues: [] });
  return [...incidents.map(itemLine), ...describeOmitted(message).map(escapeSlack)];
}

function itemLine({ title, figures, url }: ReturnType<typeof listItems>[number]): string {
  return `${link(escapeSlack(title), url)}${figures === '' ? '' : `\n${escapeSlack(figures)}`}`;
}

/** `Up again after 22 minutes.`; null for other messages. */
function recoveryBlocks(message: AlertMessage): SlackBlock[] | null {
  const { type, count, objects } = message;
  const [first] = objects;
  if (type !== 'monitor.up' || count !== 1 || first === undefined) return null;
  const after = first.detail.replace(/^was down for /, 'after ');
  return [
    section(`*${link(escapeSlack(first.title), first.url)}*\n${escapeSlack(`Up again ${after}.`)}`),
    footer(message),
  ];
}

function listBlocks(message: AlertMessage): SlackBlock[] {
  const recovered = recoveryBlocks(message);
  if (recovered !== null) return recovered;
  const omitted = describeOmitted(message);
  const lines = [...listItems(message).map(itemLine), ...omitted.map(escapeSlack)];
  return [
    section(`*${link(escapeSlack(message.subject), message.url)}*`),
    ...slackSections(lines).map(section),
    footer(message),
  ];
}

function footer({ reason, stopUrl }: AlertMessage): SlackBlock {
  const text = `${escapeSlack(reason)}${stopUrl === null ? '' : ` <${stopUrl}|Edit rule>`}`;
  return { type: 'context', elements: [mrkdwn(text)] };
}

const mrkdwn = (text: string): Mrkdwn => ({ type: 'mrkdwn', text });
const section = (text: string): SlackBlock => ({ type: 'section', text: mrkdwn(text) });
const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);

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
