import { namedIn, restOf } from './lines.ts';
import type { AlertMessage } from './message.ts';

export function plainText(message: AlertMessage): string {
  return `${mainText(message)}${footer(message)}`;
}

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

export function footer({ why, stopUrl }: AlertMessage): string {
  return ['\n', why, ...(stopUrl === null ? [] : [`Edit rule: ${stopUrl}`]), ''].join('\n');
}
