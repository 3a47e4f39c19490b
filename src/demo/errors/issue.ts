// The projects of the demo world, and the shape in which their faults are written down.

import { templateOf } from '../faults/all.ts';
import type { IssueTemplate } from '../faults/template.ts';
import type { Colleague } from '../shared/company.ts';

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

/** A fault, and when and how often it happens. */
export interface DemoIssue extends IssueTemplate {
  /** How many events of it there are. */
  readonly events: number;
  /** Age of its first event in days; of its last in hours. */
  readonly first: number;
  readonly last: number;
  readonly fate: Fate;
  /** Days ago from which on it was merged into another. */
  readonly mergedInto?: { readonly key: string; readonly days: number };
}

/** A fault of the templates with its life, and with what is said otherwise here. */
export function seeded(
  key: string,
  life: Omit<DemoIssue, keyof IssueTemplate> & Partial<IssueTemplate>,
): DemoIssue {
  return { ...templateOf(key), ...life };
}
