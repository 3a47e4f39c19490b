// Discord's webhooks: one embed.
import { cutText } from '../../reading/cut-text.ts';
import { momentText } from '../../reading/moments.ts';
import { namedIn, restOf } from './lines.ts';
import { markdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';
import { chat } from './type.ts';

const titleCharactersMax = 250;
const textCharactersMax = 3_800;

export const discord = chat(discordBody);

function discordBody(message: AlertMessage): string {
  const lines = [
    ...namedIn(message).map(
      ({ title, figures, url }) =>
        `${markdownLink(title, url)}${figures === '' ? '' : `\n${markdown(figures)}`}`,
    ),
    ...restOf(message)
      .filter((line) => line !== '')
      .map(markdown),
  ];
  const foot = markdown(message.why) + (message.stopUrl === null ? '' : ` [Stop it](${message.stopUrl})`);
  return JSON.stringify({
    embeds: [
      {
        title: cutText(message.subject, titleCharactersMax),
        ...(message.url === null ? {} : { url: message.url }),
        description: withinLines(lines, foot, textCharactersMax),
        timestamp: momentText(message.atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  });
}

/** As many whole lines as there is room for above the last. */
function withinLines(lines: readonly string[], foot: string, charactersMax: number): string {
  const kept: string[] = [];
  let length = foot.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    kept.push(line);
  }
  return [...kept, foot].join('\n');
}
