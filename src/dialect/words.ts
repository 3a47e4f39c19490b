// Parses compatibility profiles, and looks up what they say.
import { defaultDialect } from '../../schemas/default-dialect.ts';
import {
  type Dialect,
  type DialectArgument,
  type DialectRefusal,
  dialectSchema,
  type SuccessKind,
} from '../../schemas/dialect.ts';

/** `rule`: the overridden rule of the specification, or `form` for invalid files. */
export class DialectError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = 'DialectError';
    this.rule = rule;
  }
}

/** @throws {DialectError} with rule `form`, or one of the specification such as `7-unauthorized`. */
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

/** Like `POST /domain-verifications/{id}/check`, from our path or WordPress's pattern. */
export function dialectRoute(method: string, path: string): string {
  const named = path
    .replace(/\(\?P<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '{id}')
    .replace(/\{\w+(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}/g, '{id}');
  return `${method.toUpperCase()} ${named}`;
}

/** Null if the profile does not declare arguments for the route. */
export function argumentsOf(
  dialect: Dialect,
  method: string,
  path: string,
): Readonly<Record<string, DialectArgument>> | null {
  const route = dialectRoute(method, path);
  return Object.hasOwn(dialect.arguments, route) ? (dialect.arguments[route] ?? null) : null;
}

/** `repeated`: not 201 from a route that can create. */
export function successKind(route: string, status: number): SuccessKind {
  if (status === 201) return 'created';
  return defaultDialect.success[route]?.created === undefined ? 'ok' : 'repeated';
}

/** The name of an error situation, by status, code and `data.reason`; null if profiles cannot change it. */
export function situationOf(status: number, code: unknown, reason: unknown): string | null {
  const found = Object.entries(defaultDialect.refusals).find(
    ([, each]) =>
      each.status === status && each.code === code && (each.reason === undefined || each.reason === reason),
  );
  return found?.[0] ?? null;
}

export function refusalIn(dialect: Dialect, route: string | null, situation: string): DialectRefusal | null {
  const ofRoute = route === null ? undefined : dialect.route_refusals[route]?.[situation];
  return ofRoute ?? dialect.refusals[situation] ?? null;
}
