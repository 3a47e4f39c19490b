// Events API v2: summary 1,024 characters, dedup_key 255, 512 KB.
import { keyField, serviceUrl } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { type ChannelTypeDefinition, jsonHeaders, maskKey, serverTarget } from './channel-type.ts';
import { alertsOf, type OnCallAlert, postAlerts } from './on-call-alerts.ts';

const summaryCharactersMax = 1_000;
const severities: Readonly<Record<string, string>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
};

export const pagerduty: ChannelTypeDefinition = {
  name: 'PagerDuty',
  group: 'On-call',
  needs: 'Events API v2',
  fields: {
    token: keyField('Integration key', /^[A-Za-z0-9]{32}$/, 'must be 32 letters and digits.', {
      hint: 'In PagerDuty: Services, Integrations, Events API V2.',
      example: '32 letters and digits',
    }),
    url: serviceUrl('https://events.pagerduty.com', ' In the EU: https://events.eu.pagerduty.com.'),
  },
  instructions: {
    field: 'token',
    steps: [
      'Open Services, Service Directory, and the service.',
      'On its tab Integrations, choose Add an integration.',
      'Choose Events API V2, then Add.',
      'Open the new integration and copy the integration key.',
    ],
  },
  targetOf: ({ url = 'https://events.pagerduty.com', token = '' }) =>
    serverTarget(url, (host) => `${host}, key ${maskKey(token)}`),
  bodyOf: (message) => JSON.stringify(alertsOf(message).map(eventOf)),
  send(sender, { channel, body }) {
    const events = JSON.parse(body) as ReturnType<typeof eventOf>[];
    const requests = events.map((event) => ({
      key: event.dedup_key,
      request: {
        url: `${channel.address}/v2/enqueue`,
        headers: jsonHeaders,
        body: JSON.stringify({ routing_key: channel.settings.token, ...event }),
      },
    }));
    return postAlerts(sender, requests);
  },
};

function eventOf({ key, action, title, level, project, url, atMs, details }: OnCallAlert) {
  return {
    event_action: action,
    dedup_key: key,
    payload: {
      summary: cutText(title, summaryCharactersMax),
      source: project === '' ? 'notifier' : project,
      severity: severities[level] ?? 'info',
      timestamp: formatTime(atMs),
      custom_details: details,
    },
    client: 'Notifier',
    ...(url === null ? {} : { client_url: url, links: [{ href: url, text: 'View' }] }),
  };
}
