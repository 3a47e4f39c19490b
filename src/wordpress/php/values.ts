// PHP's values as this room carries them: the types, and the questions one may ask of them.
// No parsing, no printing, no validating.

import { scrubBadBytes } from './text.ts';

/**
 * A PHP value.
 *
 * - `null`, booleans: themselves.
 * - A JavaScript number that is integral and within 64 bits is a PHP integer (a plain `-0` is the integer 0);
 *   any other number is a PHP float. Integers beyond ±(2^53 − 1) that must stay exact are `bigint`.
 * - `PhpFloat` wraps the floats a bare number could not say: `1.0`, `-0.0`, INF, NaN.
 * - Strings are JavaScript strings. A byte that is not part of valid UTF-8 is carried as the lone surrogate
 *   U+DC00 + byte (U+DC80–U+DCFF), which valid UTF-8 can never decode to.
 * - A PHP array whose keys are 0..n-1 in order (the empty one included) is a JavaScript array; any other is a
 *   `Map`
 *   in PHP's order. Map keys are strings; those in the canonical form of a 64-bit integer (`"1"`, `"-5"`, not
 *   `"01"`, `"+1"`, `"-0"`) ARE the integer keys.
 * - Plain objects are taken wherever values come in, as maps in own-property order; `__proto__` is a name
 *   like any.
 * - `PhpObject` is a real object (stdClass): an empty one prints as `{}`.
 */
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

/** A PHP array in the form our own decoders make. */
export type PhpArray = PhpValue[] | Map<string, PhpValue>;

/** A PHP float that a JavaScript number alone could not tell from an integer. */
export class PhpFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }

  /** Arithmetic and JSON.stringify see the number. */
  valueOf(): number {
    return this.value;
  }
}

/** A PHP object (stdClass), for answers that must print `{}` when empty. */
export class PhpObject {
  readonly members: Map<string, PhpValue>;
  constructor(members: Map<string, PhpValue> = new Map()) {
    this.members = members;
  }
}

/** Bounds of PHP's integers, as BigInt. */
export const phpIntMin = -(2n ** 63n);
export const phpIntMax = 2n ** 63n - 1n;

const twoTo63 = 2 ** 63;

/** The PHP float of a JavaScript number, wrapped only where a bare number would read as an integer. */
export function phpFloat(value: number): number | PhpFloat {
  return Number.isFinite(value) && !Number.isInteger(value) ? value : new PhpFloat(value);
}

/** The PHP integer of a BigInt within 64 bits: a plain number where that is exact. */
export function phpInt(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}

/** Whether a value is a PHP integer (`is_int`). */
export function isPhpInt(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isInteger(value) && value >= -twoTo63 && value < twoTo63;
  return typeof value === 'bigint';
}

/** Whether a value is a PHP float (`is_float`). */
export function isPhpFloat(value: unknown): value is number | PhpFloat {
  return value instanceof PhpFloat || (typeof value === 'number' && !isPhpInt(value));
}

/** The number a PHP integer or float stands for; an integer past 2^53 is rounded as PHP's `(float)` does. */
export function numberOf(value: number | bigint | PhpFloat): number {
  return value instanceof PhpFloat ? value.value : Number(value);
}

/** Whether a value is a PHP array (`is_array`): a list, a map or a plain object. */
export function isPhpArray(value: unknown): value is PhpArray | { readonly [name: string]: PhpValue } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof PhpFloat) &&
    !(value instanceof PhpObject)
  );
}

/** Whether a value is a PHP array whose keys are 0..n-1 in order; an empty map or object counts. */
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

/**
 * The entries of a PHP array in PHP's order, keys as strings; of an object its members; of anything else
 * none.
 */
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

/** The values of a PHP array in order. */
export function valuesOf(value: PhpValue): PhpValue[] {
  return Array.isArray(value) ? value : entriesOf(value).map((entry) => entry[1]);
}

/** How many entries a PHP array has. */
export function countOf(value: PhpValue): number {
  return Array.isArray(value) ? value.length : entriesOf(value).length;
}

/** The entry of that key, or undefined where there is none (an entry that is null is null). */
export function memberOf(value: PhpValue, key: string): PhpValue | undefined {
  if (value instanceof Map) return value.get(key);
  if (Array.isArray(value)) return isIntegerKey(key) ? value[Number(key)] : undefined;
  if (value instanceof PhpObject) return value.members.get(key);
  if (!isPhpArray(value) || !Object.hasOwn(value, key)) return undefined;
  return (value as { readonly [name: string]: PhpValue })[key];
}

/** A PHP array of these entries: a JavaScript array where the keys are 0..n-1 in order, else a Map. */
export function mapFrom(entries: Iterable<readonly [string, PhpValue]>): PhpArray {
  return normalizeArray(new Map(entries));
}

/**
 * The same array in the form decoders make: a JavaScript array where the keys are 0..n-1 in order. Not deep.
 */
export function normalizeArray(map: Map<string, PhpValue>): PhpArray {
  return isList(map) ? [...map.values()] : map;
}

/** Whether PHP turns this array key into an integer: canonical decimal, within 64 bits. */
export function isIntegerKey(key: string): boolean {
  if (key.length === 0 || key.length > 20) return false;
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(key)) return false;
  if (key.length < 19) return true;
  const value = BigInt(key);
  return value >= phpIntMin && value <= phpIntMax;
}

/** What `toPlain` makes: what JSON.parse could have made, with objects that have no prototype. */
export type PlainValue = null | boolean | number | string | PlainValue[] | { [name: string]: PlainValue };

/**
 * The plain JavaScript value for a handler. Maps and objects become null-prototype objects, floats numbers,
 * integers whose digits a number would change are those digits as text (so that no two identifiers fall
 * together), bytes that are not UTF-8 `?`.
 */
export function toPlain(value: PhpValue): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return scrubBadBytes(value);
  if (typeof value === 'bigint') return plainInteger(value);
  if (value instanceof PhpFloat) return value.value;
  if (Array.isArray(value)) return value.map(toPlain);
  const plain: { [name: string]: PlainValue } = Object.create(null);
  for (const [name, member] of entriesOf(value)) plain[scrubBadBytes(name)] = toPlain(member);
  return plain;
}

/**
 * A number where it prints the same digits, which every number that JavaScript itself wrote does; else the
 * digits.
 */
function plainInteger(value: bigint): number | string {
  const digits = value.toString();
  return String(Number(value)) === digits ? Number(value) : digits;
}
