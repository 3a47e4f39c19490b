// Large bodies read and checked outside the main thread: the structured-clone data sent to a worker and its result.

import { replaceInvalidUtf8 } from '../php/strings.ts';
import { entriesOf, isPhpArray, type PhpValue, type PlainValue, toPlain } from '../php/values.ts';
import type { BodyPolicy } from '../request/body-policy.ts';
import type { FormLimits, FormSource } from '../request/form-body.ts';
import type { Parameters, ParsedParameters } from '../request/parameters.ts';
import { type Arguments, RestRequest } from '../request/rest-request.ts';
import { setBodyFromBytes } from '../request/set-body.ts';
import type { WpError } from '../response/wp-error.ts';
import { validateAndSanitize } from './dispatch.ts';

export type BodyTask = {
  readonly method: string;
  readonly route: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** PHP parses forms by the HTTP method and Content-Type, before overrides. */
  readonly incoming: FormSource;
  readonly query: Parameters;
  readonly path: Parameters;
  readonly defaults: Parameters;
  readonly args: Arguments;
  readonly bytes: Uint8Array;
  readonly policy: BodyPolicy;
  readonly limits: FormLimits;
  readonly jsonDepth: number | undefined;
};

/** Larger bodies may hold more values than fit in a worker's memory. */
const smallBytesMax = 1_048_576;
/** Values built of such a body at most; those in declared parameters come first. */
const madeValuesMax = 200_000;

/** Values returned of one body at most: shallow ones first, declared parameters before others. */
const valuesMax = 500;

/** Null when the body is not set aside, or its arguments have callbacks, which cannot go to a worker. */
export function toBodyTask(request: RestRequest): BodyTask | null {
  const { workerBody, incoming } = request;
  if (workerBody === null || incoming === null) return null;
  const args = request.handler?.args ?? {};
  const isCallback = (option: unknown): boolean => typeof option === 'function';
  if (Object.values(args).some(({ validate, sanitize }) => isCallback(validate) || isCallback(sanitize)))
    return null;
  return {
    method: request.method,
    route: request.route,
    headers: request.headerEntries(),
    incoming: {
      method: incoming.method ?? '',
      headers: { 'content-type': incoming.headers['content-type'] ?? '' },
    },
    query: request.parameters.GET,
    path: request.parameters.URL,
    defaults: request.parameters.defaults,
    args,
    bytes: request.body,
    policy: workerBody.policy,
    limits: workerBody.limits,
    jsonDepth: request.jsonDepth,
  };
}

export function readBodyInThisThread(request: RestRequest): true | WpError {
  const { workerBody, incoming } = request;
  request.workerBody = null;
  if (workerBody !== null && incoming !== null) {
    setBodyFromBytes(request, incoming, request.body, workerBody.policy, workerBody.limits);
  }
  return validateAndSanitize(request);
}

/** Runs in the worker; parses and checks as the main thread would. */
export function runBodyTask(work: BodyTask): { request: RestRequest; checked: true | WpError } {
  const request = new RestRequest(work.method, work.route, new Map(work.headers));
  request.jsonDepth = work.jsonDepth;
  request.parameters.GET = work.query;
  request.parameters.URL = work.path;
  request.parameters.defaults = work.defaults;
  request.handler = { methods: [], args: work.args, callback: () => null };
  if (work.bytes.length > smallBytesMax) {
    const names = new Set([...Object.keys(work.args), ...serverParameters]);
    request.jsonBounds = { valuesMax: madeValuesMax, names };
  }
  const bytes = Buffer.from(work.bytes.buffer, work.bytes.byteOffset, work.bytes.byteLength);
  setBodyFromBytes(request, work.incoming, bytes, work.policy, work.limits);
  return { request, checked: validateAndSanitize(request) };
}

export const serverParameters: readonly string[] = ['_fields', '_pretty'];

/** Parameters of a parsed body, cut to `valuesMax` values. `isKept` filters by name. */
export function toParsedParameters(
  request: RestRequest,
  isKept: (name: string) => boolean = () => true,
): ParsedParameters {
  const { JSON: json, POST } = request.parameters;
  const args = request.handler?.args ?? {};
  const budget: CopyBudget = { valuesLeft: valuesMax, known: namesIn(args) };
  const kind = request.jsonKind();
  return {
    json: kind === 'array' ? bounded(json, args, isKept, budget) : null,
    scalar: kind === 'scalar' ? toPlain(request.jsonValue()) : null,
    form: bounded(POST, args, isKept, budget),
    fileParams: toPlain(request.fileParams),
    files: request.files,
  };
}

/** A value cut to `valuesLeft` values, known names first. */
export function toBoundedPlain(value: PhpValue, known: ReadonlySet<string>, valuesLeft: number): PlainValue {
  if (!isPhpArray(value)) return toPlain(value);
  const target: Container['target'] = Array.isArray(value) ? [] : Object.create(null);
  fill([{ source: value, target }], { valuesLeft, known });
  return target;
}

/** Declared members first, then others, up to the limit. Arguments were already checked in full. */
function bounded(
  parameters: Parameters,
  args: Arguments,
  isKept: (name: string) => boolean,
  budget: CopyBudget,
): Array<readonly [string, PlainValue]> {
  const passed = [...parameters].filter(([name]) => isKept(name));
  const target: { [name: string]: PlainValue } = Object.create(null);
  const isDeclared = ([name]: readonly [string, PhpValue]) => Object.hasOwn(args, name);
  fill([{ source: new Map(passed.filter(isDeclared)), target }], budget);
  fill([{ source: new Map(passed.filter((entry) => !isDeclared(entry))), target }], budget);
  return passed
    .filter(([name]) => Object.hasOwn(target, name))
    .map(([name]) => [name, target[name] as PlainValue]);
}

/** How many more values may be copied, and the names that are copied first. */
type CopyBudget = { valuesLeft: number; readonly known: ReadonlySet<string> };

type Container = {
  readonly source: PhpValue;
  readonly target: PlainValue[] | { [name: string]: PlainValue };
};

/** Copies level by level, so that the limit drops deep values before shallow ones. */
function fill(root: readonly Container[], budget: CopyBudget): void {
  for (let level = root; level.length > 0; ) {
    const next: Container[] = [];
    for (const container of level) copyMembers(container, 'known', budget, next);
    for (const container of level) copyMembers(container, 'other', budget, next);
    level = next;
  }
}

/** Elements of lists count as known. */
function copyMembers(
  { source, target }: Container,
  pass: 'known' | 'other',
  budget: CopyBudget,
  next: Container[],
): void {
  if (Array.isArray(target) && pass === 'other') return;
  for (const [name, member] of entriesOf(source)) {
    if (budget.valuesLeft <= 0) return;
    if (!Array.isArray(target) && budget.known.has(name) !== (pass === 'known')) continue;
    budget.valuesLeft -= 1;
    const value = isPhpArray(member) ? (Array.isArray(member) ? [] : Object.create(null)) : toPlain(member);
    if (isPhpArray(member)) next.push({ source: member, target: value });
    if (Array.isArray(target)) target.push(value);
    else target[replaceInvalidUtf8(name)] = value;
  }
}

function namesIn(schemas: object, names: Set<string> = new Set()): ReadonlySet<string> {
  for (const [name, schema] of Object.entries(schemas)) {
    names.add(name);
    const { properties, items } = schema as { properties?: object; items?: { properties?: object } };
    for (const inner of [properties, items?.properties]) if (inner !== undefined) namesIn(inner, names);
  }
  return names;
}
