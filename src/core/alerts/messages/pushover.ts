// Message API: message 1,024 characters, title 250, url 512, url_title 100.
import { keyField, serviceUrl } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { type ChannelTypeDefinition, jsonHeaders, maskKey, serverTarget } from './channel-type.ts';
import { headlineOf } from './details.ts';
import { buildBoundedText } from './plain-text.ts';

const urlCharactersMax = 512;

export const pushover: ChannelTypeDefinition = {
  name: 'Pushover',
  group: 'E-mail and push',
  needs: 'User and app key',
  fields: {
    user: keyField('User key', /^[A-Za-z0-9]{30}$/, 'must be 30 letters and digits.', {
      hint: 'Of a user or a delivery group.',
      example: '30 letters and digits',
    }),
    token: keyField('Application key', /^[A-Za-z0-9]{30}$/, 'must be 30 letters and digits.', {
      example: '30 letters and digits',
    }),
    url: serviceUrl('https://api.pushover.net'),
  },
  instructions: {
    field: 'user',
    steps: [
      'Sign in at pushover.net: your user key is at the top right.',
      'Choose Create an Application/API Token, enter a name and create it.',
      'Copy the API token of the application: it is the application key.',
    ],
  },
  targetOf: ({ url = 'https://api.pushover.net', user = '' }) =>
    serverTarget(url, () => `user ${maskKey(user)}`),
  bodyOf(message) {
    const isLinked = message.url !== null && message.url.length <= urlCharactersMax;
    return JSON.stringify({
      title: cutText(headlineOf(message), 250),
      message: buildBoundedText(message, 1_024, cutText, (text) => [...text].length),
      timestamp: Math.floor(message.atMs / 1000),
      ...(isLinked ? { url: message.url, url_title: 'View' } : {}),
    });
  },
  send(sender, { channel: { address, settings }, body }) {
    const { token, user } = settings;
    const sent = JSON.stringify({ token, user, ...(JSON.parse(body) as object) });
    return sender.post({ url: `${address}/1/messages.json`, headers: jsonHeaders, body: sent });
  },
};
