import { createBadRequestError } from '../../../errors.ts';
import { cutText, cutTextFromEnd, isLongerThan } from '../../../parsing/cut-text.ts';
import { scrubNamedValue, scrubProjectText } from '../../../scrub/record.ts';
import type { ProjectScrubSettings } from '../../../store/projects.ts';
import type { Attempt, CaseStatus, ReportWarning, TestCase, Totals } from '../../../store/test-runs.ts';
import { computeCaseId, disambiguateCases, type IdentifiedCase } from './case-id.ts';
import {
  attemptsMax,
  type CaseScrubber,
  casesMax,
  labelsOfRunCharactersMax,
  messageCharactersMax,
  nameCharactersMax,
  noName,
  outputCharactersMax,
  outputOfRunCharactersMax,
  parseOutcome,
  type RawCase,
  shortenedNameCharactersMax,
  stepsMax,
  tagsMax,
  textOfRunCharactersMax,
  traceCharactersMax,
  warningsMax,
} from './report.ts';

/** Read beyond a cut, so that a secret at its edge is recognised. */
const cutMargin = 2048;

const rawStatusCharactersMax = 64;

export type ReportedFailure = 'failed' | 'error';

export type CaseCollector = ReturnType<typeof createCollector>;

/** In characters, except for `cases`. */
export type ReportBudget = ReturnType<typeof createBudget>;

export function createBudget(cleaner: CaseScrubber = noScrubber) {
  return {
    /** Case ids and the digest of the upload are made before scrubbing. */
    cleaner,
    cases: casesMax,
    output: outputOfRunCharactersMax,
    text: textOfRunCharactersMax,
    labels: labelsOfRunCharactersMax,
  };
}

/** Collects the cases of one document; the documents of an upload share `budget`. */
export function createCollector(budget: ReportBudget) {
  const found: IdentifiedCase[] = [];
  const warnings = createWarnings();
  let failed = 0;
  let known = 0;
  let claimed: ReportedFailure | null = null;
  return {
    get size() {
      return found.length;
    },
    get failed() {
      return failed;
    },
    get known() {
      return known;
    },
    get claimed(): ReportedFailure | null {
      return claimed;
    },
    /** Records a failure of the whole run: its status is at least this. */
    claim(status: ReportedFailure): void {
      claimed = claimed === 'failed' ? claimed : status;
    },
    addOutput(index: number, { stdout, stderr }: { stdout: string; stderr: string }, path: string): void {
      const at = found[index];
      if (at === undefined) return;
      const { one } = at;
      found[index] = {
        ...at,
        one: {
          ...one,
          stdout: one.stdout ?? lastOutput(stdout, budget, warnings.add, path),
          stderr: one.stderr ?? lastOutput(stderr, budget, warnings.add, path),
        },
      };
    },
    warn: warnings.add,
    add(raw: RawCase): void {
      budget.cases -= 1;
      if (budget.cases < 0) {
        throw createBadRequestError(
          'notifier_test_run_too_many_cases',
          `The report has more than ${casesMax} cases. Split it into parts with the same run_key and different shards.`,
          { limit: casesMax },
        );
      }
      const one = boundedCase(raw, budget, warnings.add);
      if (one.status === 'failed') failed += 1;
      if (parseOutcome(raw.status).known) known += 1;
      found.push({
        one,
        hasId: Boolean(raw.testId),
        configuration: raw.configuration ? ownCopy(cutText(raw.configuration, 200)) : null,
      });
    },
    finish() {
      const cases = disambiguateCases(found);
      return { cases, totals: countCases(cases), warnings: warnings.list() };
    },
  };
}

/** Counted, since 10 of 35 real reports have wrong totals. */
export function countCases(cases: readonly TestCase[]): Totals {
  const count = (test: (one: TestCase) => boolean): number => cases.filter(test).length;
  return {
    tests: cases.length,
    passed: count((one) => one.status === 'passed'),
    failed: count((one) => one.status === 'failed'),
    errors: count((one) => one.kind === 'error'),
    skipped: count((one) => one.status === 'skipped'),
    flaky: count((one) => one.flakyRule !== null),
  };
}

type Cut = (text: string | null | undefined, charactersMax: number, label: string) => string | null;

