// Slack's incoming webhooks: blocks of sections, with the subject for notices of telephones.
import { namedIn, restOf } from './lines.ts';
import type { AlertMessage } from './message.ts';
import { chat } from './type.ts';

const sectionCharactersMax = 2_900;

export const slack = chat(slackBody);

function slackBody(message: AlertMessage): string {
  const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);
  const lines = [
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `${link(slackText(title), url)}${figures === '' ? '' : `\n${slackText(figures)}`}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(slackText),
  ];
  const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const context = `${slackText(message.why)}${message.stopUrl === null ? '' : ` <${message.stopUrl}|Stop it>`}`;
  return JSON.stringify({
    text: slackText(message.subject),
    blocks: [
      section(`*${link(slackText(message.subject), message.url)}*`),
      ...(lines.length === 0 ? [] : slackSections(lines).map(section)),
      { type: 'context', elements: [{ type: 'mrkdwn', text: context }] },
    ],
    unfurl_links: false,
  });
}

/** Whole lines, as many as a section takes. */
function slackSections(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    const fits = last !== undefined && last.length + line.length < sectionCharactersMax;
    if (fits) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections;
}

/** Without Slack's own three characters nothing is a link or calls anybody. What would be bold stays text. */
function slackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}
