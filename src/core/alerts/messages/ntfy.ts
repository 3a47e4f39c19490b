import { cutBytes } from '../../parsing/cut-text.ts';
import { type ChannelTypeHandler, webhookTarget } from './channel-type.ts';
import { buildBoundedText } from './plain-text.ts';

/** ntfy turns messages over 4,096 bytes into attachments. */
const bytesMax = 3_900;

export const ntfy: ChannelTypeHandler = {
  targetOf: webhookTarget,
  bodyOf: (message) => buildBoundedText(message, bytesMax, cutBytes, Buffer.byteLength),
  send(sender, { subject, path, body, channel, pagesUrl }) {
    const click = pagesUrl === null || path === null ? {} : { click: pagesUrl + path };
    return sender.post({ url: channel.address, headers: { title: encodedWord(subject), ...click }, body });
  },
};

/** RFC 2047, which ntfy decodes. */
function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
