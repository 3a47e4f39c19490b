// Tokens of a JSON text as PHP's scanner reads them; json-parse.ts is the parser.
import { validSequenceLength } from './strings.ts';
import { type PhpValue, phpFloat, phpInt, phpIntMax, phpIntMin } from './values.ts';

export const jsonErrors = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
} as const;

type JsonErrorCode = keyof typeof jsonErrors;

/** `json_last_error()` and `json_last_error_msg()`. */
export type JsonError = { readonly ok: false; readonly code: JsonErrorCode; readonly message: string };

export type Scanner = {
  readonly bytes: Buffer;
  at: number;
  /** Of the last `string` or `scalar` token. */
  value: PhpValue;
  depth: number;
  readonly depthMax: number;
  /** What containers become: PHP arrays, a map for every object, or nothing (check only). */
  makes: 'php' | 'maps' | 'nothing';
  valuesLeft: number;
  readonly names: ReadonlySet<string> | null;
  readonly isLenient: boolean;
  /** Name or index of the current member in each open container; null while a name is read. */
  readonly path: Array<string | number | null>;
  readonly replacedAt: string[];
};

export const replacedAtMax = 20;

export type Token = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'scalar' | 'end';

/** Ends the recursion; not thrown out of json-parse.ts. */
export class JsonSyntaxError {
  readonly code: JsonErrorCode;
  constructor(code: JsonErrorCode) {
    this.code = code;
  }
}

export function nextToken(scanner: Scanner): Token {
  const { bytes } = scanner;
  while (isBlank(bytes[scanner.at])) scanner.at += 1;
  const byte = bytes[scanner.at];
  if (byte === undefined) return 'end';
  const character = String.fromCharCode(byte);
  if ('{}[]:,'.includes(character)) {
    scanner.at += 1;
    return character as Token;
  }
  if (byte === 0x22) return readString(scanner);
  if (byte === 0x2d || isDigit(byte)) return readNumber(scanner);
  for (const [word, value] of literals) {
    if (bytes.toString('latin1', scanner.at, scanner.at + word.length) !== word) continue;
    scanner.at += word.length;
    scanner.value = value;
    return 'scalar';
  }
  if (byte < 0x20) throw new JsonSyntaxError(3);
  throw new JsonSyntaxError(validSequenceLength(bytes, scanner.at) === 0 ? 5 : 4);
}

const literals: ReadonlyArray<readonly [string, PhpValue]> = [
  ['true', true],
  ['false', false],
  ['null', null],
];

export const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function readNumber(scanner: Scanner): 'scalar' {
  const { bytes } = scanner;
  const start = scanner.at;
  let at = bytes[start] === 0x2d ? start + 1 : start;
  if (!isDigit(bytes[at])) throw new JsonSyntaxError(4);
  // `01` is two tokens, which the parser refuses.
  at = bytes[at] === 0x30 ? at + 1 : endOfDigits(bytes, at);
  let isInteger = true;
  if (bytes[at] === 0x2e && isDigit(bytes[at + 1])) {
    isInteger = false;
    at = endOfDigits(bytes, at + 1);
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const signed = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d;
    if (isDigit(bytes[signed ? at + 2 : at + 1])) {
      isInteger = false;
      at = endOfDigits(bytes, signed ? at + 2 : at + 1);
    }
  }
  scanner.at = at;
  const text = bytes.toString('latin1', start, at);
  scanner.value = isInteger ? integerFrom(text, scanner.isLenient) : phpFloat(Number(text));
  return 'scalar';
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** Past 64 bits an integer is a float, or a string with `keepsDigits`. `-0` is the integer 0. */
function integerFrom(text: string, keepsDigits: boolean): PhpValue {
  if (text.length <= 15) return Number(text) || 0;
  const value = text.length > 20 ? null : BigInt(text);
  if (value !== null && value >= phpIntMin && value <= phpIntMax) return phpInt(value);
  return keepsDigits && Number.isFinite(Number(text)) ? text : phpFloat(Number(text));
}

function readString(scanner: Scanner): 'string' {
  const { bytes, isLenient } = scanner;
  const makesText = scanner.makes !== 'nothing';
  let isReplaced = false;
  let text = '';
  let start = scanner.at + 1;
  let at = start;
  for (;;) {
    const byte = bytes[at];
    // PHP's scanner sees the end of the text as NUL, a control character.
    if (byte === undefined || byte < 0x20) throw new JsonSyntaxError(3);
    if (byte === 0x22) break;
    if (byte === 0x5c) {
      if (makesText) text += bytes.toString('utf8', start, at);
      scanner.at = at + 1;
      const unescaped = readEscape(scanner);
      if (unescaped === null) isReplaced = true;
      if (makesText) text += unescaped ?? replacement;
      start = scanner.at;
      at = start;
    } else {
      const length = validSequenceLength(bytes, at);
      if (length === 0 && !isLenient) throw new JsonSyntaxError(5);
      if (length === 0) isReplaced = true;
      at += length || 1;
    }
  }
  scanner.value = makesText ? text + bytes.toString('utf8', start, at) : '';
  if (isReplaced && makesText && scanner.replacedAt.length < replacedAtMax) {
    scanner.replacedAt.push(scanner.path.filter((key) => key !== null).join('.'));
  }
  scanner.at = at + 1;
  return 'string';
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const replacement = '\ufffd';

/** Null for an unpaired surrogate in a lenient reading. */
function readEscape(scanner: Scanner): string | null {
  const { bytes } = scanner;
  const letter = String.fromCharCode(bytes[scanner.at] ?? 0);
  if (letter !== 'u') {
    const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (plain === undefined) throw new JsonSyntaxError(4);
    scanner.at += 1;
    return plain;
  }
  const unit = hexUnit(bytes, scanner.at + 1);
  if (unit === null) throw new JsonSyntaxError(4);
  scanner.at += 5;
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  const isPair = unit < 0xdc00 && bytes[scanner.at] === 0x5c && bytes[scanner.at + 1] === 0x75;
  const low = isPair ? hexUnit(bytes, scanner.at + 2) : null;
  if (low === null || low < 0xdc00 || low > 0xdfff) {
    if (scanner.isLenient) return null;
    throw new JsonSyntaxError(10);
  }
  scanner.at += 6;
  return String.fromCharCode(unit, low);
}

function hexUnit(bytes: Buffer, start: number): number | null {
  const text = bytes.toString('latin1', start, start + 4);
  return /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : null;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Counts values without building them; never too low. Stops soon after `valuesMax`. */
export function countValues(bytes: Uint8Array, valuesMax: number): number {
  const { length } = bytes;
  let values = 1;
  let at = 0;
  while (at < length && values <= valuesMax) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return values;
}

/** After the closing quote; the length where there is none. */
export function endOfText(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return length;
}
