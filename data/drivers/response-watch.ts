// Detects a silent server with open connections: its own limits do not help, and client ones must be longer.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/core/errors.ts';

export interface ResponseWatch {
  /** Runs a query. While the server is silent, rejects with StoreUnavailableError without running it. */
  ask<T>(ask: () => Promise<T>): Promise<T>;
  /** Calls `listener` when the server becomes silent; returns the function that removes it. */
  onSilent(listener: () => void): () => void;
  /** Makes the socket of a connection: watched, and destroyed when the server becomes silent. */
  socket(): Socket;
  end(): void;
}

export interface ResponseWatchOptions {
  /** Whether the server answers a new connection within about `aliveTimeoutMs`. Never rejects. */
  readonly isAlive: () => Promise<boolean>;
  readonly lookMs?: number | undefined;
}

const usualLookMs = 200;
/** After this many checks without a byte while a query waits, a new connection is tried. */
const looksToAsk = 2;
/** After this many (1.4 seconds) without an answer to that either, the server counts as silent. */
const looksToEnd = 7;
export const aliveTimeoutMs = (looksToEnd - looksToAsk) * usualLookMs;

// Counts checks, not time: a blocked event loop reads bytes first. A slow query's new connection is answered.
export function createResponseWatch({ isAlive, lookMs = usualLookMs }: ResponseWatchOptions): ResponseWatch {
  const heard = new Map<Socket, number>();
  const listeners = new Set<() => void>();
  let waiting = 0;
  let quietLooks = 0;
  let isSilent = false;
  let isOver = false;
  const looking = setInterval(look, lookMs).unref();

  function look(): void {
    let isHeard = false;
    for (const [socket, bytes] of heard) {
      if (socket.bytesRead === bytes) continue;
      heard.set(socket, socket.bytesRead);
      isHeard = true;
    }
    quietLooks = isHeard || waiting === 0 || isSilent ? 0 : quietLooks + 1;
    if (quietLooks === looksToAsk) void ask();
    if (quietLooks >= looksToEnd) void beSilent();
  }
  async function ask(): Promise<void> {
    if (await isAlive()) quietLooks = 0;
  }
  async function beSilent(): Promise<void> {
    isSilent = true;
    for (const socket of heard.keys()) socket.destroy();
    for (const listener of listeners) listener();
    while (!isOver && !(await isAlive())) await sleep(lookMs, undefined, { ref: false });
    isSilent = false;
  }
  return {
    async ask(question) {
      if (isSilent) throw new StoreUnavailableError('The database is silent.');
      waiting += 1;
      try {
        return await question();
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
      heard.set(socket, 0);
      return socket.once('close', () => heard.delete(socket));
    },
    end() {
      isOver = true;
      clearInterval(looking);
    },
  };
}
