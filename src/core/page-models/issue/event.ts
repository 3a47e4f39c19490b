import { normalizedEvent } from '../../../../schemas/event.ts';
import { type EventView, viewEvent } from '../../events/views.ts';
import { explainGrouping } from '../../grouping/fingerprint.ts';
import type { GroupingPart } from '../../grouping/fingerprint-parts.ts';
import { parseEventId } from '../../ids.ts';
import type { StoredEvent } from '../../store/events.ts';
import { maskId, maskName } from '../mask-user.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';
import { type FoundIssue, findIssueOfPath } from './find-issue.ts';
import { type IssueHeadModel, issueHeadModel, type TagView } from './head.ts';
import { historyModel } from './history.ts';
import { type EventPayload, objectOrNull, scalarText, toPairs } from './parse-event.ts';

const masks: ReadonlyMap<string, (text: string) => string> = new Map([
  ['id', maskId],
  ['email', maskId],
  ['ip_address', maskId],
  ['username', maskName],
  ['name', maskName],
]);

const userSeenAmong = 1_000;
const historyShown = 10;

export type ShownEvent = Awaited<ReturnType<typeof viewShownEvent>>;

export type IssueEventModel = Awaited<ReturnType<typeof issueEventModel>>;

export async function issueEventModel(context: RequestContext) {
  const { head, found, tags } = await issueHeadModel(context);
  const requestedId = context.path['event_id'] ?? 'latest';
  const [shown, history] = await Promise.all([
    findRequestedEvent(context, found, requestedId, head.stored).then((event) =>
      event === null ? null : viewShownEvent(context, found, event, { tags, stored: head.stored }),
    ),
    historyModel({ ...context, query: new URLSearchParams() }, found, historyShown),
  ]);
  return { ...head, tab: 'event', shown, asked_event: requestedId, history };
}

export async function getEventOfPath(context: RequestContext) {
  const found = await findIssueOfPath(context);
  const requestedId = context.path['event_id'] ?? '';
  const stored = await context.deps.store.storedEvents(found.project.id, found.issue.id);
  const ends = { newest_event_id: stored.newestEventId, oldest_event_id: stored.oldestEventId };
  const event = await findRequestedEvent(context, found, requestedId, ends);
  if (event === null) throw pageNotFound('An event with this ID');
  return { found, event };
}

export async function viewNewestEvent(
  context: RequestContext,
  found: FoundIssue,
  stored: IssueHeadModel['stored'],
): Promise<EventView | null> {
  const event = await findRequestedEvent(context, found, 'latest', stored);
  return event === null ? null : viewEventOfIssue(context, event);
}

export function viewEventOfIssue({ apiUrl }: RequestContext, event: StoredEvent): EventView {
  return viewEvent(event, (path) => apiUrl + path);
}

async function findRequestedEvent(
  { deps }: RequestContext,
  { project, issue }: FoundIssue,
  requestedId: string,
  ends: Pick<IssueHeadModel['stored'], 'newest_event_id' | 'oldest_event_id'>,
): Promise<StoredEvent | null> {
  const named =
    requestedId === 'latest'
      ? ends.newest_event_id
      : requestedId === 'oldest'
        ? ends.oldest_event_id
        : requestedId;
  const eventId = named === null ? null : parseEventId(named);
  if (eventId === null) return null;
  const event = await deps.store.findEvent(project.id, eventId);
  return event?.issueId === issue.id ? event : null;
}

function tagSpread(payload: EventPayload, tags: readonly TagView[]) {
  const known = new Map(tags.map((tag) => [tag.tag, tag]));
  return toPairs(payload['tags']).flatMap(([name, value]) => {
    const tag = known.get(name);
    const tagValue = tag?.values.find((each) => each.value === value);
    if (tag === undefined || tagValue === undefined) return [];
    const most = tag.values.slice(0, 3).map((each) => ({ value: each.value, events: each.events }));
    return [{ tag: name, events: tagValue.events, of: tag.events, most }];
  });
}

async function viewShownEvent(
  context: RequestContext,
  { project, issue }: FoundIssue,
  event: StoredEvent,
  { tags, stored }: { readonly tags: readonly TagView[]; readonly stored: IssueHeadModel['stored'] },
) {
  const { store } = context.deps;
  const [seen, failedTests] = await Promise.all([
    store.eventsOfUser(project.id, issue.id, event.eventId, userSeenAmong),
    failedTestsOf(context, project.id, event.release),
  ]);
  const isAll = !stored.capped && stored.events <= userSeenAmong;
  const among = isAll ? null : userSeenAmong;
  const view = viewEventOfIssue(context, event);
  return {
    /** As in the API, with the user masked. */
    event: maskUser(view),
    hash: event.grouping.hash,
    grouping_parts: groupingParts(event),
    received_after_ms: event.receivedAtMs - event.timestampMs,
    /** For each tag of this event, its most frequent values in the issue. */
    tag_spread: tagSpread(view as EventPayload, tags),
    // Same user, among the newest `among` events (null: among all); null if unknown.
    user_seen: seen === null ? null : { events: seen, among },
    /** Failed tests in the newest run of the event's release; null if there are none. */
    failed_tests: failedTests,
  };
}

/** Computed again from the event; null if it does not fit the current event schema. */
function groupingParts({ payload, grouping }: StoredEvent): readonly GroupingPart[] | null {
  const { data: event } = normalizedEvent.safeParse(JSON.parse(payload));
  return event === undefined ? null : explainGrouping(event, grouping.hash);
}

async function failedTestsOf({ deps: { store } }: RequestContext, projectId: number, release: string | null) {
  if (release === null) return null;
  const first = { limit: 1, offset: 0 } as const;
  const order = { orderBy: 'created_at', descending: true } as const;
  const [run] = (await store.listTestRuns(projectId, { release, ...order, ...first })).rows;
  if (run === undefined || run.failed === 0) return null;
  const [found] = (await store.listTestResults(run.id, first)).rows;
  return {
    test_run_id: run.id,
    failed: run.failed,
    case: found === undefined ? null : { case_id: found.caseId, name: found.name },
  };
}

/** Masks ids in the middle; names and addresses keep their beginning. */
export function maskUser<Event extends object>(event: Event): Event {
  const user = objectOrNull((event as EventPayload)['user']);
  if (user === null) return event;
  const members = Object.entries(user).map(([name, value]) => {
    const mask = masks.get(name);
    const text = scalarText(value);
    return [name, mask === undefined || text === '' ? value : mask(text)] as const;
  });
  return { ...event, user: Object.fromEntries(members) };
}

/** `u_7c19…e2`, `m…@shop.example`. */
