// Items of an envelope read by their type, before anything is kept. A bad one is refused by itself and changes no other.
import { cutText } from './cut-text.ts';
import { type Envelope, type EnvelopeItem, readItemJson } from './envelope.ts';
import { itemRefusal, type Tally } from './envelope-tally.ts';
import { badRequest, payloadTooLarge } from './errors.ts';
import { takenTypes } from './item-types.ts';
import { isRecord, type JsonRecord } from './lenient.ts';
import type { OutcomeName } from './outcomes.ts';
import type { NewAttachment } from './store.ts';

export const eventBytesMax = 1024 * 1024;
export const attachmentBytesMax = 5 * 1024 * 1024;
export const attachmentsMax = 5;

/** What becomes of items that we do not take, and why. */
export type UntakenFate = readonly [outcome: OutcomeName, reason: string];

export interface ReadItems {
  readonly event: JsonRecord | null;
  readonly reports: ReadonlyArray<{
    readonly type: 'feedback' | 'user_report';
    readonly payload: JsonRecord;
  }>;
  readonly attachments: readonly NewAttachment[];
}

/** Reads the event, the bug reports and the attachments; counts what is refused and what we do not take. */
export function readItems(envelope: Envelope, tally: Tally, untaken: UntakenFate): ReadItems {
  let event: JsonRecord | null = null;
  const reports: Array<{ type: 'feedback' | 'user_report'; payload: JsonRecord }> = [];
  const attachments: NewAttachment[] = [];
  for (const item of envelope.items) {
    const { type } = item;
    if (!takenTypes.has(type)) tally.skip(type, ...untaken);
    else if (type === 'event') event = recordOrRefused(item, tally);
    else if (type === 'feedback' || type === 'user_report') {
      const payload = recordOrRefused(item, tally);
      if (payload !== null) reports.push({ type, payload });
    } else if (type === 'attachment') {
      if (item.payload.byteLength > attachmentBytesMax) tally.skip(type, 'invalid', 'too_large');
      else if (attachments.length >= attachmentsMax) tally.skip(type, 'invalid', 'too_many');
      else attachments.push(attachmentOf(item));
    }
  }
  return { event, reports, attachments };
}

/** The JSON of an item that is never refused, or null. */
export function jsonOrNull(item: EnvelopeItem): unknown {
  try {
    return item.payload.byteLength > eventBytesMax ? null : readItemJson(item.payload);
  } catch {
    return null;
  }
}

function recordOrRefused(item: EnvelopeItem, tally: Tally): JsonRecord | null {
  try {
    return readRecord(item);
  } catch (error) {
    tally.refuse(item.type, itemRefusal(error));
    return null;
  }
}

function readRecord(item: EnvelopeItem): JsonRecord {
  if (item.payload.byteLength > eventBytesMax) throw payloadTooLarge(eventBytesMax);
  const value = readItemJson(item.payload);
  if (isRecord(value)) return value;
  throw badRequest(
    'notifier_invalid_envelope',
    `The envelope is not valid: a ${item.type} that is no JSON object.`,
  );
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
