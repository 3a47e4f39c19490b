// The types of WordPress's schemas: which values each accepts, and what it makes of them. No keywords, no
// messages.
import { isNumeric, isScalar, toFloat, toText } from '../php/casts.ts';
import {
  entriesOf,
  isIntegerKey,
  isPhpArray,
  isPhpInt,
  PhpFloat,
  PhpObject,
  type PhpValue,
  valuesOf,
} from '../php/values.ts';

/** The seven type names WordPress knows; any other passes every value. */
export const schemaTypes: ReadonlySet<string> = new Set([
  'array',
  'object',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** Whether a value counts as that type (docs/wordpress.md, "Parameters"); of an unknown name nothing does. */
function isOfType(value: PhpValue, type: string): boolean {
  if (type === 'array') return isArrayLike(value);
  if (type === 'object') return isObjectLike(value);
  if (type === 'integer') return isIntegral(value);
  if (type === 'number') return isNumeric(value);
  if (type === 'boolean') return isBooleanLike(value);
  if (type === 'string') return typeof value === 'string';
  return type === 'null' && value === null;
}

/**
 * The first type of a list that accepts the value, or null; `""` is a string wherever the list allows one.
 */
export function bestTypeFor(value: PhpValue, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => isOfType(value, type)) ?? null;
}

/** Whether a value is a number without fraction, or a string of one (`rest_is_integer`). INF counts. */
export function isIntegral(value: PhpValue): boolean {
  if (!isNumeric(value)) return false;
  const float = toFloat(value);
  return Number.isInteger(float) || float === Number.POSITIVE_INFINITY || float === Number.NEGATIVE_INFINITY;
}

/** Whether a value is true, false, the integers 0 and 1, or their words in any case (`rest_is_boolean`). */
export function isBooleanLike(value: PhpValue): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string') return /^(?:true|false|0|1)$/i.test(value);
  return isPhpInt(value) && (Number(value) === 0 || Number(value) === 1);
}

/** Whether a value is an array without named members, or a scalar, which becomes a list (`rest_is_array`). */
export function isArrayLike(value: PhpValue): boolean {
  if (isScalar(value)) return true;
  return isPhpArray(value) && (Array.isArray(value) || entriesOf(value).every(([key]) => isIntegerKey(key)));
}

/** Whether a value is any array, an object, or `""` (`rest_is_object`). */
export function isObjectLike(value: PhpValue): boolean {
  return value === '' || value instanceof PhpObject || isPhpArray(value);
}

/** The boolean of a value: `"false"` in any case and `"0"` are false, otherwise PHP's truth. */
export function toBoolean(value: PhpValue): boolean {
  if (typeof value === 'string') return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
  if (value === null || typeof value === 'boolean') return value === true;
  if (value instanceof PhpObject) return true;
  if (isPhpArray(value)) return valuesOf(value).length > 0;
  return toFloat(value) !== 0;
}

/**
 * The list of a value: scalars split at blanks and commas, keys of arrays renumbered, anything else empty.
 */
export function toList(value: PhpValue): PhpValue[] {
  if (isScalar(value)) return splitList(toText(value));
  return isPhpArray(value) ? [...valuesOf(value)] : [];
}

/**
 * The array of a value whose members are to be looked at by name: anything but an array or object is empty.
 */
export function toMembers(value: PhpValue): Array<[string, PhpValue]> {
  return isPhpArray(value) || value instanceof PhpObject ? entriesOf(value) : [];
}

/** The pieces of a text between blanks and commas (`wp_parse_list` of a scalar). */
function splitList(text: string): string[] {
  return text.split(/[ \t\n\v\f\r,]+/).filter((piece) => piece !== '');
}

/**
 * A value whose floats are bare numbers wherever an answer prints them like the integers they equal, so that
 * handlers and plain JavaScript see 1 and not a wrapped 1.0. Arrays are copied only where something in them
 * changes.
 */
export function withBareFloats(value: PhpValue): PhpValue {
  if (value instanceof PhpFloat) {
    const isBare =
      Number.isInteger(value.value) && !Object.is(value.value, -0) && Math.abs(value.value) < 1e17;
    return isBare ? value.value : value;
  }
  if (!isPhpArray(value)) return value;
  const entries = entriesOf(value);
  const changed = entries.map(([name, member]): [string, PhpValue] => [name, withBareFloats(member)]);
  if (changed.every(([, member], index) => member === entries[index]?.[1])) return value;
  if (Array.isArray(value)) return changed.map(([, member]) => member);
  return value instanceof Map ? new Map(changed) : Object.fromEntries(changed);
}
