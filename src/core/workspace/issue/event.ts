// One event of an issue as its page shows it: the newest, or the one that was asked for, and its neighbours.
import { normalizedEvent } from '../../../../schemas/event.ts';
import { type EventView, viewEvent } from '../../events/views.ts';
import { explainGrouping } from '../../grouping/fingerprint.ts';
import type { GroupingPart } from '../../grouping/parts.ts';
import { parseEventId } from '../../ids.ts';
import { cutText } from '../../reading/cut-text.ts';
import type { StoredEvent } from '../../store/events.ts';
import { notHere, type Visit } from '../visit.ts';
import { type FoundIssue, issueOfPath } from './found.ts';
import { headModel, type IssueHeadModel } from './head.ts';
import { type HistoryModel, historyModel } from './history.ts';
import { type Payload, pairsIn, recordOf, textOf } from './payload.ts';
import type { TagView } from './tag-counts.ts';

const idShown = 12;

const masks: ReadonlyMap<string, (text: string) => string> = new Map([
  ['id', masked],
  ['email', masked],
  ['ip_address', masked],
  ['username', begun],
  ['name', begun],
]);

/** Events among which those of one user are counted. */
const userSeenAmong = 1_000;
const historyShown = 10;

export interface EventShown {
  /** As the API answers it, but for its user, who is told apart here and not shown. */
  readonly event: EventView;
  readonly hash: string;
  /** What it was grouped by, as data; null where an older rule did it, whose parts are texts alone. */
  readonly grouping_parts: readonly GroupingPart[] | null;
  /** How long it took from happening to being received. */
  readonly received_after_ms: number;
  /** How the issue's events spread over the values of each tag of this one: the most frequent few. */
  readonly tag_spread: readonly TagSpread[];
  /** How many events of this issue are of the same user, among the newest so many; null: unknown, or all. */
  readonly user_seen: { readonly events: number; readonly among: number | null } | null;
  /** What the newest run of tests of its release found; null where nothing failed, or nothing was run. */
  readonly failed_tests: FailedTests | null;
}

interface FailedTests {
  readonly test_run_id: number;
  readonly failed: number;
  /** The first of them. */
  readonly case: { readonly case_id: string; readonly name: string } | null;
}

interface TagSpread {
  readonly tag: string;
  /** Events of the issue with the value of this event, and with the tag at all. */
  readonly events: number;
  readonly of: number;
  readonly most: ReadonlyArray<{ readonly value: string; readonly events: number }>;
}

export interface IssueEventModel extends IssueHeadModel {
  readonly tab: 'event';
  /** Null where the event is not stored any more, or never was. */
  readonly shown: EventShown | null;
  /** Which event was asked for: an id, `latest` or `oldest`. */
  readonly asked_event: string;
  readonly history: HistoryModel;
}

/** `/issues/{id}` and `/issues/{id}/events/{event_id}`; without an event the newest that is stored. */
export async function issueEventModel(visit: Visit): Promise<IssueEventModel> {
  const { head, found, tags } = await headModel(visit);
  const asked = visit.path['event_id'] ?? 'latest';
  const [shown, history] = await Promise.all([
    askedEvent(visit, found, asked, head.stored).then((event) =>
      event === null ? null : shownOf(visit, found, event, { tags, stored: head.stored }),
    ),
    historyModel({ ...visit, query: new URLSearchParams() }, found, historyShown),
  ]);
  return { ...head, tab: 'event', shown, asked_event: asked, history };
}

/** The stored event of an address, whole; 404 where it is not there. */
export async function eventOfPath(visit: Visit): Promise<{ found: FoundIssue; event: StoredEvent }> {
  const found = await issueOfPath(visit);
  const asked = visit.path['event_id'] ?? '';
  const stored = await visit.deps.store.storedEvents(found.project.id, found.issue.id);
  const ends = { newest_event_id: stored.newestEventId, oldest_event_id: stored.oldestEventId };
  const event = await askedEvent(visit, found, asked, ends);
  if (event === null) throw notHere('An event with this ID');
  return { found, event };
}

