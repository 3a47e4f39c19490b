// JSON formats of Mocha (`--reporter json`), pytest-json-report and GoogleTest (`--gtest_output=json`).
import type { Json } from '../../../../schemas/event.ts';
import { asObject, asText } from './cases/context.ts';
import type { CaseCollector } from './cases/normalize.ts';
import { casesMax, type RawCase } from './cases/report.ts';
import { collectTest } from './ctrf.ts';
import type { JsonPath } from './json-reader.ts';

type Test = Readonly<Record<string, Json>>;

export function createRunnerTests(collectorOf: () => CaseCollector) {
  const mocha = createMochaTests(collectorOf);
  return {
    /** Null where no runner has tests at this path. */
    elementsAt(jsonPath: JsonPath, path: string): ((value: Json, index: number) => void) | null {
      const key = jsonPath.join('.');
      const pathOf = (index: number): string => `${path}${key}[${index}]`;
      if (key === 'tests') {
        const collector = collectorOf();
        return (value, index) => {
          const test = asObject(value);
          if (isOfMocha(test)) mocha.test(test, pathOf(index));
          else if (isOfPytest(test)) collector.add(pytestCase(test, pathOf(index)));
          else collectTest(collector, value, pathOf(index));
        };
      }
      if (key === 'pending') return (value) => mocha.pending(asObject(value));
      if (key === 'passes') return () => undefined;
      if (key === 'failures') return (value, index) => mocha.failure(asObject(value), pathOf(index));
      if (key === 'collectors') {
        return (value, index) => claimCollector(collectorOf(), asObject(value), pathOf(index));
      }
      if (/^testsuites\.\d+\.testsuite$/.test(key)) {
        const collector = collectorOf();
        return (value, index) => collector.add(googleCase(asObject(value), pathOf(index)));
      }
      return null;
    },
    /** Adds cases whose status is only known at the end. */
    end: () => mocha.end(),
  };
}

function isOfMocha(test: Test): boolean {
  const isTitled = typeof test['title'] === 'string' || typeof test['fullTitle'] === 'string';
  return (
    isTitled && typeof test['status'] !== 'string' && typeof test['err'] === 'object' && test['err'] !== null
  );
}

/** Mocha has no status: a test without `err` passed, unless it is also in `pending`. */
function createMochaTests(collectorOf: () => CaseCollector) {
  const open: Array<{ readonly one: RawCase; readonly key: string }> = [];
  const pending = new Set<string>();
  const failed = new Set<string>();
  const keyOf = (test: Test): string =>
    JSON.stringify([test['file'] ?? null, test['fullTitle'] ?? test['title'] ?? null]);
  return {
    test(test: Test, path: string): void {
      const one = mochaCase(test, path);
      if (one.status === 'failed') failed.add(keyOf(test));
      // Only tests that ran have a duration.
      const isFull = open.length >= casesMax;
      if (one.status === 'failed' || one.durationMs !== null || isFull) collectorOf().add(one);
      else open.push({ one, key: keyOf(test) });
    },
    pending(test: Test): void {
      if (pending.size < casesMax) pending.add(keyOf(test));
    },
    failure(test: Test, path: string): void {
      // Failed hooks are only listed here.
      if (!failed.has(keyOf(test))) collectorOf().add({ ...mochaCase(test, path), status: 'failed' });
    },
    end(): void {
      for (const { one, key } of open) {
        collectorOf().add({ ...one, status: pending.has(key) ? 'pending' : 'passed' });
      }
    },
  };
}

function mochaCase(test: Test, path: string): RawCase {
  const error = asObject(test['err']);
  const isFailed = Object.keys(error).length > 0;
  const title = asText(test['title']);
  const full = asText(test['fullTitle']);
  const retries = numberOf(test['currentRetry']) ?? 0;
  const suite = title !== null && full?.endsWith(title) ? full.slice(0, -title.length).trim() : '';
  return {
    path,
    name: title ?? full,
    suite: suite === '' ? [] : [suite],
    file: asText(test['file']),
    status: isFailed ? 'failed' : 'passed',
    durationMs: numberOf(test['duration']),
    retries,
    flaky: retries > 0 && !isFailed,
    message: asText(error['message']),
    trace: asText(error['stack']),
  };
}

function isOfPytest(test: Test): boolean {
  return typeof test['nodeid'] === 'string' && typeof test['outcome'] === 'string';
}

const pytestPhases = ['setup', 'call', 'teardown'] as const;

function pytestCase(test: Test, path: string): RawCase {
  const phases = pytestPhases.map((name) => asObject(test[name]));
  const broken = phases.find((phase) => phase['outcome'] === 'failed');
  const outcome = asText(test['outcome']);
  // pytest-rerunfailures: the outcome is of an earlier attempt.
  const isRerun = outcome === 'rerun';
  const [file = null, names] = namesOf(asText(test['nodeid']) ?? '');
  const seconds = phases.map((phase) => numberOf(phase['duration'])).filter((each) => each !== null);
  const printed = (name: string): string | null =>
    phases.map((phase) => asText(phase[name]) ?? '').join('') || null;
  return {
    path,
    name: names.at(-1) ?? file,
    suite: names.slice(0, -1),
    file,
    line: numberOf(test['lineno']),
    status: isRerun ? (broken === undefined ? 'passed' : 'failed') : outcome,
    flaky: isRerun && broken === undefined,
    durationMs: seconds.length === 0 ? null : seconds.reduce((sum, each) => sum + each, 0) * 1000,
    message: asText(asObject(broken?.['crash'])['message']),
    trace: asText(broken?.['longrepr']),
    stdout: printed('stdout'),
    stderr: printed('stderr'),
  };
}

function namesOf(id: string): readonly [string | undefined, readonly string[]] {
  const [file, ...rest] = id.split('::');
  const inFile = rest.join('::');
  const bracket = inFile.indexOf('[');
  if (bracket === -1) return [file, rest];
  const names = inFile.slice(0, bracket).split('::');
  return [file, [...names.slice(0, -1), `${names.at(-1)}${inFile.slice(bracket)}`]];
}

/** Tests in a file that pytest could not collect are missing. */
function claimCollector(collector: CaseCollector, found: Test, path: string): void {
  if (found['outcome'] !== 'failed' && found['outcome'] !== 'error') return;
  collector.claim('error');
  const text = (asText(found['longrepr']) ?? '').slice(-1000);
  collector.warn('suite_outcome', `${asText(found['nodeid']) ?? ''} could not be collected: ${text}`, path);
}

function googleCase(test: Test, path: string): RawCase {
  const failures = Array.isArray(test['failures']) ? test['failures'].map(asObject) : [];
  const text = failures.map((each) => asText(each['failure']) ?? '').join('\n\n');
  const parameter = test['value_param'] ?? test['type_param'];
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(asText(test['time']) ?? '')?.[1];
  const isRun = asText(test['status']) !== 'NOTRUN';
  return {
    path,
    name: asText(test['name']),
    suite: [asText(test['classname']) ?? ''],
    file: asText(test['file']),
    line: numberOf(test['line']),
    status: failures.length > 0 ? 'failed' : isRun ? asText(test['result']) : 'notrun',
    durationMs: seconds === undefined ? null : Number(seconds) * 1000,
    message: asText(failures[0]?.['failure']),
    trace: text === '' ? null : text,
    parameters: parameter === undefined ? null : JSON.stringify(parameter),
  };
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
