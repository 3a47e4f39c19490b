// Items of an envelope told apart by their type, before anything is kept. A bad one is refused by itself and
// changes no other.
import { readPlainJson } from '../../wordpress/php/json-plain.ts';
import type { Deps } from '../deps.ts';
import { payloadTooLarge } from '../errors.ts';
import type { HealthFacts, HealthOf, HealthType } from '../ports/readings.ts';
import { cutText } from '../reading/cut-text.ts';
import { type LenientJson, lenientJson, readItemRecord } from '../reading/item-json.ts';
import { isHeavy } from '../reading/json-weight.ts';
import type { JsonRecord } from '../reading/lenient.ts';
import type { NewAttachment } from '../store/events.ts';
import type { OutcomeName } from '../store/outcomes.ts';
import { clientReportBytesMax, readHealth } from './client-reports.ts';
import type { Envelope, EnvelopeItem } from './grammar.ts';
import { quantityOf } from './item-types.ts';
import type { Tally } from './tally.ts';

export const eventBytesMax = 1024 * 1024;
const attachmentBytesMax = 5 * 1024 * 1024;
const attachmentsMax = 5;

/** What becomes of items that we do not take, and why. */
export type UntakenFate = readonly [outcome: OutcomeName, reason: string];

/** What there is to keep, told apart; the JSON of each is read when its turn comes. */
export interface SortedItems {
  readonly event: EnvelopeItem | null;
  readonly reports: ReadonlyArray<EnvelopeItem & { readonly type: 'feedback' | 'user_report' }>;
  readonly attachments: readonly NewAttachment[];
  readonly health: ReadonlyArray<EnvelopeItem & { readonly type: HealthType }>;
  readonly checkIns: readonly EnvelopeItem[];
}

/** Sorts the items by what they are; counts those that we do not take. */
export function sortItems(envelope: Envelope, tally: Tally, untaken: UntakenFate): SortedItems {
  let event: EnvelopeItem | null = null;
  const reports: Array<SortedItems['reports'][number]> = [];
  const attachments: NewAttachment[] = [];
  const health: Array<SortedItems['health'][number]> = [];
  const checkIns: EnvelopeItem[] = [];
  for (const item of envelope.items) {
    const { type } = item;
    if (type === 'event') {
      event = item;
    } else if (type === 'feedback' || type === 'user_report') {
      reports.push({ ...item, type });
    } else if (type === 'client_report' || type === 'session' || type === 'sessions') {
      health.push({ ...item, type });
    } else if (type === 'check_in') {
      checkIns.push(item);
    } else if (type !== 'attachment') {
      tally.skip(type, ...untaken, quantityOf(item));
    } else if (item.payload.byteLength > attachmentBytesMax) {
      tally.skip(type, 'invalid', 'too_large');
    } else if (attachments.length >= attachmentsMax) {
      tally.skip(type, 'invalid', 'too_many');
    } else {
      attachments.push(attachmentOf(item));
    }
  }
  return { event, reports, attachments, health, checkIns };
}

/** The payload of an item that is to be one event or one report: at most 1 MiB. */
export function boundedPayload(item: EnvelopeItem): Buffer {
  if (item.payload.byteLength > eventBytesMax) throw payloadTooLarge(eventBytesMax);
  return item.payload;
}

/**
 * The JSON object of an item, or its bytes where a thread has to read them. Throws 400 for what is no JSON
 * object.
 */
export function recordOrHeavy(
  deps: Pick<Deps, 'heavy'>,
  item: EnvelopeItem,
): { readonly payload: JsonRecord | Uint8Array; readonly replacedAt?: readonly string[] } {
  const payload = boundedPayload(item);
  if (deps.heavy !== undefined && isHeavy(payload)) return { payload };
  const { value, replacedAt } = readItemRecord(payload, item.type);
  return { payload: value, replacedAt };
}

/**
 * What a client report or a session counts for; null for one that is too large or cannot be read. Refuses
 * nothing.
 */
export async function readHealthItem<Type extends HealthType>(
  deps: Pick<Deps, 'heavy'>,
  item: EnvelopeItem & { readonly type: Type },
  of: HealthFacts,
): Promise<HealthOf[Type] | null> {
  const { type, payload } = item;
  if (payload.byteLength > (type === 'client_report' ? clientReportBytesMax : eventBytesMax)) return null;
  if (deps.heavy !== undefined && isHeavy(payload)) return deps.heavy.readHealth(type, payload, of);
  return readHealth(type, jsonOrNull(payload), of);
}

/** The JSON of bytes that are never refused, or null. */
export function jsonOrNull(bytes: Uint8Array): unknown {
  return lenientOrNull(bytes)?.value ?? null;
}

/** The same with the places of replaced text. */
export function lenientOrNull(bytes: Uint8Array): LenientJson<unknown> | null {
  const read = readPlainJson(bytes, lenientJson);
  return read.ok ? read : null;
}

const nameCharactersMax = 256;
const controls = /[\u0000-\u001f\u007f]/g;

function attachmentOf(item: EnvelopeItem): NewAttachment {
  const text = (name: string): string => {
    const value = item.headers[name];
    return typeof value === 'string' ? cutText(value.replace(controls, ''), nameCharactersMax) : '';
  };
  const contentType = text('content_type');
  const attachmentType = text('attachment_type');
  return {
    filename: text('filename') || 'attachment',
    // Shown and sent back in headers: what is no media type is not kept.
    contentType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}(;|$)/.test(contentType)
      ? (contentType.split(';')[0] ?? '').toLowerCase()
      : 'application/octet-stream',
    attachmentType: /^[\w.-]{1,64}$/.test(attachmentType) ? attachmentType : 'event.attachment',
    bytes: item.payload,
  };
}
