import { userQueryCharactersMax } from '../../../../schemas/users.ts';
import { RestError } from '../../errors.ts';
import { dayMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { type FoundUser, findUsers, getUser } from '../../users/find.ts';
import {
  daysShown,
  readUserRecords,
  tagsOf,
  type UserRecords,
  viewUser,
  viewUserDetails,
} from '../../users/views.ts';
import { viewMaskedFeedback } from '../feedback/list.ts';
import { splitTitle, viewIssueRows } from '../issues/list.ts';
import { maskIdentity, nameOfIdentity } from '../mask-user.ts';
import { pageNotFound, type RequestContext, viewedProjects } from '../request-context.ts';

const issuesShown = 10;
const eventsShown = 5;

export type UsersModel = Awaited<ReturnType<typeof usersModel>>;

export type UserModel = Awaited<ReturnType<typeof modelOf>>;

/** Looks in the projects that the member sees, or in the selected one. */
export async function usersModel(context: RequestContext) {
  const query = context.query.get('query')?.trim().slice(0, userQueryCharactersMax) || null;
  const ids = viewedProjects(context).map(({ id }) => id);
  const found = query === null ? [] : await findUsers(context.deps, ids, query);
  const [first, ...others] = found;
  const user = first === undefined || others.length > 0 ? null : await modelOf(context, first);
  return { filters: { query }, matches: found.map((each) => maskIdentity(viewUser(each))), user };
}

export async function userModel(context: RequestContext) {
  return modelOf(context, await findUserOfPath(context));
}

/** Throws 404 also for users of projects that the member does not see. */
export async function findUserOfPath(context: RequestContext): Promise<FoundUser> {
  const ids = context.projects.map(({ id }) => id);
  try {
    return await getUser(context.deps, ids, context.path['user_hash'] ?? '');
  } catch (error) {
    if (error instanceof RestError && error.status === 404) throw pageNotFound('A user with this key');
    throw error;
  }
}

/** What has to be typed before the user is erased. */
export function confirmationWord({ identity, parts }: FoundUser): string {
  return identity.id ?? identity.username ?? identity.email ?? parts[0]?.ref.userHash ?? '';
}

async function modelOf(context: RequestContext, user: FoundUser) {
  const { store, now } = context.deps;
  const records = await readUserRecords({ store, now }, user);
  const {
    issues: _issues,
    latest_events: _events,
    feedback: _reports,
    ...details
  } = viewUserDetails(records);
  const view = maskIdentity(details);
  const shown = records.issues.slice(0, issuesShown);
  const nameOf = (id: number) => context.projects.find((each) => each.id === id)?.name ?? String(id);
  const [rows, erasing] = await Promise.all([
    viewIssueRows(
      context,
      shown.map(({ issue }) => issue),
      nameOf,
    ),
    Promise.all(user.parts.map(({ ref }) => store.isErasing(ref))),
  ]);
  const projectOf = new Map(records.issues.map(({ issue }) => [issue.id, issue.projectId]));
  return {
    ...view,
    shown_name: nameOfIdentity(view) ?? 'without a name',
    issues: rows.map((row, at) => ({
      ...row,
      user_events: shown[at]?.seen.events ?? 0,
      user_last_seen: formatTime(shown[at]?.seen.lastSeenMs ?? null),
    })),
    /** Issues with an event of the user in the last 30 days. */
    recent: recentOf(records, context.nowMs),
    latest_events: _events.slice(0, eventsShown).map((event, at) => ({
      ...event,
      ...splitTitle(event.title),
      project: nameOf(projectOf.get(event.issue_id) ?? 0),
      browser: browserOf(records.events[at]?.payload ?? null),
    })),
    feedback: records.feedback.map(viewMaskedFeedback),
    projects: user.parts.map(({ ref, summary }) => ({
      project_id: ref.projectId,
      name: nameOf(ref.projectId),
      events: summary.events,
    })),
    is_erasing: erasing.includes(true),
  };
}

function recentOf({ issues, days }: UserRecords, nowMs: number) {
  const recent = issues.filter(({ seen }) => (seen.lastSeenMs ?? 0) >= nowMs - daysShown * dayMs);
  return {
    issues: recent.length,
    unresolved: recent.filter(({ issue }) => issue.state.status === 'unresolved').length,
    events: sum(days.map(({ events }) => events)),
  };
}

function browserOf(payload: string | null): string | null {
  return payload === null ? null : (tagsOf(payload).find(([name]) => name === 'browser')?.[1] ?? null);
}
