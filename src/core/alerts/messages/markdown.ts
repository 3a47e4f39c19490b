import { frameLines, issueFacts, issueLinks, singleIssueOf } from './details.ts';
import { joinLines } from './html.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

export function markdownLink(text: string, url: string | null): string {
  return url === null ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${url})`;
}

/** Escapes Markdown, and breaks mentions with a zero-width space. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&').replaceAll('@', '@\u200b');
}

export function markdownFooter({ reason, stopUrl }: AlertMessage): string {
  return escapeMarkdown(reason) + (stopUrl === null ? '' : ` [Edit rule](${stopUrl})`);
}

export function markdownText(message: AlertMessage, charactersMax = 16_000): string {
  const single = singleIssueOf(message);
  const lines = [
    `**${markdownLink(message.subject, message.url)}**`,
    ...listItems(message).map(
      ({ title, figures, url }) =>
        `- ${markdownLink(title, url)}${figures === '' ? '' : `, ${escapeMarkdown(figures)}`}`,
    ),
    ...(single === null
      ? []
      : [
          ...frameLines(single.details).map((line) => `  - ${escapeMarkdown(line)}`),
          issueFacts(single)
            .map(([name, value]) => `${name}: ${escapeMarkdown(value)}`)
            .join(', '),
          issueLinks(single)
            .map(([word, url]) => `[${word}](${url})`)
            .join(', '),
        ].filter((line) => line !== '')),
    ...describeOmitted(message, ['']).map(escapeMarkdown),
    '',
  ];
  return joinLines(lines, markdownFooter(message), charactersMax);
}
