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
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { Agent, request as undiciRequest } from 'undici';
import type { Allowed } from './allowed.ts';
import { connectDirectly, type DialOptions, dial } from './dial.ts';
import { failureOf, OutboundFailure } from './failure.ts';

export interface PostOptions {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: Allowed;
  readonly userAgent: string;
  /** Milliseconds for everything. */
  readonly deadlineMs: number;
  /** Certificate authorities instead of the system's; for tests and closed networks. */
  readonly ca?: DialOptions['ca'];
}

export interface Posted {
  readonly status: number;
  /** The beginning of what was answered. */
  readonly text: string;
}

const connectMs = 5_000;
const headerBytesMax = 16 * 1024;
const answerBytesMax = 4 * 1024;
const connectionBytesMax = 256 * 1024;
const floodWatchMs = 50;

/** Posts a body and answers the status, whatever it is. Throws OutboundFailure alone. */
export async function guardedPost(
  sent: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<Posted> {
  const sockets = new Set<Socket>();
  const over = Promise.withResolvers<never>();
  let agent: Agent | undefined;
  const stop = (failure: OutboundFailure): void => {
    over.reject(failure);
    void agent?.destroy(failure);
    for (const socket of sockets) socket.destroy(failure);
  };
  const timer = setTimeout(() => stop(new OutboundFailure('timeout')), options.deadlineMs);
  const floodWatch = setInterval(() => {
    const isFlood = [...sockets].some((socket) => socket.bytesRead > connectionBytesMax);
    if (isFlood) stop(new OutboundFailure('too_large'));
  }, floodWatchMs);
  try {
    const url = admittedUrl(sent.url);
    const addresses = await Promise.race([judgedAddresses(url, options), over.promise]);
    agent = agentTo(url, addresses, options, sockets);
    return await Promise.race([postOnce(url, sent, options, agent), over.promise]);
  } catch (error) {
    throw failureOf(error, 'bad_response');
  } finally {
    clearTimeout(timer);
    clearInterval(floodWatch);
    over.promise.catch(() => {});
    void agent?.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

function admittedUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) throw new OutboundFailure('refused_address');
  return url;
}

/** Asked once: what was judged is what is connected to. */
async function judgedAddresses(url: URL, options: PostOptions): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await addressesOf(host, options) : [host];
  if (addresses.length === 0) throw new OutboundFailure('no_record');
  if (!addresses.every((address) => options.allowed.mayReach(host, address))) {
    throw new OutboundFailure('refused_address');
  }
  return addresses;
}

/** A host that the operator named may be one that only this machine knows (/etc/hosts). */
async function addressesOf(host: string, { allowed, resolve }: PostOptions): Promise<readonly string[]> {
  if (!allowed.hasHost(host)) return resolve(host);
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Without the brackets of an IPv6 address, or the dot at the end of a name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function agentTo(url: URL, addresses: readonly string[], { ca }: PostOptions, sockets: Set<Socket>): Agent {
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const opened = (socket: Socket): void => {
    sockets.add(socket);
    // A socket that dies after its request ended has nobody left to tell.
    socket.on('error', () => {});
  };
  return new Agent({
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    connect: (_target, done) => {
      dial(
        { addresses, host: hostOf(url), port, secure },
        { connect: connectDirectly, ca, connectMs, opened },
      ).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      );
    },
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
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8', 0, answerBytesMax) };
}
