// Tasks of the workers for large bodies: the same reading and checks as in the main thread, without the store.
import type { TransferListItem } from 'node:worker_threads';
import type { z } from 'zod';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { feedbackRequest } from '../../../schemas/feedback.ts';
import { releaseRequest } from '../../../schemas/releases.ts';
import { parseHealthItem } from '../../core/envelopes/health-items.ts';
import { readDocumentOutline } from '../../core/envelopes/outline.ts';
import { parseJsonOrNull } from '../../core/envelopes/sort-items.ts';
import { compressPayload } from '../../core/events/compress-payload.ts';
import {
  filterEvent,
  groupingKeyOf,
  type NormalizedInput,
  normalizeSentEvent,
  resolveLazyKey,
  scrubAndGroup,
} from '../../core/events/prepare.ts';
import { prepareFeedback } from '../../core/feedback/parse-feedback.ts';
import { parseFeedbackItem } from '../../core/feedback/parse-item.ts';
import { type LenientJson, parseItemJson, parseItemObject } from '../../core/parsing/item-json.ts';
import type { ReadEvent, SourceMapLookup } from '../../core/ports/large-body-reader.ts';
import type {
  EventReadContext,
  PreparedEvent,
  PreparedFeedback,
  SymbolicationState,
} from '../../core/ports/prepared-data.ts';
import { parseReleaseRequest } from '../../core/releases/parse-release.ts';
import { scrubEvent } from '../../core/scrub/event.ts';
import {
  findNeededSourceMaps,
  restoreSentStacks,
  uniqueDebugIds,
} from '../../core/source-maps/apply-source-maps.ts';
import {
  createSymbolicationView,
  mergeSymbolicatedStacks,
} from '../../core/source-maps/symbolication-view.ts';
import {
  addComponentTag,
  findSuspectComponent,
  removeComponentTag,
} from '../../core/wordpress-components/suspect-component.ts';
import type { PhpValue } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import {
  runBodyTask,
  serverParameters,
  toBoundedPlain,
  toParsedParameters,
} from '../../wordpress/rest/body-task.ts';
import { parseFeedback, screenshotsOf } from '../api/feedback-form.ts';
import { parseParameters, parseValue } from '../api/parse-parameters.ts';
import { toPlainParameters } from '../api/plain-parameters.ts';
import type { ApiRequest } from '../api/route.ts';
import { checkEvent } from '../api/store-event.ts';
import {
  type RequestTask,
  type Task,
  type TaskKind,
  type TaskResult,
  type Tasks,
  toTransferList,
  type WithServerParameters,
} from './tasks.ts';

/** `transfer` is moved instead of copied. */
export interface TaskOutcome<Kind extends TaskKind = TaskKind> {
  readonly answer: TaskResult<Kind>;
  readonly transfer: readonly TransferListItem[];
}

/** Throws RestError and WpError as the main thread does. */
export function runTask(task: Task): TaskOutcome {
  const perform = performers[task.kind] as (takes: unknown) => TaskOutcome;
  return perform(task);
}

const performers: { readonly [Kind in TaskKind]: (takes: Tasks[Kind]['takes']) => TaskOutcome<Kind> } = {
  parameters({ request }) {
    const read = toParsedParameters(checkedRequest(request));
    return { answer: read, transfer: memoryOfAll(read.files.map((file) => file.bytes)) };
  },
  store({ request, maps, facts }) {
    const result = listenToWorker(request, null, (params, { replacedAt }) =>
      readSent({ value: checkEvent(params), replacedAt }, maps, facts),
    );
    return { answer: result, transfer: memoryOfEvent(result.answer) };
  },
  event({ bytes, maps, facts }) {
    const read = readSent(parseItemObject(bytes, 'event'), maps, facts);
    return { answer: read, transfer: memoryOfEvent(read) };
  },
  finish({ sent, mapped, mapping, facts }) {
    const read = parsed<NormalizedInput>(sent);
    const event = packEvent({ ...read, event: mergeSymbolicatedStacks(read.event, mapped) }, mapping, facts);
    return { answer: event, transfer: memoryOfEvent({ kind: 'prepared', event }) };
  },
  stored({ payload }) {
    const stored = parsed<NormalizedEvent>(payload);
    const event = restoreSentStacks(removeComponentTag(stored));
    const sent = Buffer.from(JSON.stringify(event));
    return {
      answer: { view: createSymbolicationView(event), sent, key: resolveLazyKey(groupingKeyOf(stored)) },
      transfer: toTransferList(sent),
    };
  },
  'finish-stored'({ sent, mapped, scrub }) {
    const { event } = scrubEvent(mergeSymbolicatedStacks(parsed<NormalizedEvent>(sent), mapped), scrub);
    const payload = compressPayload(
      JSON.stringify(addComponentTag(event, findSuspectComponent(event))),
      null,
    );
    return {
      answer: { payload, key: resolveLazyKey(groupingKeyOf(event)) },
      transfer: toTransferList(payload.body),
    };
  },
  outline: ({ bytes }) => ({ answer: readDocumentOutline(bytes), transfer: [] }),
  feedback({ request, facts }) {
    const result = listenToWorker(request, feedbackRequest, (params, { files, replacedAt }) => {
      const read = parseFeedback({ params, replacedAt });
      return prepareFeedback(read.report, screenshotsOf(files), facts, read.replacedAt);
    });
    return { answer: result, transfer: memoryOfReport(result.answer) };
  },
  report({ bytes, facts }) {
    const { value, replacedAt } = parseItemObject(bytes, facts.type);
    const report = parseFeedbackItem(value, [], facts, replacedAt);
    return { answer: report, transfer: memoryOfReport(report) };
  },
  health: ({ type, bytes, of }) => ({
    answer: parseHealthItem(type, parseJsonOrNull(bytes), of),
    transfer: [],
  }),
  release({ request, of }) {
    const result = listenToWorker(request, releaseRequest, (params) =>
      parseReleaseRequest(parseParameters(releaseRequest, { params }), of),
    );
    return { answer: result, transfer: [] };
  },
  'release-json'({ bytes, version, of }) {
    const input = parseValue(releaseRequest, readRoomyJson(bytes));
    const named = version === null ? input : { ...input, version };
    return { answer: parseReleaseRequest(named, of), transfer: [] };
  },
  json({ bytes, names }) {
    const value = readRoomyJson(bytes) as PhpValue;
    return { answer: toBoundedPlain(value, new Set(names), sentryValuesMax), transfer: [] };
  },
};

