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

/** Lines of `<b>` and `<a>`: Telegram and Matrix read these. Whole lines are left out over `charactersMax`. */
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

const framesShown = 3;

/** The message in lines of simple HTML (`b`, `a`, `code`), and its footer. */
export function htmlLines(message: AlertMessage): { readonly lines: string[]; readonly footer: string } {
  const single = singleIssueOf(message);
  const { reason, stopUrl } = message;
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
  return {
    lines,
    footer: escapeHtml(reason) + (stopUrl === null ? '' : ` ${htmlLink('Edit rule', stopUrl)}`),
  };
}
