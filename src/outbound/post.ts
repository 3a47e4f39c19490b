// The guarded POST of alert channels: one request to an address that an admin wrote, within rules and one
// deadline.
//   1 http or https, any port, by name or address, no credentials in it
//   2 every address of the host public or allowed by name, and connected to as judged
//   3 no redirect is followed
//   4 bounded headers and answer, no encodings, no HTTP/2, no keep-alive
//   5 one deadline that destroys everything
//   6 TLS always verified
//   7 no proxy
//   8 failures are words, not network errors
import { type Agent, request as undiciRequest } from 'undici';
import { admittedUrl, agentTo, hostOf, judgedAddresses, type WayOut, within } from './guard.ts';

export interface PostOptions extends WayOut {
  /** Milliseconds for everything. */
  readonly deadlineMs: number;
}

export interface Posted {
  readonly status: number;
  /** The beginning of what was answered. */
  readonly text: string;
  /** What `Retry-After` says; null without it. */
  readonly retryAfter: string | null;
}

const connectMs = 5_000;
const answerBytesMax = 4 * 1024;
const connectionBytesMax = 256 * 1024;

/** Posts a body and answers the status, whatever it is. Throws OutboundFailure alone. */
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
    // The status decides; of a body that was cut short the beginning is enough.
  }
  const { 'retry-after': retryAfter } = answer.headers;
  return {
    status: answer.statusCode,
    text: Buffer.concat(chunks).toString('utf8', 0, answerBytesMax),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}
