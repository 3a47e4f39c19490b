// State of a request body that is shared by its readers and connections.ts.
import type { IncomingMessage } from 'node:http';
import type { AbortNotice } from '../../core/concurrency-limit.ts';
import type { RestError } from '../../core/errors.ts';
import type { WorkerSlot } from '../../core/ports/large-body-reader.ts';

/** The client disconnected before its body was complete, so there is nobody to answer. */
export class ClientAborted extends Error {
  override readonly name = 'ClientAborted';
}

export class BodyState implements AbortNotice {
  slot: WorkerSlot | null = null;
  /** Set for an envelope admitted without a turn; waits for one. Rejects with the refusal. */
  takeTurn: (() => Promise<void>) | null = null;
  receivedBytes = 0;
  /** Decompressed bytes so far; 0 if the body is not compressed. */
  inflatedBytes = 0;
  /** Charges the bytes to the rate limits after reading or failure; returns the refusal. Null: no charge. */
  charge: ((bytes: number) => Promise<RestError | null>) | null = null;
  /** Reserves disk space for bytes to be stored; returns the refusal. Null: no check. */
  admit: ((bytes: number) => RestError | null) | null = null;
  /** The body is written to disk as it arrives, so longer timeouts apply. */
  isStreamed = false;
  isListening = false;
  broken: Error | null = null;
  private readonly isWatched: boolean;
  private isOver = false;
  /** Created on demand, since most bodies are complete before anyone listens. */
  private listeners: Set<(reason: Error) => void> | null = null;
  private endListeners: Array<() => void> | null = null;

  constructor(isWatched: boolean) {
    this.isWatched = isWatched;
  }

  onLeave(listener: (reason: Error) => void): () => void {
    if (this.broken !== null) {
      listener(this.broken);
      return () => {};
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
    return () => this.listeners?.delete(listener);
  }

  /** False, and never called, if the request is already over or not watched. */
  atEnd(listener: () => void): boolean {
    if (!this.isWatched || this.isOver) return false;
    this.endListeners ??= [];
    this.endListeners.push(listener);
    return true;
  }

  end(): void {
    this.isOver = true;
    const listeners = this.endListeners;
    this.endListeners = null;
    for (const listener of listeners ?? []) listener();
  }

  /** Notifies all listeners; only the first reason counts. */
  break(reason: Error): void {
    if (this.broken !== null) return;
    this.broken = reason;
    const listeners = this.listeners;
    this.listeners = null;
    for (const listener of [...(listeners ?? [])]) listener(reason);
  }
}

const bodyStateKey = Symbol('body state');

type Request = IncomingMessage & { [bodyStateKey]?: BodyState };

export function trackBody(incoming: IncomingMessage): BodyState {
  const state = new BodyState(true);
  (incoming as Request)[bodyStateKey] = state;
  return state;
}

/** A body that is not watched gets a state that never breaks. */
export function getBodyState(incoming: IncomingMessage): BodyState {
  return (incoming as Request)[bodyStateKey] ?? new BodyState(false);
}

/** The larger of sent and decompressed bytes. */
export function chargedBytes({ receivedBytes, inflatedBytes }: BodyState): number {
  return Math.max(receivedBytes, inflatedBytes);
}
