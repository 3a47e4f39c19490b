// Whether the body of a request can still become whole. Whoever reads a body, or waits for a turn to read it,
// listens here: a parser that gave up, a sender that stalls or went away is told to all of them, so that each
// gives back what it holds. src/http/server/connections.ts
// finds out; hear-body.ts reads.
import type { IncomingMessage } from 'node:http';
import type { RestError } from '../../core/errors.ts';
import type { PlaceAside } from '../../core/ports/heavy-reader.ts';
import type { Leaving } from '../../core/turns.ts';

/** The client went away before its body was whole: nobody is there to answer. */
export class ClientAborted extends Error {
  override readonly name = 'ClientAborted';
}

export interface BodyLife extends Leaving {
  /** Where the event in the body is read, if that is in a thread beside this one. */
  place: PlaceAside | null;
  /**
   * Waits for the request's turn, where it goes on without one: an envelope that begins with what we do not
   * take. Rejects with the refusal.
   */
  takeTurn: (() => Promise<void>) | null;
  /** Why the body will never be whole; null while it can be. */
  readonly broken: Error | null;
  /** Bytes of the body that were heard. */
  readonly receivedBytes: number;
  /** The same of what they were made into where the body was compressed; 0 where it was not. */
  readonly inflatedBytes: number;
  /** Charges the bytes of a body once it is read, or failed; answers the refusal. Null: nobody is charged. */
  charge: ((bytes: number) => Promise<RestError | null>) | null;
  /** Asks for room on the disk for bytes that are to be kept; answers the refusal. Null: nobody is asked. */
  admit: ((bytes: number) => RestError | null) | null;
  /** Tells that so many more bytes were inflated. */
  inflated(bytes: number): void;
  /** Tells that so many more bytes of the body came. */
  received(bytes: number): void;
  /** The body goes to disk as it comes: it may take longer, as long as it keeps coming. */
  streamed(): void;
  /** Tells whether the body is let come now. */
  heard(isHeard: boolean): void;
  /**
   * Calls `listener` once the request is over: answered, or its connection gone. False, and never called,
   * where it is over already, or where nobody will know.
   */
  atEnd(listener: () => void): boolean;
}

/** The side that knows the connection. */
export interface WatchedLife extends BodyLife {
  /** Tells everybody that listens; only the first reason counts. */
  break(reason: Error): void;
  /** Tells that the request is over. */
  end(): void;
  readonly isStreamed: boolean;
  readonly isHeard: boolean;
}

const lifeOfRequest = Symbol('life of the body');

type Request = IncomingMessage & { [lifeOfRequest]?: BodyLife };

/** A life that is watched, beside its request. */
export function beginLife(incoming: IncomingMessage): WatchedLife {
  const life: WatchedLife = new Life(true);
  (incoming as Request)[lifeOfRequest] = life;
  return life;
}

/** The life of a request's body; of one that nobody watches, a life that never breaks by itself. */
export function lifeOf(incoming: IncomingMessage): BodyLife {
  return (incoming as Request)[lifeOfRequest] ?? new Life(false);
}

/** What a body is charged with: its bytes as inflated, or as sent where those are more. */
export function chargedBytes({ receivedBytes, inflatedBytes }: BodyLife): number {
  return Math.max(receivedBytes, inflatedBytes);
}

/** The life of a body; of its methods none is handed on by itself. */
class Life implements WatchedLife {
  place: PlaceAside | null = null;
  takeTurn: BodyLife['takeTurn'] = null;
  broken: Error | null = null;
  receivedBytes = 0;
  inflatedBytes = 0;
  charge: BodyLife['charge'] = null;
  admit: BodyLife['admit'] = null;
  isStreamed = false;
  isHeard = false;
  private readonly isWatched: boolean;
  private isOver = false;
  /** Made when somebody listens: most bodies are here whole before anybody does. */
  private listeners: Set<(reason: Error) => void> | null = null;
  private enders: Array<() => void> | null = null;

  constructor(isWatched: boolean) {
    this.isWatched = isWatched;
  }

  heard(now: boolean): void {
    this.isHeard = now;
  }

  received(bytes: number): void {
    this.receivedBytes += bytes;
  }

  inflated(bytes: number): void {
    this.inflatedBytes += bytes;
  }

  streamed(): void {
    this.isStreamed = true;
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

  atEnd(listener: () => void): boolean {
    if (!this.isWatched || this.isOver) return false;
    this.enders ??= [];
    this.enders.push(listener);
    return true;
  }

  end(): void {
    this.isOver = true;
    const told = this.enders;
    this.enders = null;
    for (const listener of told ?? []) listener();
  }

  break(reason: Error): void {
    if (this.broken !== null) return;
    this.broken = reason;
    const told = this.listeners;
    this.listeners = null;
    for (const listener of [...(told ?? [])]) listener(reason);
  }
}
