// A route's arguments from its Zod schema, worded as a plugin author would have written them by hand.
// Zod's own JSON Schema is the source; what it adds for other readers is taken away here. Nothing is checked.
import { z } from 'zod';
import type { PhpValue } from '../php/values.ts';
import { parseRequestArg } from './check-parameters.ts';
import type { Argument, Arguments, RestRequest } from './rest-request.ts';

type JsonSchema = { readonly [keyword: string]: unknown };
type Description = { [keyword: string]: unknown };

/**
 * Describes the members of an object schema, in their order, as WordPress arguments.
 *
 * `.describe()` gives the description, `.default()` the default, `.optional()` what is not required.
 * `.meta()` may carry `wordpress: {…}`, keywords that stand instead of the derived ones, and
 * `nullIsAbsent: true`, by which null and blank text are let through unchecked; so is what PHP writes for
 * nothing (`false`, `[]` for a map) in a body that is read leniently. What WordPress's subset
 * cannot say (transforms, refinements, flags of a pattern) is left out: it is for Zod to check afterwards.
 */
export function argsFromZod(schema: z.ZodObject): Arguments {
  const root = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => dropFlaggedPattern(zodSchema, jsonSchema as Description),
  }) as JsonSchema;
  const required = namesOf(root['required']);
  const args: { [name: string]: Argument } = Object.create(null);
  for (const [name, member] of Object.entries((root['properties'] ?? {}) as Record<string, JsonSchema>)) {
    const argument: Argument = { ...inOrder(describe(member)), required: required.has(name) };
    args[name] = member['nullIsAbsent'] === true ? { ...argument, sanitize: parseUnlessAbsent } : argument;
  }
  return args;
}

/** Arguments as plain data, for another thread. */
export type PortableArguments = ReadonlyArray<{
  readonly name: string;
  readonly argument: Argument;
  /** What `nullIsAbsent` made of it. */
  readonly nullIsAbsent: boolean;
}>;

/** Arguments without their functions; null where there are functions that only their route has. */
export function portableArguments(args: Arguments): PortableArguments | null {
  const portable = Object.entries(args).map(([name, { sanitize, ...argument }]) => {
    const isOwn =
      argument.validate !== undefined || (sanitize !== undefined && sanitize !== parseUnlessAbsent);
    return isOwn ? null : { name, argument, nullIsAbsent: sanitize === parseUnlessAbsent };
  });
  return portable.includes(null) ? null : (portable as PortableArguments);
}

/** The arguments that `portableArguments` took apart. */
export function fromPortable(portable: PortableArguments): Arguments {
  const args: { [name: string]: Argument } = Object.create(null);
  for (const { name, argument, nullIsAbsent } of portable) {
    args[name] = nullIsAbsent ? { ...argument, sanitize: parseUnlessAbsent } : argument;
  }
  return args;
}

/** Null and blank text stand for an absent value; anything else is checked as usual. */
const parseUnlessAbsent: NonNullable<Argument['sanitize']> = (value, request, name) => {
  const absent = value === null || (typeof value === 'string' && value.trim() === '');
  if (absent) return value;
  return isNothingOfPhp(value, request, name) ? null : parseRequestArg(value, request, name);
};

/** In a body that is read leniently: `false` for a missing text, and an empty list for an empty map. */
function isNothingOfPhp(value: PhpValue, request: RestRequest, name: string): boolean {
  if (!request.jsonIsLenient) return false;
  if (value === false) return true;
  const types = [request.handler?.args[name]?.['type']].flat();
  return Array.isArray(value) && value.length === 0 && types.includes('object');
}

/** A pattern's flags are lost in JSON Schema, and without them it would refuse too much. */
function dropFlaggedPattern(schema: z.core.$ZodType, jsonSchema: Description): void {
  for (const check of schema._zod.def.checks ?? []) {
    const { pattern } = check._zod.def as { pattern?: RegExp };
    if (pattern instanceof RegExp && /[imv]/.test(pattern.flags)) delete jsonSchema['pattern'];
  }
}

function describe(schema: JsonSchema): Description {
  const derived = describeVariants(schema) ?? describeOne(schema);
  const words = pick(schema, ['title', 'description', 'default']);
  const override = schema['wordpress'];
  if (isSchema(override)) return { ...words, ...override };
  return { ...derived, ...words };
}

