// SSRF-safe GET for domain verification: standard ports, public addresses only, checked before connecting, at
// most 3 redirects on the same host (never from https to http), all bounded, TLS verified, no proxy.
import { isIP } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { isPublicAddress } from './addresses.ts';
import type { Connect } from './dial.ts';
import { OutboundFailure, toOutboundFailure } from './failure.ts';
import { decompressBody, headerOf } from './response-body.ts';
import {
  type Answer,
  createAgent,
  discardBody,
  isRedirect,
  type OpenSockets,
  sendRequest,
  withDeadline,
} from './ssrf-guard.ts';

export interface SafeFetchOptions {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Should include an address where the operator can be contacted. */
  readonly userAgent?: string;
  readonly connect?: Connect;
  readonly ca?: SecureContextOptions['ca'];
  /** Allows private addresses, for closed networks. */
  readonly allowPrivate?: boolean;
  readonly connectMs?: number;
}

export interface SafeFetchRequest {
  readonly url: string;
  readonly accept: string;
  readonly bodyBytesMax: number;
  /** Truncate a longer body instead of failing. */
  readonly cutsBody?: boolean | undefined;
  /** Whether the body read so far is enough; called when a chunk has `<body`. */
  readonly isEnough?: ((received: Uint8Array) => boolean) | undefined;
  /** For everything: DNS, connections, redirects, body. */
  readonly deadlineMs: number;
}

export interface SafeFetchResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly bytes: Buffer;
}

const redirectsMax = 3;
/** Per connection, with framing: undici does not limit chunk extensions or TLS records. */
const connectionBytesMax = 1024 * 1024;
const defaultConnectMs = 2_000;

/** Any final status is a result; the body is read for 200 only. @throws {OutboundFailure} */
export async function safeFetch(
  request: SafeFetchRequest,
  options: SafeFetchOptions,
): Promise<SafeFetchResponse> {
  const first = admittedUrl(request.url, null);
  const connectMs = options.connectMs ?? defaultConnectMs;
  return withDeadline(
    { deadlineMs: request.deadlineMs, connectMs, connectionBytesMax },
    async (openSockets) => {
      const addresses = await openSockets.withinDeadline(resolveCheckedAddresses(first.hostname, options));
      const get = (url: URL) => getFrom(url, addresses, request, options, openSockets);
      return followRedirects(first, request, get);
    },
  );
}

/** Resolved once for all redirects (same host), which prevents DNS rebinding. */
async function resolveCheckedAddresses(host: string, options: SafeFetchOptions): Promise<readonly string[]> {
  const addresses = await options.resolve(host);
  if (addresses.length === 0) throw new OutboundFailure('no_record');
  if (!options.allowPrivate && !addresses.every(isPublicAddress)) {
    throw new OutboundFailure('refused_address');
  }
  return addresses;
}

async function getFrom(
  url: URL,
  addresses: readonly string[],
  { accept, bodyBytesMax, cutsBody }: SafeFetchRequest,
  options: SafeFetchOptions,
  openSockets: OpenSockets,
): Promise<Answer> {
  const limits = cutsBody === true ? {} : { bodyBytesMax };
  const agent = await createAgent(url, addresses, options, openSockets, limits);
  return sendRequest(url, agent, { accept, userAgent: options.userAgent ?? 'Notifier-Domain-Check/1' });
}

async function followRedirects(
  first: URL,
  request: SafeFetchRequest,
  get: (url: URL) => Promise<Answer>,
): Promise<SafeFetchResponse> {
  let url = first;
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const answer = await get(url);
    if (!isRedirect(answer)) return await finalResponse(answer, request);
    discardBody(answer);
    url = admittedUrl(locationOf(answer, url), url);
  }
  throw new OutboundFailure('redirect');
}

async function finalResponse(answer: Answer, request: SafeFetchRequest): Promise<SafeFetchResponse> {
  const contentType = headerOf(answer, 'content-type');
  if (answer.statusCode !== 200) {
    discardBody(answer);
    return { status: answer.statusCode, contentType, bytes: Buffer.alloc(0) };
  }
  const bothLengths =
    headerOf(answer, 'transfer-encoding') !== null && headerOf(answer, 'content-length') !== null;
  const body = bothLengths ? null : decompressBody(answer);
  if (body === null) {
    discardBody(answer);
    throw new OutboundFailure('bad_response');
  }
  return { status: 200, contentType, bytes: await readBody(body, request) };
}

/** Limits calls of `isEnough`, which cost time proportional to the page. */
const earlyChecksMax = 8;

/** Whether the last chunk has `<body`, possibly begun in the one before. */
function endsHead(chunks: readonly Buffer[]): boolean {
  const [before, last] = chunks.slice(-2).map((each) => each.toString('latin1'));
  return /<body/i.test(last === undefined ? (before ?? '') : `${before?.slice(-5)}${last}`);
}

async function readBody(
  body: AsyncIterable<Buffer>,
  { bodyBytesMax, cutsBody = false, isEnough }: SafeFetchRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let checks = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (isEnough !== undefined && checks < earlyChecksMax && endsHead(chunks)) {
        checks += 1;
        if (isEnough(Buffer.concat(chunks))) break;
      }
      if (bytes <= bodyBytesMax) continue;
      if (!cutsBody) throw new OutboundFailure('too_large');
      return Buffer.concat(chunks, bodyBytesMax);
    }
  } catch (error) {
    const failure = toOutboundFailure(error, 'bad_response');
    // A reset after the headers is a truncated body.
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

// http(s), standard port, no credentials; after a redirect the same host, and no downgrade from https.
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
