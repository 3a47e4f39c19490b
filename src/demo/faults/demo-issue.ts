import type { Level } from '../../../schemas/event.ts';
import type { Colleague, Slug } from '../shared/company.ts';

export interface DemoFrame {
  /** `function (file:line)`, as a stack trace prints it. */
  readonly at: string;
  /** Source lines; the failing line starts with `>`. */
  readonly code?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly library?: true;
}

/** What people did. Ages are days before now and may be fractions. */
type IssueLifecycle =
  | {
      readonly is: 'regressed';
      readonly resolved: number;
      readonly back: number;
      readonly in: string;
      readonly by: Colleague;
    }
  | {
      readonly is: 'resolved';
      readonly resolved: number;
      readonly in: 'next_release' | 'now' | (string & {});
      readonly by?: Colleague;
    }
  | {
      readonly is: 'ignored';
      readonly since: number;
      readonly until: 'forever' | 'date' | 'count' | 'users';
      readonly by: Colleague;
    };

/** An issue and the innermost frame of its events, if they have one. */
export interface DemoIssue extends Partial<DemoFrame> {
  readonly key: string;
  readonly slug: Slug;
  /** Empty for a message without an exception. */
  readonly type: string;
  readonly value: string;
  readonly level?: Level;
  /** How many, the age of the first and that of the last. */
  readonly events: { readonly count: number; readonly firstDays: number; readonly lastHours: number };
  readonly lifecycle?: IssueLifecycle;
  readonly mergedInto?: { readonly key: string; readonly days: number };
  /** Innermost last; frames of the framework are added around them. */
  readonly callers?: readonly DemoFrame[];
  readonly cause?: Partial<DemoFrame> & { readonly type: string; readonly value: string };
  readonly tags?: Readonly<Record<string, string>>;
  /** `minified`: a built script with a source map; `native`: machine code addresses. */
  readonly stack?: 'minified' | 'none' | 'native';
  readonly hasUsers?: false;
}

/** Issues of one project, by key. */
export type IssuesByKey = Readonly<Record<string, Omit<DemoIssue, 'key' | 'slug'>>>;
