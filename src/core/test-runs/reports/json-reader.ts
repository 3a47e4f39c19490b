// Streaming JSON parser with limits on depth, values and text length. Objects have no prototype. stream-json
// and @streamparser/json have no limits, accept lone surrogates and refuse `TRUE`, which PHP accepts.
import type { Json } from '../../../../schemas/event.ts';
import { createBadRequestError } from '../../errors.ts';
import { cutText } from '../../parsing/cut-text.ts';
import {
  appendText,
  createTextBuffer,
  invalidJsonError,
  parseJsonWord,
  readEscape,
  specialInText,
  type TextBuffer,
  type TextSink,
  textOf,
  wordCharacters,
} from './json-text.ts';

const depthMax = 100;
/** Values in memory at once: 600,000 names in one object took 129 MB and 3.5 s. */
const valuesMax = 100_000;
const keptCharactersMax = 4_194_304;
const scarceCharactersMax = 64;
/** For a number or word, which is carried between pieces. */
const wordCharactersMax = 512;

export type JsonPath = ReadonlyArray<string | number>;

export interface JsonTargets {
  /** Stream the array elements, or the text, at this path; null to keep them. */
  elementsAt(path: JsonPath): ((value: Json, index: number) => void) | null;
  textAt(path: JsonPath): TextSink | null;
  /** Members whose value is only checked; `true` replaces it. */
  passesOver(name: string): boolean;
}

interface Frame {
  readonly isObject: boolean;
  readonly object: { [name: string]: Json } | null;
  readonly array: Json[] | null;
  readonly sink: ((value: Json, index: number) => void) | null;
  readonly skipped: boolean;
  name: string;
  index: number;
}

type Expecting = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'comma' | 'end';

type State = ReturnType<typeof createState>;

function createState(targets: JsonTargets) {
  return {
    targets,
    stack: [] as Frame[],
    expecting: 'value' as Expecting,
    root: null as Json,
    /** Since the last streamed element. */
    values: 0,
    characters: 0,
    open: null as TextBuffer | null,
    carried: '',
  };
}

export function createJsonReader(targets: JsonTargets) {
  const state = createState(targets);
  return {
    write: (text: string) => read(state, text, false),
    /** @throws 400 for invalid or incomplete JSON. */
    end(): Json {
      read(state, '', true);
      if (state.open !== null || state.carried !== '' || state.expecting !== 'end') {
        throw invalidJsonError(4);
      }
      return state.root;
    },
  };
}

function read(state: State, text: string, isLast: boolean): void {
  const piece = state.carried + text;
  state.carried = '';
  for (let at = 0; at < piece.length; ) {
    at = state.open === null ? readOutside(state, piece, at, isLast) : readText(state, state.open, piece, at);
  }
}

function readOutside(state: State, piece: string, from: number, isLast: boolean): number {
  const code = piece.charCodeAt(from);
  if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
    return from + 1;
  }
  if (code === 0x22) {
    beginText(state);
    return from + 1;
  }
  wordCharacters.lastIndex = from;
  const word = wordCharacters.exec(piece)?.[0] ?? '';
  if (word === '') {
    readSign(state, piece.charAt(from));
    return from + 1;
  }
  if (word.length > wordCharactersMax) {
    throw invalidJsonError(4);
  }
  const next = from + word.length;
  // A number may continue in the next piece.
  if (next === piece.length && !isLast) {
    state.carried = word;
  } else {
    beginValue(state);
    accept(state, parseJsonWord(word));
  }
  return next;
}

/** Stops at the end of the text, an escape, or the end of the piece; returns the position. */
function readText(state: State, text: TextBuffer, piece: string, from: number): number {
  specialInText.lastIndex = from;
  const found = specialInText.exec(piece);
  appendText(text, piece.slice(from, found?.index));
  if (found === null) {
    return piece.length;
  }
  if (found[0] === '"') {
    endText(state, text);
    return found.index + 1;
  }
  if (found[0] !== '\\') {
    throw invalidJsonError(3);
  }
  const unescaped = readEscape(piece, found.index);
  if (unescaped === null) {
    state.carried = piece.slice(found.index);
    return piece.length;
  }
  appendText(text, unescaped.text);
  return unescaped.next;
}

