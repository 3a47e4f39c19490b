import { z } from 'zod';
import type { Json } from '../../../schemas/event.ts';
import {
  createInvalidParamError,
  createMissingParamsError,
  createNotFoundError,
  type ResourceName,
} from '../../core/errors.ts';
import { parseId } from '../../core/ids.ts';
import { formatCount, invalidType, joinList, SchemaError } from '../../wordpress/schema/error.ts';

type Issue = z.core.$ZodIssue;
type WithParams = { readonly params: Readonly<Record<string, Json>> };

/** `name` is like `a[b][0]`. The issue needs its input (`reportInput`) to tell missing members. A custom message that
 * begins in lower case gets the name prepended. */
function wordpressError(name: string, issue: Issue): SchemaError {
  switch (issue.code) {
    case 'invalid_type':
      return requiredProperty(name, issue) ?? invalidType(name, typeName(issue.expected));
    case 'too_big':
      return boundError(name, issue.origin, 'most', issue.maximum, issue.inclusive !== false);
    case 'too_small':
      return boundError(name, issue.origin, 'least', issue.minimum, issue.inclusive !== false);
    case 'invalid_format':
      return formatError(name, issue.format, issue.pattern);
    case 'not_multiple_of':
      return new SchemaError('rest_invalid_multiple', `${name} must be a multiple of ${issue.divisor}.`);
    case 'unrecognized_keys':
      return forbiddenProperty(issue.keys[0] ?? '');
    case 'invalid_union':
      return unionError(name, issue.errors);
    case 'invalid_key':
    case 'invalid_element':
      return nestedError(name, issue.issues);
    case 'invalid_value':
      return notInEnum(name, issue.values.map(String));
    case 'custom':
      return ownError(name, issue);
  }
}

/** E.g. `commits[0][id]`. */
function nestedName(path: readonly PropertyKey[]): string {
  const [first = 'body', ...rest] = path.map(String);
  return first + rest.map((each) => `[${each}]`).join('');
}

/** A missing member such as `id` of `commits[0]`; null otherwise. */
function requiredProperty(name: string, issue: Issue): SchemaError | null {
  if (issue.input !== undefined || issue.path.length < 2) return null;
  const member = String(issue.path.at(-1));
  const sentence = `${member} is a required property of ${name.slice(0, -member.length - 2)}.`;
  return new SchemaError('rest_property_required', sentence);
}

const typeNames: Readonly<Record<string, string>> = {
  int: 'integer',
  bigint: 'integer',
  nan: 'number',
  record: 'object',
  map: 'object',
  set: 'array',
  tuple: 'array',
  date: 'string',
  undefined: 'null',
};

const issuesShownMax = 20;

/** What the argument descriptions cannot express is checked here: 400 `rest_invalid_param`. */
export function parseParameters<S extends z.ZodType>(schema: S, request: WithParams): z.infer<S> {
  return parseValue(schema, request.params);
}

export function checkKnownParameters(schema: z.ZodObject, { params }: WithParams): WithParams['params'] {
  const strict = strictPartOf(schema);
  const known = Object.keys(strict.shape).filter((name) => Object.hasOwn(params, name));
  parseValue(strict, Object.fromEntries(known.map((name) => [name, params[name]])));
  return params;
}

const strictParts = new WeakMap<z.ZodObject, z.ZodObject>();

/** The schema without optional members of type unknown. */
function strictPartOf(schema: z.ZodObject): z.ZodObject {
  const known = strictParts.get(schema);
  if (known !== undefined) return known;
  const lenient = Object.keys(schema.shape).filter((name) => takesAnything(schema.shape[name]));
  const strict = schema.omit(
    Object.fromEntries(lenient.map((name) => [name, true])) as Record<string, never>,
  );
  strictParts.set(schema, strict);
  return strict;
}

function takesAnything(schema: unknown): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown;
}

export function parseValue<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.filter(isMissingParameter).map((issue) => String(issue.path[0]));
  if (missing.length > 0) throw createMissingParamsError(missing);
  const params: Record<string, string> = Object.create(null);
  const details: Record<string, { code: string; message: string; data: unknown }> = Object.create(null);
  for (const issue of parsed.error.issues.slice(0, issuesShownMax)) {
    const first = String(issue.path[0] ?? 'body');
    if (first in params) continue;
    const { code, message, data } = wordpressError(nestedName(issue.path), issue);
    params[first] = message;
    details[first] = { code, message, data };
  }
  throw createInvalidParamError(params, details);
}

/** WordPress reports missing parameters before invalid ones. */
function isMissingParameter(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 1 && issue.code === 'invalid_type' && issue.input === undefined;
}

