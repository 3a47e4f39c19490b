// Schema of compatibility profiles. What the specification fixes cannot be overridden.
import { z } from 'zod';

/** Longer patterns are refused. */
const patternCharactersMax = 500;

const name = z.string().min(1).max(200);
/** `POST /store`; path parameters are written `{id}`. */
const routeName = z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \/[^\s]{0,200}$/);
const successStatus = z.int().min(100).max(599);
const memberNames = z.array(name).max(200);

/** `created`: new. `repeated`: known already. `ok`: reads, checks, verifications. */
const successKinds = ['created', 'repeated', 'ok'] as const;
export type SuccessKind = (typeof successKinds)[number];

const refusal = z.strictObject({
  status: z.int().min(100).max(599),
  code: name,
  /** Absent: keep ours. */
  message: z.string().min(1).max(1000).optional(),
  /** `data.reason`, where status and code are not unique. */
  reason: name.optional(),
  /** Members of `data` to send besides `status`; absent: all. */
  data: memberNames.optional(),
});
export type ProfileError = z.infer<typeof refusal>;

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/);
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,2000}$/);
const headers = z.strictObject({
  omit: z.array(headerName).max(100).default([]),
  values: z.record(headerName, headerValue).default({}),
  add: z.record(headerName, headerValue).default({}),
  /** Added to answers of routes, like a plugin's: `_envelope` includes them. */
  add_to_answers: z.record(headerName, headerValue).default({}),
  /** Position of added headers: before the first one that follows here. */
  order: z.array(headerName).max(100).default([]),
  add_with_origin: z.record(headerName, headerValue).default({}),
});

/** JSON Schema keywords as in WordPress, and `required`. */
const argument = z.looseObject({
  required: z.boolean().default(false),
  type: z.union([z.string(), z.array(z.string())]).optional(),
});
export type ProfileArgument = z.infer<typeof argument>;

const shape = z.strictObject({
  dialect: z.literal(1),
  name,
  /** Whether 401 or 400 is answered if both credential and parameters are missing. */
  order: z.enum(['credential-first', 'wordpress']).default('credential-first'),
  success: z.record(routeName, z.partialRecord(z.enum(successKinds), successStatus)).default({}),
  refusals: z.record(name, refusal).default({}),
  /** Per route, overriding `refusals`. */
  route_refusals: z.record(routeName, z.record(name, refusal)).default({}),
  /** Members of successful answers, in order; others are omitted. */
  members: z.record(routeName, z.partialRecord(z.enum(successKinds), memberNames)).default({}),
  /** New names of identifiers, flags and statistics in a route's answer. */
  identifiers: z.record(routeName, z.record(name, name)).default({}),
  headers: headers.prefault({}),
  /** Replace our argument declarations in the namespace index. */
  arguments: z.record(routeName, z.record(name, argument)).default({}),
});

export const compatibilityProfile = shape.superRefine((profile, context) => {
  for (const { rule, path, message } of findOverrides(profile)) {
    context.addIssue({ code: 'custom', path: [...path], message, params: { rule } });
  }
});

export type CompatibilityProfile = z.infer<typeof shape>;

export interface SpecificationOverride {
  /** Section and name: `7-statuses`. */
  readonly rule: string;
  readonly path: readonly string[];
  readonly message: string;
}

const errorStatuses: readonly number[] = [400, 401, 403, 404, 429];
const fixedMembers: Readonly<Record<string, readonly string[]>> = {
  'POST /store': ['accepted', 'event_id', 'issue_id'],
  'POST /envelope': ['accepted', 'event_id', 'issue_id'],
  'POST /feedback': ['accepted'],
  'POST /sdk-verify': ['flags', 'stats'],
  'POST /domain-verifications': ['accepted'],
  'POST /releases': ['accepted'],
  'POST /deploys': ['accepted'],
  'POST /test-runs': ['accepted', 'test_run_id'],
};
const fixedIdentifiers: readonly string[] = ['accepted', 'event_id', 'issue_id', 'test_run_id'];
const argumentDepthMax = 50;
const fixedHeaders: readonly string[] = ['content-type'];

/** Members fixed by the specification, under the profile's names. */
export function fixedMemberNames(
  profile: Pick<CompatibilityProfile, 'identifiers'>,
  route: string,
  kind: string,
): readonly string[] {
  // An envelope without events has no identifiers.
  if (route === 'POST /envelope' && kind !== 'created') return ['accepted'];
  return (fixedMembers[route] ?? []).map((member) => profile.identifiers[route]?.[member] ?? member);
}

export function findOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  return [
    ...successOverrides(profile),
    ...Object.entries(profile.refusals).flatMap(([situation, each]) =>
      refusalOverrides(situation, each, ['refusals', situation]),
    ),
    ...Object.entries(profile.route_refusals).flatMap(([route, refusals]) =>
      Object.entries(refusals).flatMap(([situation, each]) =>
        refusalOverrides(situation, each, ['route_refusals', route, situation]),
      ),
    ),
    ...memberOverrides(profile),
    ...identifierOverrides(profile),
    ...headerOverrides(profile),
    ...argumentOverrides(profile),
    ...unsafePatterns(profile.arguments, ['arguments']),
  ];
}

function successOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  return Object.entries(profile.success).flatMap(([route, statuses]) =>
    Object.entries(statuses).flatMap(([kind, status]) =>
      status >= 200 && status < 300
        ? []
        : [
            {
              rule: '4-success',
              path: ['success', route, kind],
              message: `section 4 of the specification requires a success status for ${route}, not ${status}`,
            },
          ],
    ),
  );
}

function refusalOverrides(situation: string, each: ProfileError, path: string[]): SpecificationOverride[] {
  const found: SpecificationOverride[] = [];
  if (situation === 'unauthorized' && (each.status !== 401 || each.code !== 'rest_forbidden')) {
    const message =
      'section 7 of the specification requires 401 rest_forbidden for an invalid or missing project key';
    found.push({ rule: '7-unauthorized', path, message });
  }
  if (situation === 'rate_limited' && each.status !== 429) {
    found.push({
      rule: '7-rate-limit',
      path,
      message: 'section 7 of the specification requires 429 when a rate limit is exceeded',
    });
  }
  if (situation !== 'unavailable' && !errorStatuses.includes(each.status)) {
    const message = `section 7 of the specification allows the error statuses ${errorStatuses.join(', ')}, not ${each.status}`;
    found.push({ rule: '7-statuses', path, message });
  }
  return found;
}

function memberOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  return Object.entries(profile.members).flatMap(([route, byKind]) =>
    Object.entries(byKind).flatMap(([kind, members]) =>
      fixedMemberNames(profile, route, kind)
        .filter((member) => !members.includes(member))
        .map((member) => ({
          rule: '4-identifiers',
          path: ['members', route, kind],
          message: `section 4 of the specification requires ${member} in the response of ${route}`,
        })),
    ),
  );
}

function identifierOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  return Object.entries(profile.identifiers).flatMap(([route, names]) =>
    Object.entries(names)
      .filter(([ourName, profileName]) => ourName !== profileName)
      .filter(
        ([ourName, profileName]) =>
          fixedIdentifiers.includes(ourName) || fixedIdentifiers.includes(profileName),
      )
      .map(([ourName, profileName]) => ({
        rule: '2-identifiers',
        path: ['identifiers', route, ourName],
        message: `section 2 of the specification requires the name ${fixedIdentifiers.includes(ourName) ? ourName : profileName}`,
      })),
  );
}

function headerOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  const { omit, values, add, add_to_answers, add_with_origin } = profile.headers;
  const named = [
    ...omit,
    ...[values, add, add_to_answers, add_with_origin].flatMap((each) => Object.keys(each)),
  ];
  return named
    .filter((each) => fixedHeaders.includes(each.toLowerCase()))
    .map((each) => ({
      rule: '4-json',
      path: ['headers', each],
      message: 'section 4 of the specification requires JSON, so the profile cannot set Content-Type',
    }));
}

function argumentOverrides(profile: CompatibilityProfile): SpecificationOverride[] {
  const store = profile.arguments['POST /store'] ?? {};
  return ['message', 'platform'].flatMap((member) => {
    const type = store[member]?.type;
    if (type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))) {
      return [];
    }
    const message = `section 2 of the specification requires ${member} to be a string`;
    return [{ rule: '2-event', path: ['arguments', 'POST /store', member], message }];
  });
}

/** Patterns vulnerable to catastrophic backtracking, at any depth. */
function unsafePatterns(value: unknown, path: readonly string[]): SpecificationOverride[] {
  if (value === null || typeof value !== 'object' || path.length > argumentDepthMax) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const memberPath = [...path, name];
    if (name === 'pattern' && typeof each === 'string' && !isSafePattern(each)) {
      return [
        { rule: 'safe-pattern', path: memberPath, message: 'this pattern could take exponential time' },
      ];
    }
    const unsafe =
      name === 'patternProperties' && Object.keys(each ?? {}).some((pattern) => !isSafePattern(pattern));
    if (unsafe) {
      return [
        {
          rule: 'safe-pattern',
          path: memberPath,
          message: 'one of these patterns could take exponential time',
        },
      ];
    }
    return unsafePatterns(each, memberPath);
  });
}

/** Refuses nested unbounded repetition: `(a+)+`, `(a|b)*`. PHP limits backtracking, V8 does not. */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > patternCharactersMax) return false;
  const branching: boolean[] = [false];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') {
      index += 1;
    } else if (character === '[') {
      index = endOfClass(pattern, index);
    } else if (character === '(') {
      branching.push(false);
    } else if (character === '|') {
      branching[branching.length - 1] = true;
    } else if (character === ')') {
      const inner = branching.length > 1 ? branching.pop() === true : false;
      const isRepeated = repeats(pattern, index + 1);
      if (inner && isRepeated) return false;
      if (inner || isRepeated) branching[branching.length - 1] = true;
    } else if (repeats(pattern, index)) {
      branching[branching.length - 1] = true;
    }
  }
  return true;
}

function repeats(pattern: string, index: number): boolean {
  const character = pattern[index];
  if (character === '*' || character === '+') return true;
  const counted = /^\{\d*(,?)(\d*)\}/.exec(pattern.slice(index, index + 20));
  if (counted === null) return false;
  return counted[1] === ',' && (counted[2] === '' || Number(counted[2]) > 20);
}

function endOfClass(pattern: string, start: number): number {
  for (let index = start + 1; index < pattern.length; index += 1) {
    if (pattern[index] === '\\') index += 1;
    else if (pattern[index] === ']' && index > start + 1) return index;
  }
  return pattern.length;
}
