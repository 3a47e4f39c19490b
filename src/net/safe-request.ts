// SSRF-safe HTTP and TCP requests of monitors: allowed addresses only, checked again after each of at most 5
// redirects (never from https to http); bounded headers and body, one deadline, TLS verified, no proxy.
import { TLSSocket } from 'node:tls';
import type { HttpCheckResponse, MonitorCheckClient } from '../core/ports/monitor-check-client.ts';
import { OutboundFailure } from './failure.ts';
import { decodeText, decompressBody, headerOf } from './response-body.ts';
import {
  type Answer,
  createAgent,
  dialWithDeadline,
  discardBody,
  hostOf,
  isPlainHttpUrl,
  isRedirect,
  type OpenSockets,
  type OutboundAccess,
  parseHttpUrl,
  plainGet,
  type RequestContent,
  resolveAllowedAddresses,
  sendRequest,
  withDeadline,
} from './ssrf-guard.ts';

type PageRequest = Omit<Parameters<MonitorCheckClient['page']>[0], 'request'> & {
  readonly request?: RequestContent;
};

/** `location` is absolute. */
interface PageResult extends HttpCheckResponse {
  readonly contentType: string | null;
}

const redirectsMax = 5;
const bodyBytesMax = 256 * 1024;
const connectionBytesMax = 1024 * 1024;

/** Requests a page; any status is a result. @throws {OutboundFailure} */
export function requestPage(pageRequest: PageRequest, access: OutboundAccess): Promise<PageResult> {
  const { timeoutMs } = pageRequest;
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return withDeadline(bounds, async (openSockets) => {
    let url = parseHttpUrl(pageRequest.url);
    let sent = pageRequest.request ?? plainGet;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      const { answer, certificateEndsAtMs } = await connectSafely(url, sent, access, openSockets);
      const location = locationOf(answer, url);
      if (location === null || !pageRequest.follows) {
        const text = pageRequest.reads ? await bodyOf(answer) : '';
        if (!pageRequest.reads) discardBody(answer);
        const contentType = headerOf(answer, 'content-type');
        return { status: answer.statusCode, location, contentType, text, certificateEndsAtMs };
      }
      discardBody(answer);
      const next = nextUrl(location, url);
      sent = afterRedirect(sent, answer.statusCode, next.origin === url.origin);
      url = next;
    }
    throw new OutboundFailure('redirect');
  });
}

export function connectToPort(
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
  access: OutboundAccess,
): Promise<null> {
  const bounds = { deadlineMs: timeoutMs, connectMs: timeoutMs, connectionBytesMax };
  return withDeadline(bounds, async (openSockets) => {
    const addresses = await openSockets.withinDeadline(resolveAllowedAddresses(host, access));
    await dialWithDeadline({ addresses, host, port }, false, access, openSockets);
    return null;
  });
}

async function connectSafely(
  url: URL,
  sent: RequestContent,
  access: OutboundAccess,
  openSockets: OpenSockets,
): Promise<{ answer: Answer; certificateEndsAtMs: number | null }> {
  const addresses = await openSockets.withinDeadline(resolveAllowedAddresses(hostOf(url), access));
  let certificateEndsAtMs: number | null = null;
  const onConnected = (socket: unknown): void => {
    if (!(socket instanceof TLSSocket)) return;
    const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
    certificateEndsAtMs = Number.isFinite(endsAt) ? endsAt : null;
  };
  const agent = await createAgent(url, addresses, access, openSockets, { onConnected });
  const defaults = { accept: '*/*', userAgent: access.userAgent };
  const answer = await sendRequest(url, agent, defaults, sent);
  return { answer, certificateEndsAtMs };
}

/** The beginning of the body, decoded. An unknown content encoding is a bad response. */
async function bodyOf(answer: Answer): Promise<string> {
  const body = decompressBody(answer);
  if (body === null) {
    discardBody(answer);
    throw new OutboundFailure('bad_response');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bodyBytesMax) break;
  }
  return decodeText(Buffer.concat(chunks).subarray(0, bodyBytesMax), headerOf(answer, 'content-type'));
}

function locationOf(answer: Answer, base: URL): string | null {
  const { location } = answer.headers;
  if (!isRedirect(answer) || typeof location !== 'string') return null;
  return URL.parse(location, base.href)?.href ?? null;
}

// Like browsers, POST becomes GET except for 307 and 308. Headers are not sent to another origin.
function afterRedirect(
  { method, headers, body }: RequestContent,
  status: number,
  isSameOrigin: boolean,
): RequestContent {
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  const sameOriginHeaders = isSameOrigin ? headers : [];
  if (!becomesGet) return { method, headers: sameOriginHeaders, body };
  const ofBody = (name: string): boolean => name.toLowerCase().startsWith('content-');
  return { method: 'GET', headers: sameOriginHeaders.filter(([name]) => !ofBody(name)), body: '' };
}

function nextUrl(location: string, previous: URL): URL {
  const url = URL.parse(location);
  // A redirect to a forbidden URL is an error of that server.
  if (url === null || !isPlainHttpUrl(url)) throw new OutboundFailure('bad_response');
  if (previous.protocol === 'https:' && url.protocol === 'http:') throw new OutboundFailure('redirect');
  return url;
}
