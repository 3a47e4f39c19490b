// What a message about one issue says from its newest event, and its links that resolve or ignore it.
import { createHash } from 'node:crypto';
import type { ExceptionValue, NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { findMainException } from '../grouping/stacks/exception-tree.ts';
import { randomBase62 } from '../ids.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs } from '../parsing/durations.ts';
import type { ActionLink } from '../store/alert-records.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/store.ts';
import type { IssueDetails } from './messages/message.ts';
import { findAssigneeWords } from './signal-people.ts';

const framesMax = 5;
const textMax = 200;
const linkLifetimeMs = 7 * dayMs;
const tokenCharacters = 32;

interface DetailsContext {
  readonly deps: Pick<Deps, 'now' | 'randomBytes'>;
  readonly store: Store;
  readonly pagesUrl: string | null;
}

export async function findIssueDetails(
  context: DetailsContext,
  { projectId, issueId }: { readonly projectId: number; readonly issueId: number },
): Promise<IssueDetails | null> {
  const { store } = context;
  const issue = await store.findIssue(projectId, issueId);
  if (issue === null) return null;
  const eventId = await store.newestEventOf({ projectId, issueId });
  const stored = eventId === null ? null : await store.findEvent(projectId, eventId);
  const event = stored === null ? null : (JSON.parse(stored.payload) as NormalizedEvent);
  const { status } = issue.state;
  const isAssigned = issue.assignedTo !== null || issue.assignedTeam !== null;
  const [assignee = null] = isAssigned ? await findAssigneeWords(store, projectId, issueId) : [];
  return {
    ...describeError(issue, event),
    environment: event?.environment ?? null,
    release: event?.release ?? issue.lastRelease,
    firstSeenMs: issue.firstSeenMs,
    assignee,
    resolveUrl: status === 'resolved' ? null : await createActionLink(context, issue, 'resolve'),
    ignoreUrl: status === 'unresolved' ? await createActionLink(context, issue, 'ignore') : null,
    muteUrl: status === 'unresolved' ? await createActionLink(context, issue, 'mute') : null,
  };
}

type ErrorDetails = Pick<IssueDetails, 'type' | 'text' | 'frames' | 'framesCount'>;

function describeError({ title }: Issue, event: NormalizedEvent | null): ErrorDetails {
  const exceptions: readonly ExceptionValue[] = event?.exception?.values ?? [];
  const main = exceptions[findMainException(exceptions)?.index ?? -1];
  const frames = main?.stacktrace?.frames ?? (event?.stacktrace as Stacktrace | undefined)?.frames ?? [];
  const inApp = frames.filter(({ in_app: isInApp }) => isInApp !== false).toReversed();
  const type = main?.type ?? '';
  return {
    type: cutText(type === '' ? title : type, textMax),
    text: type === '' ? '' : cutText(main?.value ?? '', textMax),
    frames: inApp.slice(0, framesMax).map(viewFrame),
    framesCount: frames.length,
  };
}

function viewFrame(frame: StackFrame): IssueDetails['frames'][number] {
  const file = frame.filename ?? frame.module ?? frame.abs_path ?? '';
  const location = frame.lineno === undefined ? file : `${file}:${frame.lineno}`;
  return {
    function: cutText(frame.function ?? '(anonymous)', textMax),
    place: cutText(location, textMax),
    source: cutText((frame.context_line ?? '').trim(), textMax),
  };
}

async function createActionLink(
  { deps, store, pagesUrl }: DetailsContext,
  { projectId, id: issueId }: Issue,
  action: ActionLink['action'],
): Promise<string | null> {
  if (pagesUrl === null) return null;
  const token = randomBase62(tokenCharacters, deps.randomBytes);
  const expiresAtMs = deps.now() + linkLifetimeMs;
  await store.addActionLink(
    { tokenHash: hashActionToken(token), projectId, issueId, action, expiresAtMs },
    deps.now(),
  );
  return `${pagesUrl}/issue-links/${token}`;
}

export function hashActionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export async function findEventTags(
  store: Store,
  projectId: number,
  eventId: string | null,
): Promise<ReadonlyArray<readonly [string, string]>> {
  const event = eventId === null ? null : await store.findEvent(projectId, eventId);
  return event === null ? [] : ((JSON.parse(event.payload) as NormalizedEvent).tags ?? []);
}
