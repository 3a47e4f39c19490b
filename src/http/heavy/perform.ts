// Tasks of the workers for large bodies: the same reading and checks as in the main thread, without the
// store.
import type { TransferListItem } from 'node:worker_threads';
import type { z } from 'zod';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { feedbackRequest } from '../../../schemas/feedback.ts';
import { releaseRequest } from '../../../schemas/releases.ts';
import { readHealth } from '../../core/envelopes/client-reports.ts';
import { jsonOrNull } from '../../core/envelopes/items.ts';
import { outlineOf } from '../../core/envelopes/outline.ts';
import { keyOf, settledKey } from '../../core/events/key.ts';
import { packPayload } from '../../core/events/pack.ts';
import { finishEvent, readEvent, type SentEvent } from '../../core/events/prepare.ts';
import { prepareReport } from '../../core/feedback/prepare.ts';
import { prepareReportItem } from '../../core/feedback/prepare-item.ts';
import type { MapsThere, ReadEvent } from '../../core/ports/heavy-reader.ts';
import type { EventFacts, Mapping, PreparedEvent, PreparedReport } from '../../core/ports/readings.ts';
import { type LenientJson, readItemJson, readItemRecord } from '../../core/reading/item-json.ts';
import { readRelease } from '../../core/releases/prepare.ts';
import { scrubEvent } from '../../core/scrub/event.ts';
import { faultyCodeOf, withCodeTag, withoutCodeTag } from '../../core/site-code/faulty.ts';
import { asSent, debugIdsOfScripts, mappingNeedOf } from '../../core/source-maps/map-event.ts';
import { mappingViewOf, withMappedStacks } from '../../core/source-maps/mapping-view.ts';
import type { PhpValue } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import {
  boundedPlain,
  performBodyWork,
  readParametersOf,
  serverWords,
} from '../../wordpress/rest/body-work.ts';
import { parseFeedback, screenshotsOf } from '../api/feedback-form.ts';
import { parseBody, parseValue } from '../api/parse-body.ts';
import { plainParameters } from '../api/plain-parameters.ts';
import type { ApiRequest } from '../api/route.ts';
import { checkedEvent } from '../api/store-event.ts';
import { memoryOf } from './own-bytes.ts';
import type { AnswerTo, Heard, RequestWork, Task, TaskKind, Tasks } from './tasks.ts';

/** `transfer` is moved instead of copied. */
export interface Performed<Kind extends TaskKind = TaskKind> {
  readonly answer: AnswerTo<Kind>;
  readonly transfer: readonly TransferListItem[];
}

/** Throws RestError and WpError as the main thread does. */
export function perform(task: Task): Performed {
  const perform = performers[task.kind] as (takes: unknown) => Performed;
  return perform(task);
}

const performers: { readonly [Kind in TaskKind]: (takes: Tasks[Kind]['takes']) => Performed<Kind> } = {
  parameters({ request }) {
    const read = readParametersOf(checkedRequest(request));
    return { answer: read, transfer: memoryOfAll(read.files.map((file) => file.bytes)) };
  },
  store({ request, maps, facts }) {
    const heard = hear(request, null, (params, { replacedAt }) =>
      readSent({ value: checkedEvent(params), replacedAt }, maps, facts),
    );
    return { answer: heard, transfer: memoryOfEvent(heard.answer) };
  },
  event({ bytes, maps, facts }) {
    const read = readSent(readItemRecord(bytes, 'event'), maps, facts);
    return { answer: read, transfer: memoryOfEvent(read) };
  },
  finish({ sent, mapped, mapping, facts }) {
    const read = parsed<SentEvent>(sent);
    const event = packed({ ...read, event: withMappedStacks(read.event, mapped) }, mapping, facts);
    return { answer: event, transfer: memoryOfEvent({ kind: 'prepared', event }) };
  },
  stored({ payload }) {
    const stored = parsed<NormalizedEvent>(payload);
    const event = asSent(withoutCodeTag(stored));
    const sent = Buffer.from(JSON.stringify(event));
    return {
      answer: { view: mappingViewOf(event), sent, key: settledKey(keyOf(stored)) },
      transfer: memoryOf(sent),
    };
  },
  'finish-stored'({ sent, mapped, scrub }) {
    const { event } = scrubEvent(withMappedStacks(parsed<NormalizedEvent>(sent), mapped), scrub);
    const payload = packPayload(JSON.stringify(withCodeTag(event, faultyCodeOf(event))), null);
    return {
      answer: { payload, key: settledKey(keyOf(event)) },
      transfer: memoryOf(payload.body),
    };
  },
  outline: ({ bytes }) => ({ answer: outlineOf(bytes), transfer: [] }),
  feedback({ request, facts }) {
    const heard = hear(request, feedbackRequest, (params, { files, replacedAt }) => {
      const read = parseFeedback({ params, replacedAt });
      return prepareReport(read.report, screenshotsOf(files), facts, read.replacedAt);
    });
    return { answer: heard, transfer: memoryOfReport(heard.answer) };
  },
  report({ bytes, facts }) {
    const { value, replacedAt } = readItemRecord(bytes, facts.type);
    const report = prepareReportItem(value, [], facts, replacedAt);
    return { answer: report, transfer: memoryOfReport(report) };
  },
  health: ({ type, bytes, of }) => ({ answer: readHealth(type, jsonOrNull(bytes), of), transfer: [] }),
  release({ request, of }) {
    const heard = hear(request, releaseRequest, (params) =>
      readRelease(parseBody(releaseRequest, { params }), of),
    );
    return { answer: heard, transfer: [] };
  },
  'release-json'({ bytes, version, of }) {
    const asked = parseValue(releaseRequest, readRoomyJson(bytes));
    const named = version === null ? asked : { ...asked, version };
    return { answer: readRelease(named, of), transfer: [] };
  },
  json({ bytes, names }) {
    const value = readRoomyJson(bytes) as PhpValue;
    return { answer: boundedPlain(value, new Set(names), sentryValuesMax), transfer: [] };
  },
};

