// The body of /envelope told apart: an envelope, or a JSON document of events. Nothing is kept here.
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { LenientJson } from '../reading/item-json.ts';
import { isHeavy } from '../reading/json-weight.ts';
import { isRecord, type JsonRecord, listOf, own, placesIn } from '../reading/lenient.ts';
import { createPace } from '../reading/pace.ts';
import {
  type Envelope,
  headerLineBytesMax,
  parseEnvelope,
  parseEnvelopePaced,
  readEnvelopeHeader,
} from './grammar.ts';
import { lenientOrNull } from './items.ts';

/** Events of one JSON document `{"events": […]}`. */
export const batchEventsMax = 500;

/**
 * A document with one of these is an event. Names that an envelope's header or an item's header have too
 * (`event_id`, `sdk`, `type`, `platform` …) tell nothing: a header alone is an envelope without items.
 */
export const eventMembers: readonly string[] = [
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

/** One event of a document that was too much to be read at once. */
interface DocumentPiece {
  readonly bytes: Buffer;
  /** Whether it is over the limit of an event. */
  readonly isTooLarge: boolean;
}

/** An event of a document: read already, or where it lies in one that was too much to be read at once. */
export type DocumentEvent =
  | { readonly read: unknown; readonly replacedAt: readonly string[] }
  | { readonly piece: DocumentPiece };

/** What came. */
export type Upload =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'events'; readonly events: ReadonlyArray<LenientJson<unknown>> }
  | { readonly kind: 'pieces'; readonly pieces: readonly DocumentPiece[] };

/**
 * Reads the body of /envelope. A JSON document `{"events": […]}` or a single event object is taken as well;
 * the list may be one of PHP's with numbers as names.
 * Throws 400 `notifier_invalid_envelope`, `notifier_empty_envelope`, `notifier_duplicate_item`,
 * `rest_invalid_json`.
 */
export function readUpload(bytes: Buffer): Exclude<Upload, { kind: 'pieces' }> {
  const document = documentOf(bytes);
  if (document === null) return { kind: 'envelope', envelope: parseEnvelope(bytes) };
  const events = own(document.value, 'events');
  if (events === undefined) return { kind: 'events', events: [document] };
  const list = listOf(events);
  refuseEvents(list?.length ?? null);
  const places = isRecord(events) ? placesIn(Object.keys(events)) : null;
  const { replacedAt } = document;
  return {
    kind: 'events',
    events: (list ?? []).map((value, index) => ({
      value,
      replacedAt: replacedAt.flatMap((path) => pathWithin(path, `events.${places?.[index] ?? index}`)),
    })),
  };
}

/** A path seen from the value at `outer`; none where it leads elsewhere. */
function pathWithin(path: string, outer: string): string[] {
  if (path === outer) return [''];
  return path.startsWith(`${outer}.`) ? [path.slice(outer.length + 1)] : [];
}

/**
 * The same without holding the loop up: a heavy document is told apart in a thread, a long envelope in short
 * turns.
 */
export async function readUploadPaced(deps: Pick<Deps, 'heavy'>, bytes: Buffer): Promise<Upload> {
  if (deps.heavy === undefined || !isHeavy(bytes)) return readUpload(bytes);
  const pace = createPace();
  const outline = (await holdsLinesPaced(bytes, pace)) ? null : await deps.heavy.outline(bytes);
  if (outline === null || outline.kind === 'other') {
    return { kind: 'envelope', envelope: await parseEnvelopePaced(bytes, pace) };
  }
  if (outline.kind === 'event') {
    return { kind: 'pieces', pieces: [{ bytes, isTooLarge: outline.isTooLarge }] };
  }
  if (outline.kind === 'wrong') refuseEvents(outline.count);
  const pieces = outline.kind === 'events' ? outline.pieces : [];
  return {
    kind: 'pieces',
    pieces: pieces.map(({ start, end, isTooLarge }) => ({ bytes: bytes.subarray(start, end), isTooLarge })),
  };
}

/** The events of a document, each read already or where it lies in the document. */
export function eventsOf(upload: Exclude<Upload, { kind: 'envelope' }>): readonly DocumentEvent[] {
  return upload.kind === 'events'
    ? upload.events.map(({ value, replacedAt }) => ({ read: value, replacedAt }))
    : upload.pieces.map((piece) => ({ piece }));
}

/** Refuses `events` by their number: none, too many, or null for what is no list. */
function refuseEvents(count: number | null): void {
  if (count === null) {
    throw badRequest('notifier_invalid_envelope', 'The envelope is not valid: events is not a list.');
  }
  if (count === 0) throw badRequest('notifier_empty_envelope', 'The envelope contains no items.');
  if (count > batchEventsMax) {
    throw badRequest(
      'notifier_invalid_envelope',
      `The envelope contains more than ${batchEventsMax} events.`,
    );
  }
}

/**
 * The whole body as one JSON object, when it is one that holds events; an envelope is known by its first
 * line.
 */
function documentOf(bytes: Buffer): LenientJson<JsonRecord> | null {
  const rest = endOfFirstLine(bytes);
  if (rest !== null && !bytes.subarray(rest).every(isBlank) && readEnvelopeHeader(bytes) !== null) {
    return null;
  }
  const { value = null, replacedAt = [] } = lenientOrNull(bytes) ?? {};
  return isRecord(value) && holdsEvents(value) ? { value, replacedAt } : null;
}

/** Whether a JSON object is an event or a list of events, and not a header. */
function holdsEvents(document: JsonRecord): boolean {
  return ['events', ...eventMembers].some((name) => own(document, name) !== undefined);
}

/**
 * Whether a body begins with a JSON object in a line of its own and has more after it: an envelope, read as
 * one.
 */
async function holdsLinesPaced(bytes: Buffer, pace: () => Promise<void>): Promise<boolean> {
  const rest = endOfFirstLine(bytes);
  if (rest === null || readEnvelopeHeader(bytes) === null) return false;
  for (let at = rest; at < bytes.length; at += 1) {
    if (!isBlank(bytes[at] ?? 0)) return true;
    if (at % blankBytesATurn === 0) await pace();
  }
  return false;
}

const blankBytesATurn = 256 * 1024;

/** Where the second line begins; null where the first is too long for a header. */
function endOfFirstLine(bytes: Buffer): number | null {
  const lineFeed = bytes.subarray(0, headerLineBytesMax + 1).indexOf(0x0a);
  return lineFeed === -1 ? null : lineFeed + 1;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
