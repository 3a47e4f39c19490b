// What a search means, after parsing: terms that must all hold. data/searching/ makes SQL of them.
import type { Level } from '../../../schemas/event.ts';

export const searchCharsMax = 2_000;
export const searchTermsMax = 20;
export const searchValuesMax = 20;

/** Literal parts between wildcards: `a*b` is `['a', 'b']`; one part is the whole value. */
export type Pattern = readonly string[];

/** Both ends inclusive. */
export interface NumberRange {
  readonly from: number | null;
  readonly to: number | null;
}

export const issueStates = [
  'unresolved',
  'resolved',
  'ignored',
  'regressed',
  'new',
  'ongoing',
  'for_review',
  'assigned',
  'unassigned',
] as const;
export type IssueStateName = (typeof issueStates)[number];

export type UserKeyKind = 'id' | 'email' | 'username' | 'ip';

export type PatternField =
  | 'message'
  | 'transaction'
  | 'type'
  | 'file'
  | 'function'
  | 'platform'
  | 'release'
  | 'first_release'
  | 'environment'
  | 'dist'
  | 'sdk.name'
  | 'id';

/** Id of a member, a team, or nobody. */
export type AssigneeTerm = number | { readonly team: number } | 'nobody';

export type HasField = 'release' | 'environment' | 'user' | 'assigned' | 'link' | 'dist';

export interface ProjectRelease {
  readonly projectId: number;
  readonly release: string;
}

/** A negated term holds where the same term without `!` does not. */
export type SearchTerm = { readonly negated: boolean } & (
  | { readonly field: 'text'; readonly patterns: readonly Pattern[] }
  | { readonly field: 'is'; readonly states: readonly IssueStateName[] }
  | { readonly field: 'level'; readonly levels: readonly Level[] }
  | { readonly field: PatternField; readonly patterns: readonly Pattern[] }
  | { readonly field: 'latest_release' | 'latest_first'; readonly releases: readonly ProjectRelease[] }
  | { readonly field: 'project'; readonly ids: readonly number[] }
  /** With `isName`, the value is followed by nothing or by a version: `Chrome` is also `Chrome 141`. */
  | {
      readonly field: 'tag';
      readonly tag: string;
      readonly patterns: readonly Pattern[];
      readonly isName: boolean;
    }
  | { readonly field: 'user'; readonly by: UserKeyKind | 'any'; readonly values: readonly string[] }
  | { readonly field: 'assigned'; readonly to: readonly AssigneeTerm[] }
  | { readonly field: 'issue'; readonly ids: readonly number[] }
  | {
      readonly field: 'first_seen' | 'last_seen' | 'received' | 'events' | 'users';
      readonly ranges: readonly NumberRange[];
    }
  | { readonly field: 'has'; readonly what: HasField }
  | { readonly field: 'has_tag'; readonly tag: string }
);

export type ResolvedTerm =
  | Exclude<SearchTerm, { readonly field: 'user' }>
  | { readonly negated: boolean; readonly field: 'user_hashes'; readonly hashes: readonly string[] };

/** Positions are UTF-16 units of the text; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SearchMistake extends Span {
  /** One sentence. Names are between backticks. */
  readonly message: string;
  readonly suggestion?: string;
}

interface SearchToken extends Span {
  readonly negated: boolean;
  /** Null for free text; without the colon. */
  readonly key: (Span & { readonly text: string }) | null;
  /** What follows the colon, or the free text; with quotes, brackets and comparison. */
  readonly value: Span;
  /** Whether a mistake is in it; then no term was made of it. */
  readonly isWrong: boolean;
}

export interface ParsedSearch {
  readonly terms: readonly SearchTerm[];
  readonly mistakes: readonly SearchMistake[];
  readonly tokens: readonly SearchToken[];
}

export interface SearchContext {
  readonly nowMs: number;
  readonly of: 'issues' | 'events';
  /** Of all that are looked at: tag names that are stored; they need to include those of the text only. */
  readonly tags: ReadonlySet<string>;
  /** Not removed. */
  readonly members: ReadonlyArray<{
    readonly id: number;
    readonly name: string;
    readonly email: string | null;
  }>;
  readonly teams: ReadonlyArray<{
    readonly id: number;
    readonly name: string;
    readonly members: ReadonlyArray<{ readonly id: number }>;
  }>;
  readonly projects: ReadonlyArray<{ readonly id: number; readonly name: string }>;
  /** Who searches; null for a key or the workspace's token, to whom nothing is assigned. */
  readonly memberId: number | null;
  readonly latestReleases: readonly ProjectRelease[];
  readonly releases: readonly string[];
}

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

export interface SearchNameStore {
  /** Those of `names` that are tags of an issue. */
  findStoredTags(projectIds: readonly number[], names: readonly string[]): Promise<string[]>;
  /** In alphabetical order, at most `limit`. */
  listTagNames(projectIds: readonly number[], limit: number): Promise<string[]>;
  /** The newest release of each package, registered or only seen; of at most 100 projects. */
  listLatestReleases(projectIds: readonly number[]): Promise<ProjectRelease[]>;
  /** Values that begin with `prefix` (in any case of ASCII), of most issues first. */
  listTagValues(
    projectIds: readonly number[],
    tag: string,
    prefix: string,
    limit: number,
  ): Promise<NamedCount[]>;
  listPlaceNames(
    projectIds: readonly number[],
    field: 'release' | 'environment',
    prefix: string,
    limit: number,
  ): Promise<NamedCount[]>;
}
