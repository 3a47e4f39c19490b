// Who is connected: how many at most, how many of one address, and for how long a body may take (D-18, D-20).
// A connection is idle, or its request is still coming, or its request is whole and being answered: the last
// kind is closed from here only where its answer waits for a reader who takes nothing of it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { overloaded } from '../../core/errors.ts';
import { beginLife, ClientAborted, type WatchedLife } from '../bodies/body-life.ts';
import { BodyMalformed, BodyStalled, isOverdue, type Patience } from '../bodies/body-patience.ts';
import { closeGently, lingerOnClose } from './linger.ts';

export interface ConnectionLimits {
  readonly patience: Patience;
  /** Connections of all together. */
  readonly connectionsMax: number;
  /** Of one address: its connections, and the unfinished ones of them. Null: addresses are not counted. */
  readonly ofAddress: { readonly connectionsMax: number; readonly unfinishedMax: number } | null;
}

export interface ConnectionsParts {
  readonly limits: ConnectionLimits;
  /** What a connection is counted by, and whether it is a trusted proxy, behind which many come. */
  readonly ofSocket: (socket: Socket) => { readonly address: string; readonly isProxy: boolean };
  /** What the address of a request's client is counted by. */
  readonly ofRequest: (incoming: IncomingMessage) => string;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
}

