// Typed access to stored events. Accepts any content and never throws.
import {
  type ExceptionPlace,
  exceptionTree,
  mainException,
  relationText,
} from '../../grouping/stacks/exception-tree.ts';
import { isRecord } from '../../reading/lenient.ts';

export type Payload = Readonly<Record<string, unknown>>;
export type Pairs = ReadonlyArray<readonly [name: string, value: unknown]>;

export interface ExceptionRead {
  readonly type: string;
  readonly value: string;
  /** Relation to the previous exceptions: `Caused by `, `Member 2 of 3: `; empty for the first. */
  readonly relation: string;
  readonly depth: number;
  /** Whether the title of the event comes from it. */
  readonly isMain: boolean;
  readonly mechanism: Payload | null;
  readonly frames: readonly FrameRead[];
  /** Before symbolication; null if it changed nothing. */
  readonly rawFrames: readonly FrameRead[] | null;
  readonly rest: Pairs;
}

export interface ThreadRead {
  readonly name: string;
  readonly state: string;
  readonly crashed: boolean;
  readonly current: boolean;
  readonly frames: readonly FrameRead[];
  readonly rawFrames: readonly FrameRead[] | null;
  readonly rest: Pairs;
}

export interface FrameRead {
  readonly function: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly inApp: boolean | null;
  readonly package: string;
  readonly before: readonly string[];
  readonly source: string | null;
  readonly after: readonly string[];
  readonly vars: Payload | null;
  readonly rest: Pairs;
}

export interface CrumbRead {
  readonly atMs: number | null;
  readonly kind: string;
  readonly type: string;
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
  readonly rest: Pairs;
}

export interface MessageRead {
  readonly text: string;
  /** The message template; empty if equal to the text. */
  readonly template: string;
  readonly params: unknown;
  readonly rest: Pairs;
}

const stacks = ['stacktrace', 'raw_stacktrace'];
/** Breadcrumb types that add nothing to the category. */
const crumbTypes = new Set('default debug error http info navigation query transaction ui user'.split(' '));
const shownOfFrame = [
  ...['function', 'lineno', 'colno', 'in_app', 'vars', 'pre_context', 'context_line', 'post_context'],
];

/** What scrubbing puts in place of values. */
export const removed = '[Filtered]';

/** In tree order: each exception before its members and causes. */
export function exceptionsOf(event: Payload): ExceptionRead[] {
  const values = valuesOf(event, 'exception');
  const listed = values.map((each) => ({
    type: textOf(each['type']),
    mechanism: recordOf(each['mechanism']),
  }));
  const tree = exceptionTree(listed);
  const main = mainException(listed, tree)?.index;
  return tree.map((place) => exceptionOf(values[place.index] ?? {}, place, place.index === main));
}

function exceptionOf(each: Payload, place: ExceptionPlace, isMain: boolean): ExceptionRead {
  return {
    type: textOf(each['type']),
    value: textOf(each['value']),
    relation: relationText(place),
    depth: place.depth,
    isMain,
    mechanism: recordOf(each['mechanism']),
    frames: framesOf(each['stacktrace']),
    rawFrames: each['raw_stacktrace'] === undefined ? null : framesOf(each['raw_stacktrace']),
    rest: [...restOf(each, ['type', 'value', 'mechanism', ...stacks]), ...restOfStack(each)],
  };
}

export function threadsOf(event: Payload): ThreadRead[] {
  return valuesOf(event, 'threads').map((each) => ({
    name: textOf(each['name']) || textOf(each['id']),
    state: textOf(each['state']),
    crashed: each['crashed'] === true,
    current: each['current'] === true,
    frames: framesOf(each['stacktrace']),
    rawFrames: each['raw_stacktrace'] === undefined ? null : framesOf(each['raw_stacktrace']),
    rest: [
      ...restOf(each, [
        textOf(each['name']) === '' ? 'id' : 'name',
        'state',
        'crashed',
        'current',
        ...stacks,
      ]),
      ...restOfStack(each),
    ],
  }));
}

