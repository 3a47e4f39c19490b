// Schema keywords of numbers and strings, in WordPress's order.

import {
  integerToString,
  isFalsy,
  isNumeric,
  type PhpNumber,
  toFloat,
  toInt,
  toNumber,
  toPhpString,
} from '../php/casts.ts';
import { matchesPattern } from '../php/pcre-pattern.ts';
import { encodePhpString } from '../php/strings.ts';
import { getMember, PhpFloat, type PhpValue, toJsNumber } from '../php/values.ts';
import { formatCount, invalidType, SchemaError } from './error.ts';
import { isIntegral } from './types.ts';

/** `type` is the name used in the message. */
export function numberError(
  value: PhpValue,
  schema: PhpValue,
  param: string,
  type: string,
): SchemaError | null {
  if (!isNumeric(value)) return invalidType(param, type);
  const multipleOf = keyword(schema, 'multipleOf');
  if (multipleOf !== null && toFloat(value) % toFloat(multipleOf) !== 0) {
    const multiple = `${param} must be a multiple of ${toPhpString(multipleOf)}.`;
    return new SchemaError('rest_invalid_multiple', multiple);
  }
  return boundsError(toNumber(value), schema, param);
}

/** Fractions are checked last, as in WordPress. */
export function integerError(value: PhpValue, schema: PhpValue, param: string): SchemaError | null {
  const error = numberError(value, schema, param, 'integer');
  if (error !== null) return error;
  return isIntegral(value) ? null : invalidType(param, 'integer');
}

/** Lengths are code points. */
export function stringError(value: PhpValue, schema: PhpValue, param: string): SchemaError | null {
  if (typeof value !== 'string') return invalidType(param, 'string');
  const minLength = keyword(schema, 'minLength');
  const maxLength = keyword(schema, 'maxLength');
  const length = minLength === null && maxLength === null ? 0 : lengthOf(value);
  if (minLength !== null && length < toFloat(minLength)) {
    const minText = formatCount(toFloat(minLength), 'character', 'characters');
    return new SchemaError('rest_too_short', `${param} must be at least ${minText} long.`);
  }
  if (maxLength !== null && length > toFloat(maxLength)) {
    const maxText = formatCount(toFloat(maxLength), 'character', 'characters');
    return new SchemaError('rest_too_long', `${param} must be at most ${maxText} long.`);
  }
  const pattern = keyword(schema, 'pattern');
  if (pattern === null || matchesPattern(toPhpString(pattern), value)) return null;
  return new SchemaError('rest_invalid_pattern', `${param} does not match pattern ${toPhpString(pattern)}.`);
}

/** Null also for a null keyword, as with PHP's isset. */
export function keyword(schema: PhpValue, name: string): PhpValue {
  return getMember(schema, name) ?? null;
}

function boundsError(value: PhpNumber, schema: PhpValue, param: string): SchemaError | null {
  const minimum = keyword(schema, 'minimum');
  const maximum = keyword(schema, 'maximum');
  const aboveOnly = !isFalsy(keyword(schema, 'exclusiveMinimum'));
  const belowOnly = !isFalsy(keyword(schema, 'exclusiveMaximum'));
  const tooSmall = minimum !== null && isOutside(value, minimum, aboveOnly, -1);
  const tooGreat = maximum !== null && isOutside(value, maximum, belowOnly, 1);
  if (!tooSmall && !tooGreat) return null;
  const words = boundsWords(minimum, maximum, aboveOnly, belowOnly);
  return new SchemaError('rest_out_of_bounds', `${param} must be ${words}`);
}

function boundsWords(minimum: PhpValue, maximum: PhpValue, aboveOnly: boolean, belowOnly: boolean): string {
  // WordPress prints bounds as integers.
  const minText = integerToString(toInt(minimum));
  const maxText = integerToString(toInt(maximum));
  if (maximum === null) return `greater than ${aboveOnly ? '' : 'or equal to '}${minText}`;
  if (minimum === null) return `less than ${belowOnly ? '' : 'or equal to '}${maxText}`;
  const kind = (exclusive: boolean) => (exclusive ? '(exclusive)' : '(inclusive)');
  return `between ${minText} ${kind(aboveOnly)} and ${maxText} ${kind(belowOnly)}`;
}

function isOutside(value: PhpNumber, bound: PhpValue, exclusive: boolean, side: -1 | 1): boolean {
  const order = compare(value, toNumber(isNumeric(bound) ? bound : toInt(bound)));
  return order === side || (exclusive && order === 0);
}

/** Integers compare exactly, others as floats; null for NaN. */
function compare(left: PhpNumber, right: PhpNumber): number | null {
  const exact = !(left instanceof PhpFloat || right instanceof PhpFloat);
  const [a, b] = exact ? [left, right] : [toJsNumber(left), toJsNumber(right)];
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? null : 0;
}

/** PHP's mb_strlen: code points; for invalid UTF-8 it steps by what leading bytes announce. */
function lengthOf(text: string): number {
  let length = 0;
  if (text.isWellFormed()) {
    for (const _point of text) length += 1;
    return length;
  }
  const bytes = encodePhpString(text);
  for (let at = 0; at < bytes.length; at += sequenceLength(bytes[at] ?? 0)) length += 1;
  return length;
}

function sequenceLength(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
