import { replaceInvalidUtf8 } from './strings.ts';

/** A PHP integer is an integral number within 64 bits (`-0` is 0), or a `bigint` past 2^53; a float is any other
 * number, or `PhpFloat` for `1.0`, `-0.0`, INF and NaN. In strings a byte that is not UTF-8 is the lone surrogate
 * U+DC00 + byte. A PHP array with keys 0..n-1 is an array, any other a Map, in which canonical integers are integer
 * keys; plain objects are accepted as maps. */
export type PhpValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PhpFloat
  | PhpObject
  | PhpArray
  | { readonly [name: string]: PhpValue };

export type PhpArray = PhpValue[] | Map<string, PhpValue>;

/** A PHP float that as a number would look like an integer. */
export class PhpFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }
}

/** stdClass: prints as `{}` when empty. */
export class PhpObject {
  readonly members: Map<string, PhpValue>;
  constructor(members: Map<string, PhpValue> = new Map()) {
    this.members = members;
  }
}

export const phpIntMin = -(2n ** 63n);
export const phpIntMax = 2n ** 63n - 1n;

const twoTo63 = 2 ** 63;

/** Wrapped only where a number would be read as an integer. */
export function phpFloat(value: number): number | PhpFloat {
  return Number.isFinite(value) && !Number.isInteger(value) ? value : new PhpFloat(value);
}

export function phpInt(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}

export function isPhpInt(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isInteger(value) && value >= -twoTo63 && value < twoTo63;
  return typeof value === 'bigint';
}

export function isPhpFloat(value: unknown): value is number | PhpFloat {
  return value instanceof PhpFloat || (typeof value === 'number' && !isPhpInt(value));
}

/** An integer past 2^53 is rounded, as in PHP's `(float)`. */
export function toJsNumber(value: number | bigint | PhpFloat): number {
  return value instanceof PhpFloat ? value.value : Number(value);
}

/** `is_array`: a list, a Map or a plain object. */
export function isPhpArray(value: unknown): value is PhpArray | { readonly [name: string]: PhpValue } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof PhpFloat) &&
    !(value instanceof PhpObject)
  );
}

/** Keys 0..n-1 in order; an empty map or object counts. */
export function isList(value: PhpValue): boolean {
  if (Array.isArray(value)) return true;
  if (!isPhpArray(value)) return false;
  let index = 0;
  for (const key of value instanceof Map ? value.keys() : Object.keys(value)) {
    if (key !== String(index)) return false;
    index += 1;
  }
  return true;
}

/** Keys as strings; members of an object; nothing for scalars. */
export function entriesOf(value: PhpValue): Array<[string, PhpValue]> {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  if (value instanceof Map) return [...value];
  if (value instanceof PhpObject) return [...value.members];
  if (!isPhpArray(value)) return [];
  const entries = Object.entries(value as object);
  return entries.some((entry) => entry[1] === undefined)
    ? entries.filter((entry) => entry[1] !== undefined)
    : entries;
}

export function valuesOf(value: PhpValue): PhpValue[] {
  return Array.isArray(value) ? value : entriesOf(value).map((entry) => entry[1]);
}

export function countOf(value: PhpValue): number {
  return Array.isArray(value) ? value.length : entriesOf(value).length;
}

/** Undefined where there is no entry; null is a value. */
export function getMember(value: PhpValue, key: string): PhpValue | undefined {
  if (value instanceof Map) return value.get(key);
  if (Array.isArray(value)) return isIntegerKey(key) ? value[Number(key)] : undefined;
  if (value instanceof PhpObject) return value.members.get(key);
  if (!isPhpArray(value) || !Object.hasOwn(value, key)) return undefined;
  return (value as { readonly [name: string]: PhpValue })[key];
}

/** A JavaScript array where the keys are 0..n-1 in order, else a Map. Shallow. */
export function toPhpArray(entries: Iterable<readonly [string, PhpValue]>): PhpArray {
  return normalizeArray(new Map(entries));
}

export function normalizeArray(map: Map<string, PhpValue>): PhpArray {
  return isList(map) ? [...map.values()] : map;
}

/** Whether PHP turns this array key into an integer: canonical decimal within 64 bits. */
export function isIntegerKey(key: string): boolean {
  if (/^(?:0|-?[1-9][0-9]{0,17})$/.test(key)) return true;
  if (!/^-?[1-9][0-9]{18}$/.test(key)) return false;
  const value = BigInt(key);
  return value >= phpIntMin && value <= phpIntMax;
}

export type PlainValue = null | boolean | number | string | PlainValue[] | { [name: string]: PlainValue };

/** For handlers: inexact integers become digit strings, so that ids stay distinct; bad UTF-8 becomes `?`. */
export function toPlain(value: PhpValue): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return replaceInvalidUtf8(value);
  if (typeof value === 'bigint') return plainInteger(value);
  if (value instanceof PhpFloat) return value.value;
  if (Array.isArray(value)) return value.map(toPlain);
  const plain: { [name: string]: PlainValue } = Object.create(null);
  for (const [name, member] of entriesOf(value)) plain[replaceInvalidUtf8(name)] = toPlain(member);
  return plain;
}

function plainInteger(value: bigint): number | string {
  const digits = value.toString();
  return String(Number(value)) === digits ? Number(value) : digits;
}
