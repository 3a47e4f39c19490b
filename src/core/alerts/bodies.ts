// A message as each type of channel takes it: made once, and sent as it is at every try. What an error says
// is somebody's own text: it is one line, no markup and no link, and calls nobody.
import { cutBytes, cutText } from '../reading/cut-text.ts';
import { momentText } from '../reading/moments.ts';
import { defuseLinks, oneLine } from '../reading/one-line.ts';
import type { KeptChannel, NewDelivery } from '../store/alerting.ts';
import type { ChannelType } from '../store/alerts.ts';
import { discordBody, markdownText, slackBody, teamsBody } from './chats.ts';
import { namedIn, restOf } from './lines.ts';
import type { AlertMessage } from './message.ts';

/** What is sent. */
export function bodyOf(type: ChannelType, message: AlertMessage): string {
  const told = ofStrangers(message, type === 'webhook' ? oneLine : lineForPeople);
  if (type === 'email' || type === 'webhook') return bodies[type](told);
  return bodies[type]({ ...told, why: cutText(told.why, whyMax) });
}

/** What somebody wrote as a line for people. A program that takes webhooks gets its lines as they are. */
function lineForPeople(text: string): string {
  return defuseLinks(oneLine(text));
}

/** The message with `lineOf` of every text in it that is not ours. */
function ofStrangers(message: AlertMessage, lineOf: (text: string) => string): AlertMessage {
  const { rule, channel, incidents } = message;
  return {
    ...message,
    subject: lineOf(message.subject),
    why: lineOf(message.why),
    rule: rule === null ? null : { ...rule, name: lineOf(rule.name) },
    channel: { ...channel, name: lineOf(channel.name) },
    issues: message.issues.map((each) => ({
      ...each,
      project: lineOf(each.project),
      title: lineOf(each.title),
      culprit: lineOf(each.culprit),
      level: lineOf(each.level),
    })),
    objects: message.objects.map((each) => ({
      ...each,
      project: lineOf(each.project),
      title: lineOf(each.title),
      detail: lineOf(each.detail),
    })),
    overflow: message.overflow.map((each) => ({ ...each, project: lineOf(each.project) })),
    incidents: {
      ...incidents,
      named: incidents.named.map((each) => ({ ...each, title: lineOf(each.title) })),
    },
  };
}

/**
 * A rule's filters may be long. What takes only so much loses a piece of why it came, and not all of it, nor
 * where it is stopped; written out for a chat it may be five times as long.
 */
const whyMax = 500;

/** A message as it waits at a channel; `projectId` is the one project that it is about. */
export function deliveryOf(
  channel: Pick<KeptChannel, 'id' | 'type'>,
  message: AlertMessage,
  projectId: number | null,
): NewDelivery {
  return {
    projectId,
    channelId: channel.id,
    messageId: message.id,
    atMs: message.atMs,
    subject: channel.type === 'webhook' ? oneLine(message.subject) : lineForPeople(message.subject),
    rule: message.rule?.name ?? 'Test',
    why: oneLine(message.why),
    path: message.path,
    body: bodyOf(channel.type, message),
  };
}

const bodies: Readonly<Record<ChannelType, (message: AlertMessage) => string>> = {
  email: plainText,
  ntfy: ntfyText,
  webhook: webhookBody,
  slack: slackBody,
  mattermost: (message) => JSON.stringify({ text: markdownText(message) }),
  discord: discordBody,
  teams: teamsBody,
};

/** ntfy makes an attachment of what is longer than 4,096 bytes. */
const ntfyBytesMax = 3_900;

/** The form of Standard Webhooks: type, timestamp, data. */
function webhookBody(message: AlertMessage): string {
  const { rule, channel, count, issues, objects, overflow, incidents } = message;
  return JSON.stringify({
    type: message.type,
    timestamp: momentText(message.atMs),
    data: {
      subject: message.subject,
      why: message.why,
      url: message.url,
      stop_url: message.stopUrl,
      rule: rule === null ? null : { rule_id: rule.id, name: rule.name },
      channel: { alert_channel_id: channel.id, name: channel.name },
      ...(objects.length === 0
        ? {}
        : { objects_count: count, objects: objects.map((each) => ({ ...each })) }),
      issues_count: objects.length === 0 ? count : 0,
      issues: issues.map((each) => ({
        issue_id: each.issueId,
        project: each.project,
        title: each.title,
        culprit: each.culprit,
        level: each.level,
        events: each.events,
        users: each.users,
        url: each.url,
      })),
      overflow: overflow.map(({ project, events, issueId }) => ({ project, events, issue_id: issueId })),
      ...(incidents.count === 0
        ? {}
        : {
            incidents_count: incidents.count,
            incidents: incidents.named.map(({ id, title, url }) => ({ incident_id: id, title, url })),
          }),
    },
  });
}

/** Lines for mail and for telephones. */
function plainText(message: AlertMessage): string {
  return `${told(message)}${foot(message)}`;
}

/** What is too long loses lines of what is named, rather than why it came and where it is stopped. */
function ntfyText(message: AlertMessage): string {
  const end = foot(message);
  return cutBytes(cutBytes(told(message), ntfyBytesMax - Buffer.byteLength(end)) + end, ntfyBytesMax);
}

function told(message: AlertMessage): string {
  const { url, issues, objects } = message;
  const named = namedIn(message).flatMap((each) => [
    each.title,
    ...(each.figures === '' ? [] : [`  ${each.figures}`]),
    ...(each.url === null ? [] : [`  ${each.url}`]),
  ]);
  return [
    message.subject,
    ...(named.length === 0 ? [] : ['', ...named]),
    ...restOf(message),
    ...(url === null || issues.length + objects.length === 1 ? [] : ['', url]),
  ].join('\n');
}

function foot({ why, stopUrl }: AlertMessage): string {
  return ['\n', why, ...(stopUrl === null ? [] : [`Stop it: ${stopUrl}`]), ''].join('\n');
}
