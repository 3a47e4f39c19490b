// What requests to addresses that people wrote share: one deadline, bounded bytes, and every address judged
// before it is dialled.
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import type { Allowed } from './allowed.ts';
import { type Connect, connectDirectly, type DialOptions, dial } from './dial.ts';
import { failureOf, OutboundFailure } from './failure.ts';

interface WayToDial {
  /** Certificate authorities instead of the system's; for tests and closed networks. */
  readonly ca?: DialOptions['ca'];
  /** Replaces the TCP connection, after the judgement; for tests. */
  readonly connect?: Connect;
}

export interface WayOut extends WayToDial {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: Allowed;
  readonly userAgent: string;
}

interface Bounds {
  /** Milliseconds for everything. */
  readonly deadlineMs: number;
  /** Of one connection, framing included. */
  readonly connectionBytesMax: number;
  /** Milliseconds for TCP and TLS together, each address anew. */
  readonly connectMs: number;
}

/** What is open, so that the deadline can end it. */
export interface Held extends Bounds {
  /** Has a socket end by then: at once where it is over already. */
  hold(socket: Socket): void;
  readonly agents: Set<Agent>;
  /** Work as far as the deadline lets it go. */
  inTime<T>(work: Promise<T>): Promise<T>;
}

const headerBytesMax = 16 * 1024;
const floodWatchMs = 50;

/** Does a job within its bounds; nothing that it opened outlives it. Throws OutboundFailure alone. */
export async function within<T>(bounds: Bounds, job: (held: Held) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  const agents = new Set<Agent>();
  const over = Promise.withResolvers<never>();
  let isOver = false;
  const stop = (failure: OutboundFailure): void => {
    isOver = true;
    over.reject(failure);
    for (const agent of agents) void agent.destroy(failure);
    for (const socket of sockets) socket.destroy(failure);
  };
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    // A socket that dies after its request ended has nobody left to tell.
    socket.on('error', () => {});
    // A job that was stopped at one address may go on to the next.
    if (isOver) socket.destroy();
  };
  const timer = setTimeout(() => stop(new OutboundFailure('timeout')), bounds.deadlineMs);
  const floodWatch = setInterval(() => {
    const isFlood = [...sockets].some((socket) => socket.bytesRead > bounds.connectionBytesMax);
    if (isFlood) stop(new OutboundFailure('too_large'));
  }, floodWatchMs);
  const inTime = <W>(work: Promise<W>): Promise<W> => Promise.race([work, over.promise]);
  try {
    return await inTime(job({ ...bounds, hold, agents, inTime }));
  } catch (error) {
    throw failureOf(error, 'bad_response');
  } finally {
    isOver = true;
    clearTimeout(timer);
    clearInterval(floodWatch);
    over.promise.catch(() => {});
    for (const agent of agents) void agent.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

/** An address of the web without credentials; throws for anything else. */
export function admittedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !isAdmitted(url)) throw new OutboundFailure('refused_address');
  return url;
}

/** Whether it is an address of the web without credentials. */
export function isAdmitted({ protocol, username, password }: URL): boolean {
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Asked once: what was judged is what is connected to. */
export async function judgedAddresses(host: string, way: WayOut): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await addressesOf(host, way) : [host];
  if (addresses.length === 0) throw new OutboundFailure('no_record');
  if (!addresses.every((address) => way.allowed.mayReach(host, address))) {
    throw new OutboundFailure('refused_address');
  }
  return addresses;
}

/** A host that the operator named may be one that only this machine knows (/etc/hosts). */
async function addressesOf(host: string, { allowed, resolve }: WayOut): Promise<readonly string[]> {
  if (!allowed.hasHost(host)) return resolve(host);
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Without the brackets of an IPv6 address, or the dot at the end of a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Connects to judged addresses; what stands is held. Throws OutboundFailure. */
export function dialHeld(
  target: { readonly addresses: readonly string[]; readonly host: string; readonly port: number },
  secure: boolean,
  { ca, connect = connectDirectly }: WayToDial,
  held: Held,
): Promise<Socket | TLSSocket> {
  // An address that never answers leaves the other family its part of the time.
  const families = new Set(target.addresses.map(isIP)).size;
  const connectMs = Math.min(held.connectMs, held.deadlineMs / families);
  return dial({ ...target, secure }, { connect, ca, connectMs, opened: held.hold });
}

interface AgentOptions {
  readonly arrived?: (socket: Socket | TLSSocket) => void;
  readonly bodyBytesMax?: number;
}

/** An agent that leads to the judged addresses of one URL's host and nowhere else. */
export function agentTo(
  url: URL,
  addresses: readonly string[],
  way: WayToDial,
  held: Held,
  { arrived, bodyBytesMax }: AgentOptions = {},
): Agent {
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const agent = new Agent({
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    ...(bodyBytesMax === undefined ? {} : { maxResponseSize: bodyBytesMax }),
    connect: (_target, done) => {
      dialHeld({ addresses, host: hostOf(url), port }, secure, way, held).then(
        (socket) => {
          arrived?.(socket);
          done(null, socket);
        },
        (error) => done(error, null),
      );
    },
  });
  held.agents.add(agent);
  return agent;
}

export type Answer = Dispatcher.ResponseData;

const informationalMax = 8;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What is sent beside the address. */
export interface Sent {
  readonly method: Dispatcher.HttpMethod;
  /** In place of what is usual where they have the same name. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Empty for none. */
  readonly body: string;
}

export const plainGet: Sent = { method: 'GET', headers: [], body: '' };

/** One request, whatever is answered; of answers that only inform there are a few at most. */
export async function askOnce(
  url: URL,
  dispatcher: Agent,
  { accept, userAgent }: { readonly accept: string; readonly userAgent: string },
  { method, headers, body }: Sent = plainGet,
): Promise<Answer> {
  const abort = new AbortController();
  let informational = 0;
  return await undiciRequest(url, {
    method,
    dispatcher,
    signal: abort.signal,
    headers: {
      accept,
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(body === '' ? {} : { 'content-type': typeOf(body) }),
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(body === '' ? {} : { body }),
    onInfo: () => {
      informational += 1;
      if (informational > informationalMax) abort.abort(new OutboundFailure('bad_response'));
    },
  });
}

function typeOf(body: string): string {
  return /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain; charset=utf-8';
}

/** Whether it leads elsewhere. */
export function isRedirect({ statusCode }: Answer): boolean {
  return redirectStatuses.has(statusCode);
}

/** Hangs up on a body that nobody reads. */
export function discard({ body }: Answer): void {
  body.on('error', () => {});
  body.destroy();
}
