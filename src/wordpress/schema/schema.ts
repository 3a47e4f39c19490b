// WordPress's rest_validate_value_from_schema and rest_sanitize_value_from_schema.

import { isFalsy, isScalar, toFloat, toInt, toPhpString } from '../php/casts.ts';
import { encodeJson } from '../php/json-encode.ts';
import { matchesPattern } from '../php/pcre-pattern.ts';
import {
  entriesOf,
  getMember,
  isPhpArray,
  isPhpFloat,
  isPhpInt,
  PhpObject,
  type PhpValue,
  phpFloat,
  toJsNumber,
  toPhpArray,
  valuesOf,
} from '../php/values.ts';
import { combiningError, type FailedBranch, multipleMatchesError } from './any-of-errors.ts';
import { formatCount, invalidType, joinList, SchemaError } from './error.ts';
import { formatError, sanitizeByFormat } from './formats.ts';
import { integerError, keyword, numberError, stringError } from './scalars.ts';
import {
  bestTypeFor,
  isArrayLike,
  isBooleanLike,
  isObjectLike,
  schemaTypes,
  toBoolean,
  toList,
  toMembers,
  withBareFloats,
} from './types.ts';

export { SchemaError } from './error.ts';

export function validateValueFromSchema(value: PhpValue, schema: PhpValue, param = ''): SchemaError | null {
  let declared = keyword(schema, 'type');
  for (const combination of combinations) {
    const branch = fittingBranch(value, schema, declared, param, combination);
    if (branch instanceof SchemaError) return branch;
    if (branch !== null) declared ??= keyword(branch, 'type');
  }
  const type = typeFor(value, declared);
  if (type === null && isPhpArray(declared)) {
    return invalidType(param, valuesOf(declared).map(toPhpString).join(','));
  }
  return (
    typeError(value, schema, param, type) ??
    enumError(value, schema, param, type) ??
    (takesFormat(type) ? formatError(value, keyword(schema, 'format'), param) : null)
  );
}

/** Converts without validating. A SchemaError only for faults of converting (duplicate items). */
export function sanitizeValueFromSchema(
  value: PhpValue,
  schema: PhpValue,
  param = '',
): PhpValue | SchemaError {
  const sanitized = sanitizeAs(value, schema, keyword(schema, 'type'), param);
  return sanitized instanceof SchemaError ? sanitized : withBareFloats(sanitized);
}

const combinations = ['anyOf', 'oneOf'] as const;

function sanitizeAs(
  value: PhpValue,
  schema: PhpValue,
  type: PhpValue,
  param: string,
): PhpValue | SchemaError {
  let current = value;
  let declared = type;
  for (const combination of combinations) {
    const branch = fittingBranch(current, schema, declared, param, combination);
    if (branch instanceof SchemaError) return branch;
    if (branch === null) continue;
    declared ??= keyword(branch, 'type');
    const converted = sanitizeAs(current, branch, keyword(branch, 'type'), param);
    if (converted instanceof SchemaError) return converted;
    current = converted;
  }
  const one = typeFor(current, declared);
  return one === null && isPhpArray(declared) ? null : convert(current, schema, param, one);
}

/** The first fitting branch of `anyOf`, or the only one of `oneOf`; null without such a list. */
function fittingBranch(
  value: PhpValue,
  schema: PhpValue,
  type: PhpValue,
  param: string,
  combination: (typeof combinations)[number],
): PhpValue | SchemaError {
  const branches = keyword(schema, combination);
  if (branches === null) return null;
  const failed: FailedBranch[] = [];
  const fitting: Array<{ schema: PhpValue; position: number }> = [];
  for (const [position, declared] of valuesOf(branches).entries()) {
    const branch = withInheritedType(declared, type);
    const error = validateValueFromSchema(value, branch, param);
    if (error !== null) failed.push({ error, schema: branch, position });
    else if (combination === 'anyOf') return branch;
    else fitting.push({ schema: branch, position });
  }
  const [match, ...others] = fitting;
  if (match === undefined) return combiningError(value, param, failed);
  return others.length === 0 ? match.schema : multipleMatchesError(param, fitting);
}

function withInheritedType(branch: PhpValue, type: PhpValue): PhpValue {
  if (type === null || keyword(branch, 'type') !== null) return branch;
  return toPhpArray([...entriesOf(branch).filter(([name]) => name !== 'type'), ['type', type]]);
}

