import type { CompatibilityProfile, ProfileError } from '../../schemas/compatibility-profile.ts';
import {
  entriesOf,
  getMember,
  isList,
  isPhpArray,
  type PhpValue,
  toPhpArray,
} from '../wordpress/php/values.ts';
import type { Arguments } from '../wordpress/request/rest-request.ts';
import type { RestServerOptions } from '../wordpress/rest/options.ts';
import {
  findErrorSituation,
  findProfileError,
  profileArgumentsOf,
  profileRouteName,
  successKind,
} from './profile-lookup.ts';

/** `path` is ours or WordPress's pattern; null if no route matched. */
export interface AnsweredRoute {
  readonly method: string;
  readonly path: string | null;
}

export interface ProfileAnswer {
  readonly status: number;
  readonly data: PhpValue;
}

type Headers = ReadonlyArray<readonly [string, string]>;

export function profileServerOptions(
  profile: CompatibilityProfile,
): Required<Pick<RestServerOptions, 'order' | 'filterResponse' | 'filterHeaders'>> {
  return {
    order: profile.order === 'wordpress' ? 'arguments-first' : 'permission-first',
    filterResponse(request, response) {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const worded = applyProfile(profile, { method, path: request.matchedRoute }, response);
      response.status = worded.status;
      response.data = worded.data;
      for (const [name, value] of Object.entries(profile.headers.add_to_answers)) {
        response.header(name, value);
      }
    },
    filterHeaders: (incoming, headers) =>
      applyProfileHeaders(profile, (incoming.headers.origin ?? '') !== '', headers),
  };
}

/** Argument declarations of a profile for a route; null to use ours. */
export function profileArguments(
  profile: CompatibilityProfile | undefined,
  method: string,
  path: string,
): Arguments | null {
  return profile === undefined ? null : profileArgumentsOf(profile, method, path);
}

/** Returns `answer` itself if nothing changes. */
export function applyProfile(
  profile: CompatibilityProfile,
  route: AnsweredRoute,
  answer: ProfileAnswer,
): ProfileAnswer {
  const name = route.path === null ? null : profileRouteName(route.method, withoutNamespace(route.path));
  if (answer.status >= 400) return inRefusal(profile, name, answer);
  return name === null || !isRecord(answer.data) ? answer : inSuccess(profile, name, answer);
}

/** Added headers come last, unless the profile gives an order. */
export function applyProfileHeaders(
  profile: CompatibilityProfile,
  hasOrigin: boolean,
  headers: Headers,
): Headers {
  const { omit, values, add, add_with_origin, order } = profile.headers;
  const omitted = new Set(omit.map((each) => each.toLowerCase()));
  const worded = new Map(Object.entries(values).map(([each, value]) => [each.toLowerCase(), value]));
  const shown = headers
    .filter(([name]) => !omitted.has(name.toLowerCase()))
    .map(([name, value]) => [name, worded.get(name.toLowerCase()) ?? value] as const);
  const present = new Set(shown.map(([name]) => name.toLowerCase()));
  return Object.entries({ ...add, ...(hasOrigin ? add_with_origin : {}) })
    .filter(([name]) => !present.has(name.toLowerCase()))
    .reduce<Headers>((list, header) => inserted(list, header, order), shown);
}

function inserted(list: Headers, header: readonly [string, string], order: readonly string[]): Headers {
  const names = order.map((name) => name.toLowerCase());
  const place = names.indexOf(header[0].toLowerCase());
  const followers = place === -1 ? [] : names.slice(place + 1);
  const index = list.findIndex(([name]) => followers.includes(name.toLowerCase()));
  return index === -1 ? [...list, header] : list.toSpliced(index, 0, header);
}

function inRefusal(
  profile: CompatibilityProfile,
  route: string | null,
  answer: ProfileAnswer,
): ProfileAnswer {
  const data = getMember(answer.data, 'data') ?? null;
  const situation = findErrorSituation(
    answer.status,
    getMember(answer.data, 'code'),
    getMember(data, 'reason'),
  );
  if (situation === null) return answer;
  const refusal = findProfileError(profile, route, situation);
  if (refusal === null) return answer;
  return { status: refusal.status, data: worded(answer.data, refusal) };
}

function worded(body: PhpValue, refusal: ProfileError): PhpValue {
  return toPhpArray(
    entriesOf(body).map(([member, value]): [string, PhpValue] => {
      if (member === 'code') return [member, refusal.code];
      if (member === 'message') return [member, refusal.message ?? value];
      if (member === 'data') return [member, wordedData(value, refusal)];
      return [member, value];
    }),
  );
}

function wordedData(data: PhpValue, refusal: ProfileError): PhpValue {
  const shown = entriesOf(data)
    .filter(([member]) => member === 'status' || refusal.data === undefined || refusal.data.includes(member))
    .map(([member, value]): [string, PhpValue] => [member, member === 'status' ? refusal.status : value]);
  return toPhpArray(shown);
}

function inSuccess(profile: CompatibilityProfile, route: string, answer: ProfileAnswer): ProfileAnswer {
  const kind = successKind(route, answer.status);
  const status = profile.success[route]?.[kind] ?? answer.status;
  const members = profile.members[route]?.[kind];
  const data = renamed(profile, route, answer.data);
  return { status, data: members === undefined ? data : chosen(data, members) };
}

function renamed(profile: CompatibilityProfile, route: string, data: PhpValue): PhpValue {
  const names = new Map(Object.entries(profile.identifiers[route] ?? {}));
  const entries = entriesOf(data);
  if (entries.every(([member]) => (names.get(member) ?? member) === member)) return data;
  return toPhpArray(
    entries.map(([member, value]): [string, PhpValue] => [names.get(member) ?? member, value]),
  );
}

function chosen(data: PhpValue, members: readonly string[]): PhpValue {
  const entries = new Map(entriesOf(data));
  return toPhpArray(
    members.flatMap((member): Array<[string, PhpValue]> => {
      const value = entries.get(member);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

function isRecord(data: PhpValue): boolean {
  return isPhpArray(data) && !isList(data);
}

function withoutNamespace(path: string): string {
  return path.replace(/^\/notifier\/v1(?=\/|$)/, '');
}