/** The newest event of an issue as the API shows it; null where none is stored any more. */
export async function newestEventView(
  visit: Visit,
  found: FoundIssue,
  stored: IssueHeadModel['stored'],
): Promise<EventView | null> {
  const event = await askedEvent(visit, found, 'latest', stored);
  return event === null ? null : eventView(visit, event);
}

/** An event as the API shows it. */
export function eventView({ apiUrl }: Visit, event: StoredEvent): EventView {
  return viewEvent(event, (path) => apiUrl + path);
}

async function askedEvent(
  { deps }: Visit,
  { project, issue }: FoundIssue,
  asked: string,
  ends: Pick<IssueHeadModel['stored'], 'newest_event_id' | 'oldest_event_id'>,
): Promise<StoredEvent | null> {
  const named = asked === 'latest' ? ends.newest_event_id : asked === 'oldest' ? ends.oldest_event_id : asked;
  const eventId = named === null ? null : parseEventId(named);
  if (eventId === null) return null;
  const event = await deps.store.findEvent(project.id, eventId);
  return event?.issueId === issue.id ? event : null;
}

function spreadOf(payload: Payload, tags: readonly TagView[]): TagSpread[] {
  const known = new Map(tags.map((tag) => [tag.tag, tag]));
  return pairsIn(payload['tags']).flatMap(([name, value]) => {
    const tag = known.get(name);
    const own = tag?.values.find((each) => each.value === value);
    if (tag === undefined || own === undefined) return [];
    const most = tag.values.slice(0, 3).map((each) => ({ value: each.value, events: each.events }));
    return [{ tag: name, events: own.events, of: tag.events, most }];
  });
}

async function shownOf(
  visit: Visit,
  { project, issue }: FoundIssue,
  event: StoredEvent,
  { tags, stored }: { readonly tags: readonly TagView[]; readonly stored: IssueHeadModel['stored'] },
): Promise<EventShown> {
  const { store } = visit.deps;
  const [seen, failedTests] = await Promise.all([
    store.eventsOfUser(project.id, issue.id, event.eventId, userSeenAmong),
    failedTestsOf(visit, project.id, event.release),
  ]);
  const isAll = !stored.capped && stored.events <= userSeenAmong;
  const among = isAll ? null : userSeenAmong;
  const view = eventView(visit, event);
  return {
    event: withMaskedUser(view),
    hash: event.grouping.hash,
    grouping_parts: groupingParts(event),
    received_after_ms: event.receivedAtMs - event.timestampMs,
    tag_spread: spreadOf(view as Payload, tags),
    user_seen: seen === null ? null : { events: seen, among },
    failed_tests: failedTests,
  };
}

/** What an event was grouped by, made from the event again; null where it is none of today's events. */
function groupingParts({ payload, grouping }: StoredEvent): readonly GroupingPart[] | null {
  const { data: event } = normalizedEvent.safeParse(JSON.parse(payload));
  return event === undefined ? null : explainGrouping(event, grouping.hash);
}

/** Whether somebody could have known: tests of the release that the event names. */
async function failedTestsOf(
  { deps: { store } }: Visit,
  projectId: number,
  release: string | null,
): Promise<FailedTests | null> {
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

/** An event with its user masked: ids in their middle, names and addresses behind their beginning. */
export function withMaskedUser<Event extends object>(event: Event): Event {
  const user = recordOf((event as Payload)['user']);
  if (user === null) return event;
  const members = Object.entries(user).map(([name, value]) => {
    const mask = masks.get(name);
    const text = textOf(value);
    return [name, mask === undefined || text === '' ? value : mask(text)] as const;
  });
  return { ...event, user: Object.fromEntries(members) };
}

/** `u_7c19…e2`, `m…@shop.example`. */
function masked(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${cutText(text, 1)}…${text.slice(at)}`;
  return text.length <= idShown ? text : `${text.slice(0, 6)}…${text.slice(-2)}`.toWellFormed();
}

/** A name is somebody's: its beginning tells two users apart. */
function begun(name: string): string {
  return `${cutText(name, 1)}…`;
}
