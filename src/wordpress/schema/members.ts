// The keywords about what arrays and objects hold: which members must be there, how many, and by which
// schema.

import { toFloat, toText } from '../php/casts.ts';
import { matchesPattern } from '../php/pcre-pattern.ts';
import { isPhpArray, memberOf, type PhpValue, valuesOf } from '../php/values.ts';
import { countOfThings, SchemaError } from './error.ts';
import { keyword } from './scalars.ts';
import { toMembers } from './types.ts';

/** The names an object must have: its own list, or without one the properties that say so of themselves. */
export function requiredNames(schema: PhpValue): string[] {
  const required = keyword(schema, 'required');
  if (isPhpArray(required)) return valuesOf(required).map(toText);
  return toMembers(keyword(schema, 'properties'))
    .filter(([, property]) => memberOf(property, 'required') === true)
    .map(([name]) => name);
}

/**
 * The schema a member is held to: its own, that of the first pattern that fits its name, or the additional
 * one.
 */
export function schemaOfMember(schema: PhpValue, name: string): PhpValue | 'forbidden' {
  const own = keyword(keyword(schema, 'properties'), name);
  if (own !== null) return own;
  for (const [pattern, inner] of toMembers(keyword(schema, 'patternProperties'))) {
    if (matchesPattern(pattern, name)) return inner;
  }
  const additional = keyword(schema, 'additionalProperties');
  if (additional === false) return 'forbidden';
  return isPhpArray(additional) ? additional : null;
}

type CountWords = readonly [min: string, max: string, code: string, thing: string, things: string];

/** Too few or too many members; null where the schema does not mind. */
export function countError(
  count: number,
  schema: PhpValue,
  param: string,
  words: CountWords,
): SchemaError | null {
  const [minName, maxName, code, thing, things] = words;
  const min = keyword(schema, minName);
  const max = keyword(schema, maxName);
  if (min !== null && count < toFloat(min)) {
    const sentence = `${param} must contain at least ${countOfThings(toFloat(min), thing, things)}.`;
    return new SchemaError(`rest_too_few_${code}`, sentence);
  }
  if (max === null || count <= toFloat(max)) return null;
  const sentence = `${param} must contain at most ${countOfThings(toFloat(max), thing, things)}.`;
  return new SchemaError(`rest_too_many_${code}`, sentence);
}
