// Reads JSON piece by piece, as it comes, into plain values: bounded in depth, in number of values and in length of text, so
// that 50 MB of anything costs little memory. Elements of chosen arrays and chosen texts are handed on instead of kept.
// Objects have no prototype: `__proto__` is a name like any other.
import type { Json } from '../../../schemas/event.ts';
import { badRequest, type RestError } from '../errors.ts';

/** D-18. */
const depthMax = 100;
/** Values kept at the same time (a case is let go once it is read): 600,000 names in one object took 129 MB and 3.5 s. */
const valuesMax = 100_000;
/** Of a longer text the head and the tail are kept: traces are read from their head, output from its tail. */
const headCharactersMax = 40_960;
const tailCharactersMax = 20_480;

export type JsonPath = ReadonlyArray<string | number>;

export interface TextSink {
  write(text: string): void;
  end(): void;
}

export interface JsonTargets {
  /** Where the elements of the array at this path go, one by one, or null to keep them. */
  elementsAt(path: JsonPath): ((value: Json, index: number) => void) | null;
  /** Where the text at this path goes, piece by piece and whole, or null to keep it. */
  textAt(path: JsonPath): TextSink | null;
  /** True for members whose value is passed over (checked for being JSON, not kept); `true` stands in its place. */
  passesOver(name: string): boolean;
}

export interface JsonReader {
  write(text: string): void;
  /** The whole value. @throws 400 when the text is no JSON or ended early */
  end(): Json;
}

interface Frame {
  readonly object: { [name: string]: Json } | null;
  readonly array: Json[] | null;
  readonly sink: ((value: Json, index: number) => void) | null;
  readonly skipped: boolean;
  name: string;
  index: number;
}

interface OpenText {
  readonly sink: TextSink | null;
  readonly isName: boolean;
  readonly parts: string[];
  length: number;
  tail: string;
}

type Expecting = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'comma' | 'end';

/** A refusal in WordPress's words for a body that is no JSON; `code` is PHP's `json_last_error()`. */
export function invalidJson(code: 1 | 3 | 4 | 5 | 10): RestError {
  const messages = {
    1: 'Maximum stack depth exceeded',
    3: 'Control character error, possibly incorrectly encoded',
    4: 'Syntax error',
    5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
    10: 'Single unpaired high surrogate in Unicode escape',
  };
  return badRequest('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: messages[code],
  });
}

