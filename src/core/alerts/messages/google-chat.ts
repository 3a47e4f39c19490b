// Card v2: a message of at most 32,000 bytes; text of a paragraph takes simple HTML.
import { jsonWebhookType } from './channel-type.ts';
import { frameLines, headlineOf, issueFacts, issueLinks, singleIssueOf } from './details.ts';
import { escapeHtml, htmlFooter, htmlLink } from './html.ts';
import { describeOmitted, listItems } from './items.ts';

export const googleChat = jsonWebhookType(
  {
    name: 'Google Chat',
    needs: 'Space webhook',
    example: 'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
    hint: 'In the space: Apps & integrations, Webhooks.',
    steps: [
      'Open the space, and choose Apps & integrations beside its name.',
      'Choose Webhooks, Add webhook, enter a name and save.',
      'Beside the new webhook, choose More, Copy link.',
    ],
  },
  (message) => {
    const single = singleIssueOf(message);
    const title = headlineOf(message);
    const buttons =
      single === null ? (message.url === null ? [] : [['View', message.url] as const]) : issueLinks(single);
    const facts = single === null ? [] : issueFacts(single);
    const widgets = [
      ...listItems(message).map(({ title: item, figures, url }) =>
        paragraph(`${htmlLink(item, url)}${figures === '' ? '' : `<br>${escapeHtml(figures)}`}`),
      ),
      ...(single === null ? [] : frameLines(single.details).map((line) => paragraph(escapeHtml(line)))),
      ...facts.map(([topLabel, text]) => ({
        decoratedText: { topLabel, text: escapeHtml(text), wrapText: true },
      })),
      ...describeOmitted(message).map((line) => paragraph(escapeHtml(line))),
      ...(buttons.length === 0 ? [] : [{ buttonList: { buttons: buttons.map(button) } }]),
      paragraph(htmlFooter(message)),
    ];
    const card = { header: { title }, sections: [{ widgets }] };
    return JSON.stringify({ cardsV2: [{ cardId: message.id, card }], fallbackText: title });
  },
);

const paragraph = (text: string): object => ({ textParagraph: { text } });

function button([text, url]: readonly [string, string]): object {
  return { text, onClick: { openLink: { url } } };
}
