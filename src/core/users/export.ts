import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError } from '../errors.ts';
import { viewFeedback } from '../feedback/views.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { EventCursor, UserEvent } from '../store/users.ts';
import { auditedUser, findSubscriptions } from './erase.ts';
import type { FoundUser } from './find.ts';
import { viewUser } from './views.ts';

const eventsAtOnce = 500;
const eventCharactersMax = 32 * 1_048_576;
const feedbackMax = 1_000;

/** What is stored of a user in one project, events newest first. `before` is the `next` of the export before. */
export async function exportUser(
  deps: Pick<Deps, 'store' | 'now' | 'userHashKey'>,
  { identity, parts }: FoundUser,
  by: AuditSource,
  before: string | null = null,
) {
  const [part] = parts;
  if (part === undefined) throw new Error('The user has no record in the project.');
  const { ref } = part;
  const emails = identity.email === null ? [] : [identity.email.toLowerCase()];
  const cursor = readCursor(before);
  const subscriptions = cursor === null ? await findSubscriptions(deps, { parts }, by) : [];
  return runAudited(deps, by, async ({ store }) => {
    const read = await store.listUserEvents(ref, { before: cursor, limit: eventsAtOnce });
    const feedback = cursor === null ? await store.listUserFeedback(ref, emails, feedbackMax) : [];
    const events = withinLimit(read);
    const last = events.at(-1);
    const isLast = last === undefined || (events.length === read.length && read.length < eventsAtOnce);
    const result = {
      exported_at: formatTime(deps.now()),
      user: viewUser({ identity, parts: [part] }),
      events: events.map(({ payload, eventId, issueId, receivedAtMs }) => ({
        issue_id: issueId,
        received: formatTime(receivedAtMs),
        ...(payload === null ? { event_id: eventId } : (JSON.parse(payload) as object)),
      })),
      feedback: feedback.map(viewFeedback),
      status_page_subscriptions: subscriptions.map((each) => ({
        status_page_id: each.pageId,
        address: each.address,
        subscribed_at: formatTime(each.createdAtMs),
      })),
      next: isLast ? null : `${last.receivedAtMs}-${last.row}`,
    };
    const { projectId } = ref;
    // Once for a user, however many answers it takes.
    const auditEvent =
      cursor === null ? { action: 'user.exported' as const, object: auditedUser(ref), projectId } : null;
    return { result, auditEvent };
  });
}

function withinLimit(events: readonly UserEvent[]): readonly UserEvent[] {
  let characters = 0;
  const end = events.findIndex(({ payload }, at) => {
    characters += payload?.length ?? 0;
    return at > 0 && characters > eventCharactersMax;
  });
  return end === -1 ? events : events.slice(0, end);
}

function readCursor(text: string | null): EventCursor | null {
  if (text === null) return null;
  const [, atMs, row] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (atMs === undefined || row === undefined) {
    throw createInvalidParamError({ before: 'before must be the value of next in an earlier export.' });
  }
  return { atMs: Number(atMs), row: Number(row) };
}
