// Body and signature follow Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { signingSecret, webhookUrl } from '../../../../schemas/alert-channel-fields.ts';
import type { Deps } from '../../deps.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { DeliveryResult, NotificationSender } from '../../ports/notification-sender.ts';
import { type ChannelTypeDefinition, webhookTarget } from './channel-type.ts';
import { singleIssueOf } from './details.ts';
import type { AlertMessage } from './message.ts';
import { buildPlainText } from './plain-text.ts';

const secretBytes = 24;

export const webhook: ChannelTypeDefinition = {
  name: 'Webhook',
  group: 'Webhook',
  needs: 'Signed JSON, with a template',
  fields: {
    url: webhookUrl('https://ops.example/hook'),
    secret: {
      label: 'Signing secret',
      hint: '24 to 64 bytes in base64. Generated if empty, and shown only once.',
      schema: signingSecret,
      example: 'whsec_…',
      optional: true,
      secret: true,
    },
    template: {
      label: 'Template',
      hint: 'JSON to send in place of ours. Placeholders: {{subject}}, {{title}}, {{url}}, {{level}}, {{events}}…',
      schema: z.string().max(10_000),
      example: '{"text": "{{subject}}", "link": "{{url}}", "events": {{events}}}',
      optional: true,
      rows: 6,
    },
  },
  targetOf: webhookTarget,
  bodyOf: (message, { template }) =>
    template === undefined ? buildWebhookBody(message) : fillTemplate(template, message),
  isForPrograms: true,
  send: (sender, { messageId, body, channel, nowMs }) =>
    postSigned(sender, { url: channel.address, secret: channel.secret, messageId, body, nowMs }),
};

interface SignedMessage {
  readonly url: string;
  readonly secret: string;
  readonly messageId: string;
  readonly body: string;
  readonly nowMs: number;
}

/** Signed at each try: receivers refuse signatures older than five minutes. */
export function postSigned(
  sender: NotificationSender,
  { url, secret, messageId, body, nowMs }: SignedMessage,
): Promise<DeliveryResult> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, new Date(nowMs), body),
  };
  return sender.post({ url, headers, body });
}

function buildWebhookBody(message: AlertMessage): string {
  const { rule, channel, count, issues, objects, overflow, incidents } = message;
  return JSON.stringify({
    type: message.type,
    timestamp: formatTime(message.atMs),
    data: {
      subject: message.subject,
      why: message.reason,
      url: message.url,
      stop_url: message.stopUrl,
      rule: rule === null ? null : { rule_id: rule.id, name: rule.name },
      channel: { alert_channel_id: channel.id, name: channel.name },
      ...(objects.length === 0
        ? {}
        : { objects_count: count, objects: objects.map((each) => ({ ...each })) }),
      issues_count: objects.length === 0 ? count : 0,
      issues: issues.map((each) => ({
        issue_id: each.issueId,
        project: each.project,
        title: each.title,
        culprit: each.culprit,
        ...(each.note === '' ? {} : { note: each.note }),
        level: each.level,
        events: each.events,
        users: each.users,
        url: each.url,
      })),
      overflow: overflow.map(({ project, events, issueId }) => ({ project, events, issue_id: issueId })),
      ...(incidents.count === 0
        ? {}
        : {
            incidents_count: incidents.count,
            incidents: incidents.named.map(({ id, title, url }) => ({ incident_id: id, title, url })),
          }),
    },
  });
}

export function createWebhookSecret({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

// Templates of webhooks: JSON with placeholders such as {{subject}}.

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
    why: message.reason,
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
function fillTemplate(template: string, message: AlertMessage): string {
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
