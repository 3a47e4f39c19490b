// A body that is too much to be read where it came in: what is needed to read and check it elsewhere, and
// what comes back. Both are plain data. Where "elsewhere" is, the program says.

import { scrubBadBytes } from '../php/text.ts';
import { entriesOf, isPhpArray, type PhpValue, type PlainValue, toPlain } from '../php/values.ts';
import { fromPortable, type PortableArguments, portableArguments } from '../request/args-from-zod.ts';
import type { BodyPolicy } from '../request/body-policy.ts';
import type { FormLimits, FormSource } from '../request/form-body.ts';
import type { Parameters, ReadParameters } from '../request/parameters.ts';
import { type Arguments, RestRequest } from '../request/rest-request.ts';
import { takeBytes } from '../request/take-body.ts';
import type { WpError } from '../response/wp-error.ts';
import { checkAll } from './dispatch.ts';

/** A request with a body that waits to be read. */
export type BodyWork = {
  readonly method: string;
  readonly route: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** The HTTP method and Content-Type as they came, by which PHP reads forms. */
  readonly incoming: FormSource;
  readonly query: Parameters;
  readonly path: Parameters;
  readonly defaults: Parameters;
  readonly args: PortableArguments;
  readonly bytes: Uint8Array;
  readonly policy: BodyPolicy;
  readonly limits: FormLimits;
  readonly jsonDepth: number | undefined;
};

/** From this size on a body may hold more values than a thread has room for. */
const roomyBytesMax = 1_048_576;
/** Values that are made of such a body, at most: those that come first in the declared parameters. */
const madeValuesMax = 200_000;

/** Values that come back of one body, at most: those nearest to the surface, declared parameters first. */
const valuesMax = 500;

/**
 * What to hand on of a request whose body was set aside; null for another, and where its arguments cannot
 * leave this thread.
 */
export function bodyWorkOf(request: RestRequest): BodyWork | null {
  const { setAside, incoming } = request;
  if (setAside === null || incoming === null) return null;
  const args = portableArguments(request.handler?.args ?? {});
  if (args === null) return null;
  return {
    method: request.method,
    route: request.route,
    headers: request.headerEntries(),
    incoming: {
      method: incoming.method ?? '',
      headers: { 'content-type': incoming.headers['content-type'] ?? '' },
    },
    query: request.parameters.GET,
    path: request.parameters.URL,
    defaults: request.parameters.defaults,
    args,
    bytes: request.body,
    policy: setAside.policy,
    limits: setAside.limits,
    jsonDepth: request.jsonDepth,
  };
}

/** Reads and checks a body in this thread after all. */
export function readHere(request: RestRequest): true | WpError {
  const { setAside, incoming } = request;
  request.setAside = null;
  if (setAside !== null && incoming !== null) {
    takeBytes(request, incoming, request.body, setAside.policy, setAside.limits);
  }
  return checkAll(request);
}

/**
 * The request with its body read and its arguments checked as they would have been where it came in, and the
 * outcome.
 */
export function performBodyWork(work: BodyWork): { request: RestRequest; checked: true | WpError } {
  const request = new RestRequest(work.method, work.route, new Map(work.headers));
  request.jsonDepth = work.jsonDepth;
  request.parameters.GET = work.query;
  request.parameters.URL = work.path;
  request.parameters.defaults = work.defaults;
  request.handler = { methods: [], args: fromPortable(work.args), callback: () => null };
  if (work.bytes.length > roomyBytesMax) {
    const names = new Set([...work.args.map(({ name }) => name), ...serverWords]);
    request.jsonBounds = { valuesMax: madeValuesMax, names };
  }
  const bytes = Buffer.from(work.bytes.buffer, work.bytes.byteOffset, work.bytes.byteLength);
  takeBytes(request, work.incoming, bytes, work.policy, work.limits);
  return { request, checked: checkAll(request) };
}

