import type { IssueTemplate } from '../faults/template.ts';
import { getTemplate } from '../faults/templates.ts';
import type { Colleague } from '../shared/company.ts';

/** Ages are days before now and may be fractions. */
type IssueLifecycle =
  | { readonly is: 'new' }
  | { readonly is: 'ongoing' }
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

export interface DemoIssue extends IssueTemplate {
  readonly events: number;
  /** `first`: age of the first event in days; `last`: age of the last event in hours. */
  readonly first: number;
  readonly last: number;
  readonly lifecycle: IssueLifecycle;
  readonly mergedInto?: { readonly key: string; readonly days: number };
}

/** A fault template with its times; `fields` may also override members of the template. */
export function defineIssue(
  key: string,
  fields: Omit<DemoIssue, keyof IssueTemplate> & Partial<IssueTemplate>,
): DemoIssue {
  return { ...getTemplate(key), ...fields };
}
