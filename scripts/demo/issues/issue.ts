// The projects of the demo world, and the shape in which their faults are written down.
import type { Level } from '../../../schemas/event.ts';
import type { Colleague } from './colleagues.ts';

/** The projects. */
export const slugs = ['shop-web', 'checkout-api', 'wp-site', 'mobile-shell', 'worker-queue'] as const;
export type Slug = (typeof slugs)[number];

/** What becomes of an issue. Ages are days before now, and may be fractions. */
type Fate =
  /** Begun within the last day. */
  | { readonly is: 'new' }
  /** Goes on for longer than a week. */
  | { readonly is: 'ongoing' }
  /** Was resolved `resolved` days ago, and came back `back` days ago. */
  | {
      readonly is: 'regressed';
      readonly resolved: number;
      readonly back: number;
      readonly in?: string;
      readonly by?: Colleague;
    }
  | {
      readonly is: 'resolved';
      readonly resolved: number;
      readonly in?: 'next_release' | 'now' | (string & {});
      readonly by?: Colleague;
    }
  | {
      readonly is: 'ignored';
      readonly since: number;
      readonly until: 'forever' | 'date' | 'count' | 'users';
      readonly by?: Colleague;
    };

export interface DemoFrame {
  readonly fn: string;
  readonly file: string;
  /** Lines of source about the fault; the one at fault begins with `>`. */
  readonly code?: string;
  readonly line?: number;
  readonly vars?: Readonly<Record<string, unknown>>;
  /** A library's frame. */
  readonly library?: true;
}

export interface DemoIssue {
  readonly key: string;
  readonly slug: Slug;
  /** Empty for a message without an exception. */
  readonly type: string;
  readonly value: string;
  readonly level?: Level;
  /** How many events of it there are. */
  readonly events: number;
  /** Age of its first event in days; of its last in hours. */
  readonly first: number;
  readonly last: number;
  readonly fate: Fate;
  /** The innermost last; above them stand those of the project's framework. */
  readonly frames: readonly DemoFrame[];
  readonly cause?: {
    readonly type: string;
    readonly value: string;
    readonly frames: readonly DemoFrame[];
  };
  readonly transaction?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Frames of the built script, mapped by what was uploaded; no stack; or one of machine code. */
  readonly stack?: 'minified' | 'none' | 'native';
  /** False where no user is to blame: jobs and feeds. */
  readonly hasUsers?: false;
  /** Days ago from which on it was merged into another. */
  readonly mergedInto?: { readonly key: string; readonly days: number };
}
