import { jsonWebhookType } from './channel-type.ts';
import { markdownText } from './markdown.ts';

export const mattermost = jsonWebhookType(
  {
    name: 'Mattermost',
    needs: 'Incoming webhook',
    example: 'https://chat.example/hooks/…',
    hint: 'In Mattermost: Integrations, Incoming Webhooks.',
    steps: [
      'Open the product menu, Integrations, Incoming Webhooks. An admin may have to enable them first.',
      'Choose Add Incoming Webhook, enter a title, choose the channel and save.',
      'Copy the URL that is shown.',
    ],
  },
  (message) => JSON.stringify({ text: markdownText(message) }),
);
