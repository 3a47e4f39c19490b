import type { EveryExpectation, Expectation, MemberType } from './check-types.ts';
import { type Answer, headerOf, isRecord, valueAt } from './exchange.ts';
import { fillPlaceholders, type Values } from './target.ts';

export interface Evidence {
  readonly values: Values;
  answerOf(request: string): Answer | null;
}

const errorStatuses: readonly number[] = [400, 401, 403, 404, 429];

/** Null if it holds, else a sentence that says what was observed. */
export function findMismatch(expectation: Expectation, answer: Answer, evidence: Evidence): string | null {
  switch (expectation.is) {
    case 'success':
      return isSuccess(answer) ? null : `answered ${described(answer)}, not a success with JSON`;
    case 'refused':
      return answer.status >= 400 ? null : `answered ${described(answer)}, not a refusal`;
    case 'error':
      return findErrorMismatch(answer, expectation);
    case 'status':
      return expectation.of.includes(answer.status)
        ? null
        : `status ${answer.status}, not ${expectation.of.join(' or ')}`;
    case 'header':
    case 'no-header':
    case 'header-order':
      return findHeaderMismatch(expectation, answer);
    case 'text':
      return new RegExp(fillPlaceholders(expectation.pattern, evidence.values), 's').test(answer.body)
        ? null
        : `the body ${printableExcerpt(answer.body)} is not as ${expectation.pattern}`;
    case 'empty-body':
      return answer.body === '' ? null : `the body is not empty: ${printableExcerpt(answer.body)}`;
    case 'captured':
      return evidence.values.has(expectation.name)
        ? null
        : `no ${expectation.name} in ${printableExcerpt(answer.body)}`;
    case 'flags':
      return flagMembers(answer.json).length > 0 ? null : 'no object of switches (true or false by name)';
    case 'switch':
      return findSwitchMismatch(expectation, answer, evidence);
    case 'statistics':
      return statisticsMembers(answer.json).length > 0 ? null : 'no object of numbers by name';
    default:
      return findMemberMismatch(expectation, answer, evidence);
  }
}

function findSwitchMismatch(
  { pattern, request }: { readonly pattern: string; readonly request: string },
  answer: Answer,
  evidence: Evidence,
): string | null {
  const other = evidence.answerOf(request);
  if (other === null) return null;
  const isTaken = other.status < 300;
  for (const member of flagMembers(answer.json)) {
    for (const [name, value] of Object.entries(valueAt(answer.json, member) as object)) {
      if (typeof value !== 'boolean' || !new RegExp(pattern, 'i').test(name) || value === isTaken) continue;
      return `${member}.${name} is ${value}, but ${request} was answered ${other.status}`;
    }
  }
  return null;
}

type HeaderExpectation = Extract<Expectation, { is: 'header' | 'no-header' | 'header-order' }>;
type MemberExpectation = Extract<
  Expectation,
  { is: 'member' | 'equal' | 'match' | 'absent' | 'same-as' | 'not-same-as' }
>;

function findMemberMismatch(
  expectation: MemberExpectation,
  answer: Answer,
  evidence: Evidence,
): string | null {
  const { path } = expectation;
  const value = valueAt(answer.json, path);
  switch (expectation.is) {
    case 'member':
      return isType(value, expectation.type)
        ? null
        : `${path} is ${shown(value)}, not of type ${expectation.type}`;
    case 'equal': {
      const expected = filledValue(expectation.value, evidence.values);
      return JSON.stringify(value) === JSON.stringify(expected)
        ? null
        : `${path} is ${shown(value)}, not ${shown(expected)}`;
    }
    case 'match': {
      const isText = typeof value === 'string' || typeof value === 'number';
      if (isText && new RegExp(expectation.pattern, 's').test(String(value))) return null;
      return `${path} is ${shown(value)}, not as ${expectation.pattern}`;
    }
    case 'absent':
      return value === undefined ? null : `${path} is there: ${shown(value)}`;
    default:
      return findComparisonMismatch(expectation, value, evidence);
  }
}

function findComparisonMismatch(
  expectation: Extract<Expectation, { is: 'same-as' | 'not-same-as' }>,
  value: unknown,
  evidence: Evidence,
): string | null {
  const { path, request } = expectation;
  const other = valueAt(evidence.answerOf(request)?.json, path);
  if (value === undefined || other === undefined) return `${path} is not in both answers`;
  // Another check requires ids to have one type.
  const isSame = String(value) === String(other);
  if (expectation.is === 'same-as') {
    return isSame ? null : `${path} is ${shown(value)}, but ${shown(other)} in the answer to ${request}`;
  }
  return isSame ? `${path} is ${shown(value)} in the answer to ${request} as well` : null;
}

