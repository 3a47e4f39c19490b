// Runs the suite against a server, one request at a time, and judges all checks.
import type { Check, CheckResult, CheckVerdict, Suite } from './check-types.ts';
import { type Answer, type Exchange, maskSecrets } from './exchange.ts';
import { type Evidence, findGeneralMismatch, findMismatch } from './expectations.ts';
import { wholeSuite } from './suite/whole.ts';
import { type SendResult, type SuiteSession, startSuiteSession } from './suite-session.ts';
import { fillPlaceholders, type Target } from './target.ts';

export interface RunOptions {
  readonly target: Target;
  readonly expectLimits: boolean;
  readonly suite?: Suite;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly onResult?: (result: CheckResult, done: number, all: number) => void;
  readonly onWait?: (name: string, seconds: number) => void;
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface RunReport {
  readonly siteUrl: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly requestsSent: number;
  readonly results: readonly CheckResult[];
}

/** Rejects only on errors in the suite itself. */
export async function runSuite(options: RunOptions): Promise<RunReport> {
  const suite = options.suite ?? wholeSuite;
  const startedAtMs = options.now();
  const session = startSuiteSession({
    suite,
    target: options.target,
    sleep: options.sleep,
    now: options.now,
    onWait: options.onWait ?? (() => {}),
    onExchange: options.onExchange,
  });
  const results: CheckResult[] = [];
  for (const check of suite.checks) {
    const before = options.now();
    const outcome = withoutKeys(await judge(check, suite, session, options), options.target);
    const result = { check, outcome, durationMs: options.now() - before };
    results.push(result);
    options.onResult?.(result, results.length, suite.checks.length);
  }
  return {
    siteUrl: options.target.siteUrl.href,
    startedAtMs,
    durationMs: options.now() - startedAtMs,
    requestsSent: session.exchanges().length,
    results,
  };
}

export function hasFailed(report: RunReport): boolean {
  return report.results.some(({ outcome }) => outcome.result === 'failed');
}

/** Servers may echo our keys. */
function withoutKeys(outcome: CheckVerdict, { publicKey, secretKey }: Target): CheckVerdict {
  if (outcome.result === 'passed') return outcome;
  const masks = [
    [publicKey, '{{public_key}}'],
    [secretKey, '{{secret_key}}'],
  ] as const;
  return { ...outcome, reason: maskSecrets(outcome.reason, masks) };
}

async function judge(
  check: Check,
  suite: Suite,
  session: SuiteSession,
  options: RunOptions,
): Promise<CheckVerdict> {
  if (check.limits === true && !options.expectLimits) {
    return notObserved('limits are judged with --expect-limits');
  }
  if (check.every !== undefined) return judgeEvery(check, suite, session);
  const result = await session.send(check.request ?? '');
  if (result.got === 'nothing') return notObserved(result.reason);
  if (result.got === 'failure') return failedVerdict(check, result.reason);
  const { answer } = result.exchange;
  if (isExcused(check, answer, options.target)) {
    return notObserved(fillPlaceholders(check.unless?.because ?? '', session.values));
  }
  const evidence = await evidenceFor(check, session);
  for (const expectation of check.expect ?? []) {
    const mismatch = findMismatch(expectation, answer, evidence);
    if (mismatch !== null) return failedVerdict(check, mismatch);
  }
  return { result: 'passed' };
}

/** Only answers to requests of required checks: the specification leaves others open. */
function judgeEvery(check: Check, suite: Suite, session: SuiteSession): CheckVerdict {
  const named = new Set(
    suite.checks.filter((each) => each.severity === 'required').map((each) => each.request ?? ''),
  );
  const judged = session.exchanges().filter((each) => named.has(each.name));
  if (judged.length === 0) return notObserved('nothing was answered');
  for (const { name, answer } of judged) {
    const mismatch = check.every === undefined ? null : findGeneralMismatch(check.every, answer);
    if (mismatch !== null) return failedVerdict(check, `${name}: ${mismatch}`);
  }
  return { result: 'passed' };
}

async function evidenceFor(check: Check, session: SuiteSession): Promise<Evidence> {
  const answers = new Map<string, Answer>();
  for (const expectation of check.expect ?? []) {
    if (!('request' in expectation)) continue;
    const other: SendResult = await session.send(expectation.request);
    if (other.got === 'answer') answers.set(expectation.request, other.exchange.answer);
  }
  return { values: session.values, answerOf: (request) => answers.get(request) ?? null };
}

function isExcused(check: Check, answer: Answer, target: Target): boolean {
  const { unless } = check;
  if (unless === undefined || answer.status !== unless.status) return false;
  if (unless.withoutOption === 'domain' && target.domainGiven) return false;
  if (unless.code === undefined) return true;
  const { json } = answer;
  return typeof json === 'object' && json !== null && 'code' in json && json.code === unless.code;
}

function failedVerdict(check: Check, reason: string): CheckVerdict {
  return { result: check.severity === 'required' ? 'failed' : 'differs', reason };
}

function notObserved(reason: string): CheckVerdict {
  return { result: 'not-observed', reason };
}
