// POST /otlp/v1/logs and /otlp/v1/traces: exceptions that OpenTelemetry's exporters send, stored as events.
import type { Deps } from '../src/core/deps.ts';
import { createBadRequestError, type RestError } from '../src/core/errors.ts';
import { type OtlpExport, type OtlpSignal, otlpEventsMax, readOtlpExport } from '../src/core/otlp/events.ts';
import { readOtlpProtobuf } from '../src/core/otlp/protobuf.ts';
import { parseLenientJson } from '../src/core/parsing/item-json.ts';
import { type ApiRequest, type ApiResponse, type Handler, ok } from '../src/http/api/route.ts';
import { toEventContext } from '../src/http/api/store-event.ts';
import { readRequestBody } from '../src/http/bodies/read-body.ts';
import { PhpObject } from '../src/wordpress/php/values.ts';
import { keepUpload } from './envelope.ts';

/** Sent, and decompressed. OpenTelemetry's SDKs send at most 512 records or spans at once. */
const exportBytesMax = 4 * 1024 * 1024;

/** 200 as OTLP asks, also for events that are known. Protobuf is answered in protobuf, all else in JSON. */
export function postOtlp(deps: Deps, signal: OtlpSignal): Handler {
  return async (request): Promise<ApiResponse> => {
    const limits = { sentBytesMax: exportBytesMax, inflatedBytesMax: exportBytesMax };
    const isProtobuf = /protobuf/i.test(request.header('content-type') ?? '');
    const bytes = await readRequestBody(request.incoming, limits);
    const sent = exportOf(
      isProtobuf ? readOtlpProtobuf(bytes, signal) : parseLenientJson(bytes).value,
      signal,
    );
    const isAdmitted = sent.events.length > 0 || (await isUnsupportedAdmitted(request, sent));
    const refused = sent.events.length === 0 ? [] : await storeEvents(deps, request, sent);
    countDropped(deps, request, signal, sent, isAdmitted);
    return answerTo(isProtobuf, signal, { refused, tooMany: sent.tooMany });
  };
}

function exportOf(body: unknown, signal: OtlpSignal): OtlpExport {
  const sent = readOtlpExport(body, signal);
  if (sent !== null) return sent;
  throw createBadRequestError(
    'notifier_invalid_otlp',
    `The body contains no valid OTLP export of ${signal}.`,
  );
}

/** Answers why some were refused. Throws if all were, for a limit. */
async function storeEvents(
  deps: Deps,
  request: ApiRequest,
  { events }: OtlpExport,
): Promise<readonly RestError[]> {
  const upload = { kind: 'events', events: events.map((value) => ({ value, replacedAt: [] })) } as const;
  const stored = await keepUpload(deps, request, upload, toEventContext(request));
  return stored.batch.flatMap((entry) => ('refused' in entry ? [entry.refused] : []));
}

/** Without exceptions an export costs one unsupported item, and over that limit it is dropped, not refused. */
async function isUnsupportedAdmitted(request: ApiRequest, { unsupported }: OtlpExport): Promise<boolean> {
  if (unsupported === 0) return true;
  const charged = await request.quota?.charge({ supported: 0, unsupported: 1 });
  return (charged?.unsupported ?? null) === null;
}

function countDropped(
  { outcomes }: Deps,
  { project, receivedAtMs }: ApiRequest,
  signal: OtlpSignal,
  { unsupported, tooMany }: OtlpExport,
  isAdmitted: boolean,
): void {
  const of = { projectId: project.id, atMs: receivedAtMs };
  const category = signal === 'logs' ? 'log_item' : 'span';
  if (unsupported > 0) {
    const outcome = isAdmitted
      ? ({ outcome: 'filtered', reason: 'unsupported' } as const)
      : ({ outcome: 'rate_limited', reason: 'key_quota' } as const);
    outcomes.count({ ...of, ...outcome, category, quantity: unsupported });
  }
  if (tooMany > 0) {
    outcomes.count({ ...of, outcome: 'invalid', reason: 'too_many', category: 'error', quantity: tooMany });
  }
}

interface Rejected {
  readonly refused: readonly RestError[];
  readonly tooMany: number;
}

/** Events that a filter drops, or without exception, are not "rejected": every exporter would log a warning. */
function answerTo(isProtobuf: boolean, signal: OtlpSignal, rejected: Rejected): ApiResponse {
  const count = rejected.refused.length + rejected.tooMany;
  const errorMessage = messageOf(rejected);
  if (isProtobuf) {
    const bytes = count === 0 ? Buffer.alloc(0) : partialSuccess(count, errorMessage);
    return { status: 200, body: null, raw: { contentType: 'application/x-protobuf', bytes } };
  }
  if (count === 0) return ok(new PhpObject());
  const name = signal === 'logs' ? 'rejectedLogRecords' : 'rejectedSpans';
  return ok({ partialSuccess: { [name]: String(count), errorMessage } });
}

function messageOf({ refused, tooMany }: Rejected): string {
  const [first] = refused;
  const reasons = [
    ...(tooMany === 0 ? [] : [`${tooMany} above the ${otlpEventsMax} of an export`]),
    ...(first === undefined ? [] : [`${refused.length} refused (${first.message})`]),
  ];
  return `Exceptions that were not stored: ${reasons.join(', ')}.`;
}

/** ExportLogsServiceResponse and ExportTraceServiceResponse have the same form. */
function partialSuccess(rejected: number, errorMessage: string): Buffer {
  const text = Buffer.from(errorMessage);
  const inner = Buffer.from([0x08, ...varint(rejected), 0x12, ...varint(text.length), ...text]);
  return Buffer.from([0x0a, ...varint(inner.length), ...inner]);
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [0x80 | (value & 0x7f), ...varint(value >> 7)];
}