export interface Connections {
  /** For a server's event `connection`. */
  opened(socket: Socket): void;
  /** For every request, before anything else is done with it. */
  began(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /**
   * What a connection was sending is no HTTP any more. True when a request under way was told, and answers
   * for itself.
   */
  broke(socket: Socket): boolean;
  /** Ends what is overdue; to be called about once a second. */
  look(): void;
  /** Says to idle connections that no answer will come on them. */
  closeIdle(): void;
  /** Connections now, and requests of which something is still to come. */
  counts(): { readonly connections: number; readonly unfinished: number };
}

interface Request {
  readonly connection: Connection;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly life: WatchedLife;
  readonly address: string;
  readonly beganAtMs: number;
  /** Its answer is out, though not all of it has come: the rest is watched like any body. */
  isAnswered: boolean;
  /** What had come when something last moved, and when that was. */
  movedBytes: number;
  movedAtMs: number;
}

interface Connection extends Reader {
  readonly address: string;
  readonly isProxy: boolean;
  unfinished: Request | null;
}

/** Everything known; sets keep the order of coming, so that the first is the oldest. */
interface State {
  readonly parts: ConnectionsParts;
  readonly bySocket: Map<Socket, Connection>;
  readonly idle: Set<Connection>;
  readonly unfinished: Set<Request>;
  readonly connectionsOf: Groups<Connection>;
  readonly unfinishedOf: Groups<Request>;
}

/** Watches the connections of a server, none yet. */
export function watchConnections(parts: ConnectionsParts): Connections {
  const state: State = {
    parts,
    bySocket: new Map(),
    idle: new Set(),
    unfinished: new Set(),
    connectionsOf: groups(),
    unfinishedOf: groups(),
  };
  return {
    opened: (socket) => void open(state, socket),
    began: (incoming, outgoing) => began(state, incoming, outgoing),
    broke: (socket) => broke(state, socket),
    look: () => look(state),
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
  const { limits, ofSocket } = state.parts;
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
    const least = leastMissedOf(state, state.connectionsOf.of(connection.address));
    if (least !== null) drop(state, least);
  }
  return connection;
}

function began(state: State, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { parts, bySocket, idle } = state;
  const connection = bySocket.get(incoming.socket) ?? open(state, incoming.socket);
  connection.request = { incoming, outgoing };
  idle.delete(connection);
  const request = mayHaveBody(incoming) ? beginBody(state, connection, incoming, outgoing) : null;
  outgoing.once('close', () => {
    if (request !== null) answered(state, request);
    if (connection.request?.incoming === incoming && bySocket.has(connection.socket)) idle.add(connection);
  });
  const { ofAddress } = parts.limits;
  if (request === null || ofAddress === null) return;
  const isOver = (): boolean => state.unfinishedOf.of(request.address).size > ofAddress.unfinishedMax;
  if (!isOver()) return;
  const own = state.unfinishedOf.of(request.address);
  for (const each of own) if (each.incoming.complete) finish(state, each);
  if (isOver()) crowdOut(state, own);
}

function beginBody(
  state: State,
  connection: Connection,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Request {
  const nowMs = state.parts.clock();
  const request: Request = {
    connection,
    incoming,
    outgoing,
    life: beginLife(incoming),
    address: connection.isProxy ? state.parts.ofRequest(incoming) : connection.address,
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

/** What its sender still owes stays watched: a connection whose body never ends is no idle one. */
function answered(state: State, request: Request): void {
  request.isAnswered = true;
  if (request.incoming.complete || request.connection.socket.destroyed) finish(state, request);
  request.life.end();
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Nothing of it is to come any more. */
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
    unfinished.life.break(new ClientAborted('the connection was closed'));
  }
}

function forget(state: State, connection: Connection): void {
  if (!state.bySocket.delete(connection.socket)) return;
  state.idle.delete(connection);
  state.connectionsOf.remove(connection.address, connection);
}

function broke(state: State, socket: Socket): boolean {
  const connection = state.bySocket.get(socket);
  const request = connection?.unfinished ?? null;
  if (request === null || request.incoming.complete) return false;
  breakBody(state, request, new BodyMalformed());
  return true;
}

/** Tells whoever reads it or waits with it; where the answer is out already, only the connection is ended. */
function breakBody(state: State, request: Request, reason: Error): void {
  const { outgoing, incoming, connection } = request;
  finish(state, request);
  if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  if (outgoing.writableEnded) closeGently(connection.socket, incoming);
  if (!request.isAnswered) request.life.break(reason);
}

function look(state: State): void {
  const { clock, limits } = state.parts;
  const nowMs = clock();
  for (const request of state.unfinished) {
    const { incoming, life } = request;
    if (incoming.complete) {
      finish(state, request);
      continue;
    }
    // While we do not let it come, it does not rest.
    if (life.receivedBytes !== request.movedBytes || !life.isHeard) {
      request.movedBytes = life.receivedBytes;
      request.movedAtMs = nowMs;
    }
    const progress = {
      isStreamed: life.isStreamed && !request.isAnswered,
      ageMs: nowMs - request.beganAtMs,
      restMs: nowMs - request.movedAtMs,
      receivedBytes: life.receivedBytes,
    };
    if (isOverdue(progress, limits.patience)) breakBody(state, request, new BodyStalled());
  }
  for (const connection of state.bySocket.values()) {
    lookAtReader(connection, state.idle.has(connection), nowMs, limits.patience.readers);
  }
}

function isUnread({ parts: { clock, limits } }: State, connection: Connection): boolean {
  return isLeftUnread(connection, clock(), limits.patience.readers);
}

/** The oldest idle connection, the oldest unfinished request's, who leaves an answer unread, the newcomer. */
function leastMissed(state: State, newcomer: Connection): Connection {
  for (const connection of state.idle) if (connection !== newcomer) return connection;
  for (const request of state.unfinished) {
    if (!request.incoming.complete) return request.connection;
    finish(state, request);
  }
  for (const connection of state.bySocket.values()) if (isUnread(state, connection)) return connection;
  return newcomer;
}

/** The same among those of one address; what is being answered and read stays. */
function leastMissedOf(state: State, own: ReadonlySet<Connection>): Connection | null {
  for (const connection of own) if (state.idle.has(connection)) return connection;
  for (const connection of own) if (connection.unfinished?.incoming.complete === false) return connection;
  for (const connection of own) if (isUnread(state, connection)) return connection;
  return null;
}

/** The oldest of an address goes. A proxy's connection is others' too: there the request alone is refused. */
function crowdOut(state: State, own: ReadonlySet<Request>): void {
  const [oldest] = own;
  if (oldest === undefined) return;
  if (oldest.connection.isProxy) breakBody(state, oldest, overloaded());
  else drop(state, oldest.connection);
}

function drop(state: State, connection: Connection): void {
  // Its place is free at once: the event that tells of its end comes later.
  forget(state, connection);
  connection.socket.destroy();
}

interface Groups<T> {
  add(name: string, member: T): void;
  remove(name: string, member: T): void;
  of(name: string): ReadonlySet<T>;
}

/** No sets yet. */
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

/** An answer of which the system has not yet taken all. */
interface UnreadAnswer {
  readonly outgoing: ServerResponse;
  /** When that was first seen. */
  readonly sinceMs: number;
  /** Bytes that it has not taken, and when it took some of them last. */
  readonly bytes: number;
  readonly movedAtMs: number;
}

/** A connection, as far as it is read. */
interface Reader {
  readonly socket: Socket;
  /** The latest; kept-alive connections have many, one after another. */
  request: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | null;
  /** Its answer, where that waited for its reader at the last look. */
  unread: UnreadAnswer | null;
}

/**
 * Notes whether an answer waits for its reader, and closes the connection where nothing was taken of it for
 * `restMs`. Node's own timer of a socket would not do: whatever comes from the reader begins it anew.
 */
function lookAtReader(reader: Reader, isIdle: boolean, nowMs: number, { restMs }: Patience['readers']): void {
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

/**
 * What was written and not taken. The stream counts whole pieces, and one may be a page of megabytes; what is
 * left of the piece under way is known to the handle alone, which is Node's own and may be gone.
 */
function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** Whether its answer has waited for its reader for so long that others come first. */
function isLeftUnread({ unread }: Reader, nowMs: number, { graceMs }: Patience['readers']): boolean {
  return unread !== null && nowMs - unread.sinceMs >= graceMs;
}
