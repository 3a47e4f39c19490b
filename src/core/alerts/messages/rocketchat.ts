// Incoming webhook; a message has at most 5,000 characters by default.
import { jsonWebhookType } from './channel-type.ts';
import { colorOf, headlineOf } from './details.ts';
import { escapeMarkdown, markdownText } from './markdown.ts';

const textCharactersMax = 4_500;

export const rocketchat = jsonWebhookType(
  {
    name: 'Rocket.Chat',
    needs: 'Incoming webhook',
    example: 'https://chat.example/hooks/…/…',
    hint: 'In Rocket.Chat: Integrations, Incoming.',
    steps: [
      'Open Administration, Workspace, Integrations, and choose New, Incoming.',
      'Enable it, and enter the channel and the user who posts.',
      'Save, then copy the webhook URL.',
    ],
  },
  (message) =>
    JSON.stringify({
      text: escapeMarkdown(headlineOf(message)),
      attachments: [{ color: colorOf(message), text: markdownText(message, textCharactersMax) }],
    }),
);
