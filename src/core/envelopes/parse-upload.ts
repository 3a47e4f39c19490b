import { isBlank } from '../../wordpress/php/json-tokens.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError } from '../errors.ts';
import { isLargeJson, type LenientJson } from '../parsing/item-json.ts';
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  sortIntegerKeys,
  toArray,
} from '../parsing/unknown-values.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import { listUnsupportedCategories, supportedItemTypes } from './item-types.ts';
import {
  type Envelope,
  headerLineBytesMax,
  parseEnvelope,
  parseEnvelopeAsync,
  parseEnvelopeHeader,
} from './parse-envelope.ts';
import { parseLenientJsonOrNull } from './sort-items.ts';

export const batchEventsMax = 500;

/** Members of events that envelope and item headers never have. */
export const eventFieldNames: readonly string[] = [
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

interface DocumentPiece {
  readonly bytes: Buffer;
  readonly isTooLarge: boolean;
}

export type EventOfDocument =
  | { readonly read: unknown; readonly replacedAt: readonly string[] }
  | { readonly piece: DocumentPiece };

export type ParsedEnvelopeBody =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'events'; readonly events: ReadonlyArray<LenientJson<unknown>> }
  | { readonly kind: 'pieces'; readonly pieces: readonly DocumentPiece[] };

/** An envelope, `{"events": […]}` or one event object. Throws 400 for invalid JSON or an invalid envelope. */
export function parseUpload(bytes: Buffer): Exclude<ParsedEnvelopeBody, { kind: 'pieces' }> {
  const document = parseEventDocument(bytes);
  if (document === null) return { kind: 'envelope', envelope: parseEnvelope(bytes) };
  const events = getOwn(document.value, 'events');
  if (events === undefined) return { kind: 'events', events: [document] };
  const list = toArray(events);
  requireEventCount(list?.length ?? null);
  const keys = isJsonObject(events) ? sortIntegerKeys(Object.keys(events)) : null;
  const { replacedAt } = document;
  return {
    kind: 'events',
    events: (list ?? []).map((value, index) => ({
      value,
      replacedAt: replacedAt.flatMap((path) => pathsBelow(path, `events.${keys?.[index] ?? index}`)),
    })),
  };
}

function pathsBelow(path: string, outer: string): string[] {
  if (path === outer) return [''];
  return path.startsWith(`${outer}.`) ? [path.slice(outer.length + 1)] : [];
}

/** The same without blocking the event loop: workers read large documents. */
export async function parseUploadAsync(
  deps: Pick<Deps, 'largeBodyReader'>,
  bytes: Buffer,
): Promise<ParsedEnvelopeBody> {
  if (!isLargeJson(bytes)) return parseUpload(bytes);
  const yieldToEventLoop = createYielder();
  const outline = (await startsWithHeaderLine(bytes, yieldToEventLoop))
    ? null
    : await deps.largeBodyReader.outline(bytes);
  if (outline === null || outline.kind === 'other') {
    return { kind: 'envelope', envelope: await parseEnvelopeAsync(bytes, yieldToEventLoop) };
  }
  if (outline.kind === 'event') {
    return { kind: 'pieces', pieces: [{ bytes, isTooLarge: outline.isTooLarge }] };
  }
  if (outline.kind === 'wrong') requireEventCount(outline.count);
  const pieces = outline.kind === 'events' ? outline.pieces : [];
  return {
    kind: 'pieces',
    pieces: pieces.map(({ start, end, isTooLarge }) => ({ bytes: bytes.subarray(start, end), isTooLarge })),
  };
}

export function listDocumentEvents(
  upload: Exclude<ParsedEnvelopeBody, { kind: 'envelope' }>,
): readonly EventOfDocument[] {
  return upload.kind === 'events'
    ? upload.events.map(({ value, replacedAt }) => ({ read: value, replacedAt }))
    : upload.pieces.map((piece) => ({ piece }));
}

/** Throws 400 for too few or too many `events`; null means that they are not a list. */
function requireEventCount(count: number | null): void {
  if (count === null) {
    throw createBadRequestError(
      'notifier_invalid_envelope',
      'The envelope is not valid: events is not a list.',
    );
  }
  if (count === 0) throw createBadRequestError('notifier_empty_envelope', 'The envelope contains no items.');
  if (count > batchEventsMax) {
    throw createBadRequestError(
      'notifier_invalid_envelope',
      `The envelope contains more than ${batchEventsMax} events.`,
    );
  }
}

/** The body as a JSON object if it holds events; null for an envelope, recognized by its first line. */
function parseEventDocument(bytes: Buffer): LenientJson<JsonObject> | null {
  const rest = endOfFirstLine(bytes);
  if (rest !== null && !bytes.subarray(rest).every(isBlank) && parseEnvelopeHeader(bytes) !== null) {
    return null;
  }
  const { value = null, replacedAt = [] } = parseLenientJsonOrNull(bytes) ?? {};
  return isJsonObject(value) && isEventDocument(value) ? { value, replacedAt } : null;
}

function isEventDocument(document: JsonObject): boolean {
  return ['events', ...eventFieldNames].some((name) => getOwn(document, name) !== undefined);
}

/** True if the first line is a JSON object and more follows: an envelope. */
async function startsWithHeaderLine(bytes: Buffer, yieldToEventLoop: () => Promise<void>): Promise<boolean> {
  const rest = endOfFirstLine(bytes);
  if (rest === null || parseEnvelopeHeader(bytes) === null) return false;
  for (let at = rest; at < bytes.length; at += 1) {
    if (!isBlank(bytes[at])) return true;
    if (at % blankBytesATurn === 0) await yieldToEventLoop();
  }
  return false;
}

const blankBytesATurn = 256 * 1024;

function endOfFirstLine(bytes: Buffer): number | null {
  const lineFeed = bytes.subarray(0, headerLineBytesMax + 1).indexOf(0x0a);
  return lineFeed === -1 ? null : lineFeed + 1;
}

// Rate limit cost of an upload in items. Unsupported items do not use the quota of supported ones.

const errors = (): readonly string[] => ['error'];

export function countRateLimitCost(upload: ParsedEnvelopeBody) {
  if (upload.kind !== 'envelope') {
    return {
      supported: listDocumentEvents(upload).length,
      unsupported: 0,
      unsupportedCategories: [],
      /** Categories that an SDK must stop sending if the limit refuses the upload. */
      heldBack: errors,
    };
  }
  const types = upload.envelope.items.map(({ type }) => type).filter((type) => type !== 'client_report');
  const unsupported = types.filter((type) => !supportedItemTypes.has(type));
  return {
    supported: types.length - unsupported.length,
    unsupported: unsupported.length,
    unsupportedCategories: unsupported.length === 0 ? [] : listUnsupportedCategories(unsupported),
    heldBack: () => limitedCategoriesOf(types.filter((type) => supportedItemTypes.has(type))),
  };
}

/** `monitor` for check-ins, `error` for everything else. */
function limitedCategoriesOf(types: readonly string[]): string[] {
  return [...new Set(types.map((type) => (type === 'check_in' ? 'monitor' : 'error')))].toSorted();
}
