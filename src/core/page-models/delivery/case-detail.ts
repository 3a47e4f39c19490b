import type { TestCaseView } from '../../../../schemas/test-runs.ts';
import { cutText } from '../../parsing/cut-text.ts';
import type { CaseResult } from '../../store/test-runs.ts';
import { type Difference, parseDifference } from './difference.ts';

interface CaseTry {
  readonly status: string;
  readonly duration_ms: number | null;
  readonly message: string | null;
}

export interface CaseDetail {
  readonly case_id: string;
  readonly name: string;
  readonly suite: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly result: CaseResult;
  readonly kind: TestCaseView['kind'];
  readonly duration_ms: number | null;
  readonly retries: number;
  readonly flaky_rule: TestCaseView['flaky_rule'];
  readonly case_flaky: TestCaseView['case_flaky'];
  readonly quarantined: boolean;
  readonly configuration: string | null;
  readonly message: string | null;
  readonly difference: Difference | null;
  readonly trace: string | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly tries: readonly CaseTry[];
  readonly tags: readonly string[];
}

/** Maximum characters, in a list and on the page of the case. */
const textLimits = {
  short: { message: 1_000, trace: 3_000, output: 500 },
  whole: { message: 8_000, trace: 16_000, output: 8_000 },
} as const;

const triesShown = 10;
const tagsShown = 20;

export function viewCaseDetail(view: TestCaseView, length: keyof typeof textLimits): CaseDetail {
  const limit = textLimits[length];
  const message = cutOrNull(view.message, limit.message);
  const tries = listOf(view.attempts).flatMap((each) => tryOf(each, limit.message) ?? []);
  return {
    case_id: view.case_id,
    name: view.name,
    suite: listOf(view.suite).map(String),
    file: view.file,
    line: numberOrNull(view.line),
    result: view.status === 'failed' ? 'failed' : view.flaky ? 'flaky' : view.status,
    kind: view.kind,
    duration_ms: view.duration_ms,
    retries: numberOrNull(view.retries) ?? 0,
    flaky_rule: view.flaky_rule,
    case_flaky: view.case_flaky,
    quarantined: view.quarantined,
    configuration: cutOrNull(view.configuration, limit.output),
    message,
    difference: parseDifference(message),
    trace: cutOrNull(view.trace, limit.trace),
    stdout: cutOrNull(view.stdout, limit.output),
    stderr: cutOrNull(view.stderr, limit.output),
    tries: tries.slice(0, triesShown),
    tags: listOf(view.tags).map(String).slice(0, tagsShown),
  };
}

function tryOf(attempt: unknown, charactersMax: number): CaseTry | null {
  if (typeof attempt !== 'object' || attempt === null) return null;
  const { status, duration_ms: took, message } = attempt as Readonly<Record<string, unknown>>;
  return {
    status: String(status ?? ''),
    duration_ms: numberOrNull(took),
    message: cutOrNull(message, charactersMax),
  };
}

function cutOrNull(text: unknown, charactersMax: number): string | null {
  if (typeof text !== 'string' || text === '') return null;
  const cut = cutText(text, charactersMax);
  return cut.length < text.length ? `${cut}…` : cut;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