function findHeaderMismatch(expectation: HeaderExpectation, answer: Answer): string | null {
  if (expectation.is === 'header-order') {
    const names = answer.headers.map(([name]) => name);
    const seen = names.filter((name) => expectation.names.includes(name));
    return seen.join() === expectation.names.join()
      ? null
      : `in the order ${seen.join(', ') || 'none of them'}`;
  }
  const value = headerOf(answer, expectation.name);
  if (expectation.is === 'no-header') return value === null ? null : `${expectation.name}: ${value} is there`;
  if (value === null) return `no ${expectation.name} header`;
  const isMatch =
    expectation.value === undefined
      ? new RegExp(expectation.pattern ?? '').test(value)
      : value === expectation.value;
  return isMatch ? null : `${expectation.name}: ${value}`;
}

function findErrorMismatch(answer: Answer, expected: { status?: number; code?: string }): string | null {
  if (answer.status < 400) return `answered ${described(answer)}, not an error`;
  if (expected.status !== undefined && answer.status !== expected.status) {
    return `answered ${described(answer)}, not ${expected.status}`;
  }
  for (const every of errorRules) {
    const mismatch = findGeneralMismatch(every, answer);
    if (mismatch !== null) return mismatch;
  }
  const code = valueAt(answer.json, 'code');
  return expected.code === undefined || code === expected.code
    ? null
    : `code is ${shown(code)}, not ${expected.code}`;
}

const errorRules: readonly EveryExpectation[] = [
  'error-is-json',
  'error-has-code',
  'error-has-message',
  'error-has-status',
  'error-status-allowed',
];

/** Answers to which it does not apply (no error, no success) pass. */
export function findGeneralMismatch(every: EveryExpectation, answer: Answer): string | null {
  const isError = answer.status >= 400;
  if (every === 'json-content-type') {
    const type = headerOf(answer, 'Content-Type') ?? '';
    return /^application\/json\s*(;|$)/i.test(type) ? null : `Content-Type: ${type || 'none'}`;
  }
  if (every === 'success-is-json') {
    return isError || isSuccess(answer) ? null : `answered ${described(answer)} without JSON`;
  }
  if (!isError) return null;
  switch (every) {
    case 'error-is-json':
      return isRecord(answer.json)
        ? null
        : `the ${answer.status} is no JSON object: ${printableExcerpt(answer.body)}`;
    case 'error-has-code':
      return findTextMismatch(answer, 'code');
    case 'error-has-message':
      return findTextMismatch(answer, 'message');
    case 'error-has-status': {
      const status = valueAt(answer.json, 'data.status');
      return status === answer.status ? null : `data.status is ${shown(status)} in a ${answer.status}`;
    }
    case 'error-status-allowed':
      return errorStatuses.includes(answer.status) ? null : `status ${answer.status} is none of the five`;
  }
}

function findTextMismatch(answer: Answer, member: string): string | null {
  const value = valueAt(answer.json, member);
  return typeof value === 'string' && value.trim() !== ''
    ? null
    : `${member} is ${shown(value)} in a ${answer.status}`;
}

function isSuccess(answer: Answer): boolean {
  return (
    answer.status >= 200 && answer.status < 300 && typeof answer.json === 'object' && answer.json !== null
  );
}

function isType(value: unknown, type: MemberType): boolean {
  if (type === 'integer') return Number.isInteger(value) && (value as number) > 0;
  if (type === 'list') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}

/** Members that hold flags: named so, or an object of only booleans and numbers. */
export function flagMembers(json: unknown): string[] {
  return membersBelow(json)
    .filter(([, each]) => Object.keys(each).length > 0)
    .filter(([name, each]) => /flag|feature/i.test(name) || isFlat(each))
    .map(([name]) => name);
}

/** Members that are objects with numbers, besides flags. */
export function statisticsMembers(json: unknown): string[] {
  const flags = flagMembers(json);
  return membersBelow(json)
    .filter(([name, each]) => !flags.includes(name) && !isOnlyIdentifiers(each))
    .filter(([, each]) => Object.values(each).some((value) => typeof value === 'number'))
    .map(([name]) => name);
}

function isFlat(each: Record<string, unknown>): boolean {
  const types = Object.values(each).map((value) => typeof value);
  return types.includes('boolean') && types.every((kind) => kind === 'boolean' || kind === 'number');
}

function isOnlyIdentifiers(value: Record<string, unknown>): boolean {
  return Object.entries(value).every(([name, each]) => typeof each !== 'number' || /(^|_)id$/i.test(name));
}

function membersBelow(json: unknown): Array<[string, Record<string, unknown>]> {
  if (!isRecord(json)) return [];
  return Object.entries(json).filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  );
}

function filledValue(value: unknown, values: Values): unknown {
  return typeof value === 'string' ? fillPlaceholders(value, values) : value;
}

function described(answer: Answer): string {
  return `${answer.status} ${printableExcerpt(answer.body)}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'not there' : printableExcerpt(JSON.stringify(value));
}

/** Makes foreign text safe to print: one short line without control characters. */
export function printableExcerpt(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  if (line === '') return '(empty)';
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
