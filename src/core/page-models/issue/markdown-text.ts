// An issue and an event as text: "Copy as Markdown", and the files with `.md` of pages and API.
import type { StoredEvent } from '../../store/events.ts';
import type { RequestContext } from '../request-context.ts';
import { viewEventOfIssue, viewNewestEvent } from './event.ts';
import { issueHeadModel } from './head.ts';
import { eventToMarkdown, issueToMarkdown } from './markdown.ts';

/** Of the issue of the path, with its newest event. Throws a page's 404. */
export async function issueMarkdown(
  context: RequestContext,
): Promise<{ readonly issueId: number; readonly text: string }> {
  const { head, found, tags } = await issueHeadModel(context);
  const newest = await viewNewestEvent(context, found, head.stored);
  const issueId = head.issue.issue_id;
  return { issueId, text: issueToMarkdown(head, tags, newest, `${context.pagesUrl}/issues/${issueId}`) };
}

export function eventMarkdown(context: RequestContext, event: StoredEvent): string {
  const view = viewEventOfIssue(context, event);
  return eventToMarkdown(view, `${context.pagesUrl}/issues/${view.issue_id}/events/${view.event_id}`);
}
