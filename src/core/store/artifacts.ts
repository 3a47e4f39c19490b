// Artifacts, and events that wait for them, as the store keeps them: types alone.

import type { EpochMs } from '../reading/moments.ts';
import type { Grouping, PackedPayload } from './events.ts';
import type { ListWindow, Page, Slice, Sliced } from './page.ts';

/** Kinds of content, as Sentry's bundles name them. */
export const artifactTypes = ['minified_source', 'source_map', 'source'] as const;

export type ArtifactType = (typeof artifactTypes)[number];

export interface Artifact {
  readonly id: number;
  readonly projectId: number;
  /** Null for an artifact that is found by its debug id alone. */
  readonly release: string | null;
  readonly dist: string | null;
  /** `~/path`, an http(s) address, or a pattern with `*`. */
  readonly name: string;
  readonly type: ArtifactType;
  readonly debugId: string | null;
  /** Where a script says its map is, as written. */
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  /** Plain bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly createdAtMs: EpochMs;
  readonly replacedAtMs: EpochMs | null;
}

export type NewArtifact = Omit<Artifact, 'id' | 'createdAtMs' | 'replacedAtMs'>;

export interface RecordedArtifact {
  readonly artifact: Artifact;
  /** The same content stood under that name already. */
  readonly duplicate: boolean;
}

export interface ArtifactFilter extends ListWindow {
  readonly release?: string | undefined;
  readonly debugId?: string | undefined;
  readonly search?: string | undefined;
  readonly descending: boolean;
}

/** A content that is one piece. */
export interface SmallContent {
  readonly sha256: string;
  /** Plain bytes. */
  readonly size: number;
  /** The whole gzip stream. */
  readonly bytes: Uint8Array;
}

export interface ArtifactLookFilter {
  readonly type: ArtifactType | null;
  readonly release: string | null;
  /** Text of a name, or the beginning of a debug id or checksum. */
  readonly search: string | null;
}

/** What the contents of a project take. */
interface ContentSum {
  readonly projectId: number;
  readonly contents: number;
  /** Plain bytes; a content that has several names counts once. */
  readonly bytes: number;
}

/** What pages ask of artifacts, over one project or many; at most 1,000 projects at once. */
export interface ArtifactLooks {
  sliceArtifacts(
    projectIds: readonly number[],
    filter: ArtifactLookFilter,
    slice: Slice,
  ): Promise<Sliced<Artifact>>;
  /** How many of each type there are, `type` of the filter aside. */
  countArtifacts(
    projectIds: readonly number[],
    filter: ArtifactLookFilter,
  ): Promise<Record<ArtifactType, number>>;
  contentSums(projectIds: readonly number[]): Promise<ContentSum[]>;
  /** An artifact by its number alone, also one whose name another content took. */
  lookUpArtifact(artifactId: number): Promise<Artifact | null>;
  /** Other names of the same content in its project, newest first. */
  sameContent(artifact: Artifact, limit: number): Promise<Artifact[]>;
}

