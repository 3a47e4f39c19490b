// What reporters' words for an outcome mean. Which word a report uses is its reader's affair.
import type { CaseStatus, FailureKind } from '../../store/test-runs.ts';

interface Outcome {
  readonly status: CaseStatus;
  readonly kind: FailureKind | null;
}

/** Words of reporters for the outcomes; every other word means that the case did not run to an end. */
const wordsOfOutcomes: ReadonlyArray<readonly [string, Outcome]> = [
  ['passed pass ok success succeeded run completed expected', { status: 'passed', kind: null }],
  ['failed fail failure timedout timed_out timeout unexpected', { status: 'failed', kind: 'failure' }],
  ['error errored broken crashed interrupted', { status: 'failed', kind: 'error' }],
  [
    'skipped skip pending todo disabled notrun not_run ignored other inconclusive cancelled canceled',
    { status: 'skipped', kind: null },
  ],
];

const outcomes: ReadonlyMap<string, Outcome> = new Map(
  wordsOfOutcomes.flatMap(([words, outcome]) => words.split(' ').map((word) => [word, outcome] as const)),
);

/** The outcome a reporter's word stands for; `known` is false for a word that nobody is known to use. */
export function outcomeOf(word: string | null): {
  status: CaseStatus;
  kind: FailureKind | null;
  known: boolean;
} {
  const found = outcomes.get((word ?? '').trim().toLowerCase().replace(/[ -]/g, '_'));
  return found === undefined ? { status: 'skipped', kind: null, known: false } : { ...found, known: true };
}
