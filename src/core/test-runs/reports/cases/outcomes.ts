import type { CaseStatus, FailureKind } from '../../../store/test-runs.ts';

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
