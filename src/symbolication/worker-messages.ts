import type { StackFrame } from '../../schemas/event.ts';
import type { ContentRef, SourceContext, SymbolicatedFrame } from '../core/ports/symbolication-workers.ts';

/** `inline`: a script with an inline map. */
export interface WantedContent extends ContentRef {
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
