import { keyField, serverField } from '../../../../schemas/alert-channel-fields.ts';
import { type ChannelTypeDefinition, jsonHeaders, serverTarget } from './channel-type.ts';
import { headlineOf } from './details.ts';
import { markdownText } from './markdown.ts';

/** From 8 on, the app of Android makes a sound and vibrates. */
const priorities: Readonly<Record<string, number>> = { fatal: 9, error: 8, warning: 5, info: 3 };

export const gotify: ChannelTypeDefinition = {
  name: 'Gotify',
  group: 'E-mail and push',
  needs: 'Server and app token',
  fields: {
    url: serverField('https://push.example'),
    token: keyField('Application token', /^[\x21-\x7e]{8,200}$/, 'must be a token without spaces.', {
      hint: 'In Gotify: Apps, Create application.',
      example: 'A1b2C3…',
    }),
  },
  instructions: {
    field: 'token',
    steps: [
      'Sign in to the web page of your Gotify server, and open Apps.',
      'Choose Create Application and enter a name.',
      'Show the token of the new application, and copy it.',
    ],
  },
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
