// Teams: a card for the workflow "Post to a channel when a webhook request is received".
import { namedIn, restOf } from './lines.ts';
import { markdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';
import { chat } from './type.ts';

export const teams = chat(teamsBody);

function teamsBody(message: AlertMessage): string {
  const block = (text: string, more: object = {}): object => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...more,
  });
  const actions = [
    ...(message.url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Look', url: message.url }]),
    ...(message.stopUrl === null ? [] : [{ type: 'Action.OpenUrl', title: 'Stop it', url: message.stopUrl }]),
  ];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: message.subject,
    body: [
      block(markdown(message.subject), { weight: 'Bolder', size: 'Medium' }),
      ...namedIn(message).flatMap(({ title, figures, url }) => [
        block(markdownLink(title, url)),
        ...(figures === '' ? [] : [block(markdown(figures), { isSubtle: true, spacing: 'None' })]),
      ]),
      ...restOf(message)
        .filter((line) => line !== '')
        .map((line) => block(markdown(line))),
      block(markdown(message.why), { isSubtle: true, separator: true, size: 'Small' }),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  };
  return JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
    ],
  });
}
