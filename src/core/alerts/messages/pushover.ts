// Message API: message 1,024 characters, title 250, url 512, url_title 100.
import { cutText } from '../../parsing/cut-text.ts';
import { type ChannelTypeHandler, jsonHeaders, maskKey, serverTarget } from './channel-type.ts';
import { headlineOf } from './details.ts';
import { buildBoundedText } from './plain-text.ts';

const urlCharactersMax = 512;

export const pushover: ChannelTypeHandler = {
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
