import type { NormalizedEvent, StackFrame } from '../../../schemas/event.ts';
import type { ArtifactType } from '../store/artifacts.ts';
import type { Project } from '../store/projects.ts';
import type { SymbolicationState } from './prepared-data.ts';

export interface ArtifactInspection {
  readonly type: ArtifactType;
  /** Lower-case UUID from the comment or the source map. */
  readonly debugId: string | null;
  /** The script's `sourceMappingURL` as written; null for none and for an inline map. */
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  /** One sentence: why the source map cannot be used. */
  readonly refusal: string | null;
  readonly warnings: readonly string[];
  /** The uncompressed file on disk; a gzip upload was inflated next to it. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly wasGzip: boolean;
}

export interface ContentRef {
  readonly sha256: string;
  readonly size: number;
}

/** The source map of a script, or the script itself if its map is inline. */
export interface ScriptMap {
  readonly content: ContentRef;
  readonly isInline: boolean;
  /** Address of the map; its sources are relative to it. */
  readonly address: string;
}

export interface SymbolicationJob {
  /** Outermost frame first. */
  readonly stacks: readonly (readonly StackFrame[])[];
  /** For each frame the index of its script in `scripts`, or -1. */
  readonly scriptOf: readonly (readonly number[])[];
  readonly scripts: readonly ScriptMap[];
}

export interface SymbolicatedFrame {
  readonly frame: StackFrame;
  readonly mapped: boolean;
  /** Address of the source whose text is not in the map, if source lines are still missing. */
  readonly contextFrom: string | null;
}

type StackSymbolicationResult =
  | { readonly done: true; readonly stacks: SymbolicatedFrame[][] }
  /** The time was not enough or the worker was busy: retry later. */
  | { readonly done: false };

export interface SourceContext {
  readonly pre_context: string[];
  readonly context_line: string;
  readonly post_context: string[];
}

export interface UnpackedFile {
  readonly name: string | null;
  readonly type: string | null;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly path: string;
  readonly size: number;
}

export interface UnpackedBody {
  readonly release: unknown;
  readonly dist: unknown;
  readonly overwrite: unknown;
  readonly files: readonly UnpackedFile[];
}

/** Reads the gzip parts of an artifact in order; null if it is gone. */
export type ReadContent = (sha256: string) => Promise<Uint8Array[] | null>;

export interface SymbolicationWorkers {
  /** Starts the symbolication thread in advance. Never rejects. */
  warm(): Promise<void>;
  /** At most 50 MB; `name` helps to detect scripts. Rejects only if the file is unreadable. */
  inspect(file: { path: string; name: string; declaredType: string | null }): Promise<ArtifactInspection>;
  /** Unpacks `{release?, dist?, files: [{name, content | content_base64, …}]}`. Rejects with a message. */
  unpackJson(
    path: string,
    folder: string,
    limits: { filesMax: number; fileBytesMax: number },
  ): Promise<UnpackedBody>;
  /** Symbolicates stacks within `budgetMs`. Never rejects. */
  mapStacks(job: SymbolicationJob, read: ReadContent, budgetMs: number): Promise<StackSymbolicationResult>;
  /** The source lines around a line (counted from 1), or null. Never rejects. */
  sourceContext(
    content: ContentRef,
    line: number,
    read: ReadContent,
    budgetMs: number,
  ): Promise<SourceContext | null>;
  close(): Promise<void>;
}

/** Takes at most 250 ms and never rejects: on timeout or error the event is unchanged, with `needsMapping: true`, and
 * is symbolicated later. The sent stacks are kept in `raw_stacktrace`. */
export type SymbolicateEvent = (
  project: Project,
  event: NormalizedEvent,
) => Promise<{ readonly event: NormalizedEvent } & SymbolicationState>;

export interface Symbolicator {
  readonly mapEvent: SymbolicateEvent;
  /** To be called after an upload; symbolicates the events it may help in the background. */
  artifactsArrived(projectId: number, arrival: UploadedArtifacts): void;
  /** Starts the threads, resumes unfinished work, and retries failed work every hour. Never rejects. */
  start(): Promise<void>;
  /** Starts the threads only, if the project data may need them. Never rejects. */
  warm(): Promise<void>;
  readonly workers: SymbolicationWorkers;
  /** Does delayed work at once, and resolves when no background run is active. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface UploadedArtifacts {
  readonly release: string | null;
  readonly debugIds: readonly string[];
}
