// What requests to addresses that people wrote share: one deadline, bounded bytes, and every address judged
// before it is dialled.
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Agent } from 'undici';
import type { Allowed } from './allowed.ts';
import { connectDirectly, type DialOptions, dial } from './dial.ts';
import { failureOf, OutboundFailure } from './failure.ts';

export interface WayOut {
  /** All addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: Allowed;
  readonly userAgent: string;
  /** Certificate authorities instead of the system's; for tests and closed networks. */
  readonly ca?: DialOptions['ca'];
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
  readonly sockets: Set<Socket>;
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
  const stop = (failure: OutboundFailure): void => {
    over.reject(failure);
    for (const agent of agents) void agent.destroy(failure);
    for (const socket of sockets) socket.destroy(failure);
  };
  const timer = setTimeout(() => stop(new OutboundFailure('timeout')), bounds.deadlineMs);
  const floodWatch = setInterval(() => {
    const isFlood = [...sockets].some((socket) => socket.bytesRead > bounds.connectionBytesMax);
    if (isFlood) stop(new OutboundFailure('too_large'));
  }, floodWatchMs);
  const inTime = <W>(work: Promise<W>): Promise<W> => Promise.race([work, over.promise]);
  try {
    return await inTime(job({ ...bounds, sockets, agents, inTime }));
  } catch (error) {
    throw failureOf(error, 'bad_response');
  } finally {
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
  const isPlain = url !== null && url.username === '' && url.password === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) throw new OutboundFailure('refused_address');
  return url;
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
  { ca }: WayOut,
  held: Held,
): Promise<Socket | TLSSocket> {
  const opened = (socket: Socket): void => {
    held.sockets.add(socket);
    // A socket that dies after its request ended has nobody left to tell.
    socket.on('error', () => {});
  };
  return dial({ ...target, secure }, { connect: connectDirectly, ca, connectMs: held.connectMs, opened });
}

/** An agent that leads to the judged addresses of one URL's host and nowhere else. */
export function agentTo(
  url: URL,
  addresses: readonly string[],
  way: WayOut,
  held: Held,
  arrived: (socket: Socket | TLSSocket) => void = () => {},
): Agent {
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const agent = new Agent({
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    connect: (_target, done) => {
      dialHeld({ addresses, host: hostOf(url), port }, secure, way, held).then(
        (socket) => {
          arrived(socket);
          done(null, socket);
        },
        (error) => done(error, null),
      );
    },
  });
  held.agents.add(agent);
  return agent;
}
