import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { html, type VNode } from '../el.ts';

export function issuePath({ issue }: Pick<IssueHeadModel, 'issue'>): string {
  return `/issues/${issue.issue_id}`;
}

/** The state shown with the form, so that the server can detect a conflicting change. */
export function seenStateFields({ issue }: Pick<IssueHeadModel, 'issue'>): VNode[] {
  return [
    html`<input type="hidden" name="seen_status" value=${issue.status} />`,
    html`<input type="hidden" name="seen_at" value=${issue.state_changed} />`,
  ];
}
