// SSRF-safe POST for notifications to webhook URLs: allowed addresses only, checked before connecting, no
// redirects, bounded headers and response, one deadline, TLS verified, no proxy.
import { type Agent, request as undiciRequest } from 'undici';
import { admittedUrl, agentTo, hostOf, judgedAddresses, type WayOut, within } from './guard.ts';

export interface PostOptions extends WayOut {
  readonly deadlineMs: number;
}

export interface Posted {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

const connectMs = 5_000;
const answerBytesMax = 4 * 1024;
const connectionBytesMax = 256 * 1024;

/** Any status is a result. @throws {OutboundFailure} */
export async function guardedPost(
  sent: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<Posted> {
  return within({ deadlineMs: options.deadlineMs, connectionBytesMax, connectMs }, async (held) => {
    const url = admittedUrl(sent.url);
    const addresses = await held.inTime(judgedAddresses(hostOf(url), options));
    return postOnce(url, sent, options, agentTo(url, addresses, options, held));
  });
}

async function postOnce(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { userAgent }: PostOptions,
  agent: Agent,
): Promise<Posted> {
  const answer = await undiciRequest(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...headers, 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
    body,
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
