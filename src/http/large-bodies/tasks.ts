// Messages between the main thread and the workers for large bodies. All of it is structured-clone data.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { DocumentOutline, ReadEvent, SourceMapLookup } from '../../core/ports/large-body-reader.ts';
import type {
  EventGroupingKey,
  EventReadContext,
  FeedbackItemReadContext,
  FeedbackReadContext,
  HealthItemType,
  HealthReadContext,
  PreparedEvent,
  PreparedFeedback,
  ReleaseReadContext,
  ScrubOptions,
  SymbolicationState,
} from '../../core/ports/prepared-data.ts';
import type { PackedPayload } from '../../core/store/events.ts';
import type { ReleaseChange } from '../../core/store/releases.ts';
import type { ParsedParameters } from '../../wordpress/request/parameters.ts';
import type { BodyTask } from '../../wordpress/rest/body-task.ts';

export interface RequestTask {
  readonly body: BodyTask;
  readonly isDialects: boolean;
}

export interface WithServerParameters<Answer> {
  readonly answer: Answer;
  readonly parameters: ParsedParameters;
}

export interface Tasks {
  parameters: { takes: { request: RequestTask }; answers: ParsedParameters };
  store: {
    takes: { request: RequestTask; maps: SourceMapLookup; facts: EventReadContext };
    answers: WithServerParameters<ReadEvent>;
  };
  event: { takes: { bytes: Uint8Array; maps: SourceMapLookup; facts: EventReadContext }; answers: ReadEvent };
  finish: {
    takes: {
      sent: Uint8Array;
      mapped: NormalizedEvent;
      mapping: SymbolicationState;
      facts: EventReadContext;
    };
    answers: PreparedEvent;
  };
  stored: {
    takes: { payload: Uint8Array };
    answers: { view: NormalizedEvent; sent: Uint8Array; key: EventGroupingKey };
  };
  'finish-stored': {
    takes: { sent: Uint8Array; mapped: NormalizedEvent; scrub: ScrubOptions };
    answers: { payload: PackedPayload; key: EventGroupingKey };
  };
  outline: { takes: { bytes: Uint8Array }; answers: DocumentOutline };
  feedback: {
    takes: { request: RequestTask; facts: FeedbackReadContext };
    answers: WithServerParameters<PreparedFeedback>;
  };
  report: { takes: { bytes: Uint8Array; facts: FeedbackItemReadContext }; answers: PreparedFeedback };
  health: { takes: { type: HealthItemType; bytes: Uint8Array; of: HealthReadContext }; answers: unknown };
  release: {
    takes: { request: RequestTask; of: ReleaseReadContext };
    answers: WithServerParameters<ReleaseChange>;
  };
  json: { takes: { bytes: Uint8Array; names: readonly string[] }; answers: unknown };
  'release-json': {
    takes: { bytes: Uint8Array; version: string | null; of: ReleaseReadContext };
    answers: ReleaseChange;
  };
}

export type TaskKind = keyof Tasks;
export type Task = { [Kind in TaskKind]: { readonly kind: Kind } & Tasks[Kind]['takes'] }[TaskKind];
export type TaskResult<Kind extends TaskKind> = Tasks[Kind]['answers'];

/** `bytes` are the task's bytes whose memory is transferred. Rejects with the refusal. */
export type RunTask = <Kind extends TaskKind>(
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
) => Promise<TaskResult<Kind>>;

export interface WorkerOptions {
  readonly yieldsToOthers: boolean;
}

/** A copy, since a socket's buffer may be shared with other requests. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

export function ownsItsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}

export function toTransferList(bytes: Uint8Array): ArrayBuffer[] {
  return ownsItsMemory(bytes) ? [bytes.buffer] : [];
}
