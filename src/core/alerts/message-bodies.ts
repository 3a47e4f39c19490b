// Message bodies by type of channel. Text from events is made safe: one line, no markup, links or mentions.
import { cutText } from '../parsing/cut-text.ts';
import { preventLinks, toOneLine } from '../parsing/display-text.ts';
import type { ChannelRecord, NewDelivery } from '../store/alert-records.ts';
import type { ChannelType } from '../store/alerts.ts';
import { channelTypeHandlers } from './messages/channel-types.ts';
import type { AlertMessage } from './messages/message.ts';

export function buildMessageBody(type: ChannelType, message: AlertMessage): string {
  const { isForPrograms = false, bodyOf: made } = channelTypeHandlers[type];
  const safe = mapUntrustedTexts(message, isForPrograms ? toOneLine : toSafeLine);
  return made(
    isForPrograms || type === 'email' ? safe : { ...safe, why: cutText(safe.why, reasonCharactersMax) },
  );
}

function toSafeLine(text: string): string {
  return preventLinks(toOneLine(text));
}

/** Applies `lineOf` to every text of the message that comes from users or events. */
function mapUntrustedTexts(message: AlertMessage, lineOf: (text: string) => string): AlertMessage {
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
const reasonCharactersMax = 500;

/** `projectId` is set if the message concerns one project only. */
export function buildDelivery(
  channel: Pick<ChannelRecord, 'id' | 'type'>,
  message: AlertMessage,
  projectId: number | null,
): NewDelivery {
  return {
    projectId,
    channelId: channel.id,
    messageId: message.id,
    atMs: message.atMs,
    subject:
      channelTypeHandlers[channel.type].isForPrograms === true
        ? toOneLine(message.subject)
        : toSafeLine(message.subject),
    rule: message.rule?.name ?? 'Test',
    why: toOneLine(message.why),
    path: message.path,
    body: buildMessageBody(channel.type, message),
  };
}
