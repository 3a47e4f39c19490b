// Limits of connections, bodies and readers. After a complete request only an unread answer closes one here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createOverloadError } from '../../core/errors.ts';
import { type BodyState, ClientAborted, trackBody } from '../bodies/body-state.ts';
import { BodyMalformed, BodyStalled, type BodyTimeouts, isOverdue } from '../bodies/body-timeouts.ts';
import { closeGently, lingerOnClose } from './lingering-close.ts';

export interface ConnectionLimits {
  readonly timeouts: BodyTimeouts;
  readonly connectionsMax: number;
  /** Per address; null if addresses are not counted. */
  readonly ofAddress: { readonly connectionsMax: number; readonly unfinishedMax: number } | null;
}

interface ConnectionsOptions {
  readonly limits: ConnectionLimits;
  /** The address to count by, and whether it is a trusted proxy, which carries many clients. */
  readonly ofSocket: (socket: Socket) => { readonly address: string; readonly isProxy: boolean };
  /** The address of the client behind a proxy. */
  readonly ofRequest: (incoming: IncomingMessage) => string;
  readonly clock: () => number;
}

export interface Connections {
  onConnection(socket: Socket): void;
  /** To be called first for every request. */
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Invalid HTTP on a connection. True if a running request was told and answers itself. */
  onClientError(socket: Socket): boolean;
  /** Closes what is overdue. Call it about once a second. */
  closeOverdue(): void;
  closeIdle(): void;
  counts(): { readonly connections: number; readonly unfinished: number };
}

interface Request {
  readonly connection: Connection;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly bodyState: BodyState;
  readonly address: string;
  readonly beganAtMs: number;
  /** Answered before its body was complete; the rest is still watched. */
  isAnswered: boolean;
  /** Received bytes at the last progress, and when that was. */
  movedBytes: number;
  movedAtMs: number;
}

interface Connection extends Reader {
  readonly address: string;
  readonly isProxy: boolean;
  unfinished: Request | null;
}

/** Sets keep insertion order, so the first member is the oldest. */
interface State {
  readonly options: ConnectionsOptions;
  readonly bySocket: Map<Socket, Connection>;
  readonly idle: Set<Connection>;
  readonly unfinished: Set<Request>;
  readonly connectionsOf: Groups<Connection>;
  readonly unfinishedOf: Groups<Request>;
}

/** Feed it the server's events; call `closeOverdue` once a second. */
export function watchConnections(options: ConnectionsOptions): Connections {
  const state: State = {
    options,
    bySocket: new Map(),
    idle: new Set(),
    unfinished: new Set(),
    connectionsOf: groups(),
    unfinishedOf: groups(),
  };
  return {
    onConnection: (socket) => void open(state, socket),
    onRequest: (incoming, outgoing) => onRequest(state, incoming, outgoing),
    onClientError: (socket) => onClientError(state, socket),
    closeOverdue: () => closeOverdue(state),
    closeIdle() {
      for (const { socket } of state.idle) socket.end();
    },
    counts() {
      for (const request of state.unfinished) if (request.incoming.complete) finish(state, request);
      return { connections: state.bySocket.size, unfinished: state.unfinished.size };
    },
  };
}

function open(state: State, socket: Socket): Connection {
  const { limits, ofSocket } = state.options;
  const connection: Connection = {
    socket,
    ...ofSocket(socket),
    request: null,
    unfinished: null,
    unread: null,
  };
  state.bySocket.set(socket, connection);
  state.idle.add(connection);
  state.connectionsOf.add(connection.address, connection);
  lingerOnClose(socket, () => connection.request?.incoming ?? null);
  socket.once('close', () => closed(state, connection));
  if (state.bySocket.size > limits.connectionsMax) drop(state, leastMissed(state, connection));
  const { ofAddress } = limits;
  if (ofAddress === null || connection.isProxy) return connection;
  if (state.connectionsOf.of(connection.address).size > ofAddress.connectionsMax) {
    const victim = leastMissedOf(state, state.connectionsOf.of(connection.address));
    if (victim !== null) drop(state, victim);
  }
  return connection;
}

