import { splitRecipients } from '../../../../schemas/alert-channel-types.ts';
import { cutText } from '../../parsing/cut-text.ts';
import type { ChannelTypeHandler } from './channel-type.ts';
import { singleIssueOf, stateWordOf } from './details.ts';
import { buildIssueHtml, buildIssueText, buildListHtml } from './email-html.ts';
import { unsubscribeUrlOf } from './message.ts';
import { buildPlainText } from './plain-text.ts';

const subjectCharactersMax = 250;

export const email: ChannelTypeHandler = {
  targetOf({ to = '' }) {
    const all = splitRecipients(to);
    return { address: all.join(', '), shown: all.map(maskMailbox).join(', ') };
  },
  subjectOf(message) {
    const single = singleIssueOf(message);
    const state = stateWordOf(message);
    if (single === null || state === null) return message.subject;
    const { project, level } = single.issue;
    return cutText(`[${project}] ${state} ${level} issue: ${single.details.type}`, subjectCharactersMax);
  },
  bodyOf(message) {
    const single = singleIssueOf(message);
    if (single !== null) return buildIssueText(message, single);
    const { unsubscribeUrl: url } = message;
    return `${buildPlainText(message)}${url === null ? '' : `Unsubscribe: ${url}\n`}`;
  },
  htmlOf(message) {
    const single = singleIssueOf(message);
    return single === null ? buildListHtml(message) : buildIssueHtml(message, single);
  },
  send(messenger, { messageId, atMs, subject, body, html, channel, pagesUrl }) {
    const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
    const stopUrl = channel.id === 0 ? null : unsubscribeUrlOf(pagesUrl, channel.id);
    const sent = { to: channel.address, subject, text: body, html };
    return messenger.mail({ ...sent, messageId: `<${messageId}@${host}>`, atMs, stopUrl });
  },
};

function maskMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}
