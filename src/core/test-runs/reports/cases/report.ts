// Limits and types of a parsed report. docs/test-reports.md, "Limits".

import type { CaseStatus, FailureKind } from '../../../store/test-runs.ts';

/** For one upload; larger reports have to be split by run_key and shard. */
export const casesMax = 10_000;
export const nameCharactersMax = 1000;
export const messageCharactersMax = 8192;
export const traceCharactersMax = 32_768;
/** The last characters of stdout and stderr of a case; and of all output of an upload. */
export const outputCharactersMax = 16_384;
export const outputOfRunCharactersMax = 1_048_576;
export const textOfRunCharactersMax = 8_388_608;
/** Names, files, tags, properties and steps of an upload. Beyond it names are shortened, the rest dropped. */
export const labelsOfRunCharactersMax = 8_388_608;
export const shortenedNameCharactersMax = 100;
export const noName = '(no name)';
export const stepsMax = 20;
export const attemptsMax = 20;
export const tagsMax = 50;
export const warningsMax = 100;

export interface CaseScrubber {
  text(text: string): string;
  /** The name may show that the value is secret. */
  pair(name: string, value: string): readonly [string, string];
}

export interface RawCase {
  readonly name: string | null;
  readonly suite: readonly string[];
  readonly testId?: string | null;
  readonly file?: string | null;
  readonly line?: number | null;
  readonly status: string | null;
  readonly rawStatus?: string | null;
  readonly durationMs?: number | null;
  readonly flaky?: boolean;
  readonly retries?: number | null;
  readonly message?: string | null;
  readonly trace?: string | null;
  readonly stdout?: string | null;
  readonly stderr?: string | null;
  readonly attempts?: ReadonlyArray<{
    status: string | null;
    durationMs: number | null;
    message: string | null;
    trace: string | null;
  }>;
  readonly steps?: ReadonlyArray<{ name: string; status: string | null }>;
  readonly tags?: readonly string[];
  readonly properties?: ReadonlyArray<readonly [string, string]>;
  readonly parameters?: string | null;
  readonly configuration?: string | null;
  /** Position in the report, for warnings. */
  readonly path: string;
}

interface Outcome {
  readonly status: CaseStatus;
  readonly kind: FailureKind | null;
}

/** Without spaces and dashes. Unknown words count as skipped. */
const wordsOfOutcomes: ReadonlyArray<readonly [string, Outcome]> = [
  [
    'passed pass passing ok success successful succeeded run completed complete expected xpass xpassed flaky fixed subtestspassed',
    { status: 'passed', kind: null },
  ],
  [
    'failed fail failing failure failures unsuccessful notok ko timedout timeout unexpected xpassstrict subtestsfailed',
    { status: 'failed', kind: 'failure' },
  ],
  [
    'error errored errors broken crashed crash interrupted aborted abort fatal exception killed panic panicked',
    { status: 'failed', kind: 'error' },
  ],
  [
    `skipped skip pending todo disabled notrun notexecuted ignored suppressed incomplete other inconclusive
     cancelled canceled xfail xfailed deselected blocked untested`,
    { status: 'skipped', kind: null },
  ],
];

const outcomes: ReadonlyMap<string, Outcome> = new Map(
  wordsOfOutcomes.flatMap(([words, outcome]) => words.split(/\s+/).map((word) => [word, outcome] as const)),
);

export function parseOutcome(word: string | null): {
  status: CaseStatus;
  kind: FailureKind | null;
  known: boolean;
} {
  const found = outcomes.get((word ?? '').toLowerCase().replace(/[\s_-]+/g, ''));
  return found === undefined ? { status: 'skipped', kind: null, known: false } : { ...found, known: true };
}

export function isFailureWord(word: unknown): word is string {
  return typeof word === 'string' && parseOutcome(word).status === 'failed';
}
