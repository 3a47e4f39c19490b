// The door: what a handler parses here it trusts afterwards. Refusals are in WordPress's shape.
import type { z } from 'zod';
import { invalidParam } from '../core/errors.ts';
import type { ApiRequest } from './route.ts';

const issuesShownMax = 20;

/**
 * The request's parameters as the route's schema types them. What WordPress's description of the arguments can say was
 * checked before; the rest is checked here and reported in the same shape: 400 `rest_invalid_param`.
 */
export function parseBody<S extends z.ZodType>(schema: S, request: Pick<ApiRequest, 'params'>): z.infer<S> {
  return parseValue(schema, request.params);
}

/** The same check for a handler that takes the parameters as they are, every name of them (`__proto__` too). */
export function checkBody(schema: z.ZodType, request: Pick<ApiRequest, 'params'>): ApiRequest['params'] {
  parseValue(schema, request.params);
  return request.params;
}

/** Like parseBody, for any value: a part of a body, or what a handler put together itself. */
export function parseValue<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const params: Record<string, string> = Object.create(null);
  const details: Record<string, { code: string; message: string; data: unknown }> = Object.create(null);
  for (const issue of parsed.error.issues.slice(0, issuesShownMax)) {
    const [first = 'body', ...rest] = issue.path.map(String);
    if (first in params) continue;
    const name = first + rest.map((each) => `[${each}]`).join('');
    const message = sentence(name, issue);
    params[first] = message;
    details[first] = { code: 'rest_invalid_param', message, data: null };
  }
  throw invalidParam(params, details);
}

/** A rule of ours says its sentence whole, or begins in lower case and wants the name in front of it. */
function sentence(name: string, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom') return `${name} is not valid: ${issue.message}.`;
  return /^[a-z]/.test(issue.message) ? `${name} ${issue.message}` : issue.message;
}
