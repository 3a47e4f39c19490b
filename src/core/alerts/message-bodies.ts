// Message bodies by type of channel. Text from events is made safe: one line, no markup, links or mentions.
import { cutText } from '../parsing/cut-text.ts';
import { preventLinks, toOneLine } from '../parsing/display-text.ts';
import type { ChannelRecord, NewDelivery } from '../store/alert-records.ts';
import { channelTypeOf } from './messages/channel-types.ts';
import type { AlertMessage } from './messages/message.ts';

type MessageChannel = Pick<ChannelRecord, 'type' | 'settings'>;

function makeSafe(type: string, message: AlertMessage): AlertMessage {
  const { isForPrograms = false } = channelTypeOf(type);
  const safe = mapUntrustedTexts(message, isForPrograms ? toOneLine : toSafeLine);
  if (isForPrograms || type === 'email' || type === 'assignee') return safe;
  return { ...safe, reason: cutText(safe.reason, reasonCharactersMax) };
}

export function buildMessageBody({ type, settings }: MessageChannel, message: AlertMessage): string {
  return channelTypeOf(type).bodyOf(makeSafe(type, message), settings);
}

function toSafeLine(text: string): string {
  return preventLinks(toOneLine(text));
}

function mapUntrustedTexts(message: AlertMessage, lineOf: (text: string) => string): AlertMessage {
  const { rule, channel, incidents, details } = message;
  const lineOrNull = (text: string | null): string | null => (text === null ? null : lineOf(text));
  return {
    ...message,
    subject: lineOf(message.subject),
    reason: lineOf(message.reason),
    rule: rule === null ? null : { ...rule, name: lineOf(rule.name) },
    channel: { ...channel, name: lineOf(channel.name) },
    issues: message.issues.map((each) => ({
      ...each,
      project: lineOf(each.project),
      title: lineOf(each.title),
      culprit: lineOf(each.culprit),
      note: lineOf(each.note),
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
    details:
      details === null
        ? null
        : {
            ...details,
            type: lineOf(details.type),
            text: lineOf(details.text),
            environment: lineOrNull(details.environment),
            release: lineOrNull(details.release),
            assignee: lineOrNull(details.assignee),
            frames: details.frames.map((each) => ({
              function: lineOf(each.function),
              place: lineOf(each.place),
              source: lineOf(each.source),
            })),
          },
  };
}

/** Filters of a rule can be long, chats limit a message, and escaping can make it five times as long. */
const reasonCharactersMax = 500;

/** `projectId` is set if the message concerns one project only. */
export function buildDelivery(
  channel: Pick<ChannelRecord, 'id' | 'type' | 'settings'>,
  message: AlertMessage,
  projectId: number | null,
): NewDelivery {
  const { subjectOf, htmlOf, threadOf } = channelTypeOf(channel.type);
  const thread = threadOf?.(message, channel.settings) ?? null;
  const safe = makeSafe(channel.type, message);
  return {
    projectId,
    channelId: channel.id,
    messageId: message.id,
    atMs: message.atMs,
    subject: subjectOf?.(safe) ?? safe.subject,
    rule: message.rule?.name ?? 'Test',
    why: toOneLine(message.reason),
    path: message.path,
    body: buildMessageBody(channel, message),
    ...(htmlOf === undefined ? {} : { html: htmlOf(safe) }),
    ...(thread === null ? {} : { thread }),
  };
}
