// A message as each type of channel takes it: made once, and sent as it is at every try. What an error says
// is somebody's own text: it is one line, no markup and no link, and calls nobody.
import { cutText } from '../reading/cut-text.ts';
import { defuseLinks, oneLine } from '../reading/one-line.ts';
import type { KeptChannel, NewDelivery } from '../store/alerting.ts';
import type { ChannelType } from '../store/alerts.ts';
import { channelTypeRules } from './messages/index.ts';
import type { AlertMessage } from './messages/message.ts';

/** What is sent. */
export function bodyOf(type: ChannelType, message: AlertMessage): string {
  const { isForPrograms = false, bodyOf: made } = channelTypeRules[type];
  const safe = ofStrangers(message, isForPrograms ? oneLine : lineForPeople);
  return made(isForPrograms || type === 'email' ? safe : { ...safe, why: cutText(safe.why, whyMax) });
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
    subject:
      channelTypeRules[channel.type].isForPrograms === true
        ? oneLine(message.subject)
        : lineForPeople(message.subject),
    rule: message.rule?.name ?? 'Test',
    why: oneLine(message.why),
    path: message.path,
    body: bodyOf(channel.type, message),
  };
}
