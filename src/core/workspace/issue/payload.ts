// A stored event as pages and exports read it: its known members by their types, whatever it holds. Pure;
// never throws.
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
  /** How it belongs to the ones before it: `Caused by `, `Member 2 of 3: `; empty for the one raised. */
  readonly relation: string;
  /** In the tree of exceptions; members of a group are one deeper. */
  readonly depth: number;
  /** Whether the event is called after it. */
  readonly isMain: boolean;
  readonly mechanism: Payload | null;
  readonly frames: readonly FrameRead[];
  /** As they were sent, where a map changed them. */
  readonly rawFrames: readonly FrameRead[] | null;
  /** What else it says of itself, and of its stack. */
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

/** A frame; texts are empty and numbers null where nothing was said. */
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
  /** What it says beyond all that: its whole path, its addresses in memory. */
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

/** A message with the values that were filled in. */
export interface MessageRead {
  readonly text: string;
  /** Before its values were filled in; empty where that is the same. */
  readonly template: string;
  readonly params: unknown;
  readonly rest: Pairs;
}

const stacks = ['stacktrace', 'raw_stacktrace'];
/** Types of breadcrumbs that say less than their category, which stands in their place. */
const crumbTypes = new Set('default debug error http info navigation query transaction ui user'.split(' '));
const shownOfFrame = [
  ...['function', 'lineno', 'colno', 'in_app', 'vars', 'pre_context', 'context_line', 'post_context'],
];

/** What stands in place of what was removed before storing. */
export const removed = '[Filtered]';

/** The exceptions as a tree: the one that was raised first, each before its members and its causes. */
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

/** The threads, in the order in which they were sent. */
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

/** What happened before, the oldest first. */
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

/** The message of an event; null where it has none. */
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

/** The message of an event: filled, else its template; empty where it has none. */
export function messageOf(event: Payload): string {
  const entry = recordOf(event['logentry']);
  return textOf(entry?.['formatted']) || textOf(entry?.['message']);
}

/** What a record holds beside the members that are shown in a way of their own. */
export function restOf(record: Payload | null, shown: readonly string[]): Pairs {
  const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return Object.entries(record ?? {}).filter(([name, value]) => !shown.includes(name) && isSaid(value));
}

/** Pairs of a member that is an object, or a list of pairs. */
export function pairsIn(value: unknown): Array<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    return value
      .filter((pair): pair is unknown[] => Array.isArray(pair) && pair.length === 2)
      .map(([name, each]) => [textOf(name), each] as const);
  }
  return isRecord(value) ? Object.entries(value) : [];
}

/** A member that is an object, else null. */
export function recordOf(value: unknown): Payload | null {
  return isRecord(value) ? value : null;
}

/** A text or a number as text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** Any JSON as a person reads it: texts as they are, everything else as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Epoch milliseconds of a moment as events say it; null where it is none. */
export function momentOf(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(atMs) ? atMs : null;
}

/** Stack frames, the innermost first. */
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
    // A path that says no more than the file does, and a name that says no more than the function.
    rest: rest.filter(([, value]) => value !== file.text && value !== name.text),
  };
}

/** The first of some members that says something. */
function named(frame: Payload, members: readonly string[]): { readonly of: string; readonly text: string } {
  const of = members.find((member) => !['', '?'].includes(textOf(frame[member]))) ?? '';
  return { of, text: of === '' ? '' : textOf(frame[of]) };
}

/** Registers and the like, of a stack and of how it was sent. */
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
