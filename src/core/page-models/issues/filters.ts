// Reads the query of the issue list. Unknown or invalid values are ignored.
import { levels } from '../../../../schemas/event.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { queryCharactersMax } from '../../saved-views/saved-views.ts';
import { type IssueCursor, type IssueSort, issueSorts } from '../../store/issue-queries.ts';
import { enumParam, textParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { defaultRange, isRange, readTypedRange } from './range.ts';
import type { SavedViewTab } from './views.ts';

const textCharsMax = 200;
const tagsMax = 5;

export type IssueFilters = ReturnType<typeof readIssueFilters>['filters'];

export const defaultSort = 'last_seen';

/** Without a query the current view's own search, without a view the default one. */
export function readIssueFilters(context: RequestContext, views: readonly SavedViewTab[]) {
  const { query: params, settings } = context;
  const text = (name: string): string | null => textParam(context, name);
  const zone = text('zone') === null ? null : settings.timeZone;
  const [from, to] = [text('from'), text('to')];
  const typed = from === null && to === null ? null : readTypedRange(from ?? '', to ?? '', settings.timeZone);
  const range = typed?.range ?? text('range');
  const written = queryOf(params);
  const current = currentView(views, text('view'), written);
  const query = written ?? current?.query ?? '';
  const filters = {
    view: current?.view ?? null,
    query,
    /** `1h`, `24h`, `7d`, `14d`, `30d`, `90d`, or `FROM..TO`. */
    range: range !== null && isRange(range) ? range : defaultRange,
    environment: text('environment'),
    sort: enumParam(context, 'sort', issueSorts) ?? (written === null ? current?.sort : null) ?? defaultSort,
    /** Shows the page in this time zone; null for the one that the member set. */
    zone,
  };
  return { filters, current, typed };
}

function currentView(
  views: readonly SavedViewTab[],
  name: string | null,
  query: string | null,
): SavedViewTab | null {
  const named = views.find(({ view }) => view === name);
  if (named !== undefined) return named;
  if (query === null) return views.find(({ is_default: isDefault }) => isDefault) ?? null;
  return views.find((view) => view.query === query) ?? null;
}

/** `query`, or the search that the former parameters (`state`, `level`, `tag`…) stand for; null without any. */
function queryOf(params: URLSearchParams): string | null {
  const query = params.get('corrected') ?? params.get('query');
  if (query !== null) return cutText(query.trim().replaceAll(/\s+/g, ' '), queryCharactersMax);
  const text = (name: string): string | null => textParam({ query: params }, name);
  const pair = (key: string, value: string | null): string[] =>
    value === null ? [] : [`${key}:${quoted(value)}`];
  const tags = params
    .getAll('tag')
    .map((tag) => /^([^:\s]+):(.+)$/su.exec(tag.trim().slice(0, 2 * textCharsMax)))
    .filter((tag) => tag !== null)
    .slice(0, tagsMax)
    .flatMap(([, name = '', value = '']) => pair(`tags[${name}]`, value));
  const assignee = text('who');
  const rest = [
    ...pair('level', enumParam({ query: params }, 'level', levels)),
    ...pair('release', text('release')),
    ...tags,
    ...pair('user', text('user')),
    ...pair('assigned', assignee === 'nobody' ? 'none' : assignee),
    ...(text('q') ?? '').split(/\s+/).map((word) => (/[:"[\]!*]/.test(word) ? quoted(word) : word)),
  ].filter((part) => part !== '');
  const state = params.get('state');
  if (rest.length === 0 && state === null) return null;
  const is = state === null ? 'is:unresolved' : (stateWords[state] ?? 'is:unresolved');
  return [is, ...rest].filter((part) => part !== '').join(' ');
}

const stateWords: Readonly<Record<string, string>> = {
  open: 'is:unresolved',
  new: 'is:new',
  regressed: 'is:regressed',
  ignored: 'is:ignored',
  resolved: 'is:resolved',
  all: '',
};

/** A value of a search; in quotes unless it is one plain word. */
export function quoted(value: string): string {
  return /^[\w.@/+-]+$/.test(value) ? value : `"${value.replaceAll(/["*]/g, String.raw`\$&`)}"`;
}

export function encodeCursor(sort: IssueSort, { value, id }: IssueCursor): string {
  return Buffer.from(`${sort} ${value} ${id}`).toString('base64url');
}

/** Null for an invalid cursor, or one of another order. */
export function decodeCursor(sort: IssueSort, cursor: string | null): IssueCursor | null {
  const read = /^(\w+) (-?\d{1,15}) ([1-9]\d{0,14})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString());
  return read === null || read[1] !== sort ? null : { value: Number(read[2]), id: Number(read[3]) };
}
