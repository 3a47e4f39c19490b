import { frameLines, issueFacts, issueLinks, singleIssueOf } from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

/** Escapes text for HTML, attribute values in double quotes included. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function htmlLink(text: string, url: string | null): string {
  return url === null ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** Whole lines are left out over `charactersMax`. */
export function joinLines(lines: readonly string[], footer: string, charactersMax: number): string {
  const included: string[] = [];
  let length = footer.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    included.push(line);
  }
  return [...included, footer].join('\n');
}

/** The message in simple HTML (`b`, `a`, `code`), which Telegram and Matrix read. */
export function htmlText(message: AlertMessage, charactersMax: number): string {
  const single = singleIssueOf(message);
  const lines = [
    `<b>${htmlLink(message.subject, message.url)}</b>`,
    ...listItems(message).flatMap(({ title, figures, url }) => [
      htmlLink(title, url),
      ...(figures === '' ? [] : [escapeHtml(figures)]),
    ]),
    ...(single === null
      ? []
      : [
          ...frameLines(single.details).map((line) => `<code>${escapeHtml(line)}</code>`),
          escapeHtml(
            issueFacts(single)
              .map(([name, value]) => `${name}: ${value}`)
              .join(', '),
          ),
          issueLinks(single)
            .map(([word, url]) => htmlLink(word, url))
            .join(' · '),
        ].filter((line) => line !== '')),
    ...describeOmitted(message).map(escapeHtml),
  ];
  return joinLines(lines, htmlFooter(message), charactersMax);
}

export function htmlFooter({ reason, stopUrl }: AlertMessage): string {
  return escapeHtml(reason) + (stopUrl === null ? '' : ` ${htmlLink('Edit rule', stopUrl)}`);
}
