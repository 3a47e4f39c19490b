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
  readonly checkIntervalMs: number;
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

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly isProxy: boolean;
  request: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | null;
  unfinished: Request | null;
  unread: UnreadAnswer | null;
}

/** Feed it the server's events; `watch` closes what is overdue. Sets keep insertion order: the first is the oldest. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #idle = new Set<Connection>();
  readonly #unfinished = new Set<Request>();
  readonly #connectionsOf = groups<Connection>();
  readonly #unfinishedOf = groups<Request>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  onConnection(socket: Socket): Connection {
    const { limits, ofSocket } = this.#options;
    const connection: Connection = {
      socket,
      ...ofSocket(socket),
      request: null,
      unfinished: null,
      unread: null,
    };
    this.#bySocket.set(socket, connection);
    this.#idle.add(connection);
    this.#connectionsOf.add(connection.address, connection);
    lingerOnClose(socket, () => connection.request?.incoming ?? null);
    socket.once('close', () => this.#closed(connection));
    if (this.#bySocket.size > limits.connectionsMax) this.#drop(this.#leastMissed(connection));
    const { ofAddress } = limits;
    if (ofAddress === null || connection.isProxy) return connection;
    if (this.#connectionsOf.of(connection.address).size > ofAddress.connectionsMax) {
      const victim = this.#leastMissedOf(this.#connectionsOf.of(connection.address));
      if (victim !== null) this.#drop(victim);
    }
    return connection;
  }

  /** To be called first for every request. */
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#bySocket.get(incoming.socket) ?? this.onConnection(incoming.socket);
    connection.request = { incoming, outgoing };
    this.#idle.delete(connection);
    const request = mayHaveBody(incoming) ? this.#beginBody(connection, incoming, outgoing) : null;
    outgoing.once('close', () => {
      if (request !== null) this.#answered(request);
      if (connection.request?.incoming === incoming && this.#bySocket.has(connection.socket))
        this.#idle.add(connection);
    });
    const { ofAddress } = this.#options.limits;
    if (request === null || ofAddress === null) return;
    const requests = this.#unfinishedOf.of(request.address);
    if (requests.size <= ofAddress.unfinishedMax) return;
    for (const each of requests) if (each.incoming.complete) this.#finish(each);
    if (requests.size > ofAddress.unfinishedMax) this.#crowdOut(requests);
  }

  #beginBody(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): Request {
    const nowMs = this.#options.clock();
    const request: Request = {
      connection,
      incoming,
      outgoing,
      bodyState: trackBody(incoming),
      address: connection.isProxy ? this.#options.ofRequest(incoming) : connection.address,
      beganAtMs: nowMs,
      isAnswered: false,
      movedBytes: 0,
      movedAtMs: nowMs,
    };
    connection.unfinished = request;
    this.#unfinished.add(request);
    this.#unfinishedOf.add(request.address, request);
    return request;
  }

  /** A connection whose body is incomplete is not idle. */
  #answered(request: Request): void {
    request.isAnswered = true;
    if (request.incoming.complete || request.connection.socket.destroyed) this.#finish(request);
    request.bodyState.end();
  }

  #finish(request: Request): void {
    if (!this.#unfinished.delete(request)) return;
    this.#unfinishedOf.remove(request.address, request);
    if (request.connection.unfinished === request) request.connection.unfinished = null;
  }

  #closed(connection: Connection): void {
    this.#forget(connection);
    const { unfinished } = connection;
    if (unfinished === null) return;
    this.#finish(unfinished);
    if (!unfinished.incoming.complete && !unfinished.isAnswered) {
      unfinished.bodyState.break(new ClientAborted('the connection was closed'));
    }
  }

  #forget(connection: Connection): void {
    if (!this.#bySocket.delete(connection.socket)) return;
    this.#idle.delete(connection);
    this.#connectionsOf.remove(connection.address, connection);
  }

  /** Invalid HTTP on a connection. True if a running request was told and answers itself. */
  onClientError(socket: Socket): boolean {
    const request = this.#bySocket.get(socket)?.unfinished ?? null;
    if (request === null || request.incoming.complete) return false;
    this.#breakBody(request, new BodyMalformed());
    return true;
  }

  /** If the answer has been sent, only the connection is closed. */
  #breakBody(request: Request, reason: Error): void {
    const { outgoing, incoming, connection } = request;
    this.#finish(request);
    if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
    if (outgoing.writableEnded) closeGently(connection.socket, incoming);
    if (!request.isAnswered) request.bodyState.break(reason);
  }

  watch(): NodeJS.Timeout {
    return setInterval(() => this.closeOverdue(), this.#options.limits.checkIntervalMs).unref();
  }

  closeOverdue(): void {
    const { clock, limits } = this.#options;
    const nowMs = clock();
    for (const request of this.#unfinished) {
      const { incoming, bodyState } = request;
      if (incoming.complete) {
        this.#finish(request);
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
      if (isOverdue(progress, limits.timeouts)) this.#breakBody(request, new BodyStalled());
    }
    for (const connection of this.#bySocket.values()) {
      checkReader(connection, this.#idle.has(connection), nowMs, limits.timeouts.readers);
    }
  }

  closeIdle(): void {
    for (const { socket } of this.#idle) socket.end();
  }

  counts(): { readonly connections: number; readonly unfinished: number } {
    for (const request of this.#unfinished) if (request.incoming.complete) this.#finish(request);
    return { connections: this.#bySocket.size, unfinished: this.#unfinished.size };
  }

  /** Unread for so long that newcomers come first. */
  #isLeftUnread({ unread }: Connection): boolean {
    const { clock, limits } = this.#options;
    return unread !== null && clock() - unread.sinceMs >= limits.timeouts.readers.graceMs;
  }

  /** Oldest idle, oldest with an incomplete request, one with an unread answer, else the newcomer. */
  #leastMissed(newcomer: Connection): Connection {
    for (const connection of this.#idle) if (connection !== newcomer) return connection;
    for (const request of this.#unfinished) {
      if (!request.incoming.complete) return request.connection;
      this.#finish(request);
    }
    for (const connection of this.#bySocket.values()) if (this.#isLeftUnread(connection)) return connection;
    return newcomer;
  }

  #leastMissedOf(connections: ReadonlySet<Connection>): Connection | null {
    for (const connection of connections) if (this.#idle.has(connection)) return connection;
    for (const connection of connections)
      if (connection.unfinished?.incoming.complete === false) return connection;
    for (const connection of connections) if (this.#isLeftUnread(connection)) return connection;
    return null;
  }

  /** Behind a proxy only the request is refused, since the connection carries others. */
  #crowdOut([oldest]: Iterable<Request>): void {
    if (oldest === undefined) return;
    if (oldest.connection.isProxy) this.#breakBody(oldest, createOverloadError());
    else this.#drop(oldest.connection);
  }

  #drop(connection: Connection): void {
    // Frees the slot at once; the close event comes later.
    this.#forget(connection);
    connection.socket.destroy();
  }
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function groups<T>() {
  const byName = new Map<string, Set<T>>();
  const of = (name: string): ReadonlySet<T> => byName.get(name) ?? new Set();
  return {
    of,
    add(name: string, member: T) {
      const group = byName.get(name);
      if (group === undefined) byName.set(name, new Set([member]));
      else group.add(member);
    },
    remove(name: string, member: T) {
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

/** Node's socket timeout does not do, since incoming data restarts it. */
function checkReader(
  reader: Connection,
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
