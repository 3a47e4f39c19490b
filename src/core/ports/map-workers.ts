// What the rules may ask of symbolication. src/symbolication answers it in worker threads; tests may answer
// it themselves.

import type { StackFrame } from '../../../schemas/event.ts';
import type { ArtifactType } from '../store/artifacts.ts';

/** What reading an uploaded file found. */
export interface Inspection {
  readonly type: ArtifactType;
  /** Lower-case UUID from the comment or the map. */
  readonly debugId: string | null;
  /** What a script's `sourceMappingURL` says, as written; null for none and for an inline map. */
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  /** Why a source map, or an inline one, cannot be used: one sentence. */
  readonly refusal: string | null;
  readonly warnings: readonly string[];
  /**
   * The plain bytes: where they lie, how many they are, their hash. Of a gzip file they were inflated beside
   * it.
   */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly wasGzip: boolean;
}

/** A content of the store: `sha256` of the plain bytes, `size` their count. */
interface ContentRef {
  readonly sha256: string;
  readonly size: number;
}

/** Where the frames of one script are mapped: a map, or the script itself when its map is inside it. */
export interface ScriptMap {
  readonly content: ContentRef;
  readonly isInline: boolean;
  /** The address of the map, against which its sources are resolved. */
  readonly address: string;
}

export interface MapJob {
  /** Stacks of frames, outermost first. */
  readonly stacks: readonly (readonly StackFrame[])[];
  /** For each frame of each stack the index of its script in `scripts`, or -1. */
  readonly scriptOf: readonly (readonly number[])[];
  readonly scripts: readonly ScriptMap[];
}

export interface FrameOutcome {
  readonly frame: StackFrame;
  readonly mapped: boolean;
  /**
   * The address of the source whose text was not in the map, where lines around the frame are still wanted.
   */
  readonly contextFrom: string | null;
}

type MapOutcome =
  | { readonly done: true; readonly stacks: FrameOutcome[][] }
  /** The time was not enough, or the worker was busy: try again later. */
  | { readonly done: false };

interface SourceContext {
  readonly pre_context: string[];
  readonly context_line: string;
  readonly post_context: string[];
}

/** A file that was unpacked from a JSON body: its members and the plain bytes on disk. */
interface UnpackedFile {
  readonly name: string | null;
  readonly type: string | null;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly path: string;
  readonly size: number;
}

interface UnpackedBody {
  readonly release: unknown;
  readonly dist: unknown;
  readonly overwrite: unknown;
  readonly files: readonly UnpackedFile[];
}

/** Reads the gzip parts of a content, in order; null when it is gone. */
export type FindContent = (sha256: string) => Promise<Uint8Array[] | null>;

export interface MapWorkers {
  /** Starts the thread that maps stacks, so that the first event need not wait for it. Never rejects. */
  warm(): Promise<void>;
  /**
   * Reads an uploaded file of at most 50 MB on disk; `name` helps to tell a script. Rejects only when the
   * file is unreadable.
   */
  inspect(file: { path: string; name: string; declaredType: string | null }): Promise<Inspection>;
  /**
   * Unpacks `{release?, dist?, files: [{name, content | content_base64, …}]}` into files of `folder`. Rejects
   * with a sentence.
   */
  unpackJson(
    path: string,
    folder: string,
    limits: { filesMax: number; fileBytesMax: number },
  ): Promise<UnpackedBody>;
  /** Maps stacks within `budgetMs`, reading contents it does not know through `read`. Never rejects. */
  mapStacks(job: MapJob, read: FindContent, budgetMs: number): Promise<MapOutcome>;
  /** The lines around a line (from 1) of a source, or null. Never rejects. */
  sourceContext(
    content: ContentRef,
    line: number,
    read: FindContent,
    budgetMs: number,
  ): Promise<SourceContext | null>;
  close(): Promise<void>;
}
