import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

export function buildPlainText(message: AlertMessage): string {
  return `${buildMainText(message)}${buildFooter(message)}`;
}

export function buildMainText(message: AlertMessage): string {
  const { url, issues, objects } = message;
  const named = listItems(message).flatMap((each) => [
    each.title,
    ...(each.figures === '' ? [] : [`  ${each.figures}`]),
    ...(each.url === null ? [] : [`  ${each.url}`]),
  ]);
  return [
    message.subject,
    ...(named.length === 0 ? [] : ['', ...named]),
    ...describeOmitted(message),
    ...(url === null || issues.length + objects.length === 1 ? [] : ['', url]),
  ].join('\n');
}

export function buildFooter({ why, stopUrl }: AlertMessage): string {
  return ['\n', why, ...(stopUrl === null ? [] : [`Edit rule: ${stopUrl}`]), ''].join('\n');
}
