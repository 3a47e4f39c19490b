// SSRF guard of requests to user-defined URLs: address checks before connecting, deadline, byte limits.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { type Connect, connectDirectly, type DialOptions, dial } from './dial.ts';
import { OutboundFailure, toOutboundFailure } from './failure.ts';

interface DialTarget {
  readonly ca?: DialOptions['ca'];
  readonly connect?: Connect;
}

export interface OutboundAccess extends DialTarget {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: AllowedTargets;
  readonly userAgent: string;
}

interface Bounds {
  readonly deadlineMs: number;
  readonly connectionBytesMax: number;
  readonly connectMs: number;
}

/** Open sockets and agents, which the deadline destroys. */
export interface OpenSockets extends Bounds {
  /** Destroys the socket at the deadline, or now if it has passed. */
  track(socket: Socket): void;
  readonly agents: Set<Agent>;
  withinDeadline<T>(work: Promise<T>): Promise<T>;
}

const headerBytesMax = 16 * 1024;
const floodWatchMs = 50;

/** Runs `job` with its limits and closes all that it opened. @throws {OutboundFailure} */
export async function withDeadline<T>(
  bounds: Bounds,
  job: (openSockets: OpenSockets) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  const agents = new Set<Agent>();
  const stopped = Promise.withResolvers<never>();
  let isOver = false;
  const stop = (failure: OutboundFailure): void => {
    isOver = true;
    stopped.reject(failure);
    for (const agent of agents) void agent.destroy(failure);
    for (const socket of sockets) socket.destroy(failure);
  };
  const track = (socket: Socket): void => {
    sockets.add(socket);
    // Errors after the end of the request have no other listener.
    socket.on('error', () => {});
    // A stopped job may still try its next address.
    if (isOver) socket.destroy();
  };
  const timer = setTimeout(() => stop(new OutboundFailure('timeout')), bounds.deadlineMs);
  const floodWatch = setInterval(() => {
    const isFlood = [...sockets].some((socket) => socket.bytesRead > bounds.connectionBytesMax);
    if (isFlood) stop(new OutboundFailure('too_large'));
  }, floodWatchMs);
  const withinDeadline = <W>(work: Promise<W>): Promise<W> => Promise.race([work, stopped.promise]);
  try {
    return await withinDeadline(job({ ...bounds, track, agents, withinDeadline }));
  } catch (error) {
    throw toOutboundFailure(error, 'bad_response');
  } finally {
    isOver = true;
    clearTimeout(timer);
    clearInterval(floodWatch);
    stopped.promise.catch(() => {});
    for (const agent of agents) void agent.destroy();
    for (const socket of sockets) socket.destroy();
  }
}

/** Parses an http(s) URL without credentials. @throws {OutboundFailure} */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !isPlainHttpUrl(url)) throw new OutboundFailure('refused_address');
  return url;
}

export function isPlainHttpUrl({ protocol, username, password }: URL): boolean {
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Resolved once, and connections go to these addresses, which prevents DNS rebinding. */
export async function resolveAllowedAddresses(
  host: string,
  access: OutboundAccess,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await addressesOf(host, access) : [host];
  if (addresses.length === 0) throw new OutboundFailure('no_record');
  if (!addresses.every((address) => access.allowed.mayReach(host, address))) {
    throw new OutboundFailure('refused_address');
  }
  return addresses;
}

/** A host allowed by the operator may be in /etc/hosts, so the system resolver is used. */
async function addressesOf(host: string, { allowed, resolve }: OutboundAccess): Promise<readonly string[]> {
  if (!allowed.hasHost(host)) return resolve(host);
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Without the brackets of IPv6 or a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** @throws {OutboundFailure} */
export function dialWithDeadline(
  target: { readonly addresses: readonly string[]; readonly host: string; readonly port: number },
  secure: boolean,
  { ca, connect = connectDirectly }: DialTarget,
  openSockets: OpenSockets,
): Promise<Socket | TLSSocket> {
  // Each family gets its share of the time.
  const families = new Set(target.addresses.map(isIP)).size;
  const connectMs = Math.min(openSockets.connectMs, openSockets.deadlineMs / families);
  return dial({ ...target, secure }, { connect, ca, connectMs, opened: openSockets.track });
}

interface AgentOptions {
  readonly onConnected?: (socket: Socket | TLSSocket) => void;
  readonly bodyBytesMax?: number;
}

/** Undici takes 25 MiB, which a server that connects to nobody does without. */
export const loadUndici = () => import('undici');

/** An undici agent that connects only to these addresses. */
export async function createAgent(
  url: URL,
  addresses: readonly string[],
  access: DialTarget,
  openSockets: OpenSockets,
  { onConnected, bodyBytesMax }: AgentOptions = {},
): Promise<Agent> {
  const { Agent } = await openSockets.withinDeadline(loadUndici());
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const agent = new Agent({
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    ...(bodyBytesMax === undefined ? {} : { maxResponseSize: bodyBytesMax }),
    connect: (_target, done) => {
      dialWithDeadline({ addresses, host: hostOf(url), port }, secure, access, openSockets).then(
        (socket) => {
          onConnected?.(socket);
          done(null, socket);
        },
        (error) => done(error, null),
      );
    },
  });
  openSockets.agents.add(agent);
  return agent;
}

export type Answer = Dispatcher.ResponseData;

const informationalMax = 8;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface RequestContent {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
}

export const plainGet: RequestContent = { method: 'GET', headers: [], body: '' };

/** Sends one request and returns any status. Limits the number of 1xx responses. */
export async function sendRequest(
  url: URL,
  dispatcher: Agent,
  { accept, userAgent }: { readonly accept: string; readonly userAgent: string },
  { method, headers, body }: RequestContent = plainGet,
): Promise<Answer> {
  const abort = new AbortController();
  let informational = 0;
  const { request } = await loadUndici();
  return await request(url, {
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

export function isRedirect({ statusCode }: Answer): boolean {
  return redirectStatuses.has(statusCode);
}

export function discardBody({ body }: Answer): void {
  body.on('error', () => {});
  body.destroy();
}

export interface AllowedTargets {
  /** Whether the host was listed by name; then any of its addresses is allowed. */
  hasHost(host: string): boolean;
  mayReach(host: string, address: string): boolean;
}

/** NOTIFIER_FETCH_ALLOW: private hosts, addresses, or networks such as 10.0.0.0/8 that may be reached. */
export function parseAllowedTargets(entries: readonly string[]): AllowedTargets {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) {
      hosts.add(entry.toLowerCase());
      continue;
    }
    const widest = family === 4 ? 32 : 128;
    networks.addSubnet(address, Number(bits ?? widest), family === 4 ? 'ipv4' : 'ipv6');
  }
  const hasHost = (host: string): boolean => hosts.has(host.toLowerCase());
  return {
    hasHost,
    mayReach: (host, address) =>
      isPublicAddress(address) ||
      hasHost(host) ||
      (isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')),
  };
}
