// PHP's JSON parser, exactly: every byte in its order, so that the first fault in the text is the one
// reported. Slow next to JSON.parse and only used where that could differ; json-decode.ts chooses.
import { validSequenceLength } from './text.ts';
import { normalizeArray, type PhpValue, phpFloat, phpInt, phpIntMax, phpIntMin } from './values.ts';

/** PHP's messages by error code. */
const jsonErrors = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
} as const;

type JsonErrorCode = keyof typeof jsonErrors;

/** A refusal: `json_last_error()` and `json_last_error_msg()`. */
export type JsonError = { readonly ok: false; readonly code: JsonErrorCode; readonly message: string };

/** What comes of a text that is JSON. */
export type ParseOptions = {
  /** Every object stays a map: PHP itself makes a list of `{}` and of `{"0": …}`. */
  readonly keepsObjects?: boolean;
  /** Values inside of others that are made, at most; what comes after them is read, and left out. */
  readonly valuesMax?: number;
  /** The members of the outermost object that are made; the others are read, and left out. All by default. */
  readonly names?: ReadonlySet<string> | null;
};

/**
 * Parses JSON bytes as PHP does, into PhpValues with maps and wrapped floats.
 * @param depthMax how many containers may be open at once; the next bracket is error 1
 */
export function parseJsonExactly(
  bytes: Uint8Array,
  depthMax: number,
  options: ParseOptions = {},
): { readonly ok: true; readonly value: PhpValue } | JsonError {
  const { keepsObjects = false, valuesMax = Number.POSITIVE_INFINITY, names = null } = options;
  return parse(bytes, { makes: keepsObjects ? 'maps' : 'php', left: valuesMax, names, depthMax });
}

/**
 * Whether bytes are JSON to PHP: null, or its first fault. Makes no values: the size of a text costs time and
 * no room.
 */
export function checkJson(bytes: Uint8Array, depthMax: number): JsonError | null {
  const parsed = parse(bytes, { makes: 'nothing', left: 0, names: null, depthMax });
  return parsed.ok ? null : parsed;
}

function parse(
  bytes: Uint8Array,
  how: Pick<Scanner, 'makes' | 'left' | 'names' | 'depthMax'>,
): { readonly ok: true; readonly value: PhpValue } | JsonError {
  const scanner: Scanner = {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: 0,
    value: null,
    depth: 0,
    ...how,
  };
  try {
    const value = readValue(scanner, nextToken(scanner));
    if (nextToken(scanner) !== 'end') throw new JsonFault(4);
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { ok: false, code: error.code, message: jsonErrors[error.code] };
  }
}

type Scanner = {
  readonly bytes: Buffer;
  at: number;
  /** The value of the last `string` or `scalar` token. */
  value: PhpValue;
  depth: number;
  readonly depthMax: number;
  /** What comes of containers: PHP's arrays, a map for every object, or nothing at all. */
  makes: 'php' | 'maps' | 'nothing';
  /** Values that may still be made inside of others. */
  left: number;
  readonly names: ReadonlySet<string> | null;
};

type Token = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'scalar' | 'end';

/** Leaves the recursion at the first fault; never leaves this file. */
class JsonFault {
  readonly code: JsonErrorCode;
  constructor(code: JsonErrorCode) {
    this.code = code;
  }
}

function readValue(scanner: Scanner, token: Token): PhpValue {
  if (token === 'string' || token === 'scalar') return scanner.value;
  if (token !== '[' && token !== '{') throw new JsonFault(4);
  // PHP counts at the bracket, before it looks at anything after it.
  scanner.depth += 1;
  if (scanner.depth > scanner.depthMax) throw new JsonFault(1);
  const value = token === '[' ? readList(scanner) : readMap(scanner);
  scanner.depth -= 1;
  return value;
}

function readList(scanner: Scanner): PhpValue {
  const list: PhpValue[] = [];
  let token = nextToken(scanner);
  if (isEnd(token, ']')) return list;
  for (;;) {
    const value = readMember(scanner, token, null);
    if (value !== undefined) list.push(value);
    token = nextToken(scanner);
    if (isEnd(token, ']')) return list;
    if (token !== ',') throw new JsonFault(4);
    token = nextToken(scanner);
  }
}

