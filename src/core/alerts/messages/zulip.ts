// POST /api/v1/messages, form encoded: content 10,000 characters, topic 60.
import { type ChannelTypeHandler, serverTarget } from './channel-type.ts';
import { markdownText } from './markdown-text.ts';

const charactersMax = 9_500;

export const zulip: ChannelTypeHandler = {
  targetOf: ({ url = '', room = '', topic = '' }) =>
    serverTarget(url, (host) => `${host}, #${room}, ${topic}`),
  bodyOf: (message) => markdownText(message, charactersMax),
  send(sender, { channel: { address, settings }, body }) {
    const { user = '', token = '', room = '', topic = '' } = settings;
    const basic = Buffer.from(`${user}:${token}`).toString('base64');
    const form = new URLSearchParams({ type: 'stream', to: room, topic, content: body });
    return sender.post({
      url: `${address}/api/v1/messages`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` },
      body: form.toString(),
    });
  },
};
