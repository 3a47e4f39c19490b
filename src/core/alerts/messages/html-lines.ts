import { frameLines, issueFacts, issueLinks, singleIssueOf } from './details.ts';
import { escapeHtml, htmlLink } from './html.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

const framesShown = 3;

/** The message in lines of simple HTML (`b`, `a`, `code`), and its footer. */
export function htmlLines(message: AlertMessage): { readonly lines: string[]; readonly foot: string } {
  const single = singleIssueOf(message);
  const { why, stopUrl } = message;
  const lines = [
    `<b>${htmlLink(message.subject, message.url)}</b>`,
    ...listItems(message).flatMap(({ title, figures, url }) => [
      htmlLink(title, url),
      ...(figures === '' ? [] : [escapeHtml(figures)]),
    ]),
    ...(single === null
      ? []
      : [
          ...frameLines(single.details, framesShown).map((line) => `<code>${escapeHtml(line)}</code>`),
          escapeHtml(
            issueFacts(single)
              .map(([name, value]) => `${name}: ${value}`)
              .join(', '),
          ),
          issueLinks(single)
            .map(([word, url]) => htmlLink(word, url))
            .join(' · '),
        ].filter((line) => line !== '')),
    ...describeOmitted(message)
      .filter((line) => line !== '')
      .map(escapeHtml),
  ];
  return { lines, foot: escapeHtml(why) + (stopUrl === null ? '' : ` ${htmlLink('Edit rule', stopUrl)}`) };
}