/** For the sentry-cli API, other than releases; a bundle has about a thousand chunks. */
const sentryValuesMax = 1_200;
/** Values built of a body of up to 5 MB; the rest is ignored. */
const roomyValuesMax = 200_000;

function readRoomyJson(bytes: Uint8Array): unknown {
  return readItemJson(bytes, { valuesMax: roomyValuesMax });
}

function checkedRequest({ body }: RequestWork): RestRequest {
  const { request, checked } = performBodyWork(body);
  if (checked !== true) throw checked;
  return request;
}

/** Drops names that the schema does not know before copying. `words` are for the REST server. */
function hear<Answer>(
  work: RequestWork,
  schema: z.ZodObject | null,
  read: (params: ApiRequest['params'], request: RestRequest) => Answer,
): Heard<Answer> {
  const request = checkedRequest(work);
  const { JSON: json } = request.parameters;
  if (schema !== null) {
    for (const name of json.keys()) {
      if (!(name in schema.shape || serverWords.includes(name))) json.delete(name);
    }
  }
  const params = plainParameters(request, work.isDialects, true);
  const words = readParametersOf(request, (name) => serverWords.includes(name));
  return { answer: read(params, request), words };
}

function parsed<Value>(bytes: Uint8Array): Value {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Value;
}

function readSent(read: LenientJson<unknown>, maps: MapsThere, facts: EventFacts): ReadEvent {
  const sent = readEvent(read.value, facts, read.replacedAt);
  const need = mappingNeedOf(sent.event);
  if (maps !== 'up' || need.scripts.length === 0) {
    const needsMapping = maps === 'yet' && need.canWait;
    const mapping = { needsMapping, awaits: needsMapping ? debugIdsOfScripts(need.scripts) : [] };
    return { kind: 'prepared', event: packed(sent, mapping, facts) };
  }
  return { kind: 'mappable', view: mappingViewOf(sent.event), sent: Buffer.from(JSON.stringify(sent)) };
}

/** Packed here, since the main thread would have to do it otherwise. */
function packed(sent: SentEvent, mapping: Mapping, facts: EventFacts): PreparedEvent {
  const event = settledKey(finishEvent(sent, mapping, facts));
  return typeof event.payload === 'string' ? { ...event, payload: packPayload(event.payload, event) } : event;
}

function memoryOfEvent(read: ReadEvent): TransferListItem[] {
  if (read.kind === 'mappable') return memoryOf(read.sent);
  const { payload } = read.event;
  return typeof payload === 'string' ? [] : memoryOf(payload.body);
}

function memoryOfReport({ images }: PreparedReport): TransferListItem[] {
  return memoryOfAll(images.flatMap(({ bytes }) => (bytes === null ? [] : [bytes])));
}

function memoryOfAll(all: readonly Uint8Array[]): TransferListItem[] {
  return [...new Set(all.flatMap(memoryOf))];
}
