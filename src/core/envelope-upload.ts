// The body of /envelope told apart: an envelope, or a JSON document of events. Nothing is kept here.
import {
  type Envelope,
  headerLineBytesMax,
  parseEnvelope,
  readEnvelopeHeader,
  readItemJson,
} from './envelope.ts';
import { badRequest } from './errors.ts';
import { isRecord, type JsonRecord, own } from './lenient.ts';

/** Events of one JSON document `{"events": […]}`. */
export const batchEventsMax = 500;

/**
 * A document with one of these is an event. Names that an envelope's header or an item's header have too (`event_id`, `sdk`,
 * `type`, `platform` …) tell nothing: a header alone is an envelope without items.
 */
const eventMembers = [
  'message',
  'logentry',
  'exception',
  'threads',
  'stacktrace',
  'timestamp',
  'level',
  'culprit',
  'transaction',
  'fingerprint',
  'release',
  'environment',
  'breadcrumbs',
  'request',
  'contexts',
  'user',
  'tags',
  'extra',
];

/** What came. */
export type Upload =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'events'; readonly events: readonly unknown[] };

/**
 * Reads the body of /envelope. A JSON document `{"events": […]}` or a single event object is taken as well.
 * Throws 400 `notifier_invalid_envelope`, `notifier_empty_envelope`, `notifier_duplicate_item`, `rest_invalid_json`.
 */
export function readUpload(bytes: Buffer): Upload {
  const document = documentOf(bytes);
  if (document === null) return { kind: 'envelope', envelope: parseEnvelope(bytes) };
  const events = own(document, 'events');
  if (events === undefined) return { kind: 'events', events: [document] };
  if (!Array.isArray(events)) {
    throw badRequest('notifier_invalid_envelope', 'The envelope is not valid: events that are no list.');
  }
  if (events.length === 0) throw badRequest('notifier_empty_envelope', 'The envelope holds no items.');
  if (events.length > batchEventsMax) {
    throw badRequest('notifier_invalid_envelope', `The envelope holds more than ${batchEventsMax} events.`);
  }
  return { kind: 'events', events };
}

/** The whole body as one JSON object, when it is one that holds events; an envelope is known by its first line. */
function documentOf(bytes: Buffer): JsonRecord | null {
  if (beginsWithHeaderLine(bytes)) return null;
  let document: unknown;
  try {
    document = readItemJson(bytes);
  } catch {
    return null;
  }
  if (!isRecord(document)) return null;
  const record = document;
  return ['events', ...eventMembers].some((name) => own(record, name) !== undefined) ? record : null;
}

/** A JSON object that ends with its line and has more after it: cheap, so that no large envelope is read twice. */
function beginsWithHeaderLine(bytes: Buffer): boolean {
  const lineFeed = bytes.subarray(0, headerLineBytesMax + 1).indexOf(0x0a);
  if (lineFeed === -1) return false;
  const rest = bytes.subarray(lineFeed + 1);
  return !rest.every(isBlank) && readEnvelopeHeader(bytes) !== null;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