const copiedKeywords = [
  'type',
  'enum',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

function describeOne(schema: JsonSchema): Description {
  const description: Description = pick(schema, copiedKeywords);
  if (schema['const'] !== undefined) description['enum'] = [schema['const']];
  describeFormat(schema, description);
  describeBounds(schema, description);
  if (isSchema(schema['items'])) description['items'] = inOrder(describe(schema['items']));
  describeMembers(schema, description);
  return description;
}

/** Formats of JSON Schema by WordPress's names for them; others WordPress does not know. */
const formats: Readonly<Record<string, string>> = {
  'date-time': 'date-time',
  email: 'email',
  uri: 'uri',
  uuid: 'uuid',
  ip: 'ip',
  ipv4: 'ip',
  ipv6: 'ip',
  'hex-color': 'hex-color',
};

/** A format says it all; a pattern is Zod's own beside a format, and the author's without one. */
function describeFormat(schema: JsonSchema, description: Description): void {
  const { format, pattern } = schema;
  if (typeof format === 'string') {
    const known = formats[format];
    if (known !== undefined) description['format'] = known;
  } else if (typeof pattern === 'string') {
    description['pattern'] = pattern;
  }
}

/** Bounds as draft 4 writes them; those of JavaScript's safe integers are nobody's wish. */
function describeBounds(schema: JsonSchema, description: Description): void {
  if (description['minimum'] === Number.MIN_SAFE_INTEGER) delete description['minimum'];
  if (description['maximum'] === Number.MAX_SAFE_INTEGER) delete description['maximum'];
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === 'number') {
    Object.assign(description, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  }
  if (typeof exclusiveMaximum === 'number') {
    Object.assign(description, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  }
}

/** Members, each saying for itself whether it is required; whatever else may stand beside them. */
function describeMembers(schema: JsonSchema, description: Description): void {
  const required = namesOf(schema['required']);
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (members.length > 0) {
    const described = members.map(([name, member]) => {
      const words = inOrder(describe(member));
      return [name, required.has(name) ? { ...words, required: true } : words] as const;
    });
    description['properties'] = Object.fromEntries(described);
  }
  const beside = schema['additionalProperties'];
  if (beside === false) {
    description['additionalProperties'] = false;
  } else if (isSchema(beside) && Object.keys(beside).length > 0) {
    description['additionalProperties'] = inOrder(describe(beside));
  }
}

/**
 * Alternatives: one description with a list of types where they do not get in each other's way, else anyOf or
 * oneOf.
 */
function describeVariants(schema: JsonSchema): Description | null {
  const keyword = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf';
  if (!Array.isArray(schema[keyword])) return null;
  const variants = distinct((schema[keyword] as JsonSchema[]).map((variant) => describe(variant)));
  if (variants.some((variant) => Object.keys(variant).length === 0)) return {};
  return mergeTypes(variants) ?? { [keyword]: variants.map(inOrder) };
}

function mergeTypes(variants: readonly Description[]): Description | null {
  const merged: Description = {};
  const types: string[] = [];
  for (const { type, ...keywords } of variants) {
    const own = [type].flat().filter((each): each is string => typeof each === 'string');
    if (own.length === 0 || own.some((each) => types.includes(each))) return null;
    for (const [keyword, value] of Object.entries(keywords)) {
      // An enum holds for every type of a list; null alone can join it.
      const clashes = keyword in merged || (keyword === 'enum' && variants.some((each) => !sharesEnum(each)));
      if (clashes) return null;
      merged[keyword] = value;
    }
    types.push(...own);
  }
  if (types.includes('integer') && types.includes('number')) return null;
  if (Array.isArray(merged['enum']) && types.includes('null')) merged['enum'] = [...merged['enum'], null];
  return { type: types.length === 1 ? types[0] : types, ...merged };
}

function sharesEnum(variant: Description): boolean {
  return variant['enum'] !== undefined || variant['type'] === 'null';
}

function distinct(variants: readonly Description[]): Description[] {
  const seen = new Map(variants.map((variant) => [JSON.stringify(inOrder(variant)), variant]));
  return [...seen.values()];
}

/** The order in which keywords are read best, and in which the routes of WordPress's handbook have them. */
export const keywordOrder: readonly string[] = [
  'title',
  'description',
  'type',
  'format',
  'enum',
  'items',
  'properties',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'anyOf',
  'oneOf',
  'default',
];

function inOrder(description: Description): Description {
  const known = keywordOrder.filter((keyword) => description[keyword] !== undefined);
  const others = Object.keys(description).filter((keyword) => !keywordOrder.includes(keyword));
  return Object.fromEntries([...known, ...others].map((keyword) => [keyword, description[keyword]]));
}

function pick(schema: JsonSchema, keywords: readonly string[]): Description {
  return Object.fromEntries(
    keywords.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namesOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.map(String) : []);
}
