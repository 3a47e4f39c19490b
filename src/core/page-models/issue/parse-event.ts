// Typed access to stored events. Accepts any content and never throws.
import {
  buildExceptionTree,
  type ExceptionNode,
  findMainException,
  formatRelation,
} from '../../grouping/stacks/exception-tree.ts';
import { isJsonObject } from '../../parsing/unknown-values.ts';

export type EventPayload = Readonly<Record<string, unknown>>;
export type Pairs = ReadonlyArray<readonly [name: string, value: unknown]>;

export type ParsedException = ReturnType<typeof exceptionOf>;

export type ParsedThread = ReturnType<typeof parseThreads>[number];

export type ParsedFrame = ReturnType<typeof frameOf>;

export type ParsedBreadcrumb = ReturnType<typeof parseBreadcrumbs>[number];

export type ParsedMessage = NonNullable<ReturnType<typeof parseMessage>>;

const stacks = ['stacktrace', 'raw_stacktrace'];
/** Breadcrumb types that add nothing to the category. */
const plainBreadcrumbTypes = new Set(
  'default debug error http info navigation query transaction ui user'.split(' '),
);
const shownOfFrame = [
  ...['function', 'lineno', 'colno', 'in_app', 'vars', 'pre_context', 'context_line', 'post_context'],
];

export const filteredText = '[Filtered]';

/** In tree order: each exception before its members and causes. */
export function parseExceptions(event: EventPayload) {
  const values = valuesOf(event, 'exception');
  const listed = values.map((each) => ({
    type: scalarText(each['type']),
    mechanism: objectOrNull(each['mechanism']),
  }));
  const tree = buildExceptionTree(listed);
  const main = findMainException(listed, tree)?.index;
  return tree.map((node) => exceptionOf(values[node.index] ?? {}, node, node.index === main));
}

function exceptionOf(each: EventPayload, node: ExceptionNode, isMain: boolean) {
  return {
    type: scalarText(each['type']),
    value: scalarText(each['value']),
    /** Relation to the previous exceptions: `Caused by `, `Member 2 of 3: `; empty for the first. */
    relation: formatRelation(node),
    depth: node.depth,
    isMain,
    mechanism: objectOrNull(each['mechanism']),
    frames: parseFrames(each['stacktrace']),
    /** Before symbolication; null if it changed nothing. */
    rawFrames: each['raw_stacktrace'] === undefined ? null : parseFrames(each['raw_stacktrace']),
    rest: [...otherMembers(each, ['type', 'value', 'mechanism', ...stacks]), ...otherStackMembers(each)],
  };
}

export function parseThreads(event: EventPayload) {
  return valuesOf(event, 'threads').map((each) => ({
    name: scalarText(each['name']) || scalarText(each['id']),
    state: scalarText(each['state']),
    crashed: each['crashed'] === true,
    current: each['current'] === true,
    frames: parseFrames(each['stacktrace']),
    rawFrames: each['raw_stacktrace'] === undefined ? null : parseFrames(each['raw_stacktrace']),
    rest: [
      ...otherMembers(each, [
        scalarText(each['name']) === '' ? 'id' : 'name',
        'state',
        'crashed',
        'current',
        ...stacks,
      ]),
      ...otherStackMembers(each),
    ],
  }));
}

export function parseBreadcrumbs(event: EventPayload) {
  return valuesOf(event, 'breadcrumbs').map((each) => ({
    atMs: parseTimestampMs(each['timestamp']),
    kind: scalarText(each['category']) || scalarText(each['type']),
    type: scalarText(each['type']),
    level: scalarText(each['level']),
    message: scalarText(each['message']),
    data: each['data'],
    rest: otherMembers(each, [
      scalarText(each['category']) === '' || plainBreadcrumbTypes.has(scalarText(each['type'])) ? 'type' : '',
      ...['timestamp', 'category', 'level', 'message', 'data'],
    ]),
  }));
}

export function parseMessage(event: EventPayload) {
  const entry = objectOrNull(event['logentry']);
  if (entry === null) return null;
  const text = messageTextOf(event);
  const template = scalarText(entry['message']);
  return {
    text,
    template: template === text ? '' : template,
    params: entry['params'],
    rest: otherMembers(entry, ['formatted', 'message', 'params']),
  };
}

/** The formatted message, otherwise the template; may be empty. */
export function messageTextOf(event: EventPayload): string {
  const entry = objectOrNull(event['logentry']);
  return scalarText(entry?.['formatted']) || scalarText(entry?.['message']);
}

export function otherMembers(record: EventPayload | null, shown: readonly string[]): Pairs {
  const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return Object.entries(record ?? {}).filter(([name, value]) => !shown.includes(name) && isSaid(value));
}

/** Reads an object, or a list of pairs, as Sentry sends tags and headers. */
export function toPairs(value: unknown): Array<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    return value
      .filter((pair): pair is unknown[] => Array.isArray(pair) && pair.length === 2)
      .map(([name, each]) => [scalarText(name), each] as const);
  }
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function objectOrNull(value: unknown): EventPayload | null {
  return isJsonObject(value) ? value : null;
}

export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

export function displayValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function parseTimestampMs(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(atMs) ? atMs : null;
}

function parseFrames(stack: unknown) {
  const frames = objectOrNull(stack)?.['frames'];
  return Array.isArray(frames) ? frames.filter(isJsonObject).map(frameOf).reverse() : [];
}

function frameOf(frame: EventPayload) {
  const source = frame['context_line'];
  const name = firstMemberWithText(frame, ['function', 'raw_function', 'symbol', 'instruction_addr']);
  const file = firstMemberWithText(frame, ['filename', 'abs_path', 'module', 'package']);
  const rest = otherMembers(frame, [...shownOfFrame, name.of, file.of]);
  return {
    function: name.text,
    file: file.text,
    line: numberOf(frame['lineno']),
    column: numberOf(frame['colno']),
    inApp: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : null,
    package: scalarText(frame['package']),
    before: linesOf(frame['pre_context']),
    source: typeof source === 'string' ? source : null,
    after: linesOf(frame['post_context']),
    vars: objectOrNull(frame['vars']),
    // Leaves out values that repeat the file or the function.
    rest: rest.filter(([, value]) => value !== file.text && value !== name.text),
  };
}

function firstMemberWithText(frame: EventPayload, members: readonly string[]) {
  const of = members.find((member) => !['', '?'].includes(scalarText(frame[member]))) ?? '';
  return { of, text: of === '' ? '' : scalarText(frame[of]) };
}

function otherStackMembers(of: EventPayload): Pairs {
  const [mapped = [], sent = []] = stacks.map((name) => otherMembers(objectOrNull(of[name]), ['frames']));
  const seen = new Set(mapped.map((each) => JSON.stringify(each)));
  return [...mapped, ...sent.filter((each) => !seen.has(JSON.stringify(each)))];
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(scalarText) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function valuesOf(event: EventPayload, name: string): EventPayload[] {
  const values = objectOrNull(event[name])?.['values'];
  return Array.isArray(values) ? values.filter(isJsonObject) : [];
}
