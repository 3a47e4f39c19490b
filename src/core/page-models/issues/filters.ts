// Reads the query of the issue list. Unknown or invalid values are ignored.

import { type Level, levels } from '../../../../schemas/event.ts';
import { hashUserSearch } from '../../events/user-hash.ts';
import { dayMs, hourMs, startOfHour } from '../../parsing/durations.ts';
import { parseTime } from '../../parsing/timestamps.ts';
import { searchCharsMax } from '../../store/search-terms.ts';
import {
  type IssueCursor,
  type IssueListFilter,
  type IssueSort,
  type IssueTab,
  issueSorts,
  issueTabs,
} from '../../store/issue-queries.ts';
import { type RequestContext, viewedProjects } from '../request-context.ts';

const textCharsMax = 200;
const tagsMax = 5;
/** Limits on projects per list, and per search for a user. */
const projectsMax = 1_000;
const userProjectsMax = 250;

export interface IssueFilters {
  readonly state: IssueTab;
  /** Sentry's syntax (docs/search.md); with it, all states are listed unless one is asked for. */
  readonly query: string | null;
  readonly q: string | null;
  /** `24h`, `7d`, `30d`, `90d`, or `FROM..TO`. */
  readonly range: string;
  readonly level: Level | null;
  readonly environment: string | null;
  readonly release: string | null;
  /** `name:value`. */
  readonly tag: readonly string[];
  readonly user: string | null;
  /** `me`, `nobody` or a member id. */
  readonly who: string | null;
  readonly sort: IssueSort;
}

export const defaultState = 'open';
export const defaultRange = '7d';
export const defaultSort = 'last_seen';

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether it includes the current hour. */
  readonly isOpen: boolean;
  readonly stepMs: number;
}

const ranges: Readonly<Record<string, { readonly ms: number; readonly stepMs: number }>> = {
  '24h': { ms: dayMs, stepMs: hourMs },
  '7d': { ms: 7 * dayMs, stepMs: 2 * hourMs },
  '30d': { ms: 30 * dayMs, stepMs: 12 * hourMs },
  '90d': { ms: 90 * dayMs, stepMs: dayMs },
};

const barsMax = 96;
const rangeMsMax = 366 * dayMs;

export function readIssueFilters(query: URLSearchParams): IssueFilters {
  const text = (name: string): string | null => query.get(name)?.trim().slice(0, textCharsMax) || null;
  const who = text('who');
  const range = text('range');
  const tags = query
    .getAll('tag')
    .map((tag) => tag.trim().slice(0, 2 * textCharsMax))
    .filter((tag) => /^[^:]+:./su.test(tag));
  const searched = query.get('query')?.trim().slice(0, searchCharsMax) || null;
  return {
    state: oneOf(issueTabs, query.get('state')) ?? (searched === null ? defaultState : 'all'),
    query: searched,
    q: text('q'),
    range: range !== null && (range in ranges || parseRange(range) !== null) ? range : defaultRange,
    level: oneOf(levels, query.get('level')),
    environment: text('environment'),
    release: text('release'),
    tag: [...new Set(tags)].slice(0, tagsMax),
    user: text('user'),
    who: who !== null && /^(?:me|nobody|[1-9]\d{0,14})$/.test(who) ? who : null,
    sort: oneOf(issueSorts, query.get('sort')) ?? defaultSort,
  };
}

function oneOf<Word extends string>(words: readonly Word[], word: string | null): Word | null {
  return words.find((each) => each === word) ?? null;
}

export function resolveRange(range: string, nowMs: number): TimeRange {
  const known = Object.hasOwn(ranges, range) ? ranges[range] : undefined;
  if (known !== undefined) {
    const toMs = Math.floor(nowMs / known.stepMs) * known.stepMs + known.stepMs;
    return { fromMs: toMs - known.ms, toMs, isOpen: true, stepMs: known.stepMs };
  }
  const [fromMs, toMs] = parseRange(range) ?? [startOfHour(nowMs), startOfHour(nowMs) + hourMs];
  const hours = Math.round((toMs - fromMs) / hourMs);
  const steps = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168];
  const step =
    steps.find((each) => hours / each <= barsMax && hours % each === 0) ?? Math.ceil(hours / barsMax);
  return { fromMs, toMs, isOpen: toMs > nowMs, stepMs: step * hourMs };
}

/** `FROM..TO`, extended to whole hours; null if invalid. */
function parseRange(range: string): readonly [number, number] | null {
  const [from, to, more] = range.split('..');
  if (from === undefined || to === undefined || more !== undefined) return null;
  if (!isDated(from) || !isDated(to)) return null;
  const [fromMs, toMs] = [parseTime(from), parseTime(to)];
  if (fromMs === null || toMs === null) return null;
  const whole = [startOfHour(fromMs), Math.ceil(toMs / hourMs) * hourMs] as const;
  return whole[1] > whole[0] && whole[1] - whole[0] <= rangeMsMax && whole[0] >= 0 ? whole : null;
}

/** Refuses bare numbers, which would also parse as a moment. */
function isDated(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text);
}

export function toStoreFilter(visit: RequestContext, asked: IssueFilters): IssueListFilter {
  const range = resolveRange(asked.range, visit.nowMs);
  return {
    projectIds: listedProjectIds(visit),
    fromMs: range.fromMs,
    toMs: range.isOpen ? null : range.toMs,
    search: asked.q ?? undefined,
    level: asked.level ?? undefined,
    environment: asked.environment ?? undefined,
    release: asked.release ?? undefined,
    tags: asked.tag.map(pairOf),
    userHashes: asked.user === null ? undefined : userHashes(visit, asked.user),
    assignedTo: assignedTo(visit, asked.who),
  };
}

export function listedProjectIds(visit: RequestContext): number[] {
  return viewedProjects(visit)
    .slice(0, projectsMax)
    .map(({ id }) => id);
}

function pairOf(tag: string): readonly [string, string] {
  const at = tag.indexOf(':');
  return [tag.slice(0, at), tag.slice(at + 1)];
}

/** Empty without a key for user hashes, so that nothing matches. */
function userHashes(visit: RequestContext, user: string): string[] {
  const key = visit.deps.userHashKey;
  if (key === undefined) return [];
  const ids = listedProjectIds(visit).slice(0, userProjectsMax);
  return ids.flatMap((projectId) => hashUserSearch(user, key, projectId));
}

/** Issues cannot be assigned to the workspace token, so `me` then matches nothing. */
function assignedTo({ visitor }: RequestContext, who: string | null): number | 'nobody' | undefined {
  if (who === null || who === 'nobody') return who ?? undefined;
  return who === 'me' ? (visitor.memberId ?? -1) : Number(who);
}

export function encodeCursor(sort: IssueSort, { value, id }: IssueCursor): string {
  return Buffer.from(`${sort} ${value} ${id}`).toString('base64url');
}

/** Null for an invalid cursor, or one of another order. */
export function decodeCursor(sort: IssueSort, cursor: string | null): IssueCursor | null {
  const read = /^(\w+) (-?\d{1,15}) ([1-9]\d{0,14})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString());
  return read === null || read[1] !== sort ? null : { value: Number(read[2]), id: Number(read[3]) };
}
