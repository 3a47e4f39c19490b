// Derives a compatibility profile from a recording, without what would override the specification.

import {
  type CompatibilityProfile,
  compatibilityProfile,
  findOverrides,
  fixedMemberNames,
} from '../../schemas/compatibility-profile.ts';
import { defaultProfile } from '../../schemas/default-profile.ts';
import { connectionHeaders } from './diff.ts';
import { isRecord, jsonOf, type RecordedExchange, valueAt } from './exchange.ts';
import { flagMembers, statisticsMembers } from './expectations.ts';
import { type IndexRoute, readIndex } from './namespace-index.ts';
import { refusalSituations, successSituations } from './situations.ts';

export interface DerivedProfile {
  readonly profile: CompatibilityProfile;
  /** What was observed but cannot be learned. */
  readonly notes: readonly string[];
}

type Draft = {
  -readonly [Member in keyof CompatibilityProfile]: CompatibilityProfile[Member];
};

/** Requests are identified by the suite's names. `index`: the namespace index, if the recording has none. */
export function deriveProfile(
  recording: readonly RecordedExchange[],
  options: { readonly name: string; readonly index?: unknown },
): DerivedProfile {
  const answers = new Map(recording.map((each) => [each.id, each]));
  const notes: string[] = [];
  const draft: Draft = compatibilityProfile.parse({ dialect: 1, name: options.name });
  learnSuccess(draft, answers, notes);
  learnRefusals(draft, answers, notes);
  learnOrder(draft, answers);
  learnHeaders(draft, recording);
  learnArguments(draft, options.index ?? jsonOf(answers.get('namespace-index')?.response.body ?? ''));
  const profile = withoutOverrides(draft, notes);
  return { profile, notes: [...new Set(notes)] };
}

type Answers = ReadonlyMap<string, RecordedExchange>;

function learnSuccess(draft: Draft, answers: Answers, notes: string[]): void {
  for (const { request, route, kind } of successSituations) {
    const answer = answers.get(request)?.response;
    if (answer === undefined) continue;
    const json = jsonOf(answer.body ?? '');
    if (answer.status < 200 || answer.status > 299 || !isRecord(json)) {
      notes.push(`${route} (${request}) was answered ${answer.status}: its success was not seen`);
      continue;
    }
    draft.success[route] = { ...draft.success[route], [kind]: answer.status };
    const names = route === 'POST /sdk-verify' ? containersOf(json) : identifiersOf(route, json);
    if (Object.keys(names).length > 0) draft.identifiers[route] = names;
    const members = Object.keys(json);
    const missing = fixedMemberNames(draft, route, kind).filter((member) => !members.includes(member));
    for (const member of missing) {
      notes.push(`${route} answered no ${member}, which the specification fixes: ours stays`);
    }
    draft.members[route] = { ...draft.members[route], [kind]: [...missing, ...members] };
  }
}

/** Ours is missing and there is exactly one other that looks like an identifier: it was renamed. */
function identifiersOf(route: string, json: Record<string, unknown>): Record<string, string> {
  const specified = Object.keys(defaultProfile.identifiers[route] ?? {});
  const fixed = ['event_id', 'issue_id', 'test_run_id'];
  const candidates = Object.keys(json).filter(
    (member) =>
      /(?:^|_)(?:id|uuid|token)$|^(?:report|release|deploy|proof)$/i.test(member) && !fixed.includes(member),
  );
  const missing = specified.filter((member) => !Object.hasOwn(json, member));
  const unknown = candidates.filter((member) => !specified.includes(member) && isIdentifier(json[member]));
  const [from, to] = [missing[0], unknown[0]];
  return missing.length === 1 && unknown.length === 1 && from !== undefined && to !== undefined
    ? { [from]: to }
    : {};
}

/** The specification requires flags and statistics but does not name them. */
function containersOf(json: Record<string, unknown>): Record<string, string> {
  const names: Record<string, string> = {};
  const flags = flagMembers(json)[0];
  const statistics = statisticsMembers(json)[0];
  if (flags !== undefined && !Object.hasOwn(json, 'flags')) names['flags'] = flags;
  if (statistics !== undefined && !Object.hasOwn(json, 'stats')) names['stats'] = statistics;
  return names;
}

function learnRefusals(draft: Draft, answers: Answers, notes: string[]): void {
  for (const { request, route, situations } of refusalSituations) {
    const answer = answers.get(request)?.response;
    if (answer === undefined) continue;
    const json = jsonOf(answer.body ?? '');
    const [code, message, data] = ['code', 'message', 'data'].map((member) => valueAt(json, member));
    if (answer.status < 400 || typeof code !== 'string' || code === '' || !isRecord(data)) {
      notes.push(
        `${request} was answered ${answer.status} without an error body: nothing to word ${situations[0]} by`,
      );
      continue;
    }
    if (isCodeOfOtherSituation(code, situations)) continue;
    const refusal = {
      status: answer.status,
      code,
      ...(typeof message === 'string' && message !== '' ? { message: message.slice(0, 1000) } : {}),
      data: Object.keys(data).filter((member) => member !== 'status'),
    };
    for (const situation of situations) setRefusal(draft, route, situation, refusal);
  }
}

/** Messages that WordPress composes per request, for parameters and routes. */
function isCodeOfOtherSituation(code: string, situations: readonly string[]): boolean {
  const composed = [
    'rest_missing_callback_param',
    'rest_invalid_param',
    'rest_no_route',
    'rest_invalid_json',
  ];
  const codeBySituation = { no_route: 'rest_no_route', invalid_json: 'rest_invalid_json' } as Record<
    string,
    string | undefined
  >;
  return composed.includes(code) && !situations.some((situation) => codeBySituation[situation] === code);
}

