import type { Deps } from '../../deps.ts';
import { randomBase62 } from '../../ids.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { formatCountWithNoun } from '../../parsing/format/numbers.ts';
import type { NamedIncident, NotifiedSubject, SignalKind } from '../../store/alert-records.ts';
import type { AlertRule } from '../../store/alerts.ts';
import { isIssueRule, ruleKindTexts } from './rule-kinds.ts';

export type NotifiedIssue = ReturnType<typeof toNotifiedIssue>;

export interface IssueDetails {
  /** The type of the error, or the title where there is none. */
  readonly type: string;
  /** What the error says; empty where the title has no type. */
  readonly text: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly firstSeenMs: number;
  readonly assignee: string | null;
  /** In-app frames, most recent call first. */
  readonly frames: ReadonlyArray<{
    readonly function: string;
    readonly place: string;
    /** The source line; empty if unknown. */
    readonly source: string;
  }>;
  readonly framesCount: number;
  readonly resolveUrl: string | null;
  readonly ignoreUrl: string | null;
  /** Ignores it for a day. */
  readonly muteUrl: string | null;
}

type NotifiedObject = ReturnType<typeof toNotifiedObject>;

interface NotifiedIncident {
  readonly id: number;
  readonly title: string;
  readonly url: string | null;
}

export interface AlertMessage {
  /** The same at every try, so that receivers can drop repeats. */
  readonly id: string;
  readonly type: SignalKind | 'test';
  readonly atMs: number;
  readonly subject: string;
  readonly reason: string;
  /** Relative to the base URL of the pages. */
  readonly path: string | null;
  readonly url: string | null;
  readonly stopUrl: string | null;
  /** Where a recipient of mails of the channel removes their address. */
  readonly unsubscribeUrl: string | null;
  readonly rule: { readonly id: number; readonly name: string } | null;
  readonly channel: { readonly id: number; readonly name: string };
  /** All issues or other things; at most ten of them are listed. */
  readonly count: number;
  readonly noun: string;
  readonly issues: readonly NotifiedIssue[];
  readonly objects: readonly NotifiedObject[];
  /** Events that would have created issues beyond the hourly limit of new issues. */
  readonly overflow: ReadonlyArray<{
    readonly project: string;
    readonly events: number;
    readonly issueId: number;
  }>;
  readonly incidents: { readonly count: number; readonly named: readonly NotifiedIncident[] };
  readonly details: IssueDetails | null;
}

export const itemsPerMessageMax = 10;
const titleCharactersMax = 200;
const noteCharactersMax = 500;
const idCharacters = 22;