function boundedCase(rawCase: RawCase, budget: ReportBudget, warn: Warn): TestCase {
  const raw = withinLabels(rawCase, budget, warn);
  const { cleaner } = budget;
  const cut: Cut = (text, charactersMax, label) => {
    if (text === null || text === undefined || text === '') {
      return null;
    }
    if (isLongerThan(text, charactersMax)) {
      warn('text_cut', `${label} was cut to ${charactersMax} characters.`, raw.path);
    }
    // Scrub before cutting: half a secret is not recognised.
    return ownCopy(cutText(cleaner.text(cutText(text, charactersMax + cutMargin)), charactersMax));
  };
  const outcome = parseOutcome(raw.status);
  if (!outcome.known) {
    warn('unknown_status', 'A status that is missing or unknown was counted as skipped.', raw.path);
  }
  if (raw.name === null || raw.name === '') {
    warn('missing_name', 'A case without a name was called "(no name)".', raw.path);
  }
  const attempts = boundedAttempts(raw, budget, warn, cut);
  const message = cut(raw.message, messageCharactersMax, 'A message');
  const trace = cut(raw.trace, traceCharactersMax, 'A trace');
  const texts = withinBudget({ message, trace }, budget, warn, raw.path);
  const retried = attempts.some((attempt) => attempt.status === 'failed');
  return {
    caseId: computeCaseId(rawCase),
    name: cut(raw.name, nameCharactersMax, 'A name') ?? noName,
    suite: boundedSuite(raw, cut),
    file: cut(raw.file, nameCharactersMax, 'A file name'),
    line: raw.line ?? null,
    status: outcome.status,
    kind: outcome.kind,
    rawStatus: cut(rawStatusOf(raw, outcome.status), rawStatusCharactersMax, 'A status'),
    durationMs: checkedDuration(raw.durationMs ?? null, raw.path, warn),
    retries: Math.max(raw.retries ?? 0, attempts.filter((attempt) => attempt.status === 'failed').length),
    flakyRule: raw.flaky === true || (outcome.status === 'passed' && retried) ? 'same_run' : null,
    ...texts,
    stdout: lastOutput(raw.stdout, budget, warn, raw.path),
    stderr: lastOutput(raw.stderr, budget, warn, raw.path),
    attempts,
    steps: (raw.steps ?? []).slice(0, stepsMax).map((step) => ({
      name: cut(step.name, nameCharactersMax, 'The name of a step') ?? '',
      status: parseOutcome(step.status).status,
    })),
    tags: (raw.tags ?? []).slice(0, tagsMax).map((tag) => ownCopy(cleaner.text(cutText(tag, 200)))),
    properties: (raw.properties ?? [])
      .slice(0, tagsMax)
      .map(([name, value]) => cleaner.pair(cutText(name, 200), cutText(value, nameCharactersMax)))
      .map(([name, value]) => [ownCopy(name), ownCopy(value)] as const),
    configuration: raw.configuration ? ownCopy(cleaner.text(cutText(raw.configuration, 200))) : null,
  };
}

/** When the budget for texts is used up, one attempt still shows that there were retries. */
function boundedAttempts(raw: RawCase, budget: ReportBudget, warn: Warn, cut: Cut): Attempt[] {
  return (raw.attempts ?? []).slice(0, budget.text > 0 ? attemptsMax : 1).map((attempt) => {
    const message = cut(attempt.message, messageCharactersMax, 'The message of an attempt');
    const trace = cut(attempt.trace, messageCharactersMax, 'The trace of an attempt');
    return {
      status: parseOutcome(attempt.status).status,
      durationMs: checkedDuration(attempt.durationMs, raw.path, warn),
      ...withinBudget({ message, trace }, budget, warn, raw.path),
    };
  });
}

/** Beyond the budget for names and labels, names are shortened and labels dropped. */
function withinLabels(raw: RawCase, budget: ReportBudget, warn: Warn): RawCase {
  const name = cutText(raw.name ?? '', nameCharactersMax);
  const suite = raw.suite.slice(0, 64).map((each) => cutText(each, nameCharactersMax));
  const lists = [
    ...(raw.tags ?? []).slice(0, tagsMax),
    ...(raw.properties ?? []).slice(0, tagsMax).flat(),
    ...(raw.steps ?? []).slice(0, stepsMax).map((step) => step.name),
  ];
  const size = [name, raw.file ?? '', ...suite, ...lists].reduce(
    (sum, text) => sum + Math.min(text.length, nameCharactersMax) + 50,
    0,
  );
  if (size <= budget.labels) {
    budget.labels -= size;
    return raw;
  }
  warn(
    'labels_dropped',
    'Tags, properties and steps beyond the limit of a run were dropped, and names cut short.',
    raw.path,
  );
  return {
    ...raw,
    name: raw.name === null ? null : cutText(raw.name, shortenedNameCharactersMax),
    suite: [cutText(suite.join(' > '), shortenedNameCharactersMax)],
    file: cutText(raw.file ?? '', shortenedNameCharactersMax) || null,
    tags: [],
    properties: [],
    steps: [],
  };
}

