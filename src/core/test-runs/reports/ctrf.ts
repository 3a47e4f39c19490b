// Reads CTRF and flat JSON leniently: only one of five real CTRF reporters follows the schema.
import type { Json } from '../../../../schemas/event.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { parseTime } from '../../parsing/timestamps.ts';
import type { ReportedTotals } from '../../store/test-runs.ts';
import { asObject, asText } from './cases/context.ts';
import type { CaseCollector } from './cases/normalize.ts';
import { isFailureWord, parseOutcome, type RawCase } from './cases/report.ts';
import { parseNumber } from './junit/numbers.ts';

/** Images, files and results of other tools are skipped. */
export const skippedMembers: ReadonlySet<string> = new Set([
  'screenshot',
  'attachments',
  'insights',
  'baseline',
  'snippet',
  'ai',
  'extra',
]);

export function collectTest(collector: CaseCollector, value: Json, path: string): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    collector.warn('not_a_test', 'An element of tests that is no object was passed over.', path);
    return;
  }
  const test: Readonly<Record<string, Json>> = value;
  if (test['screenshot'] !== undefined || test['attachments'] !== undefined) {
    collector.warn('attachments_dropped', 'Screenshots and attachments are not kept.', path);
  }
  // Cypress has suites and name in one list.
  const titles = textsOf(test['title']).slice(0, 64);
  collector.add({
    path,
    name: asText(test['name'] ?? titles.at(-1) ?? test['title'] ?? test['fullName'] ?? test['nodeid']),
    suite: suitePath(test['suite'] ?? titles.slice(0, -1), collector, path),
    testId: asText(test['testId']) || asText(test['id']) || null,
    file: asText(test['filePath'] ?? test['file']),
    line: wholeNumber(test['line']),
    status: findStatusWord(test),
    rawStatus: asText(test['rawStatus'] ?? test['raw_status']),
    durationMs: numberMember(test['duration'] ?? test['duration_ms'], collector, path),
    flaky: test['flaky'] === true,
    retries: wholeNumber(test['retries']),
    message: asText(
      test['message'] ?? test['error'] ?? asObject(test['error'])['message'] ?? test['displayError'],
    ),
    trace: asText(test['trace']),
    stdout: linesOf(test['stdout']),
    stderr: linesOf(test['stderr']),
    attempts: attemptsOf(test['retryAttempts'] ?? test['attempts'], collector, path),
    steps: stepsOf(test['steps']),
    tags: textsOf(test['tags']),
    properties: scalarsOf(test['labels']),
    parameters: test['parameters'] ? JSON.stringify(test['parameters']) : null,
    configuration: [test['browser'], test['device']].map(asText).filter(Boolean).join(' ') || null,
  } satisfies RawCase);
}

export function findStatusWord(test: Readonly<Record<string, Json>>): string | null {
  const words = ['status', 'outcome', 'result', 'state'].map((name) => asText(test[name]));
  const known = words.find((word) => parseOutcome(word).known);
  // CTRF says "other" of what it has no word for; the runner's own word says what that was.
  const rawStatus = asText(test['rawStatus'] ?? test['raw_status']);
  if (known === 'other' && isFailureWord(rawStatus)) return rawStatus;
  if (known !== undefined) return known;
  const isFailed =
    ['passed', 'pass', 'success', 'ok'].some((name) => test[name] === false) ||
    ['failed', 'fail'].some((name) => test[name] === true) ||
    ['error', 'err', 'failure', 'failures', 'errors'].some((name) => hasValue(test[name]));
  return isFailed ? 'failed' : (words.find((word) => word !== null) ?? null);
}