/** For the sentry-cli API, other than releases; a bundle has about a thousand chunks. */
const sentryValuesMax = 1_200;
/** Values built of a body of up to 5 MB; the rest is ignored. */
const roomyValuesMax = 200_000;

function readRoomyJson(bytes: Uint8Array): unknown {
  return parseItemJson(bytes, { valuesMax: roomyValuesMax });
}

function checkedRequest({ body }: RequestTask): RestRequest {
  const { request, checked } = runBodyTask(body);
  if (checked !== true) throw checked;
  return request;
}

/** Drops names that the schema does not know before copying. `parameters` are for the REST server. */
function listenToWorker<Answer>(
  work: RequestTask,
  schema: z.ZodObject | null,
  read: (params: ApiRequest['params'], request: RestRequest) => Answer,
): WithServerParameters<Answer> {
  const request = checkedRequest(work);
  const { JSON: json } = request.parameters;
  if (schema !== null) {
    for (const name of json.keys()) {
      if (!(name in schema.shape || serverParameters.includes(name))) json.delete(name);
    }
  }
  const params = toPlainParameters(request, work.isDialects, true);
  const parameters = toParsedParameters(request, (name) => serverParameters.includes(name));
  return { answer: read(params, request), parameters };
}

function parsed<Value>(bytes: Uint8Array): Value {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Value;
}

function readSent(read: LenientJson<unknown>, maps: SourceMapLookup, facts: EventReadContext): ReadEvent {
  const sent = normalizeSentEvent(read.value, facts, read.replacedAt);
  const event = filterEvent(sent.event, facts);
  if (event !== null) return { kind: 'filtered', event };
  const needed = findNeededSourceMaps(sent.event);
  if (maps !== 'up' || needed.scripts.length === 0) {
    const needsMapping = maps === 'yet' && needed.canWait;
    const mapping = { needsMapping, awaits: needsMapping ? uniqueDebugIds(needed.scripts) : [] };
    return { kind: 'prepared', event: packEvent(sent, mapping, facts) };
  }
  return {
    kind: 'mappable',
    view: createSymbolicationView(sent.event),
    sent: Buffer.from(JSON.stringify(sent)),
  };
}

/** Packed here, since the main thread would have to do it otherwise. */
function packEvent(
  sent: NormalizedInput,
  mapping: SymbolicationState,
  facts: EventReadContext,
): PreparedEvent {
  const event = resolveLazyKey(scrubAndGroup(sent, mapping, facts));
  return typeof event.payload === 'string'
    ? { ...event, payload: compressPayload(event.payload, event) }
    : event;
}

function memoryOfEvent(read: ReadEvent): TransferListItem[] {
  if (read.kind === 'mappable') return toTransferList(read.sent);
  if (read.kind === 'filtered') return [];
  const { payload } = read.event;
  return typeof payload === 'string' ? [] : toTransferList(payload.body);
}

function memoryOfReport({ images }: PreparedFeedback): TransferListItem[] {
  return memoryOfAll(images.flatMap(({ bytes }) => (bytes === null ? [] : [bytes])));
}

function memoryOfAll(all: readonly Uint8Array[]): TransferListItem[] {
  return [...new Set(all.flatMap(toTransferList))];
}
