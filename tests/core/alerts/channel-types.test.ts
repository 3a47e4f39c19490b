// Every type of channel sends to a stand-in over HTTP, which checks the request against the limits that the
// service publishes.

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ChannelFields } from '../../../schemas/alert-channel-fields.ts';
import { buildDelivery } from '../../../src/core/alerts/message-bodies.ts';
import {
  channelSettings,
  channelTypeOf,
  channelTypes,
} from '../../../src/core/alerts/messages/channel-types.ts';
import type { AlertMessage } from '../../../src/core/alerts/messages/message.ts';
import { createNotificationSender } from '../../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { startReceiver } from '../../support/alerts/receiver.ts';
import { startSlack, webhookMessage } from '../../support/alerts/slack.ts';
import { shared } from '../../support/shared.ts';

const receiver = shared(() => startReceiver());

const base = 'https://errors.example';
const url = z.url().max(3_000);
const strict = z.strictObject;
const chars = (max: number) =>
  z
    .string()
    .min(1)
    .refine((text) => [...text].length <= max);
const bytes = (max: number) => (body: string) => Buffer.byteLength(body) <= max;
const json = (schema: z.ZodType, bytesMax = 1_000_000) =>
  z
    .string()
    .refine(bytes(bytesMax))
    .transform((body) => JSON.parse(body) as unknown)
    .pipe(schema);

