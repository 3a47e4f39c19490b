import type { Level } from '../../../schemas/event.ts';
import type { Slug } from '../shared/company.ts';

export interface TemplateFrame {
  /** `function (file:line)`, as a stack trace prints it. */
  readonly at: string;
  /** Source lines; the failing line starts with `>`. */
  readonly code?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly library?: true;
}

export interface IssueTemplate {
  readonly key: string;
  readonly slug: Slug;
  /** Empty for a message without an exception. */
  readonly type: string;
  readonly value: string;
  readonly level?: Level;
  /** Innermost last; frames of the framework are added around them. */
  readonly frames: readonly TemplateFrame[];
  readonly cause?: {
    readonly type: string;
    readonly value: string;
    readonly frames: readonly TemplateFrame[];
  };
  readonly tags?: Readonly<Record<string, string>>;
  /** `minified`: a built script with a source map; `native`: machine code addresses. */
  readonly stack?: 'minified' | 'none' | 'native';
  readonly hasUsers?: false;
}

/** Faults of one project, by key. */
export type FaultTexts = Readonly<Record<string, Omit<IssueTemplate, 'key' | 'slug'>>>;
