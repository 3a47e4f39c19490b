// Sorts envelope items by type before anything is stored.
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

export type UntakenFate = readonly [outcome: OutcomeName, reason: string];

export interface SortedItems {
  readonly event: EnvelopeItem | null;
  readonly reports: ReadonlyArray<EnvelopeItem & { readonly type: 'feedback' | 'user_report' }>;
  readonly attachments: readonly NewAttachment[];
  readonly health: ReadonlyArray<EnvelopeItem & { readonly type: HealthType }>;
  readonly checkIns: readonly EnvelopeItem[];
}

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

/** The payload of an event or feedback item. Throws 400 above 1 MiB. */
export function boundedPayload(item: EnvelopeItem): Buffer {
  if (item.payload.byteLength > eventBytesMax) throw payloadTooLarge(eventBytesMax);
  return item.payload;
}

/** The object, or its bytes if a worker has to read them. Throws 400 if it is not an object. */
export function recordOrHeavy(
  deps: Pick<Deps, 'heavy'>,
  item: EnvelopeItem,
): { readonly payload: JsonRecord | Uint8Array; readonly replacedAt?: readonly string[] } {
  const payload = boundedPayload(item);
  if (deps.heavy !== undefined && isHeavy(payload)) return { payload };
  const { value, replacedAt } = readItemRecord(payload, item.type);
  return { payload: value, replacedAt };
}

/** Null if it is too large or cannot be read. */
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

export function jsonOrNull(bytes: Uint8Array): unknown {
  return lenientOrNull(bytes)?.value ?? null;
}

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
    // Shown and sent back in headers, so only media types are kept.
    contentType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}(;|$)/.test(contentType)
      ? (contentType.split(';')[0] ?? '').toLowerCase()
      : 'application/octet-stream',
    attachmentType: /^[\w.-]{1,64}$/.test(attachmentType) ? attachmentType : 'event.attachment',
    bytes: item.payload,
  };
}