function typeName(expected: string): string {
  return typeNames[expected] ?? expected;
}

type Side = 'most' | 'least';

function boundError(
  name: string,
  origin: string,
  side: Side,
  bound: number | bigint,
  inclusive: boolean,
): SchemaError {
  const count = Number(bound);
  if (origin === 'string') {
    const words = formatCount(count, 'character', 'characters');
    return new SchemaError(
      side === 'most' ? 'rest_too_long' : 'rest_too_short',
      `${name} must be at ${side} ${words} long.`,
    );
  }
  if (origin === 'array' || origin === 'set') return countError(name, side, count, 'item', 'items');
  if (origin === 'object' || origin === 'map' || origin === 'record') {
    return countError(name, side, count, 'property', 'properties');
  }
  const order = side === 'most' ? 'less than' : 'greater than';
  return new SchemaError(
    'rest_out_of_bounds',
    `${name} must be ${order}${inclusive ? ' or equal to' : ''} ${bound}`,
  );
}

function countError(name: string, side: Side, count: number, noun: string, nouns: string): SchemaError {
  const code = `rest_too_${side === 'most' ? 'many' : 'few'}_${nouns}`;
  return new SchemaError(code, `${name} must contain at ${side} ${formatCount(count, noun, nouns)}.`);
}

function formatError(name: string, format: string, pattern: string | undefined): SchemaError {
  if (format === 'email') return new SchemaError('rest_invalid_email', 'Invalid email address.');
  if (format === 'datetime' || format === 'date') {
    return new SchemaError('rest_invalid_date', 'Invalid date.');
  }
  if (format === 'ipv4' || format === 'ipv6') {
    return new SchemaError('rest_invalid_ip', `${name} is not a valid IP address.`);
  }
  if (format === 'uuid' || format === 'guid') {
    return new SchemaError('rest_invalid_uuid', `${name} is not a valid UUID.`);
  }
  if (format !== 'regex' || pattern === undefined) {
    return new SchemaError('rest_invalid_pattern', `${name} does not match the expected format.`);
  }
  // Zod writes patterns between slashes.
  const source = pattern.replace(/^\/(.*)\/[a-z]*$/s, '$1').replaceAll('\\/', '/');
  return new SchemaError('rest_invalid_pattern', `${name} does not match pattern ${source}.`);
}

function forbiddenProperty(name: string): SchemaError {
  const sentence = `${name} is not a valid property of Object.`;
  return new SchemaError('rest_additional_properties_forbidden', sentence);
}

/** Branches that differ only in type are a list of types in WordPress. */
function unionError(name: string, branches: readonly (readonly Issue[])[]): SchemaError {
  const types = branches.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? typeName(first.expected) : null,
  );
  if (types.length > 0 && !types.includes(null)) return invalidType(name, [...new Set(types)].join(','));
  return new SchemaError('rest_no_matching_schema', `${name} does not match any of the expected formats.`);
}

function nestedError(name: string, issues: readonly Issue[]): SchemaError {
  const [first] = issues;
  if (first === undefined) return new SchemaError('rest_invalid_param', `${name} is not valid.`);
  return wordpressError(name + first.path.map((each) => `[${String(each)}]`).join(''), first);
}

function notInEnum(name: string, values: readonly string[]): SchemaError {
  const words = values.length === 1 ? `is not ${values[0]}.` : `is not one of ${joinList(values)}.`;
  return new SchemaError('rest_not_in_enum', `${name} ${words}`);
}

function ownError(name: string, issue: Extract<Issue, { code: 'custom' }>): SchemaError {
  const code: unknown = issue.params?.['code'];
  const sentence = /^[a-z]/.test(issue.message) ? `${name} ${issue.message}` : issue.message;
  return new SchemaError(typeof code === 'string' ? code : 'rest_invalid_param', sentence);
}

/** Throws the resource's 404 for anything but a positive integer. */
export function pathId(
  request: { readonly path: Readonly<Record<string, string>> },
  resource: ResourceName,
  name = 'id',
): number {
  const id = parseId(request.path[name]);
  if (id === null) throw createNotFoundError(resource);
  return id;
}

/** Without those that are null or blank, as empty form fields are. For `parseParameters`; no prototype. */
export function dropBlankParams(request: WithParams): WithParams {
  const params: Record<string, Json> = Object.create(null);
  for (const [name, value] of Object.entries(request.params)) {
    const isBlank = value === null || (typeof value === 'string' && value.trim() === '');
    if (!isBlank) params[name] = value;
  }
  return { params };
}