/** The declared type, or the best one of a list for the value; null where none fits. */
function typeFor(value: PhpValue, declared: PhpValue): string | null {
  if (!isPhpArray(declared)) return declared === null ? null : toPhpString(declared);
  const types = valuesOf(declared).map(toPhpString);
  // A list with an unknown type name accepts every value.
  return bestTypeFor(value, types) ?? types.find((type) => !schemaTypes.has(type)) ?? null;
}

function takesFormat(type: string | null): boolean {
  return type === null || type === 'string' || !schemaTypes.has(type);
}

function typeError(
  value: PhpValue,
  schema: PhpValue,
  param: string,
  type: string | null,
): SchemaError | null {
  if (type === 'null') return value === null ? null : invalidType(param, type);
  if (type === 'boolean') return isBooleanLike(value) ? null : invalidType(param, type);
  if (type === 'number') return numberError(value, schema, param, type);
  if (type === 'integer') return integerError(value, schema, param);
  if (type === 'string') return stringError(value, schema, param);
  if (type === 'array') return arrayError(value, schema, param);
  if (type === 'object') return objectError(value, schema, param);
  return null;
}

function arrayError(value: PhpValue, schema: PhpValue, param: string): SchemaError | null {
  if (!isArrayLike(value)) return invalidType(param, 'array');
  const list = toList(value);
  const items = keyword(schema, 'items');
  if (items !== null) {
    for (const [index, item] of list.entries()) {
      const error = validateValueFromSchema(item, items, `${param}[${index}]`);
      if (error !== null) return error;
    }
  }
  const error = countError(list.length, schema, param, ['minItems', 'maxItems', 'items', 'item', 'items']);
  if (error !== null) return error;
  return isFalsy(keyword(schema, 'uniqueItems')) || hasUniqueItems(list) ? null : duplicateItems(param);
}

function objectError(value: PhpValue, schema: PhpValue, param: string): SchemaError | null {
  if (!isObjectLike(value)) return invalidType(param, 'object');
  const members = toMembers(value);
  const missing = requiredNames(schema).find((name) => !members.some(([known]) => known === name));
  if (missing !== undefined) {
    const sentence = `${missing} is a required property of ${param}.`;
    return new SchemaError('rest_property_required', sentence);
  }
  for (const [name, member] of members) {
    const inner = schemaOfMember(schema, name);
    if (inner === 'forbidden') {
      const sentence = `${name} is not a valid property of Object.`;
      return new SchemaError('rest_additional_properties_forbidden', sentence);
    }
    const error = inner === null ? null : validateValueFromSchema(member, inner, `${param}[${name}]`);
    if (error !== null) return error;
  }
  const words = ['minProperties', 'maxProperties', 'properties', 'property', 'properties'] as const;
  return countError(members.length, schema, param, words);
}

function duplicateItems(param: string): SchemaError {
  return new SchemaError('rest_duplicate_items', `${param} has duplicate items.`);
}

function enumError(
  value: PhpValue,
  schema: PhpValue,
  param: string,
  type: string | null,
): SchemaError | null {
  const choices = keyword(schema, 'enum');
  if (isFalsy(choices)) return null;
  const converted = sanitizeAs(value, schema, type, param);
  if (converted instanceof SchemaError) return converted;
  const listed = valuesOf(choices);
  if (listed.some((choice) => areValuesEqual(converted, choice))) return null;
  const words = listed.map((choice) => (isScalar(choice) ? toPhpString(choice) : jsonText(choice)));
  const sentence = listed.length === 1 ? `is not ${words[0]}.` : `is not one of ${joinList(words)}.`;
  return new SchemaError('rest_not_in_enum', `${param} ${sentence}`);
}

function jsonText(value: PhpValue): string {
  const encoded = encodeJson(value);
  return encoded.ok ? encoded.text : '';
}

function convert(
  value: PhpValue,
  schema: PhpValue,
  param: string,
  type: string | null,
): PhpValue | SchemaError {
  if (type === 'array') return convertList(value, schema, param);
  if (type === 'object') return convertObject(value, schema, param);
  if (type === 'null') return null;
  if (type === 'integer') return toInt(value);
  if (type === 'number') return phpFloat(toFloat(value));
  if (type === 'boolean') return toBoolean(value);
  const cleaned = takesFormat(type) ? sanitizeByFormat(value, keyword(schema, 'format')) : undefined;
  return cleaned ?? (type === 'string' ? toPhpString(value) : value);
}

function convertList(value: PhpValue, schema: PhpValue, param: string): PhpValue | SchemaError {
  const items = keyword(schema, 'items');
  const list = toList(value);
  const converted = isFalsy(items)
    ? list
    : list.map((item, index) => nested(item, items, `${param}[${index}]`));
  return isFalsy(keyword(schema, 'uniqueItems')) || hasUniqueItems(converted)
    ? converted
    : duplicateItems(param);
}