function readSign(state: State, sign: string): void {
  const { expecting } = state;
  const frame = state.stack.at(-1);
  if (sign === '{' || sign === '[') {
    beginValue(state);
    push(state, sign === '{');
  } else if (sign === '}' && (expecting === 'first-name' || expecting === 'comma')) {
    pop(state, true);
  } else if (sign === ']' && (expecting === 'first-value' || expecting === 'comma')) {
    pop(state, false);
  } else if (sign === ':' && expecting === 'colon') {
    state.expecting = 'value';
  } else if (sign === ',' && expecting === 'comma' && frame !== undefined) {
    frame.index += 1;
    state.expecting = frame.isObject ? 'name' : 'value';
  } else {
    throw invalidJsonError(4);
  }
}

function beginText(state: State): void {
  if (state.expecting === 'name' || state.expecting === 'first-name') {
    state.open = createTextBuffer(null, true);
    return;
  }
  beginValue(state);
  const skipped = state.stack.at(-1)?.skipped === true;
  state.open = createTextBuffer(skipped ? null : state.targets.textAt(pathOf(state)), false);
}

function endText(state: State, text: TextBuffer): void {
  state.open = null;
  const frame = state.stack.at(-1);
  if (text.isName && frame !== undefined) {
    frame.name = shortenText(state, textOf(text));
    state.expecting = 'colon';
    return;
  }
  text.sink?.end();
  accept(state, shortenText(state, textOf(text)));
}

function shortenText(state: State, text: string): string {
  if (state.stack.at(-1)?.skipped === true) {
    return '';
  }
  const shortened =
    state.characters + text.length <= keptCharactersMax ? text : cutText(text, scarceCharactersMax);
  state.characters += shortened.length;
  return shortened;
}

function beginValue(state: State): void {
  if (state.expecting !== 'value' && state.expecting !== 'first-value') {
    throw invalidJsonError(4);
  }
  if (state.stack.at(-1)?.skipped === true) {
    return;
  }
  state.values += 1;
  if (state.values > valuesMax) {
    throw createBadRequestError(
      'notifier_test_run_too_complex',
      `The report has more than ${valuesMax} JSON values.`,
      {
        limit: valuesMax,
      },
    );
  }
}

function push(state: State, isObject: boolean): void {
  const { stack, targets } = state;
  if (stack.length >= depthMax) {
    throw invalidJsonError(1);
  }
  const parent = stack.at(-1);
  const skipped = parent?.skipped === true || (parent?.isObject === true && targets.passesOver(parent.name));
  const isCollected = !skipped && !isObject;
  stack.push({
    isObject,
    object: isObject && !skipped ? Object.create(null) : null,
    array: isCollected ? [] : null,
    sink: isCollected ? targets.elementsAt(pathOf(state)) : null,
    skipped,
    name: '',
    index: 0,
  });
  state.expecting = isObject ? 'first-name' : 'first-value';
}

function pop(state: State, isObject: boolean): void {
  const frame = state.stack.pop();
  if (frame?.isObject !== isObject) {
    throw invalidJsonError(4);
  }
  // Streamed elements no longer use memory.
  if (state.stack.at(-1)?.sink) {
    state.values = 0;
    state.characters = 0;
  }
  accept(state, frame.skipped ? true : (frame.object ?? frame.array));
}

function accept(state: State, value: Json): void {
  const frame = state.stack.at(-1);
  state.expecting = frame === undefined ? 'end' : 'comma';
  if (frame === undefined) {
    state.root = value;
  } else if (frame.skipped) {
    return;
  } else if (frame.object !== null) {
    frame.object[frame.name] = state.targets.passesOver(frame.name) ? true : value;
  } else if (frame.sink !== null) {
    frame.sink(value, frame.index);
  } else {
    frame.array?.push(value);
  }
}

function pathOf(state: State): Array<string | number> {
  return state.stack.map((frame) => (frame.isObject ? frame.name : frame.index));
}
