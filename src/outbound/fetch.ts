// The guarded fetch: one GET to a public web server, within nine rules and one deadline. Nothing here knows
// what it is for.
//   1 the URL is built by the caller's code, never taken from a stranger
//   2 http(s), its own port, a name, no credentials
//   3 every address public, and connected to as checked
//   4 at most 3 redirects, same host, never down to http
//   5 bounded headers and body, packed ones unpacked within the same bound, no HTTP/2, no keep-alive
//   6 one deadline that destroys everything
//   7 TLS always verified
//   8 no proxy
//   9 failures are words, not network errors
import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { isPublicAddress } from './addresses.ts';
import { headerOf, unpacked } from './contents.ts';
import type { Connect } from './dial.ts';
import { failureOf, OutboundFailure } from './failure.ts';
import { type Answer, agentTo, askOnce, discard, type Held, isRedirect, within } from './guard.ts';

export interface GuardOptions {
  /** All addresses of a host. The guard judges every one of them. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Who asks; an address where its owner can be asked belongs into it. */
  readonly userAgent?: string;
  /** Replaces the TCP connection, after the judgement; for tests. */
  readonly connect?: Connect;
  /** Certificate authorities instead of the system's; for tests and closed networks. */
  readonly ca?: SecureContextOptions['ca'];
  /** Switches the judgement of addresses off, for closed networks. */
  readonly allowPrivate?: boolean;
  readonly connectMs?: number;
}

export interface GuardedRequest {
  readonly url: string;
  readonly accept: string;
  readonly bodyBytesMax: number;
  /** Whether a longer body is cut there; it is refused unless said. */
  readonly cutsBody?: boolean | undefined;
  /** Whether the rest of the body may be left out; asked with what came, where a piece holds `<body`. */
  readonly isEnough?: ((begun: Uint8Array) => boolean) | undefined;
  /** Milliseconds for everything: look-up, connections, redirects, body. */
  readonly deadlineMs: number;
}

export interface GuardedResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly bytes: Buffer;
}

const redirectsMax = 3;
/**
 * All bytes of one connection, framing included: chunk extensions and TLS records are counted by nobody else.
 */
const connectionBytesMax = 1024 * 1024;
const usualConnectMs = 2_000;

/**
 * Fetches one page. Any final status is answered, its body read only for a 200. Throws OutboundFailure alone.
 */
export async function guardedFetch(request: GuardedRequest, options: GuardOptions): Promise<GuardedResponse> {
  const first = admittedUrl(request.url, null);
  const connectMs = options.connectMs ?? usualConnectMs;
  return within({ deadlineMs: request.deadlineMs, connectMs, connectionBytesMax }, async (held) => {
    const addresses = await held.inTime(judgedAddresses(first.hostname, options));
    const get = (url: URL) => getFrom(url, addresses, request, options, held);
    return followRedirects(first, request, get);
  });
}

/**
 * Resolved once for all hops, which all have one host: there is no second look-up for a rebinding server to
 * answer.
 */
async function judgedAddresses(host: string, options: GuardOptions): Promise<readonly string[]> {
  const addresses = await options.resolve(host);
  if (addresses.length === 0) throw new OutboundFailure('no_record');
  if (!options.allowPrivate && !addresses.every(isPublicAddress)) {
    throw new OutboundFailure('refused_address');
  }
  return addresses;
}

function getFrom(
  url: URL,
  addresses: readonly string[],
  { accept, bodyBytesMax, cutsBody }: GuardedRequest,
  options: GuardOptions,
  held: Held,
): Promise<Answer> {
  const agent = agentTo(url, addresses, options, held, cutsBody === true ? {} : { bodyBytesMax });
  return askOnce(url, agent, { accept, userAgent: options.userAgent ?? 'Notifier-Domain-Check/1' });
}

async function followRedirects(
  first: URL,
  request: GuardedRequest,
  get: (url: URL) => Promise<Answer>,
): Promise<GuardedResponse> {
  let url = first;
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const answer = await get(url);
    if (!isRedirect(answer)) return await finalResponse(answer, request);
    discard(answer);
    url = admittedUrl(locationOf(answer, url), url);
  }
  throw new OutboundFailure('redirect');
}

async function finalResponse(answer: Answer, request: GuardedRequest): Promise<GuardedResponse> {
  const contentType = headerOf(answer, 'content-type');
  if (answer.statusCode !== 200) {
    discard(answer);
    return { status: answer.statusCode, contentType, bytes: Buffer.alloc(0) };
  }
  // A server that says two lengths, or packs in a way that nobody knows, is not one to be believed.
  const bothLengths =
    headerOf(answer, 'transfer-encoding') !== null && headerOf(answer, 'content-length') !== null;
  const body = bothLengths ? null : unpacked(answer);
  if (body === null) {
    discard(answer);
    throw new OutboundFailure('bad_response');
  }
  return { status: 200, contentType, bytes: await readBody(body, request) };
}

/** To find that out takes as long as the page is; a page that says so again and again is read to its end. */
const asksMax = 8;

/** Whether the last piece may end the head of a page, the tag perhaps begun in the one before. */
function endsHead(chunks: readonly Buffer[]): boolean {
  const [before, last] = chunks.slice(-2).map((each) => each.toString('latin1'));
  return /<body/i.test(last === undefined ? (before ?? '') : `${before?.slice(-5)}${last}`);
}

async function readBody(
  body: AsyncIterable<Buffer>,
  { bodyBytesMax, cutsBody = false, isEnough }: GuardedRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let asks = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (isEnough !== undefined && asks < asksMax && endsHead(chunks)) {
        asks += 1;
        if (isEnough(Buffer.concat(chunks))) break;
      }
      if (bytes <= bodyBytesMax) continue;
      if (!cutsBody) throw new OutboundFailure('too_large');
      return Buffer.concat(chunks, bodyBytesMax);
    }
  } catch (error) {
    const failure = failureOf(error, 'bad_response');
    // After the headers a reset is a body cut short: the server answered, and answered badly.
    throw failure.code === 'unreachable' ? new OutboundFailure('bad_response') : failure;
  }
  return Buffer.concat(chunks, bytes);
}

function locationOf(answer: Answer, base: URL): string {
  const location = answer.headers['location'];
  if (typeof location !== 'string' || !URL.canParse(location, base.href)) {
    throw new OutboundFailure('redirect');
  }
  return new URL(location, base.href).href;
}

/**
 * Checks a URL before it is asked: http or https, the scheme's own port, no credentials, a name and no
 * address; after a redirect also the same host and no step down from https. The parsed host is judged, never
 * the text.
 */
function admittedUrl(text: string, previous: URL | null): URL {
  const refusal = new OutboundFailure(previous === null ? 'refused_address' : 'redirect');
  if (!URL.canParse(text)) throw refusal;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isAddress = isIP(url.hostname) !== 0 || url.hostname.startsWith('[') || url.hostname === '';
  if (!isWeb || url.port !== '' || url.username !== '' || url.password !== '' || isAddress) throw refusal;
  if (previous !== null) {
    const stepsDown = previous.protocol === 'https:' && url.protocol === 'http:';
    if (url.hostname !== previous.hostname || stepsDown) throw refusal;
  }
  return url;
}
