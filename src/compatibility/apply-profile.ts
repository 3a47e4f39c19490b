import type { CompatibilityProfile, ProfileError } from '../../schemas/compatibility-profile.ts';
import {
  entriesOf,
  getMember,
  isList,
  isPhpArray,
  type PhpValue,
  toPhpArray,
} from '../wordpress/php/values.ts';
import type { RestServerOptions } from '../wordpress/rest/options.ts';
import { findErrorSituation, findProfileError, profileRouteName, successKind } from './profile-lookup.ts';

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
      const adapted = applyProfile(profile, { method, path: request.matchedRoute }, response);
      response.status = adapted.status;
      response.data = adapted.data;
      for (const [name, value] of Object.entries(profile.headers.add_to_answers)) {
        response.header(name, value);
      }
    },
    filterHeaders: (incoming, headers) =>
      applyProfileHeaders(profile, (incoming.headers.origin ?? '') !== '', headers),
  };
}

/** Returns `answer` itself if nothing changes. */
export function applyProfile(
  profile: CompatibilityProfile,
  route: AnsweredRoute,
  answer: ProfileAnswer,
): ProfileAnswer {
  const path = route.path?.replace(/^\/notifier\/v1(?=\/|$)/, '');
  const name = path === undefined ? null : profileRouteName(route.method, path);
  if (answer.status >= 400) return adaptRefusal(profile, name, answer);
  const isRecord = isPhpArray(answer.data) && !isList(answer.data);
  return name === null || !isRecord ? answer : adaptSuccess(profile, name, answer);
}

/** Added headers come last, unless the profile gives an order. */
export function applyProfileHeaders(
  profile: CompatibilityProfile,
  hasOrigin: boolean,
  headers: Headers,
): Headers {
  const { omit, values, add, add_with_origin, order } = profile.headers;
  const omitted = new Set(omit.map((each) => each.toLowerCase()));
  const valuesByName = new Map(Object.entries(values).map(([each, value]) => [each.toLowerCase(), value]));
  const shown = headers
    .filter(([name]) => !omitted.has(name.toLowerCase()))
    .map(([name, value]) => [name, valuesByName.get(name.toLowerCase()) ?? value] as const);
  const present = new Set(shown.map(([name]) => name.toLowerCase()));
  return Object.entries({ ...add, ...(hasOrigin ? add_with_origin : {}) })
    .filter(([name]) => !present.has(name.toLowerCase()))
    .reduce<Headers>((list, header) => insertHeader(list, header, order), shown);
}

function insertHeader(list: Headers, header: readonly [string, string], order: readonly string[]): Headers {
  const names = order.map((name) => name.toLowerCase());
  const position = names.indexOf(header[0].toLowerCase());
  const followers = position === -1 ? [] : names.slice(position + 1);
  const index = list.findIndex(([name]) => followers.includes(name.toLowerCase()));
  return index === -1 ? [...list, header] : list.toSpliced(index, 0, header);
}

function adaptRefusal(
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
  return { status: refusal.status, data: adaptErrorBody(answer.data, refusal) };
}

function adaptErrorBody(body: PhpValue, refusal: ProfileError): PhpValue {
  return toPhpArray(
    entriesOf(body).map(([member, value]): [string, PhpValue] => {
      if (member === 'code') return [member, refusal.code];
      if (member === 'message') return [member, refusal.message ?? value];
      if (member === 'data') return [member, adaptErrorData(value, refusal)];
      return [member, value];
    }),
  );
}

function adaptErrorData(data: PhpValue, refusal: ProfileError): PhpValue {
  const shown = entriesOf(data)
    .filter(([member]) => member === 'status' || refusal.data === undefined || refusal.data.includes(member))
    .map(([member, value]): [string, PhpValue] => [member, member === 'status' ? refusal.status : value]);
  return toPhpArray(shown);
}

function adaptSuccess(profile: CompatibilityProfile, route: string, answer: ProfileAnswer): ProfileAnswer {
  const kind = successKind(route, answer.status);
  const status = profile.success[route]?.[kind] ?? answer.status;
  const members = profile.members[route]?.[kind];
  const data = renameMembers(profile, route, answer.data);
  return { status, data: members === undefined ? data : pickMembers(data, members) };
}

function renameMembers(profile: CompatibilityProfile, route: string, data: PhpValue): PhpValue {
  const names = new Map(Object.entries(profile.identifiers[route] ?? {}));
  const entries = entriesOf(data);
  if (entries.every(([member]) => (names.get(member) ?? member) === member)) return data;
  return toPhpArray(
    entries.map(([member, value]): [string, PhpValue] => [names.get(member) ?? member, value]),
  );
}

function pickMembers(data: PhpValue, members: readonly string[]): PhpValue {
  const entries = new Map(entriesOf(data));
  return toPhpArray(
    members.flatMap((member): Array<[string, PhpValue]> => {
      const value = entries.get(member);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}