/** Starts reading one JSON text. */
export function createJsonReader(targets: JsonTargets): JsonReader {
  const stack: Frame[] = [];
  let expecting: Expecting = 'value';
  let root: Json = null;
  let values = 0;
  let open: OpenText | null = null;
  /** An escape or a number or word that a piece of text ended in. */
  let carried = '';

  const pathHere = (): Array<string | number> =>
    stack.map((frame) => (frame.object === null && !frame.skipped ? frame.index : frame.name));

  const accept = (value: Json): void => {
    const frame = stack.at(-1);
    if (frame === undefined) {
      root = value;
      expecting = 'end';
      return;
    }
    expecting = 'comma';
    if (frame.skipped) {
      return;
    }
    if (frame.object !== null) {
      frame.object[frame.name] = targets.passesOver(frame.name) ? true : value;
    } else if (frame.sink !== null) {
      frame.sink(value, frame.index);
    } else {
      frame.array?.push(value);
    }
  };
  const countValue = (): void => {
    if (stack.at(-1)?.skipped !== true) {
      values += 1;
      if (values > valuesMax) {
        throw badRequest(
          'notifier_test_run_too_complex',
          `The report has more than ${valuesMax} JSON values.`,
          {
            limit: valuesMax,
          },
        );
      }
    }
  };
  const push = (isObject: boolean): void => {
    if (stack.length >= depthMax) {
      throw invalidJson(1);
    }
    const parent = stack.at(-1);
    const overName =
      parent?.object !== undefined && parent.object !== null && targets.passesOver(parent.name);
    const skipped = parent?.skipped === true || overName;
    const sink = isObject || skipped ? null : targets.elementsAt(pathHere());
    stack.push({
      object: isObject && !skipped ? Object.create(null) : null,
      array: isObject || skipped ? null : [],
      sink,
      skipped,
      name: isObject ? '' : '0',
      index: 0,
    });
    kinds.push(isObject);
    expecting = isObject ? 'first-name' : 'first-value';
  };
  /** Whether each open frame is an object: a frame that is passed over keeps no value to tell by. */
  const kinds: boolean[] = [];
  const pop = (isObject: boolean): void => {
    if (kinds.pop() !== isObject) {
      throw invalidJson(4);
    }
    const frame = stack.pop();
    // What is already counted and handed on needs no room any more.
    if (stack.at(-1)?.sink) {
      values = 0;
    }
    accept(frame?.skipped === true ? true : (frame?.object ?? frame?.array ?? null));
  };

  const closeText = (): void => {
    if (open === null) {
      return;
    }
    const text = open;
    open = null;
    const value =
      text.tail === ''
        ? text.parts.join('')
        : `${text.parts.join('')}\n…\n${text.tail.slice(-tailCharactersMax)}`;
    if (text.isName) {
      const frame = stack.at(-1);
      if (frame !== undefined) {
        frame.name = value;
      }
      expecting = 'colon';
      return;
    }
    text.sink?.end();
    accept(value);
  };
  const addText = (piece: string): void => {
    if (open === null || piece === '') {
      return;
    }
    if (open.sink !== null) {
      open.sink.write(piece);
      return;
    }
    const room = headCharactersMax - open.length;
    if (room > 0) {
      open.parts.push(piece.slice(0, room));
      open.length += Math.min(room, piece.length);
    }
    if (piece.length > room) {
      const tail = open.tail + piece.slice(Math.max(0, room));
      open.tail = tail.length > 2 * tailCharactersMax ? tail.slice(-tailCharactersMax) : tail;
    }
  };
  const openText = (): void => {
    const isName = expecting === 'name' || expecting === 'first-name';
    const isValue = expecting === 'value' || expecting === 'first-value';
    if (!isName && !isValue) {
      throw invalidJson(4);
    }
    if (isValue) {
      countValue();
    }
    const skipped = stack.at(-1)?.skipped === true;
    open = {
      sink: isValue && !skipped ? targets.textAt(pathHere()) : null,
      isName,
      parts: [],
      length: 0,
      tail: '',
    };
  };

  /** Reads text up to its end or the end of the piece; answers where it stopped. */
  const readText = (piece: string, from: number): number => {
    specialInText.lastIndex = from;
    const found = specialInText.exec(piece);
    if (found === null) {
      addText(piece.slice(from));
      return piece.length;
    }
    addText(piece.slice(from, found.index));
    if (found[0] === '"') {
      closeText();
      return found.index + 1;
    }
    if (found[0] !== '\\') {
      throw invalidJson(3);
    }
    const unescaped = readEscape(piece, found.index);
    if (unescaped === null) {
      carried = piece.slice(found.index);
      return piece.length;
    }
    addText(unescaped.text);
    return unescaped.next;
  };

  const readSign = (sign: string): void => {
    const frame = stack.at(-1);
    if ((sign === '{' || sign === '[') && (expecting === 'value' || expecting === 'first-value')) {
      countValue();
      push(sign === '{');
    } else if (sign === '}' && (expecting === 'first-name' || expecting === 'comma')) {
      pop(true);
    } else if (sign === ']' && (expecting === 'first-value' || expecting === 'comma')) {
      pop(false);
    } else if (sign === ':' && expecting === 'colon') {
      expecting = 'value';
    } else if (sign === ',' && expecting === 'comma' && frame !== undefined) {
      frame.index += 1;
      expecting = kinds.at(-1) === true ? 'name' : 'value';
    } else {
      throw invalidJson(4);
    }
  };
  const readWord = (word: string): void => {
    if (expecting !== 'value' && expecting !== 'first-value') {
      throw invalidJson(4);
    }
    countValue();
    accept(valueOfWord(word));
  };

  const step = (piece: string, from: number, last: boolean): number => {
    if (open !== null) {
      return readText(piece, from);
    }
    const code = piece.charCodeAt(from);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      return from + 1;
    }
    if (code === 0x22) {
      openText();
      return from + 1;
    }
    wordCharacters.lastIndex = from;
    const word = wordCharacters.exec(piece)?.[0] ?? '';
    if (word === '') {
      readSign(piece.charAt(from));
      return from + 1;
    }
    const next = from + word.length;
    if (word.length > 512) {
      throw invalidJson(4);
    }
    // A number may go on in the next piece.
    if (next === piece.length && !last) {
      carried = word;
    } else {
      readWord(word);
    }
    return next;
  };
  const read = (text: string, last: boolean): void => {
    const piece = carried + text;
    carried = '';
    for (let at = 0; at < piece.length; ) {
      at = step(piece, at, last);
    }
  };
  return {
    write: (text) => read(text, false),
    end() {
      read('', true);
      if (open !== null || carried !== '' || expecting !== 'end') {
        throw invalidJson(4);
      }
      return root;
    },
  };
}

const specialInText = /["\\\u0000-\u001f]/g;
const wordCharacters = /[-+.0-9A-Za-z]{1,600}/y;
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The escape at `from`, or null when the piece ends inside it. Surrogates come in pairs, as PHP demands. */
function readEscape(piece: string, from: number): { text: string; next: number } | null {
  const letter = piece.charAt(from + 1);
  if (letter === '') {
    return null;
  }
  const short = shortEscapes.get(letter);
  if (short !== undefined) {
    return { text: short, next: from + 2 };
  }
  if (letter !== 'u') {
    throw invalidJson(4);
  }
  const high = readUnit(piece, from);
  if (high === null) {
    return null;
  }
  if (high < 0xd800 || high > 0xdfff) {
    return { text: String.fromCharCode(high), next: from + 6 };
  }
  const follows = piece.slice(from + 6, from + 8);
  if (high <= 0xdbff && follows.length < 2 && '\\u'.startsWith(follows)) {
    return null;
  }
  const low = high <= 0xdbff && follows === '\\u' ? readUnit(piece, from + 6) : undefined;
  if (low === null) {
    return null;
  }
  if (low === undefined || low < 0xdc00 || low > 0xdfff) {
    throw invalidJson(10);
  }
  return { text: String.fromCharCode(high, low), next: from + 12 };
}

/** The four hex digits after `\u` at `from`, or null when the piece ends before them. */
function readUnit(piece: string, from: number): number | null {
  const digits = piece.slice(from + 2, from + 6);
  if (!/^[0-9A-Fa-f]*$/.test(digits)) {
    throw invalidJson(4);
  }
  return digits.length < 4 ? null : Number.parseInt(digits, 16);
}

/** PHP takes the three words in any case. */
function valueOfWord(word: string): Json {
  const lower = word.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  if (lower === 'null') return null;
  if (!jsonNumber.test(word)) {
    throw invalidJson(4);
  }
  return Number(word);
}
