import type { EpochMs } from '../parsing/timestamps.ts';
import type { Grouping, PackedPayload } from './events.ts';
import type { CursorPage, CursorWindow, OffsetWindow, Page } from './pagination.ts';

/** Named as in Sentry's artifact bundles. */
export const artifactTypes = ['minified_source', 'source_map', 'source'] as const;

export type ArtifactType = (typeof artifactTypes)[number];

export interface Artifact {
  readonly id: number;
  readonly projectId: number;
  /** Null for an artifact that is found only by its debug id. */
  readonly release: string | null;
  readonly dist: string | null;
  /** `~/path`, an http(s) URL, or a pattern with `*`. */
  readonly name: string;
  readonly type: ArtifactType;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  /** Before compression. */
  readonly size: number;
  readonly sha256: string;
  readonly createdAtMs: EpochMs;
  readonly replacedAtMs: EpochMs | null;
}

export type NewArtifact = Omit<Artifact, 'id' | 'createdAtMs' | 'replacedAtMs'>;

export interface RecordedArtifact {
  readonly artifact: Artifact;
  readonly duplicate: boolean;
}

export interface ArtifactFilter extends OffsetWindow {
  readonly release?: string | undefined;
  readonly debugId?: string | undefined;
  readonly search?: string | undefined;
  readonly descending: boolean;
}

export interface SinglePieceContent {
  readonly sha256: string;
  readonly size: number;
  /** The whole gzip stream. */
  readonly bytes: Uint8Array;
}

export interface ArtifactPageFilter {
  readonly type: ArtifactType | null;
  readonly release: string | null;
  /** Part of a name, or the beginning of a debug id or checksum. */
  readonly search: string | null;
}

interface ContentSum {
  readonly projectId: number;
  readonly contents: number;
  /** Before compression; content with several names counts once. */
  readonly bytes: number;
}

/** At most 1,000 projects at once. */
export interface ArtifactPageStore {
  listArtifactPage(
    projectIds: readonly number[],
    filter: ArtifactPageFilter,
    slice: CursorWindow,
  ): Promise<CursorPage<Artifact>>;
  countArtifacts(
    projectIds: readonly number[],
    filter: ArtifactPageFilter,
  ): Promise<Record<ArtifactType, number>>;
  contentSums(projectIds: readonly number[]): Promise<ContentSum[]>;
  /** Any project; includes an artifact whose name was given to other content since. */
  findArtifactAnywhere(artifactId: number): Promise<Artifact | null>;
  sameContent(artifact: Artifact, limit: number): Promise<Artifact[]>;
}

export interface ArtifactStore extends ArtifactPageStore {
  /** Records that an upload needs this content; true when all its bytes are stored already. */
  claimContent(projectId: number, sha256: string, size: number, nowMs: EpochMs): Promise<boolean>;
  /** Stores one piece of a gzip stream; replaces a piece that an interrupted upload left. */
  writeContentPart(projectId: number, sha256: string, part: number, bytes: Uint8Array): Promise<void>;
  /** Marks content as complete in `partCount` pieces. Removes further pieces of an interrupted upload. */
  completeContent(projectId: number, sha256: string, partCount: number): Promise<void>;
  keepSmallContents(
    projectId: number,
    contents: readonly SinglePieceContent[],
    nowMs: EpochMs,
  ): Promise<void>;
  /** The pieces in order; null when the content is missing or incomplete. */
  findContent(projectId: number, sha256: string): Promise<Uint8Array[] | null>;
  /** All or none. Without `overwrite`, throws the error of `createNameTakenError` for a name with other content. */
  recordArtifacts(
    artifacts: readonly NewArtifact[],
    options: { overwrite: boolean; nowMs: EpochMs },
  ): Promise<RecordedArtifact[]>;
  listArtifacts(projectId: number, filter: ArtifactFilter): Promise<Page<Artifact>>;
  findArtifact(projectId: number, artifactId: number): Promise<Artifact | null>;
  deleteArtifact(projectId: number, artifactId: number): Promise<boolean>;
  hasArtifacts(projectId: number): Promise<boolean>;
  /** Newest first. Includes replaced artifacts, since a debug id always means the same content. */
  findArtifactsByDebugId(projectId: number, debugIds: readonly string[]): Promise<Artifact[]>;
  findArtifactsByName(projectId: number, release: string, names: readonly string[]): Promise<Artifact[]>;
  /** Artifacts whose name is a pattern, newest first, at most 100. */
  findWildcardArtifacts(projectId: number, release: string): Promise<Artifact[]>;
  /** @throws 400 when the unfinished uploads of the project would be larger than allowed. */
  writeChunk(projectId: number, sha1: string, bytes: Uint8Array, nowMs: EpochMs): Promise<void>;
  findChunk(projectId: number, sha1: string): Promise<Uint8Array | null>;
  missingChunks(projectId: number, sha1s: readonly string[]): Promise<string[]>;
  /** Marks chunks as used by a bundle: they no longer count as unfinished and are removed after an hour. */
  chunksFiled(projectId: number, sha1s: readonly string[]): Promise<void>;
}

/** Of a release; those that wait for one of `pendingNamesPerQueryMax` debug ids (or for more time); or all. */
export type PendingSelection =
  | { readonly of: 'release'; readonly release: string }
  | { readonly of: 'names'; readonly names: readonly string[] }
  | { readonly of: 'all' };

export interface PendingSymbolicationEvent {
  readonly row: number;
  readonly eventId: string;
  readonly issueId: number;
  /** Null where the stored bytes are damaged: the event is skipped. */
  readonly payload: string | null;
  readonly awaits: readonly string[];
}

export interface RegroupingChange {
  readonly grouping: Grouping;
  readonly title: string;
  readonly culprit: string;
  readonly hashBefore: string;
}

export interface SymbolicationResult {
  readonly payload: string | PackedPayload | null;
  readonly needsMapping: boolean;
  readonly awaits: readonly string[];
  readonly regrouped: RegroupingChange | null;
}

/** `isMore`: there are too many to list. */
export interface NewArtifacts {
  readonly lastId: number;
  readonly releases: readonly string[];
  readonly debugIds: readonly string[];
  readonly isMore: boolean;
}

export interface SymbolicationStore {
  /** Events that wait for a source map, newest first, with a row number below `beforeRow`. */
  listPendingSymbolications(
    projectId: number,
    awaiting: PendingSelection,
    beforeRow: number,
    limit: number,
  ): Promise<PendingSymbolicationEvent[]>;
  /** The issue and its counts stay; an event with a new hash is moved later (`PendingRegroupingStore`). */
  storeSymbolication(projectId: number, row: number, result: SymbolicationResult): Promise<void>;
  addSymbolicationActivity(activity: {
    projectId: number;
    issueId: number;
    events: number;
    release: string | null;
    atMs: EpochMs;
  }): Promise<void>;
  artifactsSince(projectId: number, afterId: number): Promise<NewArtifacts>;
}
