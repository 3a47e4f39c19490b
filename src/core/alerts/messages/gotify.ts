import { type ChannelTypeHandler, jsonHeaders, serverTarget } from './channel-type.ts';
import { headlineOf } from './details.ts';
import { markdownText } from './markdown-text.ts';

/** From 8 on, the app of Android makes a sound and vibrates. */
const priorities: Readonly<Record<string, number>> = { fatal: 9, error: 8, warning: 5, info: 3 };

export const gotify: ChannelTypeHandler = {
  targetOf: ({ url = '' }) => serverTarget(url, (host) => host),
  bodyOf(message) {
    const { url, type, issues } = message;
    const priority = type === 'monitor.down' ? 9 : (priorities[issues[0]?.level ?? ''] ?? 5);
    const click = url === null ? {} : { 'client::notification': { click: { url } } };
    return JSON.stringify({
      title: headlineOf(message),
      message: markdownText(message),
      priority,
      extras: { 'client::display': { contentType: 'text/markdown' }, ...click },
    });
  },
  send: (sender, { channel: { address, settings }, body }) =>
    sender.post({
      url: `${address}/message`,
      headers: { ...jsonHeaders, 'x-gotify-key': settings.token ?? '' },
      body,
    }),
};