const color = z.string().regex(/^#[0-9a-f]{6}$/);

const embed = strict({
  title: chars(256),
  url: url.optional(),
  description: chars(4_096),
  color: z.int().min(0).max(0xffffff),
  fields: z
    .array(strict({ name: chars(256), value: chars(1_024), inline: z.boolean() }))
    .max(25)
    .optional(),
  timestamp: z.iso.datetime(),
}).refine(({ title, description, fields = [] }) => {
  const texts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
  return texts.join('').length <= 6_000;
});
const discord = strict({
  embeds: z.array(embed).length(1),
  allowed_mentions: strict({ parse: z.array(z.string()).length(0) }),
});

const textBlock = strict({
  type: z.literal('TextBlock'),
  text: chars(28_000),
  wrap: z.boolean(),
  color: z.enum(['Attention', 'Warning']).optional(),
  fontType: z.literal('Monospace').optional(),
  weight: z.literal('Bolder').optional(),
  size: z.enum(['Small', 'Medium']).optional(),
  isSubtle: z.boolean().optional(),
  separator: z.boolean().optional(),
  spacing: z.literal('None').optional(),
});
const factSet = strict({
  type: z.literal('FactSet'),
  facts: z.array(strict({ title: chars(100), value: chars(1_000) })),
});
const openUrl = strict({ type: z.literal('Action.OpenUrl'), title: chars(100), url });
const teams = strict({
  type: z.literal('message'),
  attachments: z.tuple([
    strict({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: strict({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.literal('1.4'),
        fallbackText: z.string(),
        body: z.array(z.union([textBlock, factSet])).min(1),
        actions: z.array(openUrl).max(6).optional(),
      }),
    }),
  ]),
});

const pagerduty = strict({
  routing_key: z.string().length(32),
  event_action: z.enum(['trigger', 'resolve']),
  dedup_key: chars(255),
  payload: strict({
    summary: chars(1_024),
    source: chars(255),
    severity: z.enum(['critical', 'error', 'warning', 'info']),
    timestamp: z.iso.datetime(),
    custom_details: z.record(z.string(), z.string()),
  }),
  client: z.string(),
  client_url: url.optional(),
  links: z.array(strict({ href: url, text: z.string() })).optional(),
});
const opsgenie = z.union([
  strict({
    message: chars(130),
    alias: chars(512),
    description: chars(15_000),
    details: z.record(z.string(), z.string()).refine((all) => JSON.stringify(all).length <= 8_000),
    source: chars(100),
    priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
    entity: chars(512).optional(),
  }),
  strict({ source: chars(100), note: chars(25_000) }),
]);

/** Only tags that Telegram reads, each of them closed. */
function isTelegramHtml(text: string): boolean {
  const open: string[] = [];
  for (const [, slash, tag = ''] of text.matchAll(/<(\/?)([^\s>]*)[^>]*>/g)) {
    if (!['b', 'a', 'code'].includes(tag)) return false;
    if (slash === '') open.push(tag);
    else if (open.pop() !== tag) return false;
  }
  return open.length === 0 && !/&(?!amp;|lt;|gt;|quot;)/.test(text);
}
const telegram = strict({
  chat_id: z.string(),
  text: z.string().refine((text) => isTelegramHtml(text) && text.replace(/<[^>]*>/g, '').length <= 4_096),
  parse_mode: z.literal('HTML'),
  link_preview_options: strict({ is_disabled: z.literal(true) }),
});

const openLink = strict({ openLink: strict({ url }) });
const widget = z.union([
  strict({ textParagraph: strict({ text: z.string() }) }),
  strict({ decoratedText: strict({ topLabel: z.string(), text: z.string(), wrapText: z.boolean() }) }),
  strict({
    buttonList: strict({ buttons: z.array(strict({ text: z.string(), onClick: openLink })).min(1) }),
  }),
]);
const googleChat = strict({
  cardsV2: z.tuple([
    strict({
      cardId: z.string(),
      card: strict({
        header: strict({ title: chars(1_000) }),
        sections: z.tuple([strict({ widgets: z.array(widget).min(1).max(100) })]),
      }),
    }),
  ]),
  fallbackText: z.string(),
});

const matrix = strict({
  msgtype: z.literal('m.text'),
  body: chars(65_000),
  format: z.literal('org.matrix.custom.html'),
  formatted_body: z.string().min(1),
});
const rocketchat = strict({
  text: chars(5_000),
  attachments: z.tuple([strict({ color, text: chars(5_000) })]),
});
const pushover = strict({
  token: z.string().length(30),
  user: z.string().length(30),
  title: chars(250),
  message: chars(1_024),
  timestamp: z.int(),
  url: z.url().max(512).optional(),
  url_title: chars(100).optional(),
});
const gotify = strict({
  title: z.string().min(1),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: strict({
    'client::display': strict({ contentType: z.literal('text/markdown') }),
    'client::notification': strict({ click: strict({ url }) }).optional(),
  }),
});
const zulip = z
  .string()
  .transform((body) => Object.fromEntries(new URLSearchParams(body)))
  .pipe(strict({ type: z.literal('stream'), to: chars(60), topic: chars(60), content: chars(10_000) }));
const webhook = z.looseObject({ type: z.string(), timestamp: z.iso.datetime(), data: z.looseObject({}) });

interface Case {
  readonly fields: (server: string) => ChannelFields;
  readonly path: RegExp;
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly body: z.ZodType;
}

const key = 'a1B2'.repeat(8);
const hook = (body: z.ZodType): Case => ({
  fields: (server) => ({ url: `${server}/hook` }),
  path: /^\/hook$/,
  headers: { 'content-type': /^application\/json$/ },
  body,
});

/** What each type sends, by the limits that its service publishes. */
const cases: Readonly<Record<string, Case>> = {
  webhook: hook(json(webhook)),
  slack: hook(json(webhookMessage)),
  mattermost: hook(json(strict({ text: chars(16_383) }))),
  discord: hook(json(discord)),
  // A workflow takes 28 KB.
  teams: hook(json(teams, 28 * 1024)),
  google_chat: hook(json(googleChat, 32_000)),
  rocketchat: hook(json(rocketchat)),
  ntfy: {
    fields: (server) => ({ url: `${server}/on-call` }),
    path: /^\/on-call$/,
    body: z.string().min(1).refine(bytes(4_096)),
  },
  pagerduty: {
    fields: (server) => ({ url: server, token: key }),
    path: /^\/v2\/enqueue$/,
    body: json(pagerduty, 512 * 1024),
  },
  opsgenie: {
    fields: (server) => ({ url: server, token: key }),
    path: /^\/v2\/alerts(?:\/[\w-]+\/close\?identifierType=alias)?$/,
    headers: { authorization: new RegExp(`^GenieKey ${key}$`) },
    body: json(opsgenie),
  },
  telegram: {
    fields: (server) => ({ url: server, token: `123456:${key}`, room: '-1001234567890' }),
    path: new RegExp(`^/bot123456:${key}/sendMessage$`),
    body: json(telegram),
  },
  matrix: {
    fields: (server) => ({ url: server, token: 'syt_abcdefgh', room: '!abc:matrix.example' }),
    path: /^\/_matrix\/client\/v3\/rooms\/!abc%3Amatrix\.example\/send\/m\.room\.message\/msg_1$/,
    headers: { authorization: /^Bearer syt_abcdefgh$/ },
    body: json(matrix, 65_536),
  },
  pushover: {
    fields: (server) => ({ url: server, token: 'a'.repeat(30), user: 'u'.repeat(30) }),
    path: /^\/1\/messages\.json$/,
    body: json(pushover),
  },
  gotify: {
    fields: (server) => ({ url: `${server}/push/`, token: 'AbCdEfGh1' }),
    path: /^\/push\/message$/,
    headers: { 'x-gotify-key': /^AbCdEfGh1$/ },
    body: json(gotify),
  },
  zulip: {
    fields: (server) => ({
      url: server,
      user: 'bot@zulip.example',
      token: key,
      room: 'alerts',
      topic: 'shop',
    }),
    path: /^\/api\/v1\/messages$/,
    headers: { authorization: /^Basic Ym90QHp1bGlwLmV4YW1wbGU6/ },
    body: zulip,
  },
};

const nasty = [
  '<!channel> <@U123> <https://evil.example|click> & </b>',
  '@channel @all @here **bold** `code` [x](https://evil.example)',
];

function message(titles: readonly string[], more: Partial<AlertMessage> = {}): AlertMessage {
  return {
    id: 'msg_1',
    type: 'issue.is_new',
    atMs: Date.UTC(2026, 10, 21, 12),
    subject: `#1 is new: ${titles[0]}`,
    reason: `The rule “New issues” notifies “On call”: an issue is new${', in R&D'.repeat(200)}.`,
    path: '/issues/1',
    url: `${base}/issues/1`,
    stopUrl: `${base}/alert-channels/rules/1`,
    unsubscribeUrl: `${base}/alert-channels/1/unsubscribe`,
    rule: { id: 1, name: 'New issues' },
    channel: { id: 1, name: 'On call' },
    count: titles.length,
    noun: 'issue',
    objects: [],
    issues: titles.map((title, at) => ({
      issueId: at + 1,
      project: 'shop',
      title,
      culprit: 'cart.js in pay',
      note: '',
      level: 'fatal',
      events: 1_234,
      users: 1,
      url: `${base}/issues/${at + 1}`,
    })),
    overflow: [],
    incidents: { count: 0, named: [] },
    details: null,
    ...more,
  };
}

const long = '<`*&'.repeat(50);
const details = {
  type: long,
  text: long,
  environment: long,
  release: 'checkout-api 2.31.0',
  firstSeenMs: 0,
  assignee: long,
  frames: new Array(5).fill({ function: long, place: `src/${long}:64`, source: long }),
  framesCount: 23,
  resolveUrl: `${base}/issue-links/1`,
  ignoreUrl: `${base}/issue-links/2`,
  muteUrl: `${base}/issue-links/3`,
};
const monitor = (type: 'monitor.down' | 'monitor.up') =>
  message([], {
    type,
    count: 1,
    subject: `Checkout API ${type === 'monitor.up' ? 'recovered' : 'is down'}`,
    objects: [{ id: 7, project: 'shop', title: 'Checkout API', detail: 'timed out', url: base }],
  });

const comment = {
  ...message([long], { type: 'issue.commented', details }),
  issues: message([long]).issues.map((each) => ({
    ...each,
    note: `Mara: ${'<!channel> @all `x` '.repeat(25)}`,
  })),
} as const;
const feedback = message([], {
  type: 'feedback.created',
  count: 1,
  noun: 'bug report',
  subject: `New bug report: ${long}`,
  objects: [{ id: 7, project: 'shop', title: long, detail: nasty.join(' '), url: `${base}/feedback/7` }],
});

const messages: ReadonlyArray<readonly [string, AlertMessage]> = [
  ['one issue with its details', message([long], { details })],
  ['one issue', message(['TypeError: x is undefined'])],
  ['ten of a thousand', message(new Array(10).fill('x<'.repeat(100)), { count: 1_000 })],
  ['hostile titles', message(nasty)],
  ['a comment', comment],
  ['a bug report', feedback],
  ['a resolved issue', message([long], { type: 'issue.resolved', details })],
  ['a monitor down', monitor('monitor.down')],
  ['no pages', message(['TypeError'], { url: null, path: null, stopUrl: null })],
  ['a test', message([], { type: 'test', rule: null, subject: 'Test notification' })],
];

async function deliver(type: string, told: AlertMessage) {
  const server = `http://127.0.0.1:${receiver.port}`;
  const given = cases[type]?.fields(server) ?? {};
  expect(channelSettings.safeParse({ type, ...given }).error).toBeUndefined();
  const { address } = channelTypeOf(type).targetOf(given);
  const secret = `whsec_${'A'.repeat(32)}`;
  const channel = { id: 1, type, address, secret, settings: given, state: 'on' as const, lastError: '' };
  const delivery = buildDelivery(channel, told, 1);
  for (const given_ of [given.token, given.user].filter((each) => each !== undefined)) {
    expect(delivery.body).not.toContain(given_);
  }
  const sender = createNotificationSender({
    resolve: async () => ['127.0.0.1'],
    allowed: parseAllowedTargets(['127.0.0.1']),
    userAgent: 'test',
    smtpUrl: null,
    smtpFrom: null,
  });
  receiver.received.length = 0;
  const due = { id: 1, tries: 0, html: null, ...delivery, recipients: null, threadTs: null };
  const sent = { ...due, channel, nowMs: Date.now(), pagesUrl: base };
  const answer = await channelTypeOf(type).send(sender, sent);
  return { answer, requests: [...receiver.received] };
}

describe('a message of every type of channel', () => {
  const all = channelTypes.filter((type) => !['email', 'assignee', 'webpush'].includes(type));

  it.each(all.flatMap((type) => messages.map(([name, told]) => [type, name, told] as const)))(
    '%s: %s is accepted by the service',
    async (type, _name, told) => {
      const { [type]: found } = cases;
      if (found === undefined) throw new Error(`Add what ${type} takes to cases, in this file.`);
      const { path, headers = {}, body } = found;
      const { answer, requests } = await deliver(type, told);
      expect(answer).toMatchObject({ ok: true, status: 200, answer: 'ok' });
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        expect(request.path).toMatch(path);
        expect(body.safeParse(request.body).error).toBeUndefined();
        for (const [name, form] of Object.entries(headers)) expect(request.headers[name]).toMatch(form);
      }
    },
  );

  it.each(messages)('slack with a bot token: %s is accepted by the service', async (_name, told) => {
    const slack = await startSlack();
    const settings = { token: slack.token, channel: '#on-call' };
    expect(channelSettings.safeParse({ type: 'slack', ...settings }).error).toBeUndefined();
    const channel = { id: 1, type: 'slack', address: '', secret: '', settings, state: 'on' } as const;
    const due = { id: 1, tries: 0, html: null, recipients: null, ...buildDelivery(channel, told, 1) };
    const sent = { ...due, channel: { ...channel, lastError: '' }, nowMs: 0, pagesUrl: base };
    const send = (threadTs: string | null) =>
      channelTypeOf('slack').send(slack.messenger, { ...sent, threadTs });
    const [first, reply] = [await send(null), await send('1764000000.000001')];
    await slack.close();
    expect([first, reply]).toMatchObject([{ ok: true, threadTs: '1764000000.000001' }, { ok: true }]);
    expect(slack.posts.map(({ thread_ts: thread }) => thread)).toEqual([undefined, '1764000000.000001']);
    expect(due.body).not.toContain(slack.token);
  });

  it.each(['pagerduty', 'opsgenie'] as const)('%s resolves by the key that it triggered', async (type) => {
    const keyOf = ({ path, body }: { path: string; body: string }) =>
      /alerts\/([^/]+)\/close/.exec(path)?.[1] ?? JSON.parse(body).dedup_key ?? JSON.parse(body).alias;
    const down = await deliver(type, monitor('monitor.down'));
    const up = await deliver(type, monitor('monitor.up'));
    expect([down, up].map(({ requests }) => requests.map(keyOf))).toEqual([
      ['notifier-monitor-7'],
      ['notifier-monitor-7'],
    ]);
    const actions = up.requests.map(({ path, body }) => JSON.parse(body).event_action ?? path);
    expect(actions).toEqual([expect.stringMatching(/^resolve$|\/close\?/)]);
  });

  it('is refused where the receiver refuses it', async () => {
    receiver.answer = 404;
    const { answer } = await deliver('pagerduty', message(['a', 'b']));
    receiver.answer = 200;
    expect(answer).toMatchObject({ ok: false, status: 404, detail: 'no' });
  });
});
