import {
  type CompatibilityProfile,
  compatibilityProfile,
  type ProfileArgument,
  type ProfileError,
  type SuccessKind,
} from '../../schemas/compatibility-profile.ts';
import { defaultProfile } from '../../schemas/default-profile.ts';

export class InvalidProfileError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = 'DialectError';
    this.rule = rule;
  }
}

/** @throws {InvalidProfileError} with rule `form`, or one of the specification such as `7-unauthorized`. */
export function parseProfile(text: string): CompatibilityProfile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InvalidProfileError(
      'form',
      `The compatibility profile is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  const parsed = compatibilityProfile.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const rule = issue?.code === 'custom' ? String(issue.params?.['rule'] ?? 'form') : 'form';
  throw new InvalidProfileError(
    rule,
    `The compatibility profile cannot be used: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}

/** Like `POST /domain-verifications/{id}/check`, from our path or WordPress's pattern. */
export function profileRouteName(method: string, path: string): string {
  const named = path
    .replace(/\(\?P<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '{id}')
    .replace(/\{\w+(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}/g, '{id}');
  return `${method.toUpperCase()} ${named}`;
}

/** Null without a profile, or if it declares no arguments for the route: ours apply. */
export function profileArgumentsOf(
  profile: CompatibilityProfile | undefined,
  method: string,
  path: string,
): Readonly<Record<string, ProfileArgument>> | null {
  if (profile === undefined) return null;
  const route = profileRouteName(method, path);
  return Object.hasOwn(profile.arguments, route) ? (profile.arguments[route] ?? null) : null;
}

/** `repeated`: not 201 from a route that can create. */
export function successKind(route: string, status: number): SuccessKind {
  if (status === 201) return 'created';
  return defaultProfile.success[route]?.created === undefined ? 'ok' : 'repeated';
}

/** The name of an error situation, by status, code and `data.reason`; null if profiles cannot change it. */
export function findErrorSituation(status: number, code: unknown, reason: unknown): string | null {
  const found = Object.entries(defaultProfile.refusals).find(
    ([, each]) =>
      each.status === status && each.code === code && (each.reason === undefined || each.reason === reason),
  );
  return found?.[0] ?? null;
}

export function findProfileError(
  profile: CompatibilityProfile,
  route: string | null,
  situation: string,
): ProfileError | null {
  const ofRoute = route === null ? undefined : profile.route_refusals[route]?.[situation];
  return ofRoute ?? profile.refusals[situation] ?? null;
}
