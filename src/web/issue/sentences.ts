import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import type { HistoryEntryView } from '../../core/page-models/issue/history.ts';
import type { SharedTrait } from '../../core/page-models/issue/similar.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import { capitalize, type IconName, stateChange, statusMark } from '../components/icons.ts';
import { type Content, externalLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, fullTime, replaceInvisible, span, timeAgo, untrustedText } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

type Activity = Extract<HistoryEntryView, { entry: 'act' }>;

function actorName(actor: string): Content {
  const member = /^member (.+)$/s.exec(actor)?.[1];
  if (member !== undefined) return untrustedText(member);
  if (actor === 'event') return 'An event';
  if (actor === 'token') return 'Someone with the workspace token';
  if (actor === 'command line') return 'The command line';
  if (/^regroup\b/.test(actor)) return 'Regrouping';
  if (actor === 'maps' || actor === 'symbolication') return 'A source map';
  const key = /^key (.+)$/s.exec(actor)?.[1];
  return key === undefined ? untrustedText(actor) : ['The key ', html`<code>${replaceInvisible(key)}</code>`];
}

export function releaseLink(
  model: Pick<IssueHeadModel, 'release_ids'>,
  version: string,
  context: PageContext,
): Content {
  const id = Object.hasOwn(model.release_ids, version) ? model.release_ids[version] : undefined;
  const text = untrustedText(version);
  return id === undefined ? text : pageLink(context, `/releases/${id}`, null, text);
}

export function issueStateIcon(status: string, substatus: string | null): IconName {
  if (status === 'resolved' || status === 'ignored') return status;
  return substatus === 'new' || substatus === 'regressed' ? substatus : 'ongoing';
}

export function stateSentence(model: IssueHeadModel, context: PageContext): Content {
  const { issue } = model;
  const shape = issueStateIcon(issue.status, issue.substatus);
  return [statusMark(shape), ' ', html`<span class="soft">${stateText(model, context)}</span>`];
}

function stateText(model: IssueHeadModel, context: PageContext): Content[] {
  const { issue, state_by: by } = model;
  const since = timeAgo(issue.state_changed, context.nowMs);
  if (issue.status === 'resolved') return resolvedText(model, since, context);
  if (issue.status === 'ignored') return [since, ...actorText(model), ignoredText(model), '.'];
  if (issue.substatus === 'regressed') return regressedText(model, since, context);
  if (issue.substatus === 'new') {
    return ['since ', since, ...inRelease(', in ', issue.first_release, model, context)];
  }
  if (by?.kind === 'unresolved') return [since, ': ', actorName(by.actor), ' reopened it.'];
  if (by?.kind === 'ignore_ended') return [since, ': its ignore condition was met.'];
  return ['since ', since];
}

function actorText({ state_by: by }: IssueHeadModel): Content[] {
  return by === null ? [] : [' by ', actorName(by.actor)];
}

function resolvedText(model: IssueHeadModel, since: VNode, context: PageContext): Content[] {
  const { resolution } = model.issue;
  const words = [since, ...actorText(model)];
  if (resolution?.in === 'release') {
    return [
      ...words,
      ' in ',
      releaseLink(model, resolution.release, context),
      '. An event of this or a later release reopens it.',
    ];
  }
  if (resolution?.in === 'next_release') {
    const after = inRelease(', after ', resolution.after, model, context);
    return [...words, ' in the next release', ...after, '. An event of that release reopens it.'];
  }
  return [...words, '. The next event reopens it.'];
}

function ignoredText({ issue }: IssueHeadModel): Content {
  const end = issue.ignore;
  if (end === null || end.until === 'forever') return ', forever';
  if (end.until === 'date') return [', until ', fullTime(end.date)];
  if (end.until === 'users') {
    const countSince = Math.max(0, issue.users - end.users_before);
    return `, until ${counted(end.users, 'more user')}; ${count(countSince)} since`;
  }
  const window = end.window === null ? '' : ` within ${span(end.window * 1000)}`;
  const countSince = Math.max(0, issue.events - end.events_before);
  return `, until ${counted(end.count, 'more event')}${window}; ${count(countSince)} since`;
}

/** Who had resolved it is in the activity. */
function regressedText(model: IssueHeadModel, since: VNode, context: PageContext): Content[] {
  const { state_by: by, issue } = model;
  const eventId = by?.event_id ?? null;
  const path = `/issues/${issue.issue_id}/events/${eventId}`;
  const event = eventId === null ? 'an event' : pageLink(context, path, null, 'an event');
  return [since, ' by ', event, ...inRelease(' of ', by?.release ?? null, model, context)];
}

function inRelease(
  before: string,
  release: string | null,
  model: IssueHeadModel,
  context: PageContext,
): Content[] {
  return release === null ? [] : [before, releaseLink(model, release, context)];
}

export function activitySentence(activity: Activity, model: IssueHeadModel, context: PageContext): Content {
  return [...activityText(activity, model, context), changed(activity)];
}

function changed({ from, to }: Activity): Content {
  if (from === '' || to === '' || from === to) return null;
  const [before, shape] = [iconOfState(from), iconOfState(to)];
  return before === shape ? null : [' ', stateChange(capitalize(before), shape)];
}

/** Of `status/substatus`. */
function iconOfState(state: string): IconName {
  const [status = '', substatus = null] = state.split('/');
  return issueStateIcon(status, substatus);
}

