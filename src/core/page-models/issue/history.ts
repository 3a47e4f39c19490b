import { viewActivity } from '../../issues/views.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { HistoryCursor, HistoryEntry } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';
import type { FoundIssue } from './find-issue.ts';

const entriesShown = 50;

export type HistoryEntryView = ReturnType<typeof viewEntry>;

/** Newest first; the query parameter `before` is the cursor. */
export async function historyModel(context: RequestContext, { issue }: FoundIssue, limit = entriesShown) {
  const before = parseCursor(context.query.get('before'));
  const window = { limit: limit + 1, before };
  const found = await context.deps.store.listIssueHistory(issue.projectId, issue.id, window);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return {
    entries: entries.map((entry) => viewEntry(entry, context)),
    older: found.length > limit && last !== undefined ? formatCursor(last) : null,
  };
}

function viewEntry(entry: HistoryEntry, { currentUser }: RequestContext) {
  if (entry.kind === 'act') return { entry: 'act' as const, ...viewActivity(entry.act) };
  const { id, issueId, memberId, author, atMs, body } = entry.comment;
  return {
    entry: 'comment' as const,
    comment_id: id,
    issue_id: issueId,
    author,
    at: formatTime(atMs),
    body,
    /** Own comments; admins may remove any. */
    may_remove: canRemoveComment({ memberId }, currentUser),
  };
}

export function canRemoveComment(
  comment: { readonly memberId: number | null },
  currentUser: Pick<RequestContext['currentUser'], 'memberId' | 'role'>,
): boolean {
  if (currentUser.role === 'admin') return true;
  return (
    currentUser.role === 'member' &&
    currentUser.memberId !== null &&
    comment.memberId === currentUser.memberId
  );
}

function formatCursor(entry: HistoryEntry): string {
  const id = entry.kind === 'act' ? entry.act.id : entry.comment.id;
  return `${entry.atMs}.${entry.kind}.${id}`;
}

function parseCursor(text: string | null): HistoryCursor | null {
  const match = /^(\d{1,15})\.(act|comment)\.(\d{1,15})$/.exec(text ?? '');
  if (match === null) return null;
  return { atMs: Number(match[1]), kind: match[2] as HistoryCursor['kind'], id: Number(match[3]) };
}
