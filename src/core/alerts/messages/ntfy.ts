import { httpUrl, webhookUrl } from '../../../../schemas/alert-channel-fields.ts';
import { cutBytes } from '../../parsing/cut-text.ts';
import { type ChannelTypeDefinition, webhookTarget } from './channel-type.ts';
import { buildBoundedText } from './plain-text.ts';

/** ntfy turns messages over 4,096 bytes into attachments. */
const bytesMax = 3_900;

export const ntfy: ChannelTypeDefinition = {
  name: 'ntfy',
  group: 'E-mail and push',
  needs: 'Topic URL',
  fields: {
    url: {
      ...webhookUrl('https://ntfy.sh/on-call'),
      label: 'Topic URL',
      schema: httpUrl.refine(
        (text) => /^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(URL.parse(text)?.pathname ?? ''),
        'must end with the topic, for example https://ntfy.sh/on-call.',
      ),
    },
  },
  instructions: {
    field: 'url',
    steps: [
      'In the app of ntfy or at ntfy.sh, choose Subscribe to topic.',
      'Enter a name that nobody can guess: who knows it can read and send.',
      'The URL is that of the server followed by the topic, such as https://ntfy.sh/ and the name.',
    ],
  },
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