function hasValue(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

export function checkCtrf(
  collector: CaseCollector,
  report: Readonly<Record<string, Json>>,
  results: Readonly<Record<string, Json>>,
): void {
  if (report['reportFormat'] !== 'CTRF') {
    collector.warn('missing_report_format', 'reportFormat is not "CTRF".', 'reportFormat');
  }
  const specVersion = report['specVersion'];
  if (typeof specVersion !== 'string' || !/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(specVersion)) {
    collector.warn('missing_spec_version', 'specVersion is missing or not of the form 0.0.0.', 'specVersion');
  } else if (!specVersion.startsWith('0.')) {
    collector.warn(
      'unknown_spec_version',
      'specVersion is newer than 0.0.0; the report was read as that.',
      'specVersion',
    );
  }
  if (asText(asObject(results['tool'])['name']) === null) {
    collector.warn('missing_tool', 'results.tool.name is missing.', 'results.tool.name');
  }
}

export function readReportedTotals(
  members: Readonly<Record<string, Json>>,
  names: readonly string[],
): ReportedTotals | null {
  const totals: Record<string, number> = {};
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'number' && Number.isFinite(value)) {
      totals[name] = value;
    }
  }
  return Object.keys(totals).length === 0 ? null : totals;
}

export function readRunTimes(
  started: Json | undefined,
  finished: Json | undefined,
  collector: CaseCollector,
  path: string,
): { startedAtMs: number | null; finishedAtMs: number | null } {
  // 0 means unknown in empty CTRF reports.
  const startedAtMs = started === 0 ? null : parseTime(started);
  const finishedAtMs = finished === 0 ? null : parseTime(finished);
  if (startedAtMs !== null && finishedAtMs !== null && finishedAtMs < startedAtMs) {
    collector.warn('stop_before_start', 'The run stops before it starts; its times were dropped.', path);
    return { startedAtMs: null, finishedAtMs: null };
  }
  return { startedAtMs, finishedAtMs };
}

/** CTRF requires an array; two of five reporters write "a > b" or "a › b". */
function suitePath(value: Json | undefined, collector: CaseCollector, path: string): string[] {
  if (Array.isArray(value)) {
    return value.slice(0, 64).flatMap((name) => asText(name) ?? []);
  }
  const text = asText(value);
  if (text === null || text === '') {
    return [];
  }
  collector.warn('suite_not_an_array', 'A suite given as text was split at " > " and " › ".', path);
  // Cut first, since splitting a megabyte of separators is slow.
  return cutText(text, 4096).split(/ > | › /, 64);
}

function attemptsOf(
  value: Json | undefined,
  collector: CaseCollector,
  path: string,
): RawCase['attempts'] & object {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, 100).map((attempt) => {
    const members = asObject(attempt);
    return {
      status: asText(members['status']),
      durationMs: numberMember(members['duration'] ?? members['duration_ms'], collector, path),
      message: asText(members['message']),
      trace: asText(members['trace']),
    };
  });
}

function stepsOf(value: Json | undefined): RawCase['steps'] & object {
  return Array.isArray(value)
    ? value.slice(0, 100).map((step) => ({
        name: asText(asObject(step)['name']) ?? '',
        status: asText(asObject(step)['status']),
      }))
    : [];
}

function linesOf(value: Json | undefined): string | null {
  return Array.isArray(value) ? textsOf(value).join('\n') || null : asText(value);
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((one) => asText(one) ?? []) : [];
}

function scalarsOf(value: Json | undefined): Array<readonly [string, string]> {
  return Object.entries(asObject(value)).map(
    ([name, one]) => [name, typeof one === 'object' ? JSON.stringify(one) : String(one)] as const,
  );
}

function wholeNumber(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Numeric text is accepted, other text dropped, both with a warning. */
function numberMember(value: Json | undefined, collector: CaseCollector, path: string): number | null {
  if (typeof value === 'number' || value === undefined || value === null) {
    return value ?? null;
  }
  // Milliseconds are usually whole numbers, so `1,234` has a thousands separator.
  const found = typeof value === 'string' ? parseNumber(value, { comma: 'thousands' }) : null;
  if (found === null) {
    collector.warn('invalid_time', 'A time that is negative or no number was dropped.', path);
    return null;
  }
  collector.warn('time_format', 'A time given as text was read as a number.', path);
  return found.value;
}