/** Parameters that WordPress takes from a body whatever the route. */
export const serverWords: readonly string[] = ['_fields', '_pretty'];

/**
 * The parameters of a body that was read, cut to what is quickly taken in. `keeps` chooses among their names.
 */
export function readParametersOf(
  request: RestRequest,
  keeps: (name: string) => boolean = () => true,
): ReadParameters {
  const { JSON: json, POST } = request.parameters;
  const args = request.handler?.args ?? {};
  const room: Room = { left: valuesMax, known: namesIn(args) };
  const kind = request.jsonKind();
  return {
    json: kind === 'array' ? bounded(json, args, keeps, room) : null,
    scalar: kind === 'scalar' ? toPlain(request.jsonValue()) : null,
    form: bounded(POST, args, keeps, room),
    fileParams: toPlain(request.fileParams),
    files: request.files,
  };
}

/** A value cut to so many, members of the known names first. */
export function boundedPlain(value: PhpValue, known: ReadonlySet<string>, left: number): PlainValue {
  if (!isPhpArray(value)) return toPlain(value);
  const made: Container['made'] = Array.isArray(value) ? [] : Object.create(null);
  fill([{ source: value, made }], { left, known });
  return made;
}

/**
 * Members while there is room: declared ones, then the others. The arguments were checked whole; a schema
 * that a route has beside them allows far fewer values than fit in.
 */
function bounded(
  parameters: Parameters,
  args: Arguments,
  keeps: (name: string) => boolean,
  room: Room,
): Array<readonly [string, PlainValue]> {
  const kept = [...parameters].filter(([name]) => keeps(name));
  const made: { [name: string]: PlainValue } = Object.create(null);
  const isDeclared = ([name]: readonly [string, PhpValue]) => Object.hasOwn(args, name);
  fill([{ source: new Map(kept.filter(isDeclared)), made }], room);
  fill([{ source: new Map(kept.filter((entry) => !isDeclared(entry))), made }], room);
  // In the order in which they came.
  return kept.filter(([name]) => Object.hasOwn(made, name)).map(([name]) => [name, made[name] as PlainValue]);
}

/** How many values may still be made, and the names that routes know, which come first. */
type Room = { left: number; readonly known: ReadonlySet<string> };

type Container = { readonly source: PhpValue; readonly made: PlainValue[] | { [name: string]: PlainValue } };

/** Copies containers level by level, so that what lies deep is lost before what lies on the surface. */
function fill(root: readonly Container[], room: Room): void {
  for (let level = root; level.length > 0; ) {
    const next: Container[] = [];
    for (const container of level) copyMembers(container, 'known', room, next);
    for (const container of level) copyMembers(container, 'other', room, next);
    level = next;
  }
}

/**
 * Copies the known or the other members of a container as far as there is room; elements of lists count as
 * known.
 */
function copyMembers(
  { source, made }: Container,
  which: 'known' | 'other',
  room: Room,
  next: Container[],
): void {
  if (Array.isArray(made) && which === 'other') return;
  for (const [name, member] of entriesOf(source)) {
    if (room.left <= 0) return;
    if (!Array.isArray(made) && room.known.has(name) !== (which === 'known')) continue;
    room.left -= 1;
    const value = isPhpArray(member) ? (Array.isArray(member) ? [] : Object.create(null)) : toPlain(member);
    if (isPhpArray(member)) next.push({ source: member, made: value });
    if (Array.isArray(made)) made.push(value);
    else made[scrubBadBytes(name)] = value;
  }
}

/** The names that a schema knows, of parameters and of what is inside of them. */
function namesIn(schemas: object, names: Set<string> = new Set()): ReadonlySet<string> {
  for (const [name, schema] of Object.entries(schemas)) {
    names.add(name);
    const { properties, items } = schema as { properties?: object; items?: { properties?: object } };
    for (const inner of [properties, items?.properties]) if (inner !== undefined) namesIn(inner, names);
  }
  return names;
}
