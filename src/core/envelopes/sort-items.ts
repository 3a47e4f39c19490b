// Sorts envelope items by type before anything is stored.
import { readPlainJson } from '../../wordpress/php/json-decode.ts';
import type { Deps } from '../deps.ts';
import { createPayloadTooLargeError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { isLargeJson, type LenientJson, lenientJsonOptions, parseItemObject } from '../parsing/item-json.ts';
import type { JsonObject } from '../parsing/unknown-values.ts';
import type { HealthItemType, HealthReadContext, HealthResults } from '../ports/prepared-data.ts';
import type { OutcomeName } from '../store/counts.ts';
import type { NewAttachment } from '../store/events.ts';
import { clientReportBytesMax, parseHealthItem } from './health-items.ts';
import type { ItemCounts } from './item-counts.ts';
import { getItemCount } from './item-types.ts';
import type { Envelope, EnvelopeItem } from './parse-envelope.ts';

export const eventBytesMax = 1024 * 1024;
const attachmentBytesMax = 5 * 1024 * 1024;
const attachmentsMax = 5;

export type UnsupportedOutcome = readonly [outcome: OutcomeName, reason: string];

export interface SortedItems {
  readonly event: EnvelopeItem | null;
  readonly reports: ReadonlyArray<EnvelopeItem & { readonly type: 'feedback' | 'user_report' }>;
  readonly attachments: readonly NewAttachment[];
  readonly health: ReadonlyArray<EnvelopeItem & { readonly type: HealthItemType }>;
  readonly checkIns: readonly EnvelopeItem[];
}

export function sortItems(
  envelope: Envelope,
  itemCounts: ItemCounts,
  unsupported: UnsupportedOutcome,
): SortedItems {
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
      itemCounts.skip(type, ...unsupported, getItemCount(item));
    } else if (item.payload.byteLength > attachmentBytesMax) {
      itemCounts.skip(type, 'invalid', 'too_large');
    } else if (attachments.length >= attachmentsMax) {
      itemCounts.skip(type, 'invalid', 'too_many');
    } else {
      attachments.push(attachmentOf(item));
    }
  }
  return { event, reports, attachments, health, checkIns };
}

/** The payload of an event or feedback item. Throws 400 above 1 MiB. */
export function requirePayloadWithinLimit(item: EnvelopeItem): Buffer {
  if (item.payload.byteLength > eventBytesMax) throw createPayloadTooLargeError(eventBytesMax);
  return item.payload;
}

/** The object, or its bytes if a worker has to read them. Throws 400 if it is not an object. */
export function parseItemOrKeepBytes(item: EnvelopeItem): {
  readonly payload: JsonObject | Uint8Array;
  readonly replacedAt?: readonly string[];
} {
  const payload = requirePayloadWithinLimit(item);
  if (isLargeJson(payload)) return { payload };
  const { value, replacedAt } = parseItemObject(payload, item.type);
  return { payload: value, replacedAt };
}

/** Null if it is too large or cannot be read. */
export async function parseHealthItemWithinLimit<Type extends HealthItemType>(
  deps: Pick<Deps, 'largeBodyReader'>,
  item: EnvelopeItem & { readonly type: Type },
  of: HealthReadContext,
): Promise<HealthResults[Type] | null> {
  const { type, payload } = item;
  if (payload.byteLength > (type === 'client_report' ? clientReportBytesMax : eventBytesMax)) return null;
  if (isLargeJson(payload)) return deps.largeBodyReader.readHealth(type, payload, of);
  return parseHealthItem(type, parseJsonOrNull(payload), of);
}

export function parseJsonOrNull(bytes: Uint8Array): unknown {
  return parseLenientJsonOrNull(bytes)?.value ?? null;
}

export function parseLenientJsonOrNull(bytes: Uint8Array): LenientJson<unknown> | null {
  const read = readPlainJson(bytes, lenientJsonOptions);
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
