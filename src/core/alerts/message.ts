// What a message says, whatever channel it goes to: what happened, to how many, why it came, and where to
// stop it.

import type { Deps } from '../deps.ts';
import { randomBase62 } from '../ids.ts';
import { cutText } from '../reading/cut-text.ts';
import type { SignalKind, ToldObject } from '../store/alerting.ts';

/** An issue as a message names it. */
export interface ToldIssue {
  readonly issueId: number;
  readonly project: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly events: number;
  readonly users: number;
  readonly url: string | null;
}

export interface AlertMessage {
  /** Stays at every try: a receiver drops repeats by it. */
  readonly id: string;
  readonly type: SignalKind | 'test';
  readonly atMs: number;
  /** One line. */
  readonly subject: string;
  /** Why it came, one sentence. */
  readonly why: string;
  /** What it is about, below the base of the pages. */
  readonly path: string | null;
  readonly url: string | null;
  /** Where it is stopped. */
  readonly stopUrl: string | null;
  readonly rule: { readonly id: number; readonly name: string } | null;
  readonly channel: { readonly id: number; readonly name: string };
  /** How many issues it tells of; it names ten of them. */
  readonly count: number;
  readonly issues: readonly ToldIssue[];
  /** Events of errors that would have been new issues over the cap of an hour. */
  readonly overflow: ReadonlyArray<{
    readonly project: string;
    readonly events: number;
    readonly issueId: number;
  }>;
}

/** As many issues as a message names. */
export const namedMax = 10;
const titleCharactersMax = 200;
const idCharacters = 22;

/** The id of a message. */
function newMessageId({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return `msg_${randomBase62(idCharacters, randomBytes)}`;
}

/** What messages are made with. */
export interface MessageParts {
  readonly deps: Pick<Deps, 'now' | 'randomBytes'>;
  /** Names of projects by their ids. */
  readonly projects: ReadonlyMap<number, string>;
  /** Where the pages are, without a slash at the end; null where there are none. */
  readonly pagesUrl: string | null;
}

interface Toldness {
  readonly kind: SignalKind;
  readonly rule: { readonly id: number; readonly name: string; readonly sentence: string };
  readonly channel: { readonly id: number; readonly name: string };
  readonly count: number;
  readonly issues: readonly ToldObject[];
  readonly overflow: readonly ToldObject[];
  /** The one project that it is about; null for several. */
  readonly projectId: number | null;
}

const verbs: Readonly<Record<SignalKind, readonly [one: string, many: string]>> = {
  'issue.is_new': ['is new', 'are new'],
  'issue.came_back': ['came back', 'came back'],
  'issue.reopened': ['was opened again', 'were opened again'],
};

/** The message on what a rule found. */
export function messageOf(parts: MessageParts, told: Toldness): AlertMessage {
  const { kind, rule, channel, count, projectId } = told;
  const { pagesUrl } = parts;
  const issues = told.issues.map((each) => toldIssue(parts, each));
  const [only] = issues;
  const isOne = count === 1 && only !== undefined;
  const path = isOne ? `/issues/${only.issueId}` : '/issues';
  const query = isOne || projectId === null ? '' : `?project=${projectId}`;
  return {
    id: newMessageId(parts.deps),
    type: kind,
    atMs: parts.deps.now(),
    subject: subjectOf(parts, told, isOne ? only : null),
    why: `The rule “${rule.name}” tells “${channel.name}”: ${rule.sentence}.`,
    path,
    url: pagesUrl === null ? null : `${pagesUrl}${path}${query}`,
    stopUrl: pagesUrl === null ? null : `${pagesUrl}/alert-channels/rules/${rule.id}`,
    rule: { id: rule.id, name: rule.name },
    channel: { id: channel.id, name: channel.name },
    count,
    issues,
    overflow: told.overflow.map((each) => ({
      project: nameOf(parts, each.projectId),
      events: each.events,
      issueId: each.objectId,
    })),
  };
}

/** The message of the test button. */
export function testMessage(
  { deps, pagesUrl }: Pick<MessageParts, 'deps' | 'pagesUrl'>,
  channel: { readonly id: number; readonly name: string },
): AlertMessage {
  const path = `/alert-channels/${channel.id}`;
  const url = pagesUrl === null ? null : `${pagesUrl}${path}`;
  return {
    id: newMessageId(deps),
    type: 'test',
    atMs: deps.now(),
    subject: 'A test: messages arrive here',
    why: `Somebody asked for a test of “${channel.name}”.`,
    path,
    url,
    stopUrl: url,
    rule: null,
    channel: { id: channel.id, name: channel.name },
    count: 0,
    issues: [],
    overflow: [],
  };
}

function toldIssue(parts: MessageParts, told: ToldObject): ToldIssue {
  const { pagesUrl } = parts;
  return {
    issueId: told.objectId,
    project: nameOf(parts, told.projectId),
    title: cutText(told.title, titleCharactersMax),
    culprit: cutText(told.culprit, titleCharactersMax),
    level: told.level,
    events: told.events,
    users: told.users,
    url: pagesUrl === null ? null : `${pagesUrl}/issues/${told.objectId}`,
  };
}

function subjectOf(parts: MessageParts, told: Toldness, only: ToldIssue | null): string {
  const [one, many] = verbs[told.kind];
  const beyond = told.overflow.reduce((sum, { events }) => sum + events, 0);
  const over = beyond === 0 ? '' : `${counted(beyond, 'event')} over the limit of new issues`;
  if (only !== null) return `#${only.issueId} ${one}: ${only.title}${over === '' ? '' : `, and ${over}`}`;
  const where = told.projectId === null ? '' : ` in ${nameOf(parts, told.projectId)}`;
  if (told.count === 0) return `${over}${where}`;
  return `${counted(told.count, 'issue')} ${many}${where}${over === '' ? '' : `, and ${over}`}`;
}

function nameOf({ projects }: MessageParts, projectId: number): string {
  return projects.get(projectId) ?? `project ${projectId}`;
}

/** `1,000 issues`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
