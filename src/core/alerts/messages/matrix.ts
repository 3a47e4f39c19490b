// Client-server API v3: PUT of an event of at most 65,536 bytes; the same transaction id is stored once.
import { z } from 'zod';
import { keyField, serverField } from '../../../../schemas/alert-channel-fields.ts';
import { type ChannelTypeDefinition, jsonHeaders, serverTarget } from './channel-type.ts';
import { htmlText } from './html.ts';
import { buildPlainText } from './plain-text.ts';

const charactersMax = 12_000;

export const matrix: ChannelTypeDefinition = {
  name: 'Matrix',
  group: 'Chat',
  needs: 'Access token and room',
  fields: {
    url: serverField('https://matrix.example'),
    token: keyField('Access token', /^[\x21-\x7e]{8,1000}$/, 'must be an access token without spaces.', {
      example: 'syt_…',
    }),
    room: {
      label: 'Room ID',
      hint: 'In the room’s settings, under Advanced.',
      schema: z
        .string()
        .max(255)
        .regex(/^![^\s\p{C}]+$/u, 'must be a room ID such as !abc:matrix.example.'),
      example: '!abc:matrix.example',
    },
  },
  instructions: {
    field: 'token',
    steps: [
      'Create an account for the bot on your homeserver, and invite it to the room.',
      'Sign in to Element as the bot, and open All settings, Help & About, Advanced, Access Token.',
      'Copy the token. Close the window without signing out, which would end the token.',
      'The room ID is in the settings of the room, under Advanced.',
    ],
  },
  targetOf: ({ url = '', room = '' }) => serverTarget(url, (host) => `${host}, room ${room}`),
  bodyOf: (message) =>
    JSON.stringify({
      msgtype: 'm.text',
      body: buildPlainText(message),
      format: 'org.matrix.custom.html',
      formatted_body: htmlText(message, charactersMax).replaceAll('\n', '<br>'),
    }),
  send(sender, { channel: { address, settings }, messageId, body }) {
    const room = encodeURIComponent(settings.room ?? '');
    return sender.post({
      method: 'PUT',
      url: `${address}/_matrix/client/v3/rooms/${room}/send/m.room.message/${messageId}`,
      headers: { ...jsonHeaders, authorization: `Bearer ${settings.token ?? ''}` },
      body,
    });
  },
};
