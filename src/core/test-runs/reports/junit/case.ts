import type { CaseCollector } from '../cases/normalize.ts';
import { attemptsMax, isFailureWord, parseOutcome, type RawCase, tagsMax } from '../cases/report.ts';
import { type NumberLocale, parseSeconds, parseWholeNumber } from './numbers.ts';

export const textCharactersMax = 65_536;

export interface Suite {
  readonly name: string;
  readonly file: string | null;
  readonly hostname: string | null;
}

export interface CaseOutcome {
  readonly message: string | null;
  readonly type: string | null;
  text: string;
}

export type OpenCase = ReturnType<typeof openCase>;

export function openCase(attributes: Readonly<Record<string, string>>) {
  return {
    name: attributes['name'] ?? null,
    className: attributes['classname'] ?? attributes['class'] ?? '',
    attributes,
    error: null as CaseOutcome | null,
    failure: null as CaseOutcome | null,
    skipped: null as CaseOutcome | null,
    attempts: [] as Array<CaseOutcome & { word: string }>,
    flaky: false,
    stdout: '',
    stderr: '',
    properties: [] as Array<readonly [string, string]>,
  };
}

/** The first outcome of a kind counts. */
export function openInCase(
  one: OpenCase,
  name: string,
  attributes: Readonly<Record<string, string>>,
): CaseOutcome | null {
  const opened: CaseOutcome = {
    message: attributes['message'] ?? null,
    type: attributes['type'] ?? null,
    text: '',
  };
  if (name === 'error' || name === 'failure') {
    one[name] ??= opened;
    return opened;
  }
  if (name === 'skipped' || name === 'ignored' || name === 'disabled') {
    one.skipped ??= opened;
    return opened;
  }
  if (isRerunElement(name)) {
    one.flaky ||= name.startsWith('flaky');
    const attempt = { ...opened, word: name.endsWith('Error') ? 'error' : 'failed' };
    if (one.attempts.length < attemptsMax) one.attempts.push(attempt);
    return attempt;
  }
  if (name === 'property' && one.properties.length < tagsMax) {
    one.properties.push([attributes['name'] ?? '', attributes['value'] ?? '']);
  }
  return null;
}

/** Surefire: flaky cases passed in the end, rerun cases failed. */
export function isRerunElement(name: string): boolean {
  return /^(?:flaky|rerun)(?:Failure|Error)$/.test(name);
}

const outcomeAttributes = ['status', 'result', 'outcome'] as const;

/** Error before failure before skipped: pytest writes several when teardown fails. Passed without any. */
function statusOf(one: OpenCase): string {
  // In node:test, a todo may fail without failing the run.
  if (one.skipped?.type?.toLowerCase() === 'todo') return 'skipped';
  if (one.error !== null) return 'error';
  if (one.failure !== null) return 'failed';
  const { attributes } = one;
  const words = outcomeAttributes.map((name) => attributes[name] ?? null);
  const failed = words.find(isFailureWord) ?? (attributes['success'] === 'false' ? 'failed' : null);
  if (failed !== null) return failed;
  if (one.skipped !== null) return isNotStarted(one) ? 'error' : 'skipped';
  // node:test writes failure= beside the element, others only one of these.
  if (attributes['error'] !== undefined) return 'error';
  if (attributes['failure'] !== undefined) return 'failed';
  const isSkipped = words.map(parseOutcome).some(({ known, status }) => known && status === 'skipped');
  return isSkipped ? 'skipped' : 'passed';
}

/** CTest reports tests that it could not start as skipped, but fails the run. Intended skips have a message. */
function isNotStarted({ name, className, attributes, skipped }: OpenCase): boolean {
  const reason = skipped?.message ?? '';
  const isOfCtest = attributes['status'] === 'notrun' && name === className;
  return isOfCtest && reason !== '' && reason !== 'Disabled' && !reason.startsWith('SKIP_');
}

export function isEmptyCase(one: OpenCase): boolean {
  return !one.name && one.className === '' && statusOf(one) === 'passed' && one.attempts.length === 0;
}

export function toRawCase(
  one: OpenCase,
  suites: readonly Suite[],
  path: string,
  form: NumberLocale,
  collector: CaseCollector,
): RawCase {
  const status = statusOf(one);
  const outcome = one.error ?? one.failure ?? one.skipped;
  const { attributes } = one;
  const named = suites.map((suite) => suite.name);
  const suiteFile = suites.findLast((suite) => suite.file !== null)?.file ?? null;
  return {
    path,
    name: one.name,
    suite: pathIn(named, one.className),
    file: attributes['file'] ?? attributes['filepath'] ?? suiteFile,
    line: parseWholeNumber(attributes['line'] ?? attributes['lineno']),
    status,
    rawStatus: rawWord(one, status),
    durationMs: parseSeconds(attributes['time'], form, { path, collector }),
    flaky: one.flaky && status === 'passed',
    message: outcome?.message ?? messageIn(outcome?.text, one) ?? attributes['failure'] ?? null,
    trace: textOf(outcome?.text),
    stdout: textOf(one.stdout),
    stderr: textOf(one.stderr),
    attempts: one.attempts.map((attempt) => ({
      status: attempt.word,
      durationMs: null,
      message: attempt.message ?? attempt.type,
      trace: textOf(attempt.text),
    })),
    properties: [...one.properties, ...propertiesInOutput(one.stdout)],
    configuration: suites.findLast((suite) => suite.hostname !== null)?.hostname ?? null,
  };
}

/** Surefire writes cases of nested Java classes to the report of either class, depending on version and run. */
function pathIn(suites: readonly string[], className: string): readonly string[] {
  const innermost = suites.at(-1) ?? '';
  if (className === '' || className === innermost) return suites;
  const outer = (name: string): string => name.split('$', 1)[0] ?? '';
  const isOfOneClass = outer(innermost) !== '' && outer(innermost) === outer(className);
  return [...(isOfOneClass ? suites.slice(0, -1) : suites), className];
}

/** Distinguishes an expected failure or todo from a plain skip. */
function rawWord(one: OpenCase, status: string): string | null {
  return status === 'skipped' ? (one.skipped?.type ?? one.attributes['status'] ?? null) : null;
}

/** `[[PROPERTY|name=value]]` lines, as testmoapp/junitxml describes them. */
function propertiesInOutput(output: string): Array<readonly [string, string]> {
  return output
    .slice(0, textCharactersMax)
    .split('\n')
    .filter((line) => line.startsWith('[[PROPERTY|') && line.trimEnd().endsWith(']]'))
    .slice(0, 20)
    .map((line) => {
      const [name = '', ...value] = line.trimEnd().slice('[[PROPERTY|'.length, -2).split('=');
      return [name, value.join('=')] as const;
    });
}

export function trimOutput(text: string): string {
  return textOf(text) ?? '';
}

function textOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** PHPUnit's first line names the case, so the lines up to an empty one follow. */
function messageIn(text: string | undefined, one: OpenCase): string | null {
  const [first = '', ...lines] = textOf(text)?.split('\n') ?? [];
  const names = [one.className, one.attributes['class'] ?? ''].map((name) => `${name}::${one.name}`);
  const testName = names.find((name) => first.startsWith(name));
  const isOwn =
    testName !== undefined && /^(?: with data set .*| \(.*)?$/.test(first.slice(testName.length).trimEnd());
  const blank = lines.findIndex((line) => line.trim() === '');
  const message = isOwn ? lines.slice(0, blank === -1 ? lines.length : blank).join('\n') : '';
  return textOf(message) ?? textOf(first);
}
