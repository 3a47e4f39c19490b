// PHP's JSON parser, byte by byte: it reports the same first error as PHP. Slow; see json-decode.ts.
import {
  type JsonError,
  JsonSyntaxError,
  jsonErrors,
  nextToken,
  type Scanner,
  type Token,
} from './json-tokens.ts';
import { normalizeArray, type PhpValue } from './values.ts';

export type ParseOptions = {
  /** Objects stay maps; PHP turns `{}` and `{"0": …}` into lists. */
  readonly keepsObjects?: boolean;
  /** Nested values built at most; later ones are only checked. */
  readonly valuesMax?: number;
  /** Members of the outermost object to build; others are only checked. All by default. */
  readonly names?: ReadonlySet<string> | null;
  /** Reads on where PHP stops (errors 5 and 10): U+FFFD replaces invalid UTF-8 and unpaired surrogates. Skips a byte
   * order mark. Integers past 64 bits become strings of their digits, because PHP would round them. */
  readonly isLenient?: boolean;
};

export type Parsed = {
  readonly ok: true;
  readonly value: PhpValue;
  /** Paths such as `tags.0.1` where U+FFFD was put, the first 20. */
  readonly replacedAt: readonly string[];
};

/** `depthMax` is the number of containers open at once; one more is error 1. */
export function parseJsonExactly(
  bytes: Uint8Array,
  depthMax: number,
  options: ParseOptions = {},
): Parsed | JsonError {
  const { keepsObjects = false, valuesMax = Number.POSITIVE_INFINITY, names = null, isLenient } = options;
  const makes = keepsObjects ? 'maps' : 'php';
  return parse(bytes, { makes, valuesLeft: valuesMax, names, depthMax, isLenient: isLenient === true });
}

/** PHP's first error, or null. Builds no values, so large texts need no memory. */
export function checkJson(bytes: Uint8Array, depthMax: number, isLenient = false): JsonError | null {
  const parsed = parse(bytes, { makes: 'nothing', valuesLeft: 0, names: null, depthMax, isLenient });
  return parsed.ok ? null : parsed;
}

const byteOrderMark = Buffer.from('\ufeff');

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, at) => bytes[at] === byte);
}

function parse(
  bytes: Uint8Array,
  options: Pick<Scanner, 'makes' | 'valuesLeft' | 'names' | 'depthMax' | 'isLenient'>,
): Parsed | JsonError {
  const scanner: Scanner = {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: options.isLenient && hasByteOrderMark(bytes) ? byteOrderMark.length : 0,
    value: null,
    depth: 0,
    path: [],
    replacedAt: [],
    ...options,
  };
  try {
    const value = readValue(scanner, nextToken(scanner));
    if (nextToken(scanner) !== 'end') throw new JsonSyntaxError(4);
    return { ok: true, value, replacedAt: scanner.replacedAt };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { ok: false, code: error.code, message: jsonErrors[error.code] };
  }
}

function readValue(scanner: Scanner, token: Token): PhpValue {
  if (token === 'string' || token === 'scalar') return scanner.value;
  if (token !== '[' && token !== '{') throw new JsonSyntaxError(4);
  // PHP counts at the bracket, before it looks at what follows.
  scanner.depth += 1;
  if (scanner.depth > scanner.depthMax) throw new JsonSyntaxError(1);
  scanner.path.push(null);
  const value = token === '[' ? readList(scanner) : readMap(scanner);
  scanner.path.pop();
  scanner.depth -= 1;
  return value;
}

function readList(scanner: Scanner): PhpValue {
  const list: PhpValue[] = [];
  atMember(scanner, 0);
  let token = nextToken(scanner);
  if (isEnd(token, ']')) return list;
  for (;;) {
    const value = readMember(scanner, token, null);
    if (value !== undefined) list.push(value);
    token = nextToken(scanner);
    if (isEnd(token, ']')) return list;
    if (token !== ',') throw new JsonSyntaxError(4);
    atMember(scanner, list.length);
    token = nextToken(scanner);
  }
}

function readMap(scanner: Scanner): PhpValue {
  let token = nextToken(scanner);
  if (isEnd(token, '}')) return scanner.makes === 'maps' ? new Map() : [];
  const map = new Map<string, PhpValue>();
  for (;;) {
    if (token !== 'string') throw new JsonSyntaxError(4);
    const name = scanner.value as string;
    if (nextToken(scanner) !== ':') throw new JsonSyntaxError(4);
    // A repeated name keeps its first position and takes the last value, in PHP as in a Map.
    atMember(scanner, name);
    const value = readMember(scanner, nextToken(scanner), name);
    atMember(scanner, null);
    if (value !== undefined) map.set(name, value);
    token = nextToken(scanner);
    if (isEnd(token, '}')) return scanner.makes === 'php' ? normalizeArray(map) : map;
    if (token !== ',') throw new JsonSyntaxError(4);
    token = nextToken(scanner);
  }
}

function atMember(scanner: Scanner, key: string | number | null): void {
  scanner.path[scanner.path.length - 1] = key;
}

function readMember(scanner: Scanner, token: Token, name: string | null): PhpValue | undefined {
  const { makes, names } = scanner;
  const isNamed = name !== null && names !== null && scanner.depth === 1;
  if (makes !== 'nothing' && (isNamed ? names.has(name) : scanner.valuesLeft > 0)) {
    if (!isNamed) scanner.valuesLeft -= 1;
    return readValue(scanner, token);
  }
  scanner.makes = 'nothing';
  readValue(scanner, token);
  scanner.makes = makes;
  return undefined;
}

/** Throws PHP's "state mismatch" for the other kind of bracket. */
function isEnd(token: Token, bracket: ']' | '}'): boolean {
  if (token === bracket) return true;
  if (token === ']' || token === '}') throw new JsonSyntaxError(2);
  return false;
}
