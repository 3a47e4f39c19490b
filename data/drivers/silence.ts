// Notices a server that falls silent: its connections stay, and nothing comes through them any more. Limits
// that the server keeps are of no use then, and ours must be longer than those.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/core/errors.ts';

export interface SilenceWatch {
  /**
   * Asks, and counts as waiting until the answer is there. Rejects with StoreUnavailable, without asking,
   * while the server is silent.
   */
  ask<T>(ask: () => Promise<T>): Promise<T>;
  /** Calls once the server falls silent, until the function that it answers is called. */
  onSilent(listener: () => void): () => void;
  /** For a connection: heard by this watch, and ended where the server falls silent. */
  socket(): Socket;
  end(): void;
}

export interface SilenceParts {
  /** Whether the server answers whoever comes anew, within some `aliveMsMax`. Never rejects. */
  readonly isAlive: () => Promise<boolean>;
  /** How often it is looked; milliseconds. */
  readonly lookMs?: number | undefined;
}

const usualLookMs = 200;
/** So many looks without a byte while somebody waits, and the server is asked how it is. */
const looksToAsk = 2;
/** So many, that question without an answer, and it is silent: 1.4 seconds. */
const looksToEnd = 7;
/** For the question, until nobody waits for it any more. */
export const aliveMsMax = (looksToEnd - looksToAsk) * usualLookMs;

/**
 * Counts looks and not time: between two of them whatever came was read, so a thread of ours that stood still
 * takes no server for silent. Neither does one statement that takes long: whoever comes anew is answered
 * beside it.
 */
export function silenceWatch({ isAlive, lookMs = usualLookMs }: SilenceParts): SilenceWatch {
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
  /** All who wait are told, and nobody asks before somebody who came anew was answered. */
  async function beSilent(): Promise<void> {
    isSilent = true;
    for (const socket of heard.keys()) socket.destroy();
    for (const listener of listeners) listener();
    while (!isOver && !(await isAlive())) await sleep(lookMs, undefined, { ref: false });
    isSilent = false;
  }
  return {
    async ask(question) {
      if (isSilent) throw new StoreUnavailable('The database is silent.');
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