export function crumbsOf(event: Payload): CrumbRead[] {
  return valuesOf(event, 'breadcrumbs').map((each) => ({
    atMs: momentOf(each['timestamp']),
    kind: textOf(each['category']) || textOf(each['type']),
    type: textOf(each['type']),
    level: textOf(each['level']),
    message: textOf(each['message']),
    data: each['data'],
    rest: restOf(each, [
      textOf(each['category']) === '' || crumbTypes.has(textOf(each['type'])) ? 'type' : '',
      ...['timestamp', 'category', 'level', 'message', 'data'],
    ]),
  }));
}

export function messageRead(event: Payload): MessageRead | null {
  const entry = recordOf(event['logentry']);
  if (entry === null) return null;
  const text = messageOf(event);
  const template = textOf(entry['message']);
  return {
    text,
    template: template === text ? '' : template,
    params: entry['params'],
    rest: restOf(entry, ['formatted', 'message', 'params']),
  };
}

/** The formatted message, otherwise the template; may be empty. */
export function messageOf(event: Payload): string {
  const entry = recordOf(event['logentry']);
  return textOf(entry?.['formatted']) || textOf(entry?.['message']);
}

/** Members of a record that are not shown elsewhere. */
export function restOf(record: Payload | null, shown: readonly string[]): Pairs {
  const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return Object.entries(record ?? {}).filter(([name, value]) => !shown.includes(name) && isSaid(value));
}

/** Reads an object, or a list of pairs, as Sentry sends tags and headers. */
export function pairsIn(value: unknown): Array<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    return value
      .filter((pair): pair is unknown[] => Array.isArray(pair) && pair.length === 2)
      .map(([name, each]) => [textOf(name), each] as const);
  }
  return isRecord(value) ? Object.entries(value) : [];
}

export function recordOf(value: unknown): Payload | null {
  return isRecord(value) ? value : null;
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function momentOf(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(atMs) ? atMs : null;
}

function framesOf(stack: unknown): FrameRead[] {
  const frames = recordOf(stack)?.['frames'];
  return Array.isArray(frames) ? frames.filter(isRecord).map(frameOf).reverse() : [];
}

function frameOf(frame: Payload): FrameRead {
  const source = frame['context_line'];
  const name = named(frame, ['function', 'raw_function', 'symbol', 'instruction_addr']);
  const file = named(frame, ['filename', 'abs_path', 'module', 'package']);
  const rest = restOf(frame, [...shownOfFrame, name.of, file.of]);
  return {
    function: name.text,
    file: file.text,
    line: numberOf(frame['lineno']),
    column: numberOf(frame['colno']),
    inApp: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : null,
    package: textOf(frame['package']),
    before: linesOf(frame['pre_context']),
    source: typeof source === 'string' ? source : null,
    after: linesOf(frame['post_context']),
    vars: recordOf(frame['vars']),
    // Leaves out values that repeat the file or the function.
    rest: rest.filter(([, value]) => value !== file.text && value !== name.text),
  };
}

function named(frame: Payload, members: readonly string[]): { readonly of: string; readonly text: string } {
  const of = members.find((member) => !['', '?'].includes(textOf(frame[member]))) ?? '';
  return { of, text: of === '' ? '' : textOf(frame[of]) };
}

function restOfStack(of: Payload): Pairs {
  const [mapped = [], sent = []] = stacks.map((name) => restOf(recordOf(of[name]), ['frames']));
  const same = new Set(mapped.map((each) => JSON.stringify(each)));
  return [...mapped, ...sent.filter((each) => !same.has(JSON.stringify(each)))];
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function valuesOf(event: Payload, name: string): Payload[] {
  const values = recordOf(event[name])?.['values'];
  return Array.isArray(values) ? values.filter(isRecord) : [];
}