function boundedSuite(raw: RawCase, cut: Cut): string[] {
  const names = raw.suite.filter((name) => name !== '').slice(0, 64);
  let remaining = nameCharactersMax;
  const shortened: string[] = [];
  for (const name of names) {
    const text = remaining > 0 ? cut(name, remaining, 'A suite name') : null;
    if (text !== null) {
      shortened.push(text);
      remaining -= text.length;
    }
  }
  return shortened;
}

function rawStatusOf(raw: RawCase, status: CaseStatus): string | null {
  const word = raw.rawStatus ?? raw.status;
  return word === null || word === undefined || word === '' || word === status
    ? null
    : cutText(word, rawStatusCharactersMax);
}

function checkedDuration(durationMs: number | null, path: string, warn: Warn): number | null {
  if (durationMs === null) {
    return null;
  }
  if (!Number.isFinite(durationMs) || durationMs < 0 || durationMs > Number.MAX_SAFE_INTEGER) {
    warn('invalid_time', 'A time that is negative or no number was dropped.', path);
    return null;
  }
  return Math.round(durationMs);
}

function withinBudget(
  texts: { message: string | null; trace: string | null },
  budget: { text: number },
  warn: Warn,
  path: string,
): { message: string | null; trace: string | null } {
  const size = (texts.message?.length ?? 0) + (texts.trace?.length ?? 0) + 50;
  if (size > budget.text) {
    warn(
      'text_dropped',
      `Messages and traces over ${textOfRunCharactersMax} characters a run were dropped.`,
      path,
    );
    return { message: null, trace: null };
  }
  budget.text -= size;
  return texts;
}

/** The end of the output shows why a case stopped. */
function lastOutput(
  text: string | null | undefined,
  budget: { output: number; readonly cleaner: CaseScrubber },
  warn: Warn,
  path: string,
): string | null {
  if (text === null || text === undefined || text === '') {
    return null;
  }
  const charactersLeft = Math.min(outputCharactersMax, budget.output);
  if (isLongerThan(text, charactersLeft)) {
    warn(
      'output_cut',
      `Output was cut to its last ${outputCharactersMax} characters a case, ${outputOfRunCharactersMax} a run.`,
      path,
    );
  }
  const shortened = cutTextFromEnd(
    budget.cleaner.text(cutTextFromEnd(text, charactersLeft + cutMargin)),
    charactersLeft,
  );
  budget.output -= shortened.length;
  return shortened === '' ? null : ownCopy(shortened);
}

/** V8 stores a substring as a view that keeps the whole report in memory. Lone surrogates become U+FFFD. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

type Warn = (code: string, message: string, path?: string) => void;

/** Further warnings of the same code are only counted. */
const warningsOfCodeMax = 3;

function createWarnings(): { add: Warn; list(): ReportWarning[] } {
  const byCode = new Map<string, { first: ReportWarning[]; count: number }>();
  return {
    add(code, message, path) {
      const known = byCode.get(code) ?? { first: [], count: 0 };
      byCode.set(code, known);
      known.count += 1;
      if (known.first.length < warningsOfCodeMax) {
        known.first.push(path === undefined ? { code, message } : { code, path, message });
      }
    },
    list() {
      const all = [...byCode.values()].flatMap(({ first, count }) => {
        const more = count - first.length;
        const last = first.at(-1);
        return more === 0 || last === undefined
          ? first
          : [...first.slice(0, -1), { ...last, message: `${last.message} (and ${more} more)` }];
      });
      return all.slice(0, warningsMax);
    },
  };
}

/** Cache: names of suites, files and tags repeat in each case, longer texts seldom do. */
const rememberedCharactersMax = 200;
const rememberedMax = 5_000;

const noScrubber: CaseScrubber = { text: (text) => text, pair: (name, value) => [name, value] };

/** Scrubs the cases of one upload. Keep one per upload, since it caches texts. */
export function createCaseScrubber(project: ProjectScrubSettings): CaseScrubber {
  const known = new Map<string, string>();
  return {
    text(text) {
      if (text.length > rememberedCharactersMax) return scrubProjectText(text, project);
      const before = known.get(text);
      if (before !== undefined) return before;
      const clean = scrubProjectText(text, project);
      if (known.size >= rememberedMax) known.clear();
      known.set(text, clean);
      return clean;
    },
    pair: (name, value) => scrubNamedValue(name, value, project),
  };
}
