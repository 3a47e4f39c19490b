// Mail, handed to the server of SMTP_URL.

import { plainText } from './text.ts';
import type { ChannelTypeRules, Target } from './type.ts';

const mailboxesMax = 20;

export const email: ChannelTypeRules = {
  readTarget: readMailboxes,
  bodyOf: plainText,
  send(messenger, { messageId, atMs, subject, body, html, channel, pagesUrl }) {
    const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
    const stopUrl = pagesUrl === null ? null : `${pagesUrl}/alert-channels/${channel.id}`;
    const sent = { to: channel.address, subject, text: body, html };
    return messenger.mail({ ...sent, messageId: `<${messageId}@${host}>`, atMs, stopUrl });
  },
};

function readMailboxes(text: string): Target | string {
  const all = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isMailbox = (each: string): boolean =>
    /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u.test(each);
  if (all.length === 0 || all.length > mailboxesMax || !all.every(isMailbox)) {
    return `to must be one to ${mailboxesMax} mailboxes, with commas between them.`;
  }
  return { address: all.join(', '), shown: all.map(shownMailbox).join(', ') };
}

function shownMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}
