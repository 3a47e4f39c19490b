import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

export function buildPlainText(message: AlertMessage): string {
  return namedText(message) + omittedText(message) + buildFooter(message);
}

/** What is named is cut by `cut` so that the rest still fits. */
export function buildBoundedText(
  message: AlertMessage,
  max: number,
  cut: (text: string, max: number) => string,
  lengthOf: (text: string) => number,
): string {
  const end = `${omittedText(message)}${buildFooter(message)}`;
  return cut(cut(namedText(message), max - lengthOf(end)) + end, max);
}

function namedText(message: AlertMessage): string {
  const named = listItems(message).flatMap((each) => [
    each.title,
    ...(each.figures === '' ? [] : [`  ${each.figures}`]),
    ...(each.url === null ? [] : [`  ${each.url}`]),
  ]);
  return [message.subject, ...(named.length === 0 ? [] : ['', ...named])].join('\n');
}

function omittedText(message: AlertMessage): string {
  const { url, issues, objects } = message;
  const lines = [
    ...describeOmitted(message, ['']),
    ...(url === null || issues.length + objects.length === 1 ? [] : ['', url]),
  ];
  return lines.map((line) => `\n${line}`).join('');
}

function buildFooter({ reason, stopUrl }: AlertMessage): string {
  return ['\n', reason, ...(stopUrl === null ? [] : [`Edit rule: ${stopUrl}`]), ''].join('\n');
}
