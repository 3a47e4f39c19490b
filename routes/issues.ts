// GET /issues, GET and POST /issues/{id}, GET /issues/{id}/events: what the events amount to, for whoever holds the secret.
import {
  type IssueChangeRequest,
  issueChangeRequest,
  issueEventsQuery,
  issuesQuery,
} from '../schemas/issues.ts';
import { parseMoment } from '../src/core/dates.ts';
import type { Deps } from '../src/core/deps.ts';
import { invalidId, invalidParam, missingParams } from '../src/core/errors.ts';
import type { Act, Activity, EventSummary, Issue, IssueFilter, IssueMerge } from '../src/core/issue-store.ts';
import { type IssueChange, issueUsersMax } from '../src/core/issues.ts';
import { maskedKey } from '../src/core/keys.ts';
import { listed, windowOf } from '../src/http/collection.ts';
import { parseBody } from '../src/http/parse-body.ts';
import { type ApiRequest, type Handler, ok } from '../src/http/route.ts';

const hourMs = 3_600_000;
const hoursShown = 24;
const activityShownMax = 100;

/** Issues of the project, the last seen first unless asked otherwise. */
export function getIssues(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issuesQuery, request);
    const filter: IssueFilter = {
      ...optional('search', asked.search),
      ...optional('status', asked.status),
      ...optional('substatus', asked.substatus),
      ...optional('level', asked.level),
      ...optional('platform', asked.platform),
      ...optional('release', asked.release),
      ...optional('environment', asked.environment),
      ...optional('firstRelease', asked.first_release),
      orderBy: asked.orderby,
      descending: asked.order === 'desc',
      ...windowOf(asked),
    };
    const page = await deps.store.listIssues(request.project.id, filter);
    return listed(request, '/issues', asked, { rows: page.rows.map(issueBody), total: page.total });
  };
}

/** One issue with its last 24 hours, its history and its merges. */
export function getIssue(deps: Deps): Handler {
  return async (request) => ok(await wholeIssue(deps, request.project.id, issueIdOf(request)));
}

/** Changes the state of an issue, merges others into it or undoes a merge; answers the issue as it then is. */
export function postIssue(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issueChangeRequest, request);
    const projectId = request.project.id;
    const issueId = issueIdOf(request);
    if ((await deps.store.findIssue(projectId, issueId)) === null) throw invalidId('issue');
    const act = { actor: `key ${maskedKey(request.key)}`, nowMs: deps.now() };
    // All of it is read before any of it is done: a refusal changes nothing.
    const change = asked.status === undefined ? null : changeOf(asked);
    requireOneAct(asked);
    if (asked.merge !== undefined) await merge(deps, projectId, issueId, asked.merge, act);
    else if (asked.undo_merge !== undefined) await undoMerge(deps, projectId, issueId, asked.undo_merge, act);
    else if (change !== null) await deps.store.changeIssue(projectId, issueId, change, act);
    return ok({ accepted: true, ...(await wholeIssue(deps, projectId, issueId)) });
  };
}

function requireOneAct(asked: IssueChangeRequest): void {
  const acts = (['status', 'merge', 'undo_merge'] as const).filter((name) => asked[name] !== undefined);
  if (acts.length === 0) throw missingParams(['status']);
  const [, second] = acts;
  if (second !== undefined) throw invalidParam({ [second]: `${second} can not stand beside ${acts[0]}.` });
}

async function merge(
  deps: Deps,
  projectId: number,
  issueId: number,
  others: readonly number[],
  act: Act,
): Promise<void> {
  const merged = await deps.store.mergeIssues(projectId, issueId, others, act);
  if (merged === null) throw invalidParam({ merge: 'merge names an issue that is not there.' });
}

/** Only a merge into this very issue, which its own page lists. */
async function undoMerge(
  deps: Deps,
  projectId: number,
  issueId: number,
  mergeId: number,
  act: Act,
): Promise<void> {
  const ofIssue = (await deps.store.listMerges(projectId, issueId)).some((each) => each.id === mergeId);
  const undone = ofIssue ? await deps.store.unmergeIssues(projectId, mergeId, act) : null;
  if (undone === null) throw invalidParam({ undo_merge: 'undo_merge names no merge that could be undone.' });
}

/** Events of an issue, the last received first. */
export function getIssueEvents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issueEventsQuery, request);
    const issueId = issueIdOf(request);
    const page = await deps.store.listIssueEvents(request.project.id, issueId, {
      ...optional('search', asked.search),
      ...optional('release', asked.release),
      ...optional('environment', asked.environment),
      descending: asked.order === 'desc',
      ...windowOf(asked),
    });
    if (page === null) throw invalidId('issue');
    const rows = page.rows.map(eventSummaryBody);
    return listed(request, `/issues/${issueId}/events`, asked, { rows, total: page.total });
  };
}

