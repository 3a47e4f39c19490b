// A message as lines of plain text, for mail and for telephones.
import { namedIn, restOf } from './lines.ts';
import type { AlertMessage } from './message.ts';

/** All of a message. */
export function plainText(message: AlertMessage): string {
  return `${mainText(message)}${footer(message)}`;
}

/** What it says, without why it came and where it is stopped. */
export function mainText(message: AlertMessage): string {
  const { url, issues, objects } = message;
  const named = namedIn(message).flatMap((each) => [
    each.title,
    ...(each.figures === '' ? [] : [`  ${each.figures}`]),
    ...(each.url === null ? [] : [`  ${each.url}`]),
  ]);
  return [
    message.subject,
    ...(named.length === 0 ? [] : ['', ...named]),
    ...restOf(message),
    ...(url === null || issues.length + objects.length === 1 ? [] : ['', url]),
  ].join('\n');
}

/** Why it came, and where it is stopped. */
export function footer({ why, stopUrl }: AlertMessage): string {
  return ['\n', why, ...(stopUrl === null ? [] : [`Edit rule: ${stopUrl}`]), ''].join('\n');
}
