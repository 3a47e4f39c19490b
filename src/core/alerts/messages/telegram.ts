// Bot API, sendMessage: 4,096 characters after the markup is read.
import { type ChannelTypeHandler, jsonHeaders, serverTarget } from './channel-type.ts';
import { joinLines } from './html.ts';
import { htmlLines } from './html-lines.ts';

const charactersMax = 4_000;

export const telegram: ChannelTypeHandler = {
  targetOf: ({ url = 'https://api.telegram.org', room = '' }) => serverTarget(url, () => `chat ${room}`),
  bodyOf(message) {
    const { lines, foot } = htmlLines(message);
    return JSON.stringify({
      text: joinLines(lines, foot, charactersMax),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    });
  },
  send(sender, { channel: { address, settings }, body }) {
    const sent = { chat_id: settings.room, ...(JSON.parse(body) as object) };
    const url = `${address}/bot${settings.token ?? ''}/sendMessage`;
    return sender.post({ url, headers: jsonHeaders, body: JSON.stringify(sent) });
  },
};
