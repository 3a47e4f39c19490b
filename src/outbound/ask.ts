// SSRF-safe HTTP and TCP requests of monitors: allowed addresses only, checked again after each of at most 5
// redirects (never from https to http); bounded headers and body, one deadline, TLS verified, no proxy.
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
  readonly request?: Sent | undefined;
  readonly timeoutMs: number;
  readonly follows: boolean;
  readonly reads: boolean;
}

export interface PageFound {
  readonly status: number;
  /** The absolute redirect target; null for other statuses. */
  readonly location: string | null;
  /** The beginning of the body; empty unless `reads`. */
  readonly text: string;
  readonly certificateEndsAtMs: number | null;
}

const redirectsMax = 5;
const bodyBytesMax = 256 * 1024;
const connectionBytesMax = 1024 * 1024;

/** Requests a page; any status is a result. @throws {OutboundFailure} */
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

/** The beginning of the body, decoded. An unknown content encoding is a bad response. */
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

// Like browsers, turns POST into GET except for 307 and 308. Headers may be secrets and are not sent to
// another origin.
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
  // A redirect to a forbidden URL is an error of that server.
  if (url === null || !isAdmitted(url)) throw new OutboundFailure('bad_response');
  if (previous.protocol === 'https:' && url.protocol === 'http:') throw new OutboundFailure('redirect');
  return url;
}