export function newMessageId({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return `msg_${randomBase62(idCharacters, randomBytes)}`;
}

export interface MessageContext {
  readonly deps: Pick<Deps, 'now' | 'randomBytes'>;
  readonly projects: ReadonlyMap<number, string>;
  readonly pagesUrl: string | null;
}

interface MessageContent {
  readonly kind: SignalKind;
  readonly rule: Pick<AlertRule, 'id' | 'name' | 'sentence' | 'conditions'>;
  readonly channel: { readonly id: number; readonly name: string };
  readonly count: number;
  readonly named: readonly NotifiedSubject[];
  readonly overflow: readonly NotifiedSubject[];
  readonly incidents: { readonly count: number; readonly named: readonly NamedIncident[] };
  readonly projectId: number | null;
  readonly details: IssueDetails | null;
}

export function buildMessage(context: MessageContext, content: MessageContent): AlertMessage {
  const { kind, rule, channel, count, projectId } = content;
  const { pagesUrl } = context;
  const isIssue = isIssueRule(kind);
  const [first] = content.named;
  const isOne = count === 1 && first !== undefined;
  const path = isOne ? pathOf(first) : ruleKindTexts[kind].path;
  const query = isOne || projectId === null ? '' : `?project=${projectId}`;
  return {
    id: newMessageId(context.deps),
    type: kind,
    atMs: context.deps.now(),
    subject: buildSubject(context, content, isOne ? first : null),
    reason: `The rule “${rule.name}” notifies “${channel.name}”: ${rule.sentence}.`,
    path,
    url: pagesUrl === null ? null : `${pagesUrl}${path}${query}`,
    stopUrl: pagesUrl === null ? null : `${pagesUrl}/alert-channels/rules/${rule.id}`,
    unsubscribeUrl: unsubscribeUrlOf(pagesUrl, channel.id),
    rule: { id: rule.id, name: rule.name },
    channel: { id: channel.id, name: channel.name },
    count,
    noun: ruleKindTexts[kind].noun,
    issues: isIssue ? content.named.map((each) => toNotifiedIssue(context, each)) : [],
    objects: isIssue ? [] : content.named.map((each) => toNotifiedObject(context, each)),
    overflow: content.overflow.map((each) => ({
      project: projectNameOf(context, each.projectId),
      events: each.events,
      issueId: each.objectId,
    })),
    incidents: {
      count: content.incidents.count,
      named: content.incidents.named.map(({ id, title }) => ({
        id,
        title: cutText(title, titleCharactersMax),
        url: pagesUrl === null ? null : `${pagesUrl}/incidents/${id}`,
      })),
    },
    details: content.details,
  };
}

export function unsubscribeUrlOf(pagesUrl: string | null, channelId: number): string | null {
  return pagesUrl === null ? null : `${pagesUrl}/alert-channels/${channelId}/unsubscribe`;
}

export function buildTestMessage(
  { deps, pagesUrl }: Pick<MessageContext, 'deps' | 'pagesUrl'>,
  channel: { readonly id: number; readonly name: string },
  rule: Pick<AlertRule, 'id' | 'name' | 'sentence'> | null = null,
): AlertMessage {
  const path = rule === null ? `/alert-channels/${channel.id}` : `/alert-channels/rules/${rule.id}`;
  const url = pagesUrl === null ? null : `${pagesUrl}${path}`;
  return {
    id: newMessageId(deps),
    type: 'test',
    atMs: deps.now(),
    subject: rule === null ? 'Test notification: messages arrive here' : `Test of the rule “${rule.name}”`,
    reason:
      rule === null
        ? `Someone requested a test of “${channel.name}”.`
        : `Someone requested a test. The rule “${rule.name}” notifies “${channel.name}”: ${rule.sentence}.`,
    path,
    url,
    stopUrl: url,
    unsubscribeUrl: unsubscribeUrlOf(pagesUrl, channel.id),
    rule: rule === null ? null : { id: rule.id, name: rule.name },
    channel: { id: channel.id, name: channel.name },
    count: 0,
    noun: 'issue',
    issues: [],
    objects: [],
    overflow: [],
    incidents: { count: 0, named: [] },
    details: null,
  };
}

function toNotifiedIssue(context: MessageContext, notified: NotifiedSubject) {
  return {
    issueId: notified.objectId,
    project: projectNameOf(context, notified.projectId),
    title: cutText(notified.title, titleCharactersMax),
    culprit: cutText(notified.culprit, titleCharactersMax),
    /** What happened to it, such as the text of a comment; empty for none. */
    note: cutText(notified.note, noteCharactersMax),
    level: notified.level,
    events: notified.events,
    users: notified.users,
    url: urlOf(context, notified),
  };
}

function toNotifiedObject(context: MessageContext, notified: NotifiedSubject) {
  return {
    id: notified.objectId === 0 ? null : notified.objectId,
    project: projectNameOf(context, notified.projectId),
    title: cutText(notified.title, titleCharactersMax),
    detail: cutText(notified.culprit, titleCharactersMax),
    url: urlOf(context, notified),
  };
}

function pathOf({ path, objectId }: NotifiedSubject): string {
  return path ?? `/issues/${objectId}`;
}

function urlOf({ pagesUrl }: MessageContext, notified: NotifiedSubject): string | null {
  return pagesUrl === null ? null : `${pagesUrl}${pathOf(notified)}`;
}

function buildSubject(context: MessageContext, notified: MessageContent, single: NotifiedSubject | null) {
  const [, verb] = ruleKindTexts[notified.kind].verbs(notified.rule.conditions.limit);
  const beyond = notified.overflow.reduce((sum, { events }) => sum + events, 0);
  const over = beyond === 0 ? '' : `${formatCountWithNoun(beyond, 'event')} over the limit of new issues`;
  if (single !== null) {
    return `${describeEvent(notified.kind, notified.rule.conditions.limit, single)}${over === '' ? '' : `, and ${over}`}`;
  }
  const projectSuffix =
    notified.projectId === null ? '' : ` in ${projectNameOf(context, notified.projectId)}`;
  if (notified.count === 0) return `${over}${projectSuffix}`;
  return `${formatCountWithNoun(notified.count, ruleKindTexts[notified.kind].noun)} ${verb}${projectSuffix}${over === '' ? '' : `, and ${over}`}`;
}

export function describeEvent(
  kind: SignalKind,
  limit: AlertRule['conditions']['limit'],
  { objectId, title: fullTitle }: Pick<NotifiedSubject, 'objectId' | 'title'>,
): string {
  const { verbs, label } = ruleKindTexts[kind];
  const [verb] = verbs(limit);
  const title = cutText(fullTitle, titleCharactersMax);
  if (label !== undefined) return `${label}: ${title}`;
  return isIssueRule(kind) ? `#${objectId} ${verb}: ${title}` : `${title} ${verb}`;
}

function projectNameOf({ projects }: MessageContext, projectId: number | null): string {
  if (projectId === null) return '';
  return projects.get(projectId) ?? `project ${projectId}`;
}
