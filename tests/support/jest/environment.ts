// Jest environment that runs tests in the process's own realm (see jest.config.js) and restores global state.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { level } from '../test-level.ts';
import { watchdog } from './watchdog.ts';

/** A test of jest-circus, or a block of them. */
interface Entry {
  readonly type: 'describeBlock' | 'test';
  readonly name: string;
  readonly parent?: Entry;
  readonly children: readonly Entry[];
  readonly errors: readonly unknown[];
  readonly status: string | null;
  mode?: string | null;
}

interface CircusEvent {
  readonly name: string;
  readonly test?: Entry;
  readonly hook?: { readonly parent: Entry };
}

interface CircusState {
  readonly currentlyRunningTest: Entry | null;
  readonly currentDescribeBlock: Entry;
  readonly rootDescribeBlock: Entry;
  readonly unhandledErrors: readonly unknown[];
}

interface Passed {
  readonly file: string;
  /** Whether `test:full` has no other test in the file. */
  readonly isWhole: boolean;
  readonly tests: readonly string[];
}

/**
 * File to which `npm test` writes the tests that passed and are the same in `test:full`, which then leaves them
 * out. Without it everything runs.
 */
const passedPath = process.env['TEST_PASSED'] ?? '';
let passed: ReadonlyMap<string, Passed> | undefined;

export function readPassed(testPath: string): Passed | undefined {
  if (level === 'short' || !existsSync(passedPath)) return undefined;
  passed ??= new Map(
    readFileSync(passedPath, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Passed)
      .map((one) => [one.file, one]),
  );
  return passed.get(fileOf(testPath));
}

const fileOf = (testPath: string): string => relative(process.cwd(), testPath);

/** By full name; null where two tests share one: neither is left out. */
function testsOf(root: Entry): Map<string, Entry | null> {
  const found = new Map<string, Entry | null>();
  const visit = (entry: Entry, name: string): void => {
    if (entry.type === 'test') found.set(name, found.has(name) ? null : entry);
    else for (const child of entry.children) visit(child, `${name} > ${child.name}`);
  };
  visit(root, '');
  return found;
}

// biome-ignore lint/style/noDefaultExport: Jest's form.
export default function openEnvironment(_config?: unknown, context?: { readonly testPath: string }) {
  const { console, process } = globalThis;
  const { env, exit } = process;
  const variables = { ...env };
  const testPath = context?.testPath ?? '';
  // Tests and blocks that asked for the level (test-level.ts).
  const differing = new Set<Entry | undefined>();
  let current: Entry | undefined;
  let addsTests = false;
  Object.assign(globalThis, {
    notifierLevelAsked(of: 'content' | 'tests') {
      if (of === 'tests') addsTests = true;
      else differing.add(current);
    },
  });
  const isSame = (entry: Entry | undefined): boolean =>
    entry === undefined || (!differing.has(entry) && isSame(entry.parent));

  function leaveOutPassed({ rootDescribeBlock }: CircusState): void {
    const tests = testsOf(rootDescribeBlock);
    for (const name of readPassed(testPath)?.tests ?? []) {
      const test = tests.get(name);
      if (test) test.mode = 'skip';
    }
  }

  function writePassed({ rootDescribeBlock, unhandledErrors }: CircusState): void {
    if (passedPath === '' || level !== 'short' || unhandledErrors.length > 0) return;
    const tests = testsOf(rootDescribeBlock);
    const isPassed = (test: Entry | null): boolean =>
      test?.status === 'done' && test.errors.length === 0 && isSame(test);
    const same = [...tests].filter(([, test]) => isPassed(test)).map(([name]) => name);
    const isWhole = !addsTests && differing.size === 0 && same.length === tests.size;
    const one: Passed = { file: fileOf(testPath), isWhole, tests: same };
    appendFileSync(passedPath, `${JSON.stringify(one)}\n`);
  }
  return {
    global: globalThis,
    fakeTimers: null,
    fakeTimersModern: null,
    moduleMocker: null,
    exportConditions: () => ['node', 'import'],
    getVmContext: () => null,
    async setup() {
      // Jest sets 100, and each `expect` makes an error.
      Error.stackTraceLimit = 10;
      watchdog().begins(testPath);
    },
    handleTestEvent({ name, test, hook }: CircusEvent, state: CircusState) {
      current = state.currentlyRunningTest ?? hook?.parent ?? state.currentDescribeBlock;
      if (name === 'test_start') watchdog().begins(`${testPath}: ${test?.name}`);
      if (name === 'run_start') leaveOutPassed(state);
      if (name === 'run_finish') writePassed(state);
    },
    teardown: async () => {
      globalThis.console = console;
      process.exit = exit;
      process.env = env;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
    },
  };
}