function onRequest(state: State, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { options, bySocket, idle } = state;
  const connection = bySocket.get(incoming.socket) ?? open(state, incoming.socket);
  connection.request = { incoming, outgoing };
  idle.delete(connection);
  const request = mayHaveBody(incoming) ? beginBody(state, connection, incoming, outgoing) : null;
  outgoing.once('close', () => {
    if (request !== null) answered(state, request);
    if (connection.request?.incoming === incoming && bySocket.has(connection.socket)) idle.add(connection);
  });
  const { ofAddress } = options.limits;
  if (request === null || ofAddress === null) return;
  const isOver = (): boolean => state.unfinishedOf.of(request.address).size > ofAddress.unfinishedMax;
  if (!isOver()) return;
  const requests = state.unfinishedOf.of(request.address);
  for (const each of requests) if (each.incoming.complete) finish(state, each);
  if (isOver()) crowdOut(state, requests);
}

function beginBody(
  state: State,
  connection: Connection,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Request {
  const nowMs = state.options.clock();
  const request: Request = {
    connection,
    incoming,
    outgoing,
    bodyState: trackBody(incoming),
    address: connection.isProxy ? state.options.ofRequest(incoming) : connection.address,
    beganAtMs: nowMs,
    isAnswered: false,
    movedBytes: 0,
    movedAtMs: nowMs,
  };
  connection.unfinished = request;
  state.unfinished.add(request);
  state.unfinishedOf.add(request.address, request);
  return request;
}

/** A connection whose body is incomplete is not idle. */
function answered(state: State, request: Request): void {
  request.isAnswered = true;
  if (request.incoming.complete || request.connection.socket.destroyed) finish(state, request);
  request.bodyState.end();
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function finish(state: State, request: Request): void {
  if (!state.unfinished.delete(request)) return;
  state.unfinishedOf.remove(request.address, request);
  if (request.connection.unfinished === request) request.connection.unfinished = null;
}

function closed(state: State, connection: Connection): void {
  forget(state, connection);
  const { unfinished } = connection;
  if (unfinished === null) return;
  finish(state, unfinished);
  if (!unfinished.incoming.complete && !unfinished.isAnswered) {
    unfinished.bodyState.break(new ClientAborted('the connection was closed'));
  }
}

function forget(state: State, connection: Connection): void {
  if (!state.bySocket.delete(connection.socket)) return;
  state.idle.delete(connection);
  state.connectionsOf.remove(connection.address, connection);
}

function onClientError(state: State, socket: Socket): boolean {
  const connection = state.bySocket.get(socket);
  const request = connection?.unfinished ?? null;
  if (request === null || request.incoming.complete) return false;
  breakBody(state, request, new BodyMalformed());
  return true;
}

/** If the answer has been sent, only the connection is closed. */
function breakBody(state: State, request: Request, reason: Error): void {
  const { outgoing, incoming, connection } = request;
  finish(state, request);
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  if (outgoing.writableEnded) closeGently(connection.socket, incoming);
  if (!request.isAnswered) request.bodyState.break(reason);
}

function closeOverdue(state: State): void {
  const { clock, limits } = state.options;
  const nowMs = clock();
  for (const request of state.unfinished) {
    const { incoming, bodyState } = request;
    if (incoming.complete) {
      finish(state, request);
      continue;
    }
    // A paused body does not time out.
    if (bodyState.receivedBytes !== request.movedBytes || !bodyState.isListening) {
      request.movedBytes = bodyState.receivedBytes;
      request.movedAtMs = nowMs;
    }
    const progress = {
      isStreamed: bodyState.isStreamed && !request.isAnswered,
      ageMs: nowMs - request.beganAtMs,
      restMs: nowMs - request.movedAtMs,
      receivedBytes: bodyState.receivedBytes,
    };
    if (isOverdue(progress, limits.timeouts)) breakBody(state, request, new BodyStalled());
  }
  for (const connection of state.bySocket.values()) {
    checkReader(connection, state.idle.has(connection), nowMs, limits.timeouts.readers);
  }
}

function isUnread({ options: { clock, limits } }: State, connection: Connection): boolean {
  return isLeftUnread(connection, clock(), limits.timeouts.readers);
}

/** Oldest idle, oldest with an incomplete request, one with an unread answer, else the newcomer. */
function leastMissed(state: State, newcomer: Connection): Connection {
  for (const connection of state.idle) if (connection !== newcomer) return connection;
  for (const request of state.unfinished) {
    if (!request.incoming.complete) return request.connection;
    finish(state, request);
  }
  for (const connection of state.bySocket.values()) if (isUnread(state, connection)) return connection;
  return newcomer;
}

function leastMissedOf(state: State, connections: ReadonlySet<Connection>): Connection | null {
  for (const connection of connections) if (state.idle.has(connection)) return connection;
  for (const connection of connections)
    if (connection.unfinished?.incoming.complete === false) return connection;
  for (const connection of connections) if (isUnread(state, connection)) return connection;
  return null;
}

/** Behind a proxy only the request is refused, since the connection carries others. */
function crowdOut(state: State, requests: ReadonlySet<Request>): void {
  const [oldest] = requests;
  if (oldest === undefined) return;
  if (oldest.connection.isProxy) breakBody(state, oldest, createOverloadError());
  else drop(state, oldest.connection);
}

function drop(state: State, connection: Connection): void {
  // Frees the slot at once; the close event comes later.
  forget(state, connection);
  connection.socket.destroy();
}

interface Groups<T> {
  add(name: string, member: T): void;
  remove(name: string, member: T): void;
  of(name: string): ReadonlySet<T>;
}

function groups<T>(): Groups<T> {
  const byName = new Map<string, Set<T>>();
  const of = (name: string): ReadonlySet<T> => byName.get(name) ?? new Set();
  return {
    of,
    add(name, member) {
      const group = byName.get(name);
      if (group === undefined) byName.set(name, new Set([member]));
      else group.add(member);
    },
    remove(name, member) {
      const group = byName.get(name);
      if (group?.delete(member) !== true) return;
      if (group.size === 0) byName.delete(name);
    },
  };
}

interface UnreadAnswer {
  readonly outgoing: ServerResponse;
  readonly sinceMs: number;
  /** Bytes not yet accepted by the system, and when that number last changed. */
  readonly bytes: number;
  readonly movedAtMs: number;
}

interface Reader {
  readonly socket: Socket;
  request: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | null;
  unread: UnreadAnswer | null;
}

/** Node's socket timeout does not do, since incoming data restarts it. */
function checkReader(
  reader: Reader,
  isIdle: boolean,
  nowMs: number,
  { restMs }: BodyTimeouts['readers'],
): void {
  const { socket, request, unread } = reader;
  if (isIdle || request === null || socket.writableLength === 0) {
    reader.unread = null;
    return;
  }
  const { outgoing } = request;
  const bytes = waitingBytes(socket);
  const isSame = unread?.outgoing === outgoing;
  if (isSame && unread.bytes === bytes) {
    if (nowMs - unread.movedAtMs >= restMs) socket.destroy();
  } else {
    reader.unread = { outgoing, bytes, sinceMs: isSame ? unread.sinceMs : nowMs, movedAtMs: nowMs };
  }
}

/** The stream counts whole chunks; only Node's internal handle knows the rest of one. */
function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** Unread for so long that newcomers come first. */
function isLeftUnread({ unread }: Reader, nowMs: number, { graceMs }: BodyTimeouts['readers']): boolean {
  return unread !== null && nowMs - unread.sinceMs >= graceMs;
}

// Pipelined requests (RFC 9112, section 9.3.2) run one after another, each in its own tick.

/** More than any client pipelines. The connection closes, since answers must keep their order. */
const waitingMax = 64;

type Begin = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Waiting {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly begin: Begin;
}

const lines = new WeakMap<IncomingMessage['socket'], Waiting[]>();

/** Calls `begin` now, or when all earlier requests of the connection are answered; never if it closes. */
export function runPipelined(incoming: IncomingMessage, outgoing: ServerResponse, begin: Begin): void {
  const { socket } = incoming;
  const line = lines.get(socket);
  if (line === undefined) {
    lines.set(socket, []);
    beginNow({ incoming, outgoing, begin });
  } else if (line.push({ incoming, outgoing, begin }) > waitingMax) {
    socket.destroy();
  }
}

function beginNow({ incoming, outgoing, begin }: Waiting): void {
  const { socket } = incoming;
  outgoing.once('close', () => {
    const next = lines.get(socket)?.shift();
    if (next === undefined || socket.destroyed) lines.delete(socket);
    else setImmediate(beginNow, next);
  });
  begin(incoming, outgoing);
}