export interface ArtifactStore extends ArtifactLooks {
  /** Notes that an upload wants this content; true when all its bytes are there already. */
  claimContent(projectId: number, sha256: string, size: number, nowMs: EpochMs): Promise<boolean>;
  /** Keeps one piece of a content's gzip stream, over a piece that an interrupted upload left. */
  writeContentPart(projectId: number, sha256: string, part: number, bytes: Uint8Array): Promise<void>;
  /** Says that a content is whole in `parts` pieces; further ones, left by an interrupted upload, go. */
  completeContent(projectId: number, sha256: string, parts: number): Promise<void>;
  /** Keeps contents of one piece each, all in one go. */
  keepSmallContents(projectId: number, contents: readonly SmallContent[], nowMs: EpochMs): Promise<void>;
  /** The pieces of a content in order, or null when it is not (all) there. */
  findContent(projectId: number, sha256: string): Promise<Uint8Array[] | null>;
  /**
   * Files artifacts whose contents are complete, all or none. The newest of a name wins; without `overwrite`
   * a name that holds another content throws what `nameTaken` answers.
   */
  recordArtifacts(
    artifacts: readonly NewArtifact[],
    options: { overwrite: boolean; nowMs: EpochMs },
  ): Promise<RecordedArtifact[]>;
  listArtifacts(projectId: number, filter: ArtifactFilter): Promise<Page<Artifact>>;
  findArtifact(projectId: number, artifactId: number): Promise<Artifact | null>;
  deleteArtifact(projectId: number, artifactId: number): Promise<boolean>;
  hasArtifacts(projectId: number): Promise<boolean>;
  /** Newest first; replaced rows too, for a debug id names one content for ever. */
  findArtifactsByDebugId(projectId: number, debugIds: readonly string[]): Promise<Artifact[]>;
  findArtifactsByName(projectId: number, release: string, names: readonly string[]): Promise<Artifact[]>;
  /** Artifacts of a release whose name is a pattern, newest first, at most 100. */
  findWildcardArtifacts(projectId: number, release: string): Promise<Artifact[]>;
  /** @throws 400 when the project's unfinished uploads would hold more than they may (D-97). */
  writeChunk(projectId: number, sha1: string, bytes: Uint8Array, nowMs: EpochMs): Promise<void>;
  findChunk(projectId: number, sha1: string): Promise<Uint8Array | null>;
  /** Of these chunks the ones that are not there. */
  missingChunks(projectId: number, sha1s: readonly string[]): Promise<string[]>;
  /** Says that a bundle was filed from these chunks: they are unfinished no longer, and go after an hour. */
  chunksFiled(projectId: number, sha1s: readonly string[]): Promise<void>;
}

/**
 * The events that a pass goes through: those of a release, those that wait for one of at most `awaitedMax`
 * names (debug ids, or `moreTime`), or every one that awaits a map.
 */
export type Awaiting =
  | { readonly of: 'release'; readonly release: string }
  | { readonly of: 'names'; readonly names: readonly string[] }
  | { readonly of: 'all' };

export interface AwaitingEvent {
  /** Row number: newer events have higher ones. */
  readonly row: number;
  readonly eventId: string;
  /** The issue shown for it, after merges. */
  readonly issueId: number;
  /** Null where the stored bytes are damaged: such an event is left alone. */
  readonly payload: string | null;
  /** What is written down of what it waits for. */
  readonly awaits: readonly string[];
}

/** How a map changed the key of an event. */
export interface Regrouped {
  readonly grouping: Grouping;
  readonly title: string;
  readonly culprit: string;
  /** By what it was found without the map. */
  readonly hashBefore: string;
}

/** What a look at an event came to. */
export interface Look {
  /** The event as it is to be stored now; null where it stays as it is. */
  readonly payload: string | PackedPayload | null;
  readonly needsMapping: boolean;
  /** What it waits for from now on. */
  readonly awaits: readonly string[];
  /** Null where it is found and called as before. */
  readonly regrouped: Regrouped | null;
}

/**
 * What the artifacts may help that were filed after a certain one. `isMore`: there are more than can be
 * named.
 */
export interface ArtifactNews {
  readonly lastId: number;
  readonly releases: readonly string[];
  readonly debugIds: readonly string[];
  readonly isMore: boolean;
}

export interface MappingStore {
  /** Events that await a map, the newest first, below `beforeRow`. */
  eventsAwaitingMapping(
    projectId: number,
    awaiting: Awaiting,
    beforeRow: number,
    limit: number,
  ): Promise<AwaitingEvent[]>;
  /**
   * Writes down what a look at an event came to. Its issue and counts stay; where it is found otherwise from
   * now on, it waits to be moved (`LateGroupingStore`).
   */
  storeLook(projectId: number, row: number, look: Look): Promise<void>;
  /** Writes into the issue that stands for one by now that events of it were mapped late. */
  addMappingActivity(activity: {
    projectId: number;
    issueId: number;
    events: number;
    release: string | null;
    atMs: EpochMs;
  }): Promise<void>;
  /** What artifacts with a higher id than `afterId` may help. */
  artifactsSince(projectId: number, afterId: number): Promise<ArtifactNews>;
}
