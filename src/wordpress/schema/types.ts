import { isNumeric, isScalar, toFloat, toPhpString } from '../php/casts.ts';
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

export const schemaTypes: ReadonlySet<string> = new Set([
  'array',
  'object',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** See docs/wordpress.md, "Parameters". */
function isOfType(value: PhpValue, type: string): boolean {
  if (type === 'array') return isArrayLike(value);
  if (type === 'object') return isObjectLike(value);
  if (type === 'integer') return isIntegral(value);
  if (type === 'number') return isNumeric(value);
  if (type === 'boolean') return isBooleanLike(value);
  if (type === 'string') return typeof value === 'string';
  return type === 'null' && value === null;
}

/** The first type that accepts the value; `""` prefers string. */
export function bestTypeFor(value: PhpValue, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => isOfType(value, type)) ?? null;
}

/** WordPress's `rest_is_integer`. INF counts. */
export function isIntegral(value: PhpValue): boolean {
  if (!isNumeric(value)) return false;
  const float = toFloat(value);
  return Number.isInteger(float) || float === Number.POSITIVE_INFINITY || float === Number.NEGATIVE_INFINITY;
}

/** WordPress's `rest_is_boolean`. */
export function isBooleanLike(value: PhpValue): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string') return /^(?:true|false|0|1)$/i.test(value);
  return isPhpInt(value) && (Number(value) === 0 || Number(value) === 1);
}

/** WordPress's `rest_is_array`: a scalar counts, since it is split into a list. */
export function isArrayLike(value: PhpValue): boolean {
  if (isScalar(value)) return true;
  return isPhpArray(value) && (Array.isArray(value) || entriesOf(value).every(([key]) => isIntegerKey(key)));
}

/** WordPress's `rest_is_object`. */
export function isObjectLike(value: PhpValue): boolean {
  return value === '' || value instanceof PhpObject || isPhpArray(value);
}

/** `"false"` in any case and `"0"` are false, otherwise PHP's truth. */
export function toBoolean(value: PhpValue): boolean {
  if (typeof value === 'string') return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
  if (value === null || typeof value === 'boolean') return value === true;
  if (value instanceof PhpObject) return true;
  if (isPhpArray(value)) return valuesOf(value).length > 0;
  return toFloat(value) !== 0;
}

export function toList(value: PhpValue): PhpValue[] {
  if (isScalar(value)) return splitList(toPhpString(value));
  return isPhpArray(value) ? [...valuesOf(value)] : [];
}

/** Empty for anything but an array or object. */
export function toMembers(value: PhpValue): Array<[string, PhpValue]> {
  return isPhpArray(value) || value instanceof PhpObject ? entriesOf(value) : [];
}

function splitList(text: string): string[] {
  return text.split(/[ \t\n\v\f\r,]+/).filter((piece) => piece !== '');
}

/** Unwraps floats that print like integers, so that handlers see 1, not a PhpFloat. */
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
