// What a handler parses here it trusts afterwards. Refusals are in WordPress's shape and words.
import { z } from 'zod';
import { invalidParam, missingParams } from '../../core/errors.ts';
import type { ApiRequest } from './route.ts';
import { nestedName, wordpressError } from './zod-words.ts';

const issuesShownMax = 20;

/**
 * The request's parameters as the route's schema types them. What WordPress's description of the arguments
 * can say was checked before; the rest is checked here and reported in the same shape: 400
 * `rest_invalid_param`.
 */
export function parseBody<S extends z.ZodType>(schema: S, request: Pick<ApiRequest, 'params'>): z.infer<S> {
  return parseValue(schema, request.params);
}

/**
 * The same check for a handler that takes the parameters as they are, every name of them; only known ones are
 * looked at.
 */
export function checkBody(schema: z.ZodObject, { params }: Pick<ApiRequest, 'params'>): ApiRequest['params'] {
  const strict = strictPartOf(schema);
  const known = Object.keys(strict.shape).filter((name) => Object.hasOwn(params, name));
  parseValue(strict, Object.fromEntries(known.map((name) => [name, params[name]])));
  return params;
}

/** By schema, found out once. */
const strictParts = new WeakMap<z.ZodObject, z.ZodObject>();

/** The schema without those of its names that take any value, and may be absent. */
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

/** Like parseBody, for any value: a part of a body, or what a handler put together itself. */
export function parseValue<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.filter(isMissingParameter).map((issue) => String(issue.path[0]));
  if (missing.length > 0) throw missingParams(missing);
  const params: Record<string, string> = Object.create(null);
  const details: Record<string, { code: string; message: string; data: unknown }> = Object.create(null);
  for (const issue of parsed.error.issues.slice(0, issuesShownMax)) {
    const first = String(issue.path[0] ?? 'body');
    if (first in params) continue;
    const { code, message, data } = wordpressError(nestedName(issue.path), issue);
    params[first] = message;
    details[first] = { code, message, data };
  }
  throw invalidParam(params, details);
}

/** A parameter that has to be there and is not; WordPress tells these before any that is wrong. */
function isMissingParameter(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 1 && issue.code === 'invalid_type' && issue.input === undefined;
}