function convertObject(value: PhpValue, schema: PhpValue, param: string): PhpValue {
  const converted: Array<[string, PhpValue]> = [];
  for (const [name, member] of toMembers(value)) {
    const inner = schemaOfMember(schema, name);
    if (inner === 'forbidden') continue;
    converted.push([name, inner === null ? member : nested(member, inner, `${param}[${name}]`)]);
  }
  if (value instanceof Map) return new Map(converted);
  if (!isPhpArray(value) || Array.isArray(value)) return toPhpArray(converted);
  return Object.fromEntries(converted);
}

/** A nested error stays in the value as a WP_Error object, as in WordPress. */
function nested(value: PhpValue, schema: PhpValue, param: string): PhpValue {
  const converted = sanitizeAs(value, schema, keyword(schema, 'type'), param);
  if (!(converted instanceof SchemaError)) return converted;
  const { code, message, data } = converted;
  return { errors: { [code]: [message] }, error_data: data === null ? [] : { [code]: data } };
}

/** Strict equality, but integers and floats compare by value, and arrays ignore the order of members. */
function areValuesEqual(left: PhpValue, right: PhpValue): boolean {
  if (isPhpArray(left) && isPhpArray(right)) return areArraysEqual(left, right);
  if (isPhpInt(left) && isPhpInt(right)) return BigInt(left) === BigInt(right);
  const areNumbers = (isPhpInt(left) || isPhpFloat(left)) && (isPhpInt(right) || isPhpFloat(right));
  return areNumbers ? toJsNumber(left) === toJsNumber(right) : left === right;
}

/** 1, 1.0, "1" and true differ; the order of members is ignored. */
function hasUniqueItems(items: readonly PhpValue[]): boolean {
  const seen = new Set<string>();
  for (const item of items) seen.add(stableKey(item));
  return seen.size === items.length;
}

/** Equal only for values of the same type and value; the order of names is ignored. */
function stableKey(value: PhpValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isPhpInt(value)) return `i${BigInt(value)}`;
  if (isPhpFloat(value)) return `d${Object.is(toJsNumber(value), -0) ? '-0' : toJsNumber(value)}`;
  const members = entriesOf(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${stableKey(member)}`)
    .sort();
  return `${value instanceof PhpObject ? 'o' : 'a'}{${members.join(',')}}`;
}

function areArraysEqual(left: PhpValue, right: PhpValue): boolean {
  const members = entriesOf(left);
  if (members.length !== entriesOf(right).length) return false;
  return members.every(([name, member]) => {
    const other = getMember(right, name);
    return other !== undefined && areValuesEqual(member, other);
  });
}

/** The `required` list, or without one (draft 3) the properties that are marked as required. */
function requiredNames(schema: PhpValue): string[] {
  const required = keyword(schema, 'required');
  if (isPhpArray(required)) return valuesOf(required).map(toPhpString);
  return toMembers(keyword(schema, 'properties'))
    .filter(([, property]) => getMember(property, 'required') === true)
    .map(([name]) => name);
}

/** By name, else by the first matching pattern, else `additionalProperties`. */
function schemaOfMember(schema: PhpValue, name: string): PhpValue | 'forbidden' {
  const propertySchema = keyword(keyword(schema, 'properties'), name);
  if (propertySchema !== null) return propertySchema;
  for (const [pattern, inner] of toMembers(keyword(schema, 'patternProperties'))) {
    if (matchesPattern(pattern, name)) return inner;
  }
  const additional = keyword(schema, 'additionalProperties');
  if (additional === false) return 'forbidden';
  return isPhpArray(additional) ? additional : null;
}

type CountWords = readonly [min: string, max: string, code: string, thing: string, things: string];

function countError(count: number, schema: PhpValue, param: string, words: CountWords): SchemaError | null {
  const [minName, maxName, code, singular, plural] = words;
  const min = keyword(schema, minName);
  const max = keyword(schema, maxName);
  if (min !== null && count < toFloat(min)) {
    const sentence = `${param} must contain at least ${formatCount(toFloat(min), singular, plural)}.`;
    return new SchemaError(`rest_too_few_${code}`, sentence);
  }
  if (max === null || count <= toFloat(max)) return null;
  const sentence = `${param} must contain at most ${formatCount(toFloat(max), singular, plural)}.`;
  return new SchemaError(`rest_too_many_${code}`, sentence);
}
