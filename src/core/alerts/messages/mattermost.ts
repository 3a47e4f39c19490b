// Mattermost's incoming webhooks: lines in Markdown.
import { namedIn, restOf } from './lines.ts';
import { markdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';
import { chat } from './type.ts';

export const mattermost = chat((message) => JSON.stringify({ text: markdownText(message) }));

function markdownText(message: AlertMessage): string {
  return [
    `**${markdownLink(message.subject, message.url)}**`,
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${markdown(figures)}`}`,
    ),
    ...restOf(message).map(markdown),
    '',
    markdown(message.why) + (message.stopUrl === null ? '' : ` [Stop it](${message.stopUrl})`),
  ].join('\n');
}
