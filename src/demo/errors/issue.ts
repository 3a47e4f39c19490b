import { templateOf } from '../faults/all.ts';
import type { IssueTemplate } from '../faults/template.ts';
import type { Colleague } from '../shared/company.ts';

/** What happens to an issue. Ages are days before now and may be fractions. */
type Fate =
  /** First seen within the last day. */
  | { readonly is: 'new' }
  /** Older than a week. */
  | { readonly is: 'ongoing' }
  /** Resolved `resolved` days ago, regressed `back` days ago. */
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

/** A fault with its times and frequency. */
export interface DemoIssue extends IssueTemplate {
  /** Number of events. */
  readonly events: number;
  /** `first`: age of the first event in days; `last`: age of the last event in hours. */
  readonly first: number;
  readonly last: number;
  readonly fate: Fate;
  /** Merged into the issue `key`, `days` ago. */
  readonly mergedInto?: { readonly key: string; readonly days: number };
}

/** A fault template with its times; `life` may also override members of the template. */
export function seeded(
  key: string,
  life: Omit<DemoIssue, keyof IssueTemplate> & Partial<IssueTemplate>,
): DemoIssue {
  return { ...templateOf(key), ...life };
}