function setRefusal(
  draft: Draft,
  route: string | null,
  situation: string,
  refusal: CompatibilityProfile['refusals'][string],
): void {
  if (route === null) {
    draft.refusals[situation] = refusal;
    return;
  }
  if (JSON.stringify(draft.refusals[situation]) === JSON.stringify(refusal)) return;
  draft.route_refusals[route] = { ...draft.route_refusals[route], [situation]: refusal };
}

function learnOrder(draft: Draft, answers: Answers): void {
  const seen = ['no-key-missing', 'no-key-not-json'].map((name) => answers.get(name)?.response.status);
  if (seen.includes(400)) draft.order = 'wordpress';
}

/** Our headers, and the exchanges in which we send them. */
const ourHeaders: ReadonlyArray<readonly [name: string, sent: (each: RecordedExchange) => boolean]> = [
  ['Cross-Origin-Resource-Policy', () => true],
  ['Access-Control-Max-Age', ({ request }) => request.method === 'OPTIONS'],
  ['ETag', ({ id }) => id === 'sdk-verify'],
  ['RateLimit', ({ id }) => id === 'store-event'],
  ['RateLimit-Policy', ({ id }) => id === 'store-event'],
  ['Retry-After', ({ response }) => response.status === 429],
  ['X-Sentry-Rate-Limits', ({ id, response }) => id === 'limit-store' && response.status === 429],
];

const wordedHeaders = [
  'X-Robots-Tag',
  'X-Content-Type-Options',
  'Access-Control-Expose-Headers',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Max-Age',
  'Cross-Origin-Resource-Policy',
];

const passingHeaders: ReadonlySet<string> = new Set(
  [
    ...wordedHeaders,
    ...ourHeaders.map(([name]) => name),
    'Content-Type',
    'Link',
    'Allow',
    'Location',
    'Expires',
    'Cache-Control',
    'Vary',
    'ETag',
    'X-WP-Total',
    'X-WP-TotalPages',
    'Access-Control-Allow-Origin',
  ].map((name) => name.toLowerCase()),
);

function learnHeaders(draft: Draft, recording: readonly RecordedExchange[]): void {
  const { headers } = draft;
  for (const [name, sent] of ourHeaders) {
    const exchanges = recording.filter(sent);
    if (exchanges.length > 0 && exchanges.every((each) => headerIn(each, name) === null))
      headers.omit.push(name);
  }
  for (const name of wordedHeaders) {
    const values = new Set(recording.map((each) => headerIn(each, name)).filter((value) => value !== null));
    const [value] = values;
    if (values.size === 1 && value !== undefined) headers.values[name] = value;
    if (values.size === 0 && !headers.omit.includes(name)) headers.omit.push(name);
  }
  const api = recording.filter(isApiAnswer);
  headers.add = alwaysPresent(recording);
  headers.add_to_answers = notIn(alwaysPresent(api), headers.add);
  headers.order = (
    api.toSorted((a, b) => b.response.headers.length - a.response.headers.length)[0]?.response.headers ?? []
  )
    .map(([name]) => name)
    .filter((name) => !connectionHeaders.has(name.toLowerCase()));
  const withOrigin = api.filter((each) => each.request.headers.some(([name]) => /^origin$/i.test(name)));
  headers.add_with_origin = notIn(alwaysPresent(withOrigin), { ...headers.add, ...headers.add_to_answers });
}

function notIn(found: Record<string, string>, known: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !Object.hasOwn(known, name)));
}

/** Not JSONP, pages or envelopes, whose headers differ. */
function isApiAnswer(each: RecordedExchange): boolean {
  return (
    !/[?&]_envelope/.test(each.request.path) &&
    /^application\/json/i.test(headerIn(each, 'Content-Type') ?? '')
  );
}

function alwaysPresent(recording: readonly RecordedExchange[]): Record<string, string> {
  const [first, ...rest] = recording;
  const found: Record<string, string> = Object.create(null);
  for (const [name, value] of first?.response.headers ?? []) {
    const lower = name.toLowerCase();
    if (passingHeaders.has(lower) || connectionHeaders.has(lower)) continue;
    if (rest.every((each) => headerIn(each, name) === value)) found[name] = value;
  }
  return found;
}

function headerIn(each: RecordedExchange, name: string): string | null {
  const lower = name.toLowerCase();
  return each.response.headers.findLast(([header]) => header.toLowerCase() === lower)?.[1] ?? null;
}

function learnArguments(draft: Draft, index: unknown): void {
  for (const { name, args } of readIndex(index) ?? []) {
    if (isOurs(name)) draft.arguments[name] = args;
  }
}

function isOurs(name: IndexRoute['name']): boolean {
  return Object.hasOwn(defaultProfile.success, name);
}

function withoutOverrides(draft: Draft, notes: string[]): CompatibilityProfile {
  const plain = JSON.parse(JSON.stringify(draft)) as Record<string, unknown>;
  for (const { rule, path, message } of findOverrides(draft)) {
    notes.push(`not learned (${rule}) at ${path.join('.')}: ${message}`);
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : null), plain);
    if (isRecord(parent)) delete parent[path.at(-1) ?? ''];
  }
  return compatibilityProfile.parse(plain);
}

function isIdentifier(value: unknown): boolean {
  return Number.isInteger(value) || (typeof value === 'string' && value !== '' && value.length <= 100);
}