function readMap(scanner: Scanner): PhpValue {
  let token = nextToken(scanner);
  if (isEnd(token, '}')) return scanner.makes === 'maps' ? new Map() : [];
  const map = new Map<string, PhpValue>();
  for (;;) {
    if (token !== 'string') throw new JsonFault(4);
    const name = scanner.value as string;
    if (nextToken(scanner) !== ':') throw new JsonFault(4);
    // Set again, a name keeps its first place and takes the last value, in PHP as in a Map.
    const value = readMember(scanner, nextToken(scanner), name);
    if (value !== undefined) map.set(name, value);
    token = nextToken(scanner);
    if (isEnd(token, '}')) return scanner.makes === 'php' ? normalizeArray(map) : map;
    if (token !== ',') throw new JsonFault(4);
    token = nextToken(scanner);
  }
}

/** The value of a member or an element; undefined where it is only read. */
function readMember(scanner: Scanner, token: Token, name: string | null): PhpValue | undefined {
  const { makes, names } = scanner;
  const isNamed = name !== null && names !== null && scanner.depth === 1;
  if (makes !== 'nothing' && (isNamed ? names.has(name) : scanner.left > 0)) {
    if (!isNamed) scanner.left -= 1;
    return readValue(scanner, token);
  }
  scanner.makes = 'nothing';
  readValue(scanner, token);
  scanner.makes = makes;
  return undefined;
}

/** Whether the container ends here; ended by the other kind's bracket it is PHP's "state mismatch". */
function isEnd(token: Token, bracket: ']' | '}'): boolean {
  if (token === bracket) return true;
  if (token === ']' || token === '}') throw new JsonFault(2);
  return false;
}

function nextToken(scanner: Scanner): Token {
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
  if (byte < 0x20) throw new JsonFault(3);
  throw new JsonFault(validSequenceLength(bytes, scanner.at) === 0 ? 5 : 4);
}

const literals: ReadonlyArray<readonly [string, PhpValue]> = [
  ['true', true],
  ['false', false],
  ['null', null],
];

const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function readNumber(scanner: Scanner): 'scalar' {
  const { bytes } = scanner;
  const start = scanner.at;
  let at = bytes[start] === 0x2d ? start + 1 : start;
  if (!isDigit(bytes[at])) throw new JsonFault(4);
  // No second digit after a leading zero: `01` is two numbers, which the grammar refuses.
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
  scanner.value = isInteger ? integerFrom(text) : phpFloat(Number(text));
  return 'scalar';
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** Integers are exact within 64 bits and floats past them; `-0` is the integer 0. */
function integerFrom(text: string): PhpValue {
  if (text.length <= 15) return Number(text) || 0;
  if (text.length > 20) return phpFloat(Number(text));
  const value = BigInt(text);
  return value >= phpIntMin && value <= phpIntMax ? phpInt(value) : phpFloat(Number(text));
}

function readString(scanner: Scanner): 'string' {
  const { bytes } = scanner;
  const makesText = scanner.makes !== 'nothing';
  let text = '';
  let start = scanner.at + 1;
  let at = start;
  for (;;) {
    const byte = bytes[at];
    // The end of the text is a NUL to PHP's scanner, hence a control character.
    if (byte === undefined || byte < 0x20) throw new JsonFault(3);
    if (byte === 0x22) break;
    if (byte === 0x5c) {
      if (makesText) text += bytes.toString('utf8', start, at);
      scanner.at = at + 1;
      const unescaped = readEscape(scanner);
      if (makesText) text += unescaped;
      start = scanner.at;
      at = start;
    } else {
      const length = validSequenceLength(bytes, at);
      if (length === 0) throw new JsonFault(5);
      at += length;
    }
  }
  scanner.value = makesText ? text + bytes.toString('utf8', start, at) : '';
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

/** Reads what follows a backslash. */
function readEscape(scanner: Scanner): string {
  const { bytes } = scanner;
  const letter = String.fromCharCode(bytes[scanner.at] ?? 0);
  if (letter !== 'u') {
    const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (plain === undefined) throw new JsonFault(4);
    scanner.at += 1;
    return plain;
  }
  const unit = hexUnit(bytes, scanner.at + 1);
  if (unit === null) throw new JsonFault(4);
  scanner.at += 5;
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  const isPair = unit < 0xdc00 && bytes[scanner.at] === 0x5c && bytes[scanner.at + 1] === 0x75;
  const low = isPair ? hexUnit(bytes, scanner.at + 2) : null;
  if (low === null || low < 0xdc00 || low > 0xdfff) throw new JsonFault(10);
  scanner.at += 6;
  return String.fromCharCode(unit, low);
}

function hexUnit(bytes: Buffer, start: number): number | null {
  const text = bytes.toString('latin1', start, start + 4);
  return /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : null;
}
