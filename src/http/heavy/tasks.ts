// Messages between the main thread and the workers for large bodies. All of it is structured-clone data.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { MapsThere, Outline, ReadEvent } from '../../core/ports/heavy-reader.ts';
import type {
  EventFacts,
  EventKey,
  HealthFacts,
  HealthType,
  Mapping,
  PreparedEvent,
  PreparedReport,
  ReleaseFacts,
  ReportFacts,
  ReportItemFacts,
  ScrubOptions,
} from '../../core/ports/readings.ts';
import type { PackedPayload } from '../../core/store/events.ts';
import type { ReleaseChange } from '../../core/store/releases.ts';
import type { ReadParameters } from '../../wordpress/request/parameters.ts';
import type { BodyWork } from '../../wordpress/rest/body-work.ts';

export interface RequestWork {
  readonly body: BodyWork;
  readonly isDialects: boolean;
}

/** An answer, and the parameters for the REST server itself. */
export interface Heard<Answer> {
  readonly answer: Answer;
  readonly words: ReadParameters;
}

export interface Tasks {
  parameters: { takes: { request: RequestWork }; answers: ReadParameters };
  store: {
    takes: { request: RequestWork; maps: MapsThere; facts: EventFacts };
    answers: Heard<ReadEvent>;
  };
  event: { takes: { bytes: Uint8Array; maps: MapsThere; facts: EventFacts }; answers: ReadEvent };
  finish: {
    takes: { sent: Uint8Array; mapped: NormalizedEvent; mapping: Mapping; facts: EventFacts };
    answers: PreparedEvent;
  };
  stored: {
    takes: { payload: Uint8Array };
    answers: { view: NormalizedEvent; sent: Uint8Array; key: EventKey };
  };
  'finish-stored': {
    takes: { sent: Uint8Array; mapped: NormalizedEvent; scrub: ScrubOptions };
    answers: { payload: PackedPayload; key: EventKey };
  };
  outline: { takes: { bytes: Uint8Array }; answers: Outline };
  feedback: { takes: { request: RequestWork; facts: ReportFacts }; answers: Heard<PreparedReport> };
  report: { takes: { bytes: Uint8Array; facts: ReportItemFacts }; answers: PreparedReport };
  health: { takes: { type: HealthType; bytes: Uint8Array; of: HealthFacts }; answers: unknown };
  release: {
    takes: { request: RequestWork; of: ReleaseFacts };
    answers: Heard<ReleaseChange>;
  };
  json: { takes: { bytes: Uint8Array; names: readonly string[] }; answers: unknown };
  'release-json': {
    takes: { bytes: Uint8Array; version: string | null; of: ReleaseFacts };
    answers: ReleaseChange;
  };
}

export type TaskKind = keyof Tasks;
export type Task = { [Kind in TaskKind]: { readonly kind: Kind } & Tasks[Kind]['takes'] }[TaskKind];
export type AnswerTo<Kind extends TaskKind> = Tasks[Kind]['answers'];

/** `bytes` are the task's bytes whose memory is transferred. Rejects with the refusal. */
export type Ask = <Kind extends TaskKind>(
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
) => Promise<AnswerTo<Kind>>;

export interface ThreadGives {
  /** Whether it runs at low priority. */
  readonly givesWay: boolean;
}
