// Client-server API v3: PUT of an event of at most 65,536 bytes; the same transaction id is stored once.
import { type ChannelTypeHandler, jsonHeaders, serverTarget } from './channel-type.ts';
import { joinLines } from './html.ts';
import { htmlLines } from './html-lines.ts';
import { buildPlainText } from './plain-text.ts';

const charactersMax = 12_000;

export const matrix: ChannelTypeHandler = {
  targetOf: ({ url = '', room = '' }) => serverTarget(url, (host) => `${host}, room ${room}`),
  bodyOf(message) {
    const { lines, foot } = htmlLines(message);
    return JSON.stringify({
      msgtype: 'm.text',
      body: buildPlainText(message),
      format: 'org.matrix.custom.html',
      formatted_body: joinLines(lines, foot, charactersMax).replaceAll('\n', '<br>'),
    });
  },
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
