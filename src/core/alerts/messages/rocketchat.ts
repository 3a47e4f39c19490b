// Incoming webhook; a message has at most 5,000 characters by default.
import { jsonWebhookType } from './channel-type.ts';
import { colorOf, headlineOf } from './details.ts';
import { escapeMarkdown } from './markdown.ts';
import { markdownText } from './markdown-text.ts';

const textCharactersMax = 4_500;

export const rocketchat = jsonWebhookType((message) =>
  JSON.stringify({
    text: escapeMarkdown(headlineOf(message)),
    attachments: [{ color: colorOf(message), text: markdownText(message, textCharactersMax) }],
  }),
);
