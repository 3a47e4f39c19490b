// Message bodies by type of channel. Text from events is made safe: one line, no markup, links or mentions.
import { cutText } from '../reading/cut-text.ts';
import { defuseLinks, oneLine } from '../reading/one-line.ts';
import type { KeptChannel, NewDelivery } from '../store/alerting.ts';
import type { ChannelType } from '../store/alerts.ts';
import { channelTypeRules } from './messages/index.ts';
import type { AlertMessage } from './messages/message.ts';

export function bodyOf(type: ChannelType, message: AlertMessage): string {
  const { isForPrograms = false, bodyOf: made } = channelTypeRules[type];
  const safe = ofStrangers(message, isForPrograms ? oneLine : lineForPeople);
  return made(isForPrograms || type === 'email' ? safe : { ...safe, why: cutText(safe.why, whyMax) });
}

function lineForPeople(text: string): string {
  return defuseLinks(oneLine(text));
}

/** Applies `lineOf` to every text of the message that comes from users or events. */
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

/** Filters of a rule can be long, chats limit a message, and escaping can make it five times as long. */
const whyMax = 500;

/** `projectId` is set if the message concerns one project only. */
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
