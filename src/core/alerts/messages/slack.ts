// Block Kit. Limits: 50 blocks, 3,000 characters in a section, 10 fields of 2,000, 75 in a button.
import { cutText } from '../../parsing/cut-text.ts';
import { jsonWebhookType } from './channel-type.ts';
import {
  allIssueFacts,
  colorOf,
  frameLines,
  headlineOf,
  issueLinks,
  type SingleIssue,
  singleIssueOf,
} from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

const sectionCharactersMax = 2_900;
const fieldCharactersMax = 1_900;
const framesShown = 3;

export const slack = jsonWebhookType((message) => {
  const single = singleIssueOf(message);
  const text = escapeSlack(headlineOf(message));
  if (single === null) return JSON.stringify({ text, blocks: listBlocks(message), unfurl_links: false });
  const blocks = issueBlocks(message, single);
  return JSON.stringify({ text, attachments: [{ color: colorOf(message), blocks }], unfurl_links: false });
});

function issueBlocks(message: AlertMessage, single: SingleIssue): object[] {
  const { issue, details } = single;
  const frames = frameLines(details, framesShown).map(escapeSlack).join('\n');
  const fields = allIssueFacts(single).map(([name, value]) =>
    mrkdwn(`*${name}*\n${cutText(escapeSlack(value), fieldCharactersMax)}`),
  );
  const buttons = issueLinks(single).map(([word, url], at) => ({
    type: 'button',
    text: { type: 'plain_text', text: word },
    url,
    action_id: `link-${at}`,
    ...(at === 0 ? { style: 'primary' } : {}),
  }));
  return [
    section(`*${link(escapeSlack(issue.title), issue.url)}*`),
    ...(frames === '' ? [] : [section(`\`\`\`${cutText(frames, sectionCharactersMax)}\`\`\``)]),
    { type: 'section', fields },
    ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ...slackSections(moreLines(message)).map(section),
    footer(message),
  ];
}

function moreLines(message: AlertMessage): string[] {
  const incidents = listItems({ ...message, issues: [] });
  return [
    ...incidents.map(itemLine),
    ...describeOmitted(message)
      .filter((line) => line !== '')
      .map(escapeSlack),
  ];
}

function itemLine({ title, figures, url }: ReturnType<typeof listItems>[number]): string {
  return `${link(escapeSlack(title), url)}${figures === '' ? '' : `\n${escapeSlack(figures)}`}`;
}

function listBlocks(message: AlertMessage): object[] {
  const omitted = describeOmitted(message).filter((line) => line !== '');
  const lines = [...listItems(message).map(itemLine), ...omitted.map(escapeSlack)];
  return [
    section(`*${link(escapeSlack(message.subject), message.url)}*`),
    ...slackSections(lines).map(section),
    footer(message),
  ];
}

function footer({ why, stopUrl }: AlertMessage): object {
  const text = `${escapeSlack(why)}${stopUrl === null ? '' : ` <${stopUrl}|Edit rule>`}`;
  return { type: 'context', elements: [mrkdwn(text)] };
}

const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });
const section = (text: string): object => ({ type: 'section', text: mrkdwn(text) });
const link = (text: string, url: string | null): string => (url === null ? text : `<${url}|${text}>`);

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

// Escapes Slack's control characters, so that text has no links or mentions, and keeps its formatting off.
function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`]/g, '$&\u200b');
}
