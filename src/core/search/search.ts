import type { Deps } from '../deps.ts';
import { createInvalidParamError } from '../errors.ts';
import { hashUserSearch } from '../events/user-hash.ts';
import type { ParsedSearch, ResolvedTerm, SearchContext, SearchTerm } from '../store/search-terms.ts';
import { listUnknownKeys, parseSearch } from './parse-search.ts';

/** Tag names among which the nearest of an unknown key is searched. */
const tagNamesMax = 1_000;
const userProjectsMax = 250;
const userHashesMax = 1_000;
const releasesMax = 1_000;

export interface SearchScope {
  readonly projectIds: readonly number[];
  readonly of: SearchContext['of'];
  /** Who searches; null for a key, the command line and the workspace's token. */
  readonly memberId: number | null;
}

export interface ReadSearch extends ParsedSearch {
  readonly resolved: readonly ResolvedTerm[];
}

type ServiceDeps = Pick<Deps, 'store' | 'userHashKey' | 'now'>;

/** Reads a search against stored tags, members, releases and users. Mistakes are reported and left out. */
export async function readSearch(deps: ServiceDeps, text: string, scope: SearchScope): Promise<ReadSearch> {
  const parsed = parseSearch(text, await readContext(deps, text, scope));
  return { ...parsed, resolved: parsed.terms.map((term) => resolve(deps, term, scope.projectIds)) };
}

/** Throws 400 `rest_invalid_param` that names each mistake. */
export async function requireSearch(
  deps: ServiceDeps,
  text: string | undefined,
  scope: SearchScope,
): Promise<readonly ResolvedTerm[]> {
  if (text === undefined) return [];
  const { resolved, mistakes } = await readSearch(deps, text, scope);
  if (mistakes.length === 0) return resolved;
  throw createInvalidParamError({ query: mistakes.map(({ message }) => message).join(' ') });
}

async function readContext(
  { store, now }: ServiceDeps,
  text: string,
  scope: SearchScope,
): Promise<SearchContext> {
  const { projectIds, of, memberId } = scope;
  const nowMs = now();
  const names = listUnknownKeys(text);
  const isAssigned = /assign/i.test(text);
  const [stored, members, teams, latestReleases, releases, projects] = await Promise.all([
    store.findStoredTags(projectIds, names),
    isAssigned ? store.listMembers(nowMs) : [],
    isAssigned ? store.listTeams() : [],
    /:latest\b/.test(text) ? store.listLatestReleases(projectIds) : [],
    /release\.\w/i.test(text) ? store.listPlaceNames(projectIds, 'release', '', releasesMax) : [],
    /project/i.test(text) ? store.listProjects() : [],
  ]);
  const isUnknown = stored.length < names.length;
  const otherNames = isUnknown ? await store.listTagNames(projectIds, tagNamesMax) : [];
  return {
    ...{ nowMs, of, members, teams, memberId, latestReleases, tags: new Set([...stored, ...otherNames]) },
    releases: releases.map(({ name }) => name),
    projects: projects.filter(({ id }) => projectIds.includes(id)),
  };
}

function resolve(
  { userHashKey }: ServiceDeps,
  term: SearchTerm,
  projectIds: readonly number[],
): ResolvedTerm {
  if (term.field !== 'user') return term;
  const hashes =
    userHashKey === undefined
      ? []
      : projectIds
          .slice(0, userProjectsMax)
          .flatMap((id) => term.values.flatMap((value) => hashUserSearch(value, userHashKey, id, term.by)));
  return { field: 'user_hashes', negated: term.negated, hashes: hashes.slice(0, userHashesMax) };
}
