import type { ProjectRelease } from './search-terms.ts';

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
    place: 'release' | 'environment',
    prefix: string,
    limit: number,
  ): Promise<NamedCount[]>;
}
