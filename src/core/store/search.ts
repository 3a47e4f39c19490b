// What a search over everything asks of the store: types alone.
import type { EpochMs } from '../reading/moments.ts';

/** What can be found, in the order of the places. */
export const foundKinds = [
  'issues',
  'feedback',
  'domains',
  'releases',
  'deploys',
  'test_runs',
  'artifacts',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** One thing that was found; what its texts are depends on its kind. */
export interface FoundThing {
  readonly kind: FoundKind;
  readonly id: number;
  readonly projectId: number;
  /** What it is called: a title, a message, a version, a name, a host. */
  readonly title: string;
  /** Where it is: a culprit, an address, an environment, a branch, a release. */
  readonly place: string;
  /** Its level or state; empty where it has none. */
  readonly state: string;
  readonly atMs: EpochMs;
}

/** An event, and the issue that stands for it. */
export interface FoundEvent {
  readonly projectId: number;
  readonly issueId: number;
  readonly eventId: string;
  readonly title: string;
  readonly receivedAtMs: EpochMs;
}

/** By what a thing can be named exactly. */
export type ExactName =
  | { readonly by: 'number'; readonly value: number }
  | { readonly by: 'version' | 'commit' | 'sha256' | 'host'; readonly value: string };

/** Every list is of at most 1,000 projects. */
export interface SearchStore {
  /** Things of one kind in which a text stands, the newest first. */
  findThings(
    kind: FoundKind,
    projectIds: readonly number[],
    text: string,
    limit: number,
  ): Promise<FoundThing[]>;
  /** What has exactly that name: an issue and a test run a number, releases and test runs a commit. */
  findNamed(projectIds: readonly number[], name: ExactName, limit: number): Promise<FoundThing[]>;
  /** Events of that id: each project may have one. */
  findEventsNamed(projectIds: readonly number[], eventId: string, limit: number): Promise<FoundEvent[]>;
}
