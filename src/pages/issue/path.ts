// Where an issue stands, and the state that whoever fills a form about it sees.
import type { VNode } from 'preact';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import { html } from '../el.ts';

/** The path of an issue. */
export function pathOf({ issue }: Pick<IssueHeadModel, 'issue'>): string {
  return `/issues/${issue.issue_id}`;
}

/** The state that whoever fills a form sees, as hidden fields. */
export function seenFields({ issue }: Pick<IssueHeadModel, 'issue'>): VNode[] {
  return [
    html`<input type="hidden" name="seen_status" value=${issue.status} />`,
    html`<input type="hidden" name="seen_at" value=${issue.state_changed} />`,
  ];
}
