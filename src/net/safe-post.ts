// SSRF-safe POST for webhooks: allowed addresses, no redirects or proxy, bounded, one deadline, TLS verified.
import type { Agent } from 'undici';
import type { WebhookMessage } from '../core/ports/notification-sender.ts';
import {
  createAgent,
  hostOf,
  loadUndici,
  type OutboundAccess,
  parseHttpUrl,
  resolveAllowedAddresses,
  withDeadline,
} from './ssrf-guard.ts';

export interface PostOptions extends OutboundAccess {
  readonly deadlineMs: number;
}

export interface PostResult {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

const connectMs = 5_000;
const answerBytesMax = 4 * 1024;
const connectionBytesMax = 256 * 1024;

/** Any status is a result. @throws {OutboundFailure} */
export async function safePost(sent: WebhookMessage, options: PostOptions): Promise<PostResult> {
  return withDeadline(
    { deadlineMs: options.deadlineMs, connectionBytesMax, connectMs },
    async (openSockets) => {
      const url = parseHttpUrl(sent.url);
      const addresses = await openSockets.withinDeadline(resolveAllowedAddresses(hostOf(url), options));
      return postOnce(url, sent, options, await createAgent(url, addresses, options, openSockets));
    },
  );
}

async function postOnce(
  url: URL,
  { headers, body, encoding, method }: WebhookMessage,
  { userAgent }: PostOptions,
  agent: Agent,
): Promise<PostResult> {
  const { request } = await loadUndici();
  const answer = await request(url, {
    method: method ?? 'POST',
    dispatcher: agent,
    headers: { ...headers, 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
    body: encoding === undefined ? body : Buffer.from(body, encoding),
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // The status is known; a truncated response text is fine.
  }
  const { 'retry-after': retryAfter } = answer.headers;
  return {
    status: answer.statusCode,
    text: Buffer.concat(chunks).toString('utf8', 0, answerBytesMax),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}
