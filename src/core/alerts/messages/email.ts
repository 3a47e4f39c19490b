import { recipients, splitRecipients } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import type { DeliveryResult, NotificationSender } from '../../ports/notification-sender.ts';
import type { ChannelTypeDefinition, OutgoingMessage } from './channel-type.ts';
import { singleIssueOf, stateWordOf } from './details.ts';
import { buildIssueHtml, buildIssueText, buildListHtml } from './email-html.ts';
import { type AlertMessage, unsubscribeUrlOf } from './message.ts';
import { buildPlainText } from './plain-text.ts';

const subjectCharactersMax = 250;

export const email: ChannelTypeDefinition = {
  name: 'e-mail',
  group: 'E-mail and push',
  needs: 'Recipients',
  fields: {
    to: {
      label: 'Recipients',
      hint: 'Up to 20, separated by commas.',
      schema: recipients,
      example: 'on-call@shop.example, team@shop.example',
    },
  },
  targetOf({ to = '' }) {
    const all = splitRecipients(to);
    return { address: all.join(', '), shown: all.map(maskMailbox).join(', ') };
  },
  subjectOf,
  bodyOf(message) {
    const single = singleIssueOf(message);
    if (single !== null) return buildIssueText(message, single);
    const { unsubscribeUrl: url } = message;
    return `${buildPlainText(message)}${url === null ? '' : `Unsubscribe: ${url}\n`}`;
  },
  htmlOf,
  send(sender, sending) {
    const { channel, pagesUrl } = sending;
    const stopUrl = channel.id === 0 ? null : unsubscribeUrlOf(pagesUrl, channel.id);
    return sendMail(sender, sending, channel.address, stopUrl);
  },
};

/** To the assignee of an issue: each message has its own recipients, who cannot unsubscribe from being assigned. */
export const assignee: ChannelTypeDefinition = {
  name: 'assignee',
  group: 'E-mail and push',
  needs: 'E-mail to whom an issue is assigned',
  fields: {
    to: {
      label: 'Recipients where nobody is assigned',
      hint: 'Of issues without assignee and owner, and of all that is no issue. Empty: nobody. Up to 20, separated by commas.',
      schema: recipients,
      example: 'on-call@shop.example',
      optional: true,
    },
  },
  targetOf(fields) {
    const { address, shown } = email.targetOf(fields);
    return { address, shown: address === '' ? 'assigned members' : `assigned members, else ${shown}` };
  },
  subjectOf,
  bodyOf: (message, settings) => email.bodyOf({ ...message, unsubscribeUrl: null }, settings),
  htmlOf: (message) => htmlOf({ ...message, unsubscribeUrl: null }),
  send: (sender, sending) => sendMail(sender, sending, sending.recipients ?? sending.channel.address, null),
};

function subjectOf(message: AlertMessage): string {
  const single = singleIssueOf(message);
  const state = stateWordOf(message);
  if (single === null || state === null) return message.subject;
  const { project, level } = single.issue;
  return cutText(`[${project}] ${state} ${level} issue: ${single.details.type}`, subjectCharactersMax);
}

function htmlOf(message: AlertMessage): string {
  const single = singleIssueOf(message);
  return single === null ? buildListHtml(message) : buildIssueHtml(message, single);
}

function sendMail(
  sender: NotificationSender,
  { messageId, atMs, subject, body, html, pagesUrl }: OutgoingMessage,
  to: string,
  stopUrl: string | null,
): Promise<DeliveryResult> {
  const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
  return sender.mail({
    to,
    subject,
    text: body,
    html,
    messageId: `<${messageId}@${host}>`,
    atMs,
    stopUrl,
  });
}

function maskMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}
