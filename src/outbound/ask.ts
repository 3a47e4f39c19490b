// The guarded questions of monitors: one request to an address that a member wrote, or one connection to a
// port, within rules and one deadline.
//   1 http or https, any port, by name or address, no credentials in it
//   2 every address of a host public or allowed by name, and connected to as judged; of each redirect anew
//   3 at most 5 redirects, never from https down to http
//   4 bounded headers and body, packed or not, no HTTP/2, no keep-alive
//   5 one deadline that destroys everything
//   6 TLS always verified
//   7 no proxy
//   8 failures are words, not network errors
import { TLSSocket } from 'node:tls';
import { headerOf, textOf, unpacked } from './contents.ts';
import { OutboundFailure } from './failure.ts';
import {
  type Answer,
  admittedUrl,
  agentTo,
  askOnce,
  dialHeld,
  discard,
  type Held,
  hostOf,
  isAdmitted,
  isRedirect,
  judgedAddresses,
  plainGet,
  type Sent,
  type WayOut,
  within,
} from './guard.ts';

export interface PageQuestion {
  readonly url: string;
  /** A plain GET unless said. */
  readonly request?: Sent | undefined;
  readonly timeoutMs: number;
  /** Whether redirects are followed; the first answer is the answer otherwise. */
  readonly follows: boolean;
  /** Whether the body is of interest. */
  readonly reads: boolean;
}

export interface PageFound {
  readonly status: number;
  /** Where it redirects to, whole; null where it does not. */
  readonly location: string | null;
  /** The beginning of the body; empty where nobody asked for it. */
  readonly text: string;
  /** Of the certificate that came last; null without one. */
  readonly certificateEndsAtMs: number | null;
}

const redirectsMax = 5;
const bodyBytesMax = 256 * 1024;
const connectionBytesMax = 1024 * 1024;

/** Asks for a page; any status is an answer. Throws OutboundFailure alone. */
export function askPage(question: PageQuestion, way: WayOut): Promise<PageFound> {
  const { timeoutMs } = question;
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return within(bounds, async (held) => {
    let url = admittedUrl(question.url);
    let sent = question.request ?? plainGet;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      const { answer, certificateEndsAtMs } = await askPlace(url, sent, way, held);
      const location = locationOf(answer, url);
      if (location === null || !question.follows) {
        const text = question.reads ? await bodyOf(answer) : '';
        if (!question.reads) discard(answer);
        return { status: answer.statusCode, location, text, certificateEndsAtMs };
      }
      discard(answer);
      const next = nextUrl(location, url);
      sent = afterRedirect(sent, answer.statusCode, next.origin === url.origin);
      url = next;
    }
    throw new OutboundFailure('redirect');
  });
}

/** Connects to a port, and hangs up. Throws OutboundFailure alone. */
export function askPort(
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
  way: WayOut,
): Promise<void> {
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return within(bounds, async (held) => {
    const addresses = await held.inTime(judgedAddresses(host, way));
    await dialHeld({ addresses, host, port }, false, way, held);
  });
}

async function askPlace(
  url: URL,
  sent: Sent,
  way: WayOut,
  held: Held,
): Promise<{ answer: Answer; certificateEndsAtMs: number | null }> {
  const addresses = await held.inTime(judgedAddresses(hostOf(url), way));
  let certificateEndsAtMs: number | null = null;
  const arrived = (socket: unknown): void => {
    if (!(socket instanceof TLSSocket)) return;
    const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
    certificateEndsAtMs = Number.isFinite(endsAt) ? endsAt : null;
  };
  const agent = agentTo(url, addresses, way, held, { arrived });
  const usual = { accept: '*/*', userAgent: way.userAgent };
  const answer = await askOnce(url, agent, usual, sent);
  return { answer, certificateEndsAtMs };
}

/** As much of it as is looked at, as text. What is packed in a way that nobody knows cannot be read. */
async function bodyOf(answer: Answer): Promise<string> {
  const body = unpacked(answer);
  if (body === null) {
    discard(answer);
    throw new OutboundFailure('bad_response');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bodyBytesMax) break;
  }
  return textOf(Buffer.concat(chunks).subarray(0, bodyBytesMax), headerOf(answer, 'content-type'));
}

function locationOf(answer: Answer, base: URL): string | null {
  const { location } = answer.headers;
  if (!isRedirect(answer) || typeof location !== 'string') return null;
  return URL.parse(location, base.href)?.href ?? null;
}

/**
 * What is sent to where a redirect leads, as browsers have it: a POST becomes a GET, but for 307 and 308.
 * Another origin is sent none of the headers, which may be secrets.
 */
function afterRedirect({ method, headers, body }: Sent, status: number, isSameOrigin: boolean): Sent {
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  const kept = isSameOrigin ? headers : [];
  if (!becomesGet) return { method, headers: kept, body };
  const ofBody = (name: string): boolean => name.toLowerCase().startsWith('content-');
  return { method: 'GET', headers: kept.filter(([name]) => !ofBody(name)), body: '' };
}

function nextUrl(location: string, previous: URL): URL {
  const url = URL.parse(location);
  // Where the answer leads is its own doing; to a private address this server does not follow.
  if (url === null || !isAdmitted(url)) throw new OutboundFailure('bad_response');
  if (previous.protocol === 'https:' && url.protocol === 'http:') throw new OutboundFailure('redirect');
  return url;
}
