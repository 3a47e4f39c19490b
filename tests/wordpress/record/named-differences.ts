// The differences that have a name: decisions of ours, and what WordPress changed between Debian's version
// and 7.1. Each is undone on the side that has it; what is left must be the same.
import type { Answer } from '../exchanges.ts';
import type { FixtureRequest } from './requests.ts';

export interface Likeness {
  readonly named: readonly string[];
  /** What is left and has no name; null when nothing is. */
  readonly difference: string | null;
}

type Header = readonly [string, string];

interface Sides {
  readonly request: FixtureRequest;
  readonly ours: Side;
  readonly theirs: Side;
}

interface Side {
  readonly status: number;
  headers: Header[];
  body: string;
}

/** Takes a difference out where it is; true when it was there. */
type Undo = (sides: Sides) => boolean;

const namedDifferences: ReadonlyArray<readonly [string, Undo]> = [
  [
    'D-27: Cross-Origin-Resource-Policy is ours',
    ({ ours }) => dropLast(ours, 'Cross-Origin-Resource-Policy'),
  ],
  ['D-27: Access-Control-Max-Age on OPTIONS is ours', ({ ours }) => dropLast(ours, 'Access-Control-Max-Age')],
  [
    'D-27: Access-Control-Allow-Credentials is not sent',
    ({ theirs }) => drop(theirs, ['Access-Control-Allow-Credentials']),
  ],
  ['D-27: origins of apps and extensions are allowed as they are', undoAppOrigin],
  ['7.1: more words against caching, and before CORS', undoCacheWords],
  ['7.1: a refused JSONP callback has no CORS lists', undoCallbackLists],
  ['7.1: the index of the site tells of its front page', undoIndex],
];

/** Compares two answers to one request. */
export function alike(request: FixtureRequest, our: Answer, their: Answer): Likeness {
  const sides: Sides = { request, ours: sideOf(our), theirs: sideOf(their) };
  const named = namedDifferences.filter(([, undo]) => undo(sides)).map(([name]) => name);
  const difference = differenceOf(sides);
  if (request.differs === undefined) return { named, difference };
  // A difference by decision is checked for what it must be, and for being there at all.
  if (difference === null) {
    return { named, difference: `  is the same, although ${request.differs} says not` };
  }
  const isRight = decisionsSay[request.differs](sides);
  return isRight
    ? { named: [...named, decisionNames[request.differs]], difference: null }
    : { named, difference };
}

const decisionNames = {
  'D-10': 'D-10: the credential comes first',
  'D-17': 'D-17: JSON is read whatever the Content-Type says',
  'D-18': 'D-18: JSON nests at most 100 deep',
  'D-27': 'D-27: what writes is asked by a request of its own, without JSONP',
} as const;

const decisionsSay: Readonly<Record<NonNullable<FixtureRequest['differs']>, (sides: Sides) => boolean>> = {
  'D-10': ({ ours, theirs }) =>
    (ours.status === 401 && theirs.status === 400) || (ours.status !== 403 && theirs.status === 403),
  'D-17': ({ ours, theirs }) => ours.status === 200 && theirs.body.includes('"params":[]'),
  'D-18': ({ ours, theirs }) => ours.body.includes('"json_error_code":1,') && theirs.status === 200,
  'D-27': ({ ours, theirs }) =>
    theirs.status === 200 && /^\{"code":"rest_(?:no_route|callback_disabled)"/.test(ours.body),
};

function differenceOf({ ours, theirs }: Sides): string | null {
  const lines: string[] = [];
  const pairs: ReadonlyArray<readonly [string, string, string]> = [
    ['status', String(ours.status), String(theirs.status)],
    ['headers', JSON.stringify(ours.headers), JSON.stringify(theirs.headers)],
    ['body', ours.body, theirs.body],
  ];
  for (const [what, our, their] of pairs) {
    if (our !== their) {
      lines.push(`  ${what}\n    ours      ${cut(our, their)}\n    WordPress ${cut(their, our)}`);
    }
  }
  return lines.length === 0 ? null : lines.join('\n');
}

/** From a little before the first byte that differs. */
function cut(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return at < 200 ? text.slice(0, 600) : `…${text.slice(at - 100, at + 400)}`;
}

/** Of the connection or the moment, not of WordPress. */
const ignored = new Set([
  'date',
  'server',
  'x-powered-by',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

function sideOf({ status, headers, body }: Answer): Side {
  const kept = headers.filter(([name]) => !ignored.has(name.toLowerCase()));
  return { status, headers: kept, body: body.toString('utf8') };
}

function drop(side: Side, names: readonly string[]): boolean {
  const before = side.headers.length;
  side.headers = side.headers.filter(([name]) => !names.includes(name));
  return side.headers.length < before;
}

function dropLast(side: Side, name: string): boolean {
  if (side.headers.at(-1)?.[0] !== name) return false;
  side.headers.pop();
  return true;
}

/** WordPress sends "" for an origin whose scheme it does not know. */
function undoAppOrigin({ ours, theirs }: Sides): boolean {
  const name = 'Access-Control-Allow-Origin';
  const said = ours.headers.find((each) => each[0] === name)?.[1] ?? '';
  const at = theirs.headers.findIndex((each) => each[0] === name && each[1] === '');
  if (at === -1 || !/^[a-z][a-z0-9+.-]*:\/\//.test(said) || /^https?:/.test(said)) return false;
  theirs.headers[at] = [name, said];
  return true;
}

const cacheHeaders = ['Expires', 'Cache-Control'];

function undoCacheWords({ theirs }: Sides): boolean {
  const old = theirs.headers.find(([name]) => name === 'Cache-Control');
  if (old?.[1] !== 'no-cache, must-revalidate, max-age=0') return false;
  const moved = theirs.headers
    .filter(([name]) => cacheHeaders.includes(name))
    .map(([name, value]): Header => [name, name === 'Expires' ? value : `${value}, no-store, private`]);
  const rest = theirs.headers.filter(([name]) => !cacheHeaders.includes(name));
  const cors = rest.findIndex(([name]) => name === 'Access-Control-Allow-Origin' || name === 'Vary');
  rest.splice(cors < 0 ? rest.length : cors, 0, ...moved);
  theirs.headers = rest;
  return true;
}

function undoCallbackLists({ theirs }: Sides): boolean {
  if (!theirs.body.startsWith('{"code":"rest_callback_invalid"')) return false;
  return drop(theirs, ['Access-Control-Expose-Headers', 'Access-Control-Allow-Headers']);
}

/** Core's own routes and namespaces are not ours to have. */
function undoIndex({ request, ours, theirs }: Sides): boolean {
  if (!request.id.startsWith('index:')) return false;
  const sides = [ours, theirs].map((side) => {
    const index = JSON.parse(side.body) as Record<string, unknown>;
    const { page_for_posts: _posts, page_on_front: _front, show_on_front: _show, ...rest } = index;
    side.body = JSON.stringify({ ...rest, routes: null, namespaces: null });
    return 'page_for_posts' in index;
  });
  return sides[0] !== sides[1];
}
