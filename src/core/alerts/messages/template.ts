// Templates of webhooks: JSON with placeholders such as {{subject}}.
import { formatTime } from '../../parsing/timestamps.ts';
import { singleIssueOf } from './details.ts';
import type { AlertMessage } from './message.ts';
import { buildPlainText } from './plain-text.ts';

const placeholder = /\{\{\s*([a-z_]*)\s*\}\}/g;

type Values = Readonly<Record<string, string | number>>;

function valuesOf(message: AlertMessage): Values {
  const { issues, objects, details, rule } = message;
  const [issue] = issues;
  const [object] = objects;
  return {
    id: message.id,
    type: message.type,
    timestamp: formatTime(message.atMs),
    subject: message.subject,
    text: buildPlainText(message),
    why: message.why,
    url: message.url ?? '',
    title: issue?.title ?? object?.title ?? message.subject,
    detail: issue?.culprit ?? object?.detail ?? '',
    note: issue?.note ?? '',
    project: issue?.project ?? object?.project ?? '',
    level: issue?.level ?? '',
    release: singleIssueOf(message) === null ? '' : (details?.release ?? ''),
    environment: singleIssueOf(message) === null ? '' : (details?.environment ?? ''),
    rule: rule?.name ?? '',
    channel: message.channel.name,
    count: message.count,
    events: issue?.events ?? 0,
    users: issue?.users ?? 0,
  };
}

/** Text is escaped for a JSON string, numbers are bare. */
export function fillTemplate(template: string, message: AlertMessage): string {
  const values = valuesOf(message);
  return template.replace(placeholder, (_whole, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? String(value) : JSON.stringify(value).slice(1, -1);
  });
}

/** An error sentence, or null. `sample` is any message. */
export function findTemplateError(template: string, sample: AlertMessage): string | null {
  const known = Object.keys(valuesOf(sample));
  const used = [...template.matchAll(placeholder)].map(([, name = '']) => name);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `template: {{${unknown}}} is not a placeholder. Use ${known.join(', ')}.`;
  }
  try {
    JSON.parse(fillTemplate(template, { ...sample, subject: '"\\\n' }));
    return null;
  } catch {
    return 'template must be JSON when it is filled in: put placeholders of text between double quotes.';
  }
}
