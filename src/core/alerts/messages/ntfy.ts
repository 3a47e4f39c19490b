// ntfy: a topic at an address; the subject is the title, and a look opens the page.
import { cutBytes } from '../../reading/cut-text.ts';
import type { AlertMessage } from './message.ts';
import { footer, mainText } from './text.ts';
import { type ChannelTypeRules, readUrl } from './type.ts';

/** ntfy makes an attachment of what is longer than 4,096 bytes. */
const bytesMax = 3_900;

export const ntfy: ChannelTypeRules = {
  readTarget(text) {
    const target = readUrl(text);
    if (typeof target === 'string') return target;
    return /^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(new URL(target.address).pathname)
      ? target
      : 'url must end in the topic, such as https://ntfy.sh/on-call.';
  },
  bodyOf: ntfyText,
  send(messenger, { subject, path, body, channel, pagesUrl }) {
    const click = pagesUrl === null || path === null ? {} : { click: pagesUrl + path };
    return messenger.post({ url: channel.address, headers: { title: encodedWord(subject), ...click }, body });
  },
};

/** What is too long loses lines of what is named, rather than why it came and where it is stopped. */
function ntfyText(message: AlertMessage): string {
  const end = footer(message);
  return cutBytes(cutBytes(mainText(message), bytesMax - Buffer.byteLength(end)) + end, bytesMax);
}

/** A line as a header may hold it (RFC 2047), which ntfy reads. */
function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