function issueIdOf(request: ApiRequest): number {
  const text = request.path['id'] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalidId('issue');
  return Number(text);
}

async function wholeIssue(deps: Deps, projectId: number, issueId: number): Promise<Record<string, unknown>> {
  const issue = await deps.store.findIssue(projectId, issueId);
  if (issue === null) throw invalidId('issue');
  const toMs = Math.floor(deps.now() / hourMs) * hourMs + hourMs;
  const hours = await deps.store.listIssueHours(projectId, [issueId], toMs - hoursShown * hourMs, toMs);
  const activity = await deps.store.listIssueActivity(projectId, issueId, {
    limit: activityShownMax,
    offset: 0,
  });
  const merges = await deps.store.listMerges(projectId, issueId);
  return {
    ...issueBody(issue),
    grouping: {
      algorithm: issue.grouping.algorithm,
      source: issue.grouping.source,
      parts: issue.grouping.parts,
      notes: issue.grouping.notes,
    },
    hours: hours.map((hour) => ({ hour: iso(hour.hourMs), events: hour.events })),
    activity: activity.rows.map(activityBody),
    merges: merges.map(mergeBody),
  };
}

function issueBody(issue: Issue): Record<string, unknown> {
  const { state } = issue;
  return {
    issue_id: issue.id,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    platform: issue.platform,
    status: state.status,
    substatus: state.substatus,
    resolution: state.resolution,
    ignore: state.ignore,
    events: issue.eventsCount,
    users: issue.usersCount,
    users_capped: issue.usersCount >= issueUsersMax,
    regressions: issue.regressionsCount,
    first_seen: iso(issue.firstSeenMs),
    last_seen: iso(issue.lastSeenMs),
    first_release: issue.firstRelease,
    last_release: issue.lastRelease,
    merged_into: issue.mergedInto,
    overflow: issue.isOverflow,
  };
}

/** An event as the lists show it. */
export function eventSummaryBody(event: EventSummary): Record<string, unknown> {
  return {
    event_id: event.eventId,
    issue_id: event.issueId,
    title: event.title,
    culprit: event.culprit,
    level: event.level,
    platform: event.platform,
    release: event.release,
    dist: event.dist,
    environment: event.environment,
    received: iso(event.receivedAtMs),
    timestamp: iso(event.timestampMs),
    sdk: event.sdkName === null ? null : { name: event.sdkName, version: event.sdkVersion },
    domain: event.domain,
    scrubbed: event.scrubbedCount,
  };
}

function activityBody(activity: Activity): Record<string, unknown> {
  return {
    kind: activity.kind,
    actor: activity.actor,
    at: iso(activity.atMs),
    from: activity.from,
    to: activity.to,
    event_id: activity.eventId,
    release: activity.release,
    detail: activity.detail,
  };
}

function mergeBody(merge: IssueMerge): Record<string, unknown> {
  return {
    merge_id: merge.id,
    issue_ids: merge.issueIds,
    actor: merge.actor,
    at: iso(merge.atMs),
    undone_at: merge.undoneAtMs === null ? null : iso(merge.undoneAtMs),
  };
}

function changeOf(asked: IssueChangeRequest): IssueChange {
  if (asked.status === 'resolved') {
    if (asked.in !== 'release') return { status: 'resolved', in: asked.in };
    if (asked.release === undefined) throw missingParams(['release']);
    return { status: 'resolved', in: 'release', release: asked.release };
  }
  if (asked.status !== 'ignored') return { status: 'unresolved' };
  if (asked.until === 'date') return { status: 'ignored', until: 'date', atMs: dateOf(asked.date) };
  if (asked.until === 'count') {
    if (asked.count === undefined) throw missingParams(['count']);
    const windowMs = asked.window === undefined ? null : asked.window * 1000;
    return { status: 'ignored', until: 'count', count: asked.count, windowMs };
  }
  if (asked.until !== 'users') return { status: 'ignored', until: 'forever' };
  if (asked.users === undefined) throw missingParams(['users']);
  return { status: 'ignored', until: 'users', users: asked.users };
}

function dateOf(text: string | undefined): number {
  if (text === undefined) throw missingParams(['date']);
  const atMs = parseMoment(text);
  if (atMs === null) throw invalidParam({ date: 'Invalid date.' });
  return atMs;
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}
