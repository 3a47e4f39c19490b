import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { getDataCategory, supportedItemTypes } from '../../core/envelopes/item-types.ts';
import { createOverloadError, type RestError } from '../../core/errors.ts';
import { getBodyState } from '../bodies/body-state.ts';
import { peekItemType } from '../bodies/peek-envelope.ts';
import { countUnreadBytes } from '../bodies/read-ahead.ts';
import type { Admission, AdmissionOutcome, RefusalReason } from './admission.ts';

/** A body is slow if it has brought less than this after `slowMs` of its turn. */
const slowMs = 250;
const slowBytesPerSecond = 32 * 1024;
/** What Node buffers of an unread body: the server's high-water mark and one socket read. */
const unreadBytesMax = 80 * 1024;
const headBytes = 4 * 1024;
/** Bytes of a longer body that must have arrived before its turn. */
const availableBytesMin = 16 * 1024;
const keyCharactersMax = 64;
/** Larger bodies are refused later (docs/limits.md). */
const bodyBytesMax = 8 * 1024 * 1024;
const peekMsMax = 1_000;

export interface AdmissionDetails {
  readonly address: string;
  readonly categories: readonly string[];
  /** Whether the body is an envelope, whose first item gives the category. */
  readonly isEnvelope: boolean;
  /** Counts a refusal that is answered: one of an envelope of unsupported items is not. */
  readonly refused: (reason: RefusalReason) => void;
}

/** Null if the request may run now, else a promise of that or of its refusal (429). The slot is freed with the
 * answer. An envelope that begins with unsupported items runs without one; see `BodyState.takeTurn`. */
export function admitRequest(
  admission: Admission,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { address, categories, isEnvelope, refused }: AdmissionDetails,
): Promise<RestError | null> | null {
  const entered = enterQueue(admission, incoming, outgoing, address);
  if (entered.outcome === 'admitted') return null;
  const refusalOf = (outcome: AdmissionOutcome, named: readonly string[]): RestError | null => {
    if (outcome === 'admitted') return null;
    refused(outcome.refused);
    return createOverloadError(named);
  };
  const settle = async (named: readonly string[]): Promise<RestError | null> => {
    const refusal = refusalOf(await entered.settled, named);
    // A client refused at once retries at once.
    if (entered.outcome !== null) await dropBody(admission.refuseAfterMs, incoming, outgoing);
    return refusal;
  };
  if (!isEnvelope) return settle(categories);
  return admitEnvelope(entered, incoming, settle, async () => {
    const { outcome, settled } = enterQueue(admission, incoming, outgoing, address);
    const refusal = refusalOf(outcome ?? (await settled), categories);
    if (refusal !== null) throw refusal;
  });
}

function enterQueue(
  admission: Admission,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: string,
) {
  const settled = Promise.withResolvers<AdmissionOutcome>();
  let outcome: AdmissionOutcome | null = null;
  const ticket = admission.enter({
    address,
    key: presentedKey(incoming),
    bodyBytes: Math.min(bodyBytesMax, bodyBytes(incoming)),
    heldBytesMax: headBytes + Math.min(unreadBytesMax, bodyBytes(incoming)),
    heldBytes: () => headBytes + countUnreadBytes(incoming),
    isHere: () =>
      incoming.complete || countUnreadBytes(incoming) >= Math.min(availableBytesMin, bodyBytes(incoming)),
    isSlow: (ageMs) => isSlow(incoming, ageMs),
    settled(now) {
      outcome = now;
      settled.resolve(now);
    },
  });
  // The body that came with the headers is read after this event.
  if (outcome === null) setImmediate(ticket.arrived);
  outgoing.once('close', () => {
    ticket.leave();
    // The client is gone; this ends what waits for the answer.
    settled.resolve('admitted');
  });
  return { outcome: outcome as AdmissionOutcome | null, settled: settled.promise, leave: ticket.leave };
}

/** While an envelope waits, or before it is refused, its first item's type is read. */
async function admitEnvelope(
  { leave }: ReturnType<typeof enterQueue>,
  incoming: IncomingMessage,
  settle: (categories: readonly string[]) => Promise<RestError | null>,
  takeTurn: () => Promise<void>,
): Promise<RestError | null> {
  // Nobody else may read the body until this has ended.
  const type = await peekItemType(incoming, peekMsMax);
  if (type === null || supportedItemTypes.has(type)) return settle([getDataCategory(type ?? 'event')]);
  leave();
  getBodyState(incoming).takeTurn = takeTurn;
  return null;
}

async function dropBody(waitMs: number, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  incoming.resume();
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  await setTimeout(waitMs, undefined, { ref: false, signal: controller.signal }).catch(() => {});
}

function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return unreadBytesMax;
  return Number(headers['content-length'] ?? 0);
}

/** Unverified; used for fair turns only. */
function presentedKey({ headers, url = '' }: IncomingMessage): string {
  const header = headers['x-notifier-key'];
  if (typeof header === 'string') return header.slice(0, keyCharactersMax);
  const text = String(headers['x-sentry-auth'] ?? headers.authorization ?? url);
  const at = text.indexOf('sentry_key=');
  if (at === -1) return '';
  return /^[\w-]*/.exec(text.slice(at + 'sentry_key='.length, at + keyCharactersMax))?.[0] ?? '';
}

/** True if the body is incomplete, all that came was read, and it came too slowly. */
function isSlow(incoming: IncomingMessage, ageMs: number): boolean {
  if (ageMs < slowMs || incoming.complete || countUnreadBytes(incoming) > 0) return false;
  return getBodyState(incoming).receivedBytes < (ageMs / 1_000) * slowBytesPerSecond;
}
