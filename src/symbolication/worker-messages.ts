import type { StackFrame } from '../../schemas/event.ts';
import type { SourceContext } from './source-context.ts';
import type { SymbolicatedFrame } from './symbolicate-stack.ts';

/** `inline`: a script with an inline map. */
export interface WantedContent {
  readonly sha256: string;
  readonly size: number;
  readonly reading: 'map' | 'inline' | 'text';
}

export interface ScriptWithUrl {
  readonly content: WantedContent;
  readonly address: string;
}

export type Task =
  | {
      readonly kind: 'inspect';
      readonly path: string;
      readonly name: string;
      readonly declaredType: string | null;
    }
  | {
      readonly kind: 'unpack';
      readonly path: string;
      readonly folder: string;
      readonly filesMax: number;
      readonly fileBytesMax: number;
    }
  | { readonly kind: 'load'; readonly content: WantedContent; readonly parts: readonly Uint8Array[] }
  | {
      readonly kind: 'map';
      readonly stacks: readonly (readonly StackFrame[])[];
      readonly scriptOf: readonly (readonly number[])[];
      readonly scripts: readonly ScriptWithUrl[];
    }
  | { readonly kind: 'context'; readonly content: WantedContent; readonly line: number }
  | { readonly kind: 'ready' };

/** Contents that the worker needs first; may have been evicted from its cache. */
export interface MissingContents {
  readonly missing: readonly WantedContent[];
}

export interface MapAnswer {
  readonly stacks: SymbolicatedFrame[][];
}

export interface ContextAnswer {
  readonly context: SourceContext | null;
}

export interface InspectAnswer {
  readonly type: 'minified_source' | 'source_map' | 'source';
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  readonly refusal: string | null;
  readonly warnings: string[];
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly wasGzip: boolean;
}

export interface UnpackedFileAnswer {
  readonly name: string | null;
  readonly type: string | null;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
  readonly path: string;
  readonly size: number;
}

export interface UnpackAnswer {
  readonly release: unknown;
  readonly dist: unknown;
  readonly overwrite: unknown;
  readonly files: UnpackedFileAnswer[];
}
