// POST /api/v1/messages, form encoded: content 10,000 characters, topic 60.
import { z } from 'zod';
import { keyField, mailbox, serverField } from '../../../../schemas/alert-channel-fields.ts';
import { type ChannelTypeDefinition, serverTarget } from './channel-type.ts';
import { markdownText } from './markdown.ts';

const charactersMax = 9_500;

export const zulip: ChannelTypeDefinition = {
  name: 'Zulip',
  group: 'Chat',
  needs: 'Bot key and stream',
  fields: {
    url: serverField('https://shop.zulipchat.com'),
    user: {
      label: 'E-mail address of the bot',
      schema: z.string().regex(mailbox, 'must be the e-mail address of a bot.'),
      example: 'notifier-bot@shop.zulipchat.com',
    },
    token: keyField('API key', /^[A-Za-z0-9]{32}$/, 'must be 32 letters and digits.', {
      hint: 'In Zulip: Settings, Bots, Incoming webhook or Generic.',
      example: '32 letters and digits',
    }),
    room: { label: 'Channel', schema: z.string().max(60), example: 'alerts' },
    topic: { label: 'Topic', schema: z.string().max(60), example: 'checkout' },
  },
  instructions: {
    field: 'token',
    steps: [
      'Open Personal settings, Bots, and choose Add a new bot.',
      'As type, choose Incoming webhook or Generic bot, and enter a name.',
      'Copy the e-mail address and the API key of the bot.',
      'Subscribe the bot to the channel if that is private.',
    ],
  },
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
