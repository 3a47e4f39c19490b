// The shape in which the demo's faults are written down: what an event of one says. When it happens, how
// often, and what people do about it stand in src/demo/errors.
import type { Level } from '../../../schemas/event.ts';
import type { Slug } from '../shared/company.ts';

export interface TemplateFrame {
  readonly fn: string;
  readonly file: string;
  /** Lines of source about the fault; the one at fault begins with `>`. */
  readonly code?: string;
  readonly line?: number;
  readonly vars?: Readonly<Record<string, unknown>>;
  /** A library's frame. */
  readonly library?: true;
}

export interface IssueTemplate {
  readonly key: string;
  readonly slug: Slug;
  /** Empty for a message without an exception. */
  readonly type: string;
  readonly value: string;
  readonly level?: Level;
  /** The innermost last; above them stand those of the project's framework. */
  readonly frames: readonly TemplateFrame[];
  readonly cause?: {
    readonly type: string;
    readonly value: string;
    readonly frames: readonly TemplateFrame[];
  };
  readonly tags?: Readonly<Record<string, string>>;
  /** A built script and what its map makes of it; no stack; or one of machine code. */
  readonly stack?: 'minified' | 'none' | 'native';
  /** False where no user is to blame: jobs and feeds. */
  readonly hasUsers?: false;
}
