// The rules of a dialect: reading one, and finding which of its words an answer takes. Pure; no file is
// opened here.
import { defaultDialect } from '../../schemas/default-dialect.ts';
import {
  type Dialect,
  type DialectArgument,
  type DialectRefusal,
  dialectSchema,
  type SuccessKind,
} from '../../schemas/dialect.ts';

/** A dialect file that cannot be used; `rule` names what of the specification it overrides, or is `form`. */
export class DialectError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = 'DialectError';
    this.rule = rule;
  }
}

/**
 * Reads the text of a dialect file. Throws DialectError: `form` where it is no dialect, else the rule of the
 * specification that it tries to override (`7-unauthorized` …), with the place in the file.
 */
export function parseDialect(text: string): Dialect {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new DialectError(
      'form',
      `The compatibility profile is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  const parsed = dialectSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const rule = issue?.code === 'custom' ? String(issue.params?.['rule'] ?? 'form') : 'form';
  throw new DialectError(
    rule,
    `The compatibility profile cannot be used: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}

/**
 * `POST /domain-verifications/{id}/check`: how a dialect names a route, from our path or from WordPress's
 * pattern.
 */
export function dialectRoute(method: string, path: string): string {
  const named = path
    .replace(/\(\?P<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '{id}')
    .replace(/\{\w+(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}/g, '{id}');
  return `${method.toUpperCase()} ${named}`;
}

/** What the dialect declares for a route in place of our own arguments; null where it says nothing. */
export function argumentsOf(
  dialect: Dialect,
  method: string,
  path: string,
): Readonly<Record<string, DialectArgument>> | null {
  const route = dialectRoute(method, path);
  return Object.hasOwn(dialect.arguments, route) ? (dialect.arguments[route] ?? null) : null;
}

/** Whether an answer of ours created something, repeated what was there, or only read (D-11). */
export function successKind(route: string, status: number): SuccessKind {
  if (status === 201) return 'created';
  return defaultDialect.success[route]?.created === undefined ? 'ok' : 'repeated';
}

/**
 * The name of the situation in which we refuse so: by status, code and `data.reason`; null for what no
 * dialect words.
 */
export function situationOf(status: number, code: unknown, reason: unknown): string | null {
  const found = Object.entries(defaultDialect.refusals).find(
    ([, each]) =>
      each.status === status && each.code === code && (each.reason === undefined || each.reason === reason),
  );
  return found?.[0] ?? null;
}

/** How the dialect words that situation on that route; null where it says nothing. */
export function refusalIn(dialect: Dialect, route: string | null, situation: string): DialectRefusal | null {
  const ofRoute = route === null ? undefined : dialect.route_refusals[route]?.[situation];
  return ofRoute ?? dialect.refusals[situation] ?? null;
}
