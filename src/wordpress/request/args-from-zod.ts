import { z } from 'zod';
import type { Argument, Arguments } from './rest-request.ts';

type JsonSchema = { readonly [keyword: string]: unknown };
type Description = { [keyword: string]: unknown };

/** `.describe()`, `.default()` and `.optional()` give `description`, `default` and `required`. `.meta({ wordpress })`
 * replaces the derived keywords; `.meta({ nullIsAbsent: true })` accepts null and blank text. */
export function argsFromZod(schema: z.ZodObject): Arguments {
  const root = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => dropFlaggedPattern(zodSchema, jsonSchema as Description),
  }) as JsonSchema;
  const required = namesOf(root['required']);
  const args: { [name: string]: Argument } = Object.create(null);
  for (const [name, member] of Object.entries((root['properties'] ?? {}) as Record<string, JsonSchema>)) {
    args[name] = {
      ...sortKeywords(describe(member)),
      required: required.has(name),
      ...pick(member, ['nullIsAbsent']),
    };
  }
  return args;
}

/** JSON Schema drops a pattern's flags; without them it would refuse valid values. */
function dropFlaggedPattern(schema: z.core.$ZodType, jsonSchema: Description): void {
  for (const check of schema._zod.def.checks ?? []) {
    const { pattern } = check._zod.def as { pattern?: RegExp };
    if (pattern instanceof RegExp && /[imv]/.test(pattern.flags)) delete jsonSchema['pattern'];
  }
}

function describe(schema: JsonSchema): Description {
  const derived = describeVariants(schema) ?? describeOne(schema);
  const texts = pick(schema, ['title', 'description', 'default']);
  const override = schema['wordpress'];
  if (isSchema(override)) return { ...texts, ...override };
  return { ...derived, ...texts };
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
  if (isSchema(schema['items'])) description['items'] = sortKeywords(describe(schema['items']));
  describeMembers(schema, description);
  return description;
}

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

/** Beside a format, the pattern is one that Zod adds, and is left out. */
function describeFormat(schema: JsonSchema, description: Description): void {
  const { format, pattern } = schema;
  if (typeof format === 'string') {
    const known = formats[format];
    if (known !== undefined) description['format'] = known;
  } else if (typeof pattern === 'string') {
    description['pattern'] = pattern;
  }
}

/** JSON Schema draft 4 bounds. The safe integer bounds are added by Zod and left out. */
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

function describeMembers(schema: JsonSchema, description: Description): void {
  const required = namesOf(schema['required']);
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (members.length > 0) {
    const described = members.map(([name, member]) => {
      const keywords = sortKeywords(describe(member));
      return [name, required.has(name) ? { ...keywords, required: true } : keywords] as const;
    });
    description['properties'] = Object.fromEntries(described);
  }
  const additional = schema['additionalProperties'];
  if (additional === false) {
    description['additionalProperties'] = false;
  } else if (isSchema(additional) && Object.keys(additional).length > 0) {
    description['additionalProperties'] = sortKeywords(describe(additional));
  }
}

/** One description with a list of types if their keywords do not collide, else anyOf or oneOf. */
function describeVariants(schema: JsonSchema): Description | null {
  const keyword = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf';
  if (!Array.isArray(schema[keyword])) return null;
  const variants = distinct((schema[keyword] as JsonSchema[]).map((variant) => describe(variant)));
  if (variants.some((variant) => Object.keys(variant).length === 0)) return {};
  return mergeTypes(variants) ?? { [keyword]: variants.map(sortKeywords) };
}

function mergeTypes(variants: readonly Description[]): Description | null {
  const merged: Description = {};
  const types: string[] = [];
  for (const { type, ...keywords } of variants) {
    const variantTypes = [type].flat().filter((each): each is string => typeof each === 'string');
    if (variantTypes.length === 0 || variantTypes.some((each) => types.includes(each))) return null;
    for (const [keyword, value] of Object.entries(keywords)) {
      // An enum applies to all types of a type list, so it can only be merged with null.
      const clashes = keyword in merged || (keyword === 'enum' && variants.some((each) => !sharesEnum(each)));
      if (clashes) return null;
      merged[keyword] = value;
    }
    types.push(...variantTypes);
  }
  if (types.includes('integer') && types.includes('number')) return null;
  if (Array.isArray(merged['enum']) && types.includes('null')) merged['enum'] = [...merged['enum'], null];
  return { type: types.length === 1 ? types[0] : types, ...merged };
}

function sharesEnum(variant: Description): boolean {
  return variant['enum'] !== undefined || variant['type'] === 'null';
}

function distinct(variants: readonly Description[]): Description[] {
  const seen = new Map(variants.map((variant) => [JSON.stringify(sortKeywords(variant)), variant]));
  return [...seen.values()];
}

/** The order of keywords in the WordPress handbook. */
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

function sortKeywords(description: Description): Description {
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
