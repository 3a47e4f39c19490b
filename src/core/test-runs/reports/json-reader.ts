// Reads JSON piece by piece, as it comes, into plain values: bounded in depth, in number of values and in
// length of text, so that 50 MB of anything costs little memory. Elements of chosen arrays and chosen texts
// are handed on instead of kept. Objects have no prototype: `__proto__` is a name like any other. No library:
// stream-json and @streamparser/json have no limits, take lone surrogates and refuse `TRUE`, which PHP takes.
import type { Json } from '../../../../schemas/event.ts';
import { badRequest } from '../../errors.ts';
import { cutText } from '../../reading/cut-text.ts';
import {
  addToText,
  invalidJson,
  type OpenText,
  openText,
  readEscape,
  specialInText,
  type TextSink,
  textOf,
  valueOfWord,
  wordCharacters,
} from './json-text.ts';

/** D-18. */
const depthMax = 100;
/**
 * Values kept at the same time (a case is let go once it is read): 600,000 names in one object took 129 MB
 * and 3.5 s.
 */
const valuesMax = 100_000;
/** Characters kept at the same time; once they are used up, texts are cut to a few. */
const keptCharactersMax = 4_194_304;
const scarceCharactersMax = 64;
/** No number or word is longer; a longer one would be carried from piece to piece. */
const wordCharactersMax = 512;

export type JsonPath = ReadonlyArray<string | number>;

export interface JsonTargets {
  /** Where the elements of the array at this path go, one by one, or null to keep them. */
  elementsAt(path: JsonPath): ((value: Json, index: number) => void) | null;
  /** Where the text at this path goes, piece by piece and whole, or null to keep it. */
  textAt(path: JsonPath): TextSink | null;
  /**
   * True for members whose value is passed over (checked for being JSON, not kept); `true` stands in its
   * place.
   */
  passesOver(name: string): boolean;
}

export interface JsonReader {
  write(text: string): void;
  /** The whole value. @throws 400 when the text is no JSON or ended early */
  end(): Json;
}

/** An object or an array that is open. One that is passed over keeps no value. */
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

interface State {
  readonly targets: JsonTargets;
  readonly stack: Frame[];
  expecting: Expecting;
  root: Json;
  /** Values kept since an element was last handed on. */
  values: number;
  characters: number;
  open: OpenText | null;
  /** An escape, a number or a word that a piece of text ended in. */
  carried: string;
}

/** Starts reading one JSON text. */
export function createJsonReader(targets: JsonTargets): JsonReader {
  const state: State = {
    targets,
    stack: [],
    expecting: 'value',
    root: null,
    values: 0,
    characters: 0,
    open: null,
    carried: '',
  };
  return {
    write: (text) => read(state, text, false),
    end() {
      read(state, '', true);
      if (state.open !== null || state.carried !== '' || state.expecting !== 'end') {
        throw invalidJson(4);
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

/** Reads white space, a sign, a word or the beginning of a text; answers where the next one begins. */
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
    throw invalidJson(4);
  }
  const next = from + word.length;
  // A number may go on in the next piece.
  if (next === piece.length && !isLast) {
    state.carried = word;
  } else {
    beginValue(state);
    accept(state, valueOfWord(word));
  }
  return next;
}

/** Reads text up to its end, an escape, or the end of the piece; answers where it stopped. */
function readText(state: State, text: OpenText, piece: string, from: number): number {
  specialInText.lastIndex = from;
  const found = specialInText.exec(piece);
  addToText(text, piece.slice(from, found?.index));
  if (found === null) {
    return piece.length;
  }
  if (found[0] === '"') {
    endText(state, text);
    return found.index + 1;
  }
  if (found[0] !== '\\') {
    throw invalidJson(3);
  }
  const unescaped = readEscape(piece, found.index);
  if (unescaped === null) {
    state.carried = piece.slice(found.index);
    return piece.length;
  }
  addToText(text, unescaped.text);
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
    throw invalidJson(4);
  }
}

function beginText(state: State): void {
  if (state.expecting === 'name' || state.expecting === 'first-name') {
    state.open = openText(null, true);
    return;
  }
  beginValue(state);
  const skipped = state.stack.at(-1)?.skipped === true;
  state.open = openText(skipped ? null : state.targets.textAt(pathOf(state)), false);
}

function endText(state: State, text: OpenText): void {
  state.open = null;
  const frame = state.stack.at(-1);
  if (text.isName && frame !== undefined) {
    frame.name = keep(state, textOf(text));
    state.expecting = 'colon';
    return;
  }
  text.sink?.end();
  accept(state, keep(state, textOf(text)));
}

/** A text as it is kept: whole while there is room, then only its beginning. */
function keep(state: State, text: string): string {
  if (state.stack.at(-1)?.skipped === true) {
    return '';
  }
  const kept =
    state.characters + text.length <= keptCharactersMax ? text : cutText(text, scarceCharactersMax);
  state.characters += kept.length;
  return kept;
}

/** A value may stand here, and there may be one more. */
function beginValue(state: State): void {
  if (state.expecting !== 'value' && state.expecting !== 'first-value') {
    throw invalidJson(4);
  }
  if (state.stack.at(-1)?.skipped === true) {
    return;
  }
  state.values += 1;
  if (state.values > valuesMax) {
    throw badRequest('notifier_test_run_too_complex', `The report has more than ${valuesMax} JSON values.`, {
      limit: valuesMax,
    });
  }
}

function push(state: State, isObject: boolean): void {
  const { stack, targets } = state;
  if (stack.length >= depthMax) {
    throw invalidJson(1);
  }
  const parent = stack.at(-1);
  const skipped = parent?.skipped === true || (parent?.isObject === true && targets.passesOver(parent.name));
  const keeps = !skipped && !isObject;
  stack.push({
    isObject,
    object: isObject && !skipped ? Object.create(null) : null,
    array: keeps ? [] : null,
    sink: keeps ? targets.elementsAt(pathOf(state)) : null,
    skipped,
    name: '',
    index: 0,
  });
  state.expecting = isObject ? 'first-name' : 'first-value';
}

function pop(state: State, isObject: boolean): void {
  const frame = state.stack.pop();
  if (frame?.isObject !== isObject) {
    throw invalidJson(4);
  }
  // What is handed on needs no room any more.
  if (state.stack.at(-1)?.sink) {
    state.values = 0;
    state.characters = 0;
  }
  accept(state, frame.skipped ? true : (frame.object ?? frame.array));
}

/** Puts a whole value where it belongs. */
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

/** Where the value stands that begins now: names and indexes from the root. */
function pathOf(state: State): Array<string | number> {
  return state.stack.map((frame) => (frame.isObject ? frame.name : frame.index));
}
