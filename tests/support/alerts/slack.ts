// Slack on loopback: what an incoming webhook and chat.postMessage take, as Slack documents them.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { NotificationSender } from '../../../src/core/ports/notification-sender.ts';
import { createNotificationSender } from '../../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { startReceiver } from './receiver.ts';

const strict = z.strictObject;
const chars = (max: number) =>
  z
    .string()
    .min(1)
    .refine((text) => [...text].length <= max);
const mrkdwn = (max: number) => strict({ type: z.literal('mrkdwn'), text: chars(max) });
const button = strict({
  type: z.literal('button'),
  text: strict({ type: z.literal('plain_text'), text: chars(75) }),
  url: z.url().max(3_000),
  action_id: chars(255),
  style: z.enum(['primary', 'danger']).optional(),
});
const blocks = z
  .array(
    z.union([
      strict({ type: z.literal('section'), text: mrkdwn(3_000) }),
      strict({ type: z.literal('section'), fields: z.array(mrkdwn(2_000)).min(1).max(10) }),
      strict({ type: z.literal('actions'), elements: z.array(button).min(1).max(25) }),
      strict({ type: z.literal('context'), elements: z.array(mrkdwn(3_000)).min(1).max(10) }),
    ]),
  )
  .min(1)
  .max(50);
const color = z.string().regex(/^#[0-9a-f]{6}$/);

export const webhookMessage = strict({
  text: chars(4_000),
  unfurl_links: z.boolean(),
  blocks: blocks.optional(),
  attachments: z.array(strict({ color, blocks })).optional(),
});

const ts = z.string().regex(/^\d{10}\.\d{6}$/);
const postedMessage = webhookMessage
  .extend({
    channel: z.string().regex(/^(?:[CGD][A-Z0-9]+|#\S+)$/),
    thread_ts: ts.optional(),
    reply_broadcast: z.literal(true).optional(),
  })
  .refine((sent) => sent.reply_broadcast === undefined || sent.thread_ts !== undefined);

type Post = z.infer<typeof postedMessage> & { readonly ts: string };

export interface Slack {
  readonly messenger: NotificationSender;
  readonly token: string;
  /** Messages that were taken, oldest first. */
  readonly posts: Post[];
  /** Requests that were refused, by the word of the refusal. */
  readonly refused: string[];
  /** Answered to the next request in place of taking it. */
  refusal: string | { readonly status: 200 | 429; readonly retryAfter: string } | null;
  /** Threads that nobody can answer. */
  readonly closed: Set<string>;
  close(): Promise<void>;
}

export async function startSlack(): Promise<Slack> {
  const receiver = await startReceiver();
  const sender = createNotificationSender({
    resolve: async () => ['127.0.0.1'],
    allowed: parseAllowedTargets(['127.0.0.1']),
    userAgent: 'test',
    smtpUrl: null,
    smtpFrom: null,
  });
  const origin = receiver.url.replace('/hook', '');
  const slack: Slack = {
    messenger: {
      ...sender,
      post: (message) => sender.post({ ...message, url: message.url.replace('https://slack.com', origin) }),
    },
    token: 'xoxb-123456789012-abcdefGHIJKL',
    posts: [],
    refused: [],
    refusal: null,
    closed: new Set(),
    close: () => receiver.close(),
  };
  receiver.answer = (response) => {
    const asked = receiver.received.at(-1);
    if (asked !== undefined) answer(slack, asked, response);
  };
  return slack;
}

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function answer(slack: Slack, asked: Asked, response: ServerResponse): void {
  const { refusal } = slack;
  slack.refusal = null;
  if (asked.path !== '/api/chat.postMessage') return void response.writeHead(404).end();
  if (typeof refusal === 'object' && refusal !== null) {
    const { status, retryAfter } = refusal;
    slack.refused.push('ratelimited');
    const body = JSON.stringify({ ok: false, error: 'ratelimited' });
    return void response.writeHead(status, { 'retry-after': retryAfter }).end(body);
  }
  const json = (body: object) =>
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  const error = refusal ?? findError(slack, asked);
  if (error !== null) {
    slack.refused.push(error);
    json({ ok: false, error });
    return;
  }
  const sent = postedMessage.parse(JSON.parse(asked.body));
  const post = { ...sent, ts: `1764000000.${String(slack.posts.length + 1).padStart(6, '0')}` };
  slack.posts.push(post);
  // As long as Slack's: the answer repeats the message.
  const message = { ...sent, type: 'message', ts: post.ts, app_id: 'A012345' };
  json({ ok: true, channel: 'C0123456789', ts: post.ts, message });
}

function findError({ token, posts, closed }: Slack, { headers, body }: Asked): string | null {
  if (!/^application\/json; charset=utf-8$/.test(headers['content-type'] ?? '')) return 'invalid_post_type';
  if (headers.authorization === undefined) return 'not_authed';
  if (headers.authorization !== `Bearer ${token}`) return 'invalid_auth';
  const { data } = postedMessage.safeParse(JSON.parse(body));
  if (data === undefined) return 'invalid_arguments';
  if (data.channel === '#nowhere') return 'channel_not_found';
  const { thread_ts: thread, channel } = data;
  if (thread === undefined) return null;
  // A reply is no parent.
  const parent = posts.find((post) => post.ts === thread && post.channel === channel);
  if (parent === undefined || parent.thread_ts !== undefined) return 'thread_not_found';
  return closed.has(thread) ? 'restricted_action_thread_locked' : null;
}
