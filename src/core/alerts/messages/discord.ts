// An embed: title 256, description 4,096, 25 fields of 256 and 1,024, all together 6,000 characters.
import { cutText } from '../../parsing/cut-text.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { jsonWebhookType } from './channel-type.ts';
import {
  allIssueFacts,
  colorOf,
  frameLines,
  issueLinks,
  type SingleIssue,
  singleIssueOf,
} from './details.ts';
import { joinLines } from './html.ts';
import { describeOmitted, listItems } from './items.ts';
import { escapeMarkdown, markdownFooter, markdownLink } from './markdown.ts';

const titleCharactersMax = 250;
const textCharactersMax = 3_800;
const fieldCharactersMax = 300;

export const discord = jsonWebhookType(
  {
    name: 'Discord',
    needs: 'Channel webhook',
    example: 'https://discord.com/api/webhooks/…/…',
    hint: 'In Discord: Edit channel, Integrations, Webhooks.',
    steps: [
      'Point at the channel and choose Edit Channel.',
      'Choose Integrations, Webhooks, New Webhook.',
      'Choose Copy Webhook URL.',
    ],
  },
  (message) => {
    const single = singleIssueOf(message);
    const lines = [
      ...(single === null ? [] : issueLines(single)),
      ...listItems(single === null ? message : { ...message, issues: [] }).map(
        ({ title, figures, url }) =>
          `${markdownLink(title, url)}${figures === '' ? '' : `\n${escapeMarkdown(figures)}`}`,
      ),
      ...describeOmitted(message).map(escapeMarkdown),
    ];
    const fields = single === null ? [] : allIssueFacts(single);
    const embed = {
      title: cutText(message.subject, titleCharactersMax),
      ...(message.url === null ? {} : { url: message.url }),
      description: joinLines(lines, markdownFooter(message), textCharactersMax),
      color: Number.parseInt(colorOf(message).slice(1), 16),
      ...(fields.length === 0
        ? {}
        : {
            fields: fields.map(([name, value]) => ({
              name,
              value: cutText(escapeMarkdown(value), fieldCharactersMax),
              inline: true,
            })),
          }),
      timestamp: formatTime(message.atMs),
    };
    return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } });
  },
);

function issueLines(single: SingleIssue): string[] {
  const frames = frameLines(single.details);
  // A code block cannot be closed by what is in it.
  const code = frames.map((line) => cutText(line.replaceAll('`', 'ˋ').replaceAll('@', '@\u200b'), 300));
  return [
    ...(code.length === 0 ? [] : [`\`\`\`\n${code.join('\n')}\n\`\`\``]),
    issueLinks(single)
      .map(([word, url]) => `[${word}](${url})`)
      .join(' · '),
  ].filter((line) => line !== '');
}
