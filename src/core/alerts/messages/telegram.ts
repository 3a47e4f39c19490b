// Bot API, sendMessage: 4,096 characters after the markup is read.
import { z } from 'zod';
import { keyField, serviceUrl } from '../../../../schemas/alert-channel-fields.ts';
import { type ChannelTypeDefinition, jsonHeaders, serverTarget } from './channel-type.ts';
import { htmlText } from './html.ts';

const charactersMax = 4_000;

export const telegram: ChannelTypeDefinition = {
  name: 'Telegram',
  group: 'Chat',
  needs: 'Bot token and chat',
  fields: {
    token: keyField('Bot token', /^\d{1,20}:[\w-]{20,80}$/, 'must be a token such as 123456:ABC….', {
      hint: 'From @BotFather.',
      example: '123456:ABC-DEF…',
    }),
    room: {
      label: 'Chat',
      hint: 'The number of the chat, or the name of a public channel.',
      schema: z
        .string()
        .regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, 'must be a number such as -1001234567890 or @channel.'),
      example: '-1001234567890',
    },
    url: serviceUrl('https://api.telegram.org'),
  },
  instructions: {
    field: 'token',
    steps: [
      'Write /newbot to @BotFather and answer its questions. It replies with the bot token.',
      'Add the bot to the group, or to the channel as an administrator.',
      'Write in that chat, then open https://api.telegram.org/bot, the token and /getUpdates: chat.id is the chat.',
    ],
  },
  targetOf: ({ url = 'https://api.telegram.org', room = '' }) => serverTarget(url, () => `chat ${room}`),
  bodyOf: (message) =>
    JSON.stringify({
      text: htmlText(message, charactersMax),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    }),
  send(sender, { channel: { address, settings }, body }) {
    const sent = { chat_id: settings.room, ...(JSON.parse(body) as object) };
    const url = `${address}/bot${settings.token ?? ''}/sendMessage`;
    return sender.post({ url, headers: jsonHeaders, body: JSON.stringify(sent) });
  },
};
