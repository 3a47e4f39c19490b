// Admission for HTTP: what of a request says how it is admitted, and what it is answered when it is not.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { categoryOf, takenTypes } from '../../core/envelopes/item-types.ts';
import { overloaded, type RestError } from '../../core/errors.ts';
import { lifeOf } from '../bodies/body-life.ts';
import { unreadBytes } from '../bodies/held-bytes.ts';
import { peekItemType } from '../bodies/peek-envelope.ts';
import type { Admission, AdmissionOutcome } from './admission.ts';

/** A body comes slowly that, so long after its turn began, has brought less than so much a second. */
const slowMs = 250;
const slowBytesPerSecond = 32 * 1024;
/**
 * While nobody reads a request, Node takes at most so much of its body: the server's high-water mark, short
 * of a byte, and one read of its socket. Its head is some kilobytes.
 */
const unreadBytesMax = 80 * 1024;
const headBytes = 4 * 1024;
/** Of a longer body so much has to be here for its turn: the rest comes while it is read. */
const hereBytes = 16 * 1024;
const keyCharactersMax = 64;
/** A request that says more is refused once it is looked at (docs/limits.md). */
const bodyBytesMax = 8 * 1024 * 1024;
/** Who does not say how its envelope begins is no longer waited for. */
const peekMsMax = 1_000;

export interface Admitting {
  /** Of the client, as rate limits count it. */
  readonly address: string;
  /** What a client is told to hold back where it is refused: the rate-limit categories of what it sent. */
  readonly categories: readonly string[];
  /** Whether the first item of the body says what it is. */
  readonly isEnvelope: boolean;
}

/**
 * Null where `incoming` may be answered now; else a promise of that, or of its refusal, 429. Whatever becomes
 * of it, its turn ends with its answer or its connection. An envelope that begins with what we do not take
 * goes on without a turn, for whom `BodyLife.takeTurn` is there.
 */
export function admitRequest(
  admission: Admission,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { address, categories, isEnvelope }: Admitting,
): RestError | null | Promise<RestError | null> {
  const entered = enter(admission, incoming, outgoing, address);
  if (entered.outcome === 'admitted') return null;
  if (entered.outcome !== null) {
    return refuseLater(admission.refuseAfterMs, incoming, outgoing, overloaded(categories));
  }
  if (!isEnvelope) return entered.settled.then((outcome) => refusalOf(outcome, categories));
  return admitEnvelope(entered, incoming, async () => {
    const { outcome, settled } = enter(admission, incoming, outgoing, address);
    const refusal = refusalOf(outcome ?? (await settled), categories);
    if (refusal !== null) throw refusal;
  });
}

interface Entered {
  /** Null while it waits. */
  readonly outcome: AdmissionOutcome | null;
  /** Resolves once it waits no more. */
  readonly settled: Promise<AdmissionOutcome>;
  leave(): void;
}

function enter(
  admission: Admission,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: string,
): Entered {
  const settled = Promise.withResolvers<AdmissionOutcome>();
  let outcome: AdmissionOutcome | null = null;
  const ticket = admission.enter({
    address,
    key: presentedKey(incoming),
    bodyBytes: Math.min(bodyBytesMax, bodyBytes(incoming)),
    heldBytesMax: headBytes + Math.min(unreadBytesMax, bodyBytes(incoming)),
    heldBytes: () => headBytes + unreadBytes(incoming),
    isHere: () => incoming.complete || unreadBytes(incoming) >= Math.min(hereBytes, bodyBytes(incoming)),
    isSlow: (ageMs) => isSlow(incoming, ageMs),
    settled(now) {
      outcome = now;
      settled.resolve(now);
    },
  });
  // What came with its head is read behind this very event.
  if (outcome === null) setImmediate(ticket.arrived);
  outgoing.once('close', () => {
    ticket.leave();
    // Who has hung up is answered by nobody; what waits with it ends.
    settled.resolve('admitted');
  });
  return { outcome, settled: settled.promise, leave: ticket.leave };
}

/** Has an envelope wait, and looks meanwhile at how it begins. */
async function admitEnvelope(
  { settled, leave }: Entered,
  incoming: IncomingMessage,
  takeTurn: () => Promise<void>,
): Promise<RestError | null> {
  // What it begins with is held; nobody else may read the body before that has ended.
  const type = await peekItemType(incoming, peekMsMax);
  if (type === null || takenTypes.has(type)) return refusalOf(await settled, [categoryOf(type ?? 'event')]);
  leave();
  lifeOf(incoming).takeTurn = takeTurn;
  return null;
}

/**
 * A client that is refused at once sends the same again at once, and is in the way of those who have a turn:
 * its answer waits, and what comes meanwhile is dropped.
 */
async function refuseLater(
  afterMs: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refusal: RestError,
): Promise<RestError> {
  incoming.resume();
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  await setTimeout(afterMs, undefined, { ref: false, signal: gone.signal }).catch(() => {});
  return refusal;
}

function refusalOf(outcome: AdmissionOutcome, categories: readonly string[]): RestError | null {
  return outcome === 'admitted' ? null : overloaded(categories);
}

/** As its head says; a body of unknown length may be of any. */
function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return unreadBytesMax;
  return Number(headers['content-length'] ?? 0);
}

/** The key that a request says it has, for taking turns alone: nobody has looked at it. */
function presentedKey({ headers, url = '' }: IncomingMessage): string {
  const own = headers['x-notifier-key'];
  if (typeof own === 'string') return own.slice(0, keyCharactersMax);
  const said = String(headers['x-sentry-auth'] ?? headers.authorization ?? url);
  const at = said.indexOf('sentry_key=');
  if (at === -1) return '';
  return /^[\w-]*/.exec(said.slice(at + 'sentry_key='.length, at + keyCharactersMax))?.[0] ?? '';
}

/** Whether its body still comes, we wait for it, and little of it has come since its turn began. */
function isSlow(incoming: IncomingMessage, ageMs: number): boolean {
  if (ageMs < slowMs || incoming.complete || unreadBytes(incoming) > 0) return false;
  return lifeOf(incoming).receivedBytes < (ageMs / 1_000) * slowBytesPerSecond;
}
