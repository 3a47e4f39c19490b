// Alert API: message 130 characters, alias 512, description 15,000, source 100, details 8,000 in all.
import { keyField, serviceUrl } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { type ChannelTypeDefinition, jsonHeaders, maskKey, serverTarget } from './channel-type.ts';
import { alertsOf, type OnCallAlert, postAlerts } from './on-call-alerts.ts';

const messageCharactersMax = 130;
const descriptionCharactersMax = 4_000;
const detailCharactersMax = 1_500;
const priorities: Readonly<Record<string, string>> = { fatal: 'P1', error: 'P2', warning: 'P3', info: 'P5' };

export const opsgenie: ChannelTypeDefinition = {
  name: 'Opsgenie',
  group: 'On-call',
  needs: 'Alert API',
  fields: {
    token: keyField('API key', /^[A-Za-z0-9-]{20,80}$/, 'must be the key of an API integration.', {
      hint: 'In Opsgenie: Teams, Integrations, API.',
      example: '00000000-0000-0000-0000-000000000000',
    }),
    url: serviceUrl('https://api.opsgenie.com', ' In the EU: https://api.eu.opsgenie.com.'),
  },
  instructions: {
    field: 'token',
    steps: [
      'Open Teams, the team, then Integrations.',
      'Choose Add integration, API, enter a name and continue.',
      'Copy the API key, then choose Turn on integration.',
    ],
  },
  targetOf: ({ url = 'https://api.opsgenie.com', token = '' }) =>
    serverTarget(url, (host) => `${host}, key ${maskKey(token)}`),
  bodyOf: (message) => JSON.stringify(alertsOf(message).map(requestOf)),
  send(sender, { channel, body }) {
    const all = JSON.parse(body) as ReturnType<typeof requestOf>[];
    const headers = { ...jsonHeaders, authorization: `GenieKey ${channel.settings.token ?? ''}` };
    const requests = all.map(({ alias, close, sent }) => ({
      key: alias,
      request: {
        url: close
          ? `${channel.address}/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`
          : `${channel.address}/v2/alerts`,
        headers,
        body: JSON.stringify(sent),
      },
    }));
    return postAlerts(sender, requests);
  },
};

function requestOf({ key, action, title, level, project, url, details }: OnCallAlert) {
  if (action === 'resolve') return { alias: key, close: true, sent: { source: 'Notifier', note: title } };
  const sent = {
    message: cutText(title, messageCharactersMax),
    alias: key,
    description: cutText([title, url ?? ''].join('\n').trim(), descriptionCharactersMax),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, cutText(value, detailCharactersMax)]),
    ),
    source: 'Notifier',
    priority: priorities[level] ?? 'P3',
    ...(project === '' ? {} : { entity: cutText(project, 500) }),
  };
  return { alias: key, close: false, sent };
}
