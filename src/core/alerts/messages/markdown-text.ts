import { frameLines, issueFacts, issueLinks, singleIssueOf } from './details.ts';
import { joinLines } from './html.ts';
import { describeOmitted, listItems } from './items.ts';
import { escapeMarkdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';

const framesShown = 3;

export function markdownText(message: AlertMessage, charactersMax = 16_000): string {
  const single = singleIssueOf(message);
  const { why, stopUrl } = message;
  const lines = [
    `**${markdownLink(message.subject, message.url)}**`,
    ...listItems(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${escapeMarkdown(figures)}`}`,
    ),
    ...(single === null
      ? []
      : [
          ...frameLines(single.details, framesShown).map((line) => `  - ${escapeMarkdown(line)}`),
          issueFacts(single)
            .map(([name, value]) => `${name}: ${escapeMarkdown(value)}`)
            .join(', '),
          issueLinks(single)
            .map(([word, url]) => `[${word}](${url})`)
            .join(', '),
        ].filter((line) => line !== '')),
    ...describeOmitted(message).map(escapeMarkdown),
    '',
  ];
  const foot = escapeMarkdown(why) + (stopUrl === null ? '' : ` [Edit rule](${stopUrl})`);
  return joinLines(lines, foot, charactersMax);
}
