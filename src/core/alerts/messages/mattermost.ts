import { jsonWebhookType } from './channel-type.ts';
import { markdownText } from './markdown-text.ts';

export const mattermost = jsonWebhookType((message) => JSON.stringify({ text: markdownText(message) }));
