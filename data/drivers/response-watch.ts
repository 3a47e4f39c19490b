// Detects a silent server with open connections: its own limits do not help, and client ones must be longer.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/core/errors.ts';

export interface ResponseWatch {
  /** Runs a query. While the server is silent, rejects with StoreUnavailableError without running it. */
  track<T>(query: () => Promise<T>): Promise<T>;
  /** Calls `listener` when the server becomes silent; returns the function that removes it. */
  onSilent(listener: () => void): () => void;
  /** Makes the socket of a connection: watched, and destroyed when the server becomes silent. */
  socket(): Socket;
  end(): void;
}

export interface ResponseWatchOptions {
  /** Whether the server answers a new connection within about `aliveTimeoutMs`. Never rejects. */
  readonly isAlive: () => Promise<boolean>;
  readonly checkIntervalMs?: number | undefined;
}

const defaultCheckIntervalMs = 200;
/** After this many checks without a byte while a query waits, a new connection is tried. */
const checksBeforeProbe = 2;
/** After this many (1.4 seconds) without an answer to that either, the server counts as silent. */
const checksBeforeEnd = 7;
export const aliveTimeoutMs = (checksBeforeEnd - checksBeforeProbe) * defaultCheckIntervalMs;

// Counts checks, not time: a blocked event loop reads bytes first. A slow query's new connection is answered.
export function createResponseWatch({
  isAlive,
  checkIntervalMs = defaultCheckIntervalMs,
}: ResponseWatchOptions): ResponseWatch {
  const bytesReadBySocket = new Map<Socket, number>();
  const listeners = new Set<() => void>();
  let waiting = 0;
  let quietChecks = 0;
  let isSilent = false;
  let isOver = false;
  const timer = setInterval(checkSockets, checkIntervalMs).unref();

  function checkSockets(): void {
    let hasReceived = false;
    for (const [socket, bytes] of bytesReadBySocket) {
      if (socket.bytesRead === bytes) continue;
      bytesReadBySocket.set(socket, socket.bytesRead);
      hasReceived = true;
    }
    quietChecks = hasReceived || waiting === 0 || isSilent ? 0 : quietChecks + 1;
    if (quietChecks === checksBeforeProbe) void checkAlive();
    if (quietChecks >= checksBeforeEnd) void declareSilent();
  }
  async function checkAlive(): Promise<void> {
    if (await isAlive()) quietChecks = 0;
  }
  async function declareSilent(): Promise<void> {
    isSilent = true;
    for (const socket of bytesReadBySocket.keys()) socket.destroy();
    for (const listener of listeners) listener();
    while (!isOver && !(await isAlive())) await sleep(checkIntervalMs, undefined, { ref: false });
    isSilent = false;
  }
  return {
    async track(query) {
      if (isSilent) throw new StoreUnavailableError('The database does not respond.');
      waiting += 1;
      try {
        return await query();
      } finally {
        waiting -= 1;
      }
    },
    onSilent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    socket() {
      const socket = new Socket();
      bytesReadBySocket.set(socket, 0);
      return socket.once('close', () => bytesReadBySocket.delete(socket));
    },
    end() {
      isOver = true;
      clearInterval(timer);
    },
  };
}