function activityText(activity: Activity, model: IssueHeadModel, context: PageContext): Content[] {
  const name = actorName(activity.actor);
  const detail = activity.detail as Readonly<Record<string, unknown>>;
  switch (activity.kind) {
    case 'first_seen':
      return ['First seen', ...inRelease(' in ', activity.release, model, context)];
    case 'regressed':
      return [
        'An event',
        ...inRelease(' of ', activity.release, model, context),
        ' reopened it as regressed',
      ];
    case 'ongoing':
      return ['Ongoing: no longer new'];
    case 'ignore_ended':
      return ['Its ignore condition was met'];
    case 'resolved':
      return [name, ' resolved it', ...resolvedIn(activity, model, context)];
    case 'ignored':
      return [name, ' ignored it', ignoredFor(detail)];
    case 'unresolved':
      return [name, ' reopened it'];
    case 'merged':
      return [name, ...mergedText(detail, context)];
    case 'unmerged':
      return [name, ' undid a merge', ...numbers(' of ', detail['issue_ids'], context)];
    case 'split':
      return splitText(detail, name, context);
    case 'assigned':
      return assignedText(activity, name, detail);
    case 'linked':
    case 'unlinked':
      return [
        name,
        activity.kind === 'linked' ? ' linked it to ' : ' removed the link to ',
        linkText(detail['url']),
      ];
    case 'mapped':
      return ['A source map was uploaded later, and events were symbolicated again'];
    case 'hash_added':
      return keyChangeText(activity, name, detail);
    case 'events_moved':
      return movedText(name, detail, context);
  }
}

function resolvedIn({ release, detail }: Activity, model: IssueHeadModel, context: PageContext): Content[] {
  if (release !== null) return [' in ', releaseLink(model, release, context)];
  return (detail as Readonly<Record<string, unknown>>)['in'] === 'next_release'
    ? [' in the next release']
    : [];
}

function ignoredFor(detail: Readonly<Record<string, unknown>>): Content {
  const { until, date, count: events, users } = detail;
  if (until === 'date' && typeof date === 'string') return [' until ', fullTime(date)];
  if (until === 'count') return ` until ${counted(Number(events), 'more event')}`;
  return until === 'users' ? ` until ${counted(Number(users), 'more user')}` : ' forever';
}

function mergedText(detail: Readonly<Record<string, unknown>>, context: PageContext): Content[] {
  if (typeof detail['into'] === 'number') return numbers(' merged it into ', [detail['into']], context);
  return [...numbers(' merged ', detail['issue_ids'], context), ' into it'];
}

function splitText(detail: Readonly<Record<string, unknown>>, name: Content, context: PageContext) {
  const { into } = detail;
  if (typeof into === 'number') return [name, ...numbers(' split ', [into], context), ' off'];
  return [name, ...numbers(' split it off from ', [detail['from']], context)];
}

/** A grouping hash was added, by an event, a grouping rule or a source map. */
function keyChangeText({ actor }: Activity, name: Content, detail: Readonly<Record<string, unknown>>) {
  const { hash } = detail;
  const key =
    typeof hash === 'string'
      ? [' one more fingerprint, ', html`<code>${hash.slice(0, 12)}</code>`]
      : [' one more fingerprint'];
  const led = [...key, ', belongs to this issue'];
  return actor === 'event' ? ['After a matching event,', ...led] : [name, ' changed the grouping:', ...led];
}

/** Events moved to another issue because of a late source map or a newer grouping rule. */
function movedText(name: Content, detail: Readonly<Record<string, unknown>>, context: PageContext) {
  const { into, from, events } = detail;
  const moved = typeof events === 'number' ? ` moved ${counted(events, 'event')}` : ' moved events';
  return typeof into === 'number'
    ? [name, moved, ...numbers(' to ', [into], context)]
    : [name, moved, ...numbers(' here from ', [from], context)];
}

function numbers(before: string, ids: unknown, context: PageContext): Content[] {
  const known = Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)).slice(0, 20) : [];
  if (known.length === 0) return [];
  const links = known.flatMap((id, at) => [at === 0 ? '' : ', ', issueLink(Number(id), context)]);
  return [before, ...links];
}

export function issueLink(id: number, context: PageContext): VNode {
  return pageLink(context, `/issues/${id}`, null, `#${id}`);
}

function linkText(url: unknown): Content {
  const text = typeof url === 'string' ? url : '';
  return externalLink(text, untrustedText(cutText(text, 100)));
}

function assignedText(activity: Activity, name: Content, detail: Readonly<Record<string, unknown>>) {
  const to = detail['name'];
  if (typeof to !== 'string') return [name, ' unassigned it'];
  if (activity.actor === `member ${to}`) return [name, ' assigned it to themselves'];
  return [name, ' assigned it to ', untrustedText(to)];
}

const traitTexts: Readonly<Record<SharedTrait, string>> = {
  words: 'title words',
  place: 'location',
  file: 'file',
  frames: 'frames',
};

/** `shares the place, the file and frames`. */
export function sharedTraitsText(shared: readonly SharedTrait[]): string {
  const words = shared.map((trait) => traitTexts[trait]);
  if (words.length === 0) return 'several small similarities';
  const last = words.at(-1);
  return `shares ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`}`;
}

/** Of a search; names are between backticks. */
export function mistakeLines(mistakes: readonly string[]): Content[] {
  const named = (message: string): Content[] =>
    message
      .split('`')
      .map((part, at) => (at % 2 === 0 ? part : html`<code>${replaceInvisible(part)}</code>`));
  return mistakes.map((each) => html`<p class="qsay"><span class="wrong">${named(each)}</span></p>`);
}
