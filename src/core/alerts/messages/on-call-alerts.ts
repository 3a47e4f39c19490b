// Alerts of on-call services: one for each thing, found again by its key, so that a recovery resolves it.
import { createHash } from 'node:crypto';
import type { DeliveryResult, NotificationSender, WebhookMessage } from '../../ports/notification-sender.ts';
import { allIssueFacts, singleIssueOf } from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

export interface OnCallAlert {
  readonly key: string;
  readonly action: 'trigger' | 'resolve';
  readonly title: string;
  readonly level: string;
  readonly project: string;
  readonly url: string | null;
  readonly atMs: number;
  readonly details: Readonly<Record<string, string>>;
}

const endings: readonly string[] = ['monitor.up', 'maintenance.ended'];

/** What is not named in the message is one alert of its own. A test is triggered, then resolved. */
export function alertsOf(message: AlertMessage): OnCallAlert[] {
  const { type, issues, objects, atMs, url, reason: why, subject } = message;
  const single = singleIssueOf(message);
  const reason = { Reason: why, ...(message.stopUrl === null ? {} : { 'Edit rule': message.stopUrl }) };
  const common = { atMs, action: 'trigger' as const };
  const of = `notifier-${type.split('.')[0]}`;
  const named: OnCallAlert[] = [
    ...issues.map((each) => ({
      ...common,
      action: type === 'issue.resolved' ? ('resolve' as const) : ('trigger' as const),
      key: `notifier-issue-${each.issueId}`,
      title: `${each.project}: ${each.title}`,
      level: each.level,
      project: each.project,
      url: each.url,
      details: {
        ...(single === null
          ? { ...(each.note === '' ? {} : { Activity: each.note }), Culprit: each.culprit }
          : Object.fromEntries(allIssueFacts(single))),
        ...incidentDetails(message),
        ...reason,
      },
    })),
    ...objects.map((each) => ({
      ...common,
      action: endings.includes(type) ? ('resolve' as const) : ('trigger' as const),
      key: `${of}-${each.id ?? shortHash(`${each.project} ${each.title}`)}`,
      title: `${each.project === '' ? '' : `${each.project}: `}${each.title}`,
      level: type === 'monitor.down' ? 'fatal' : 'warning',
      project: each.project,
      url: each.url,
      details: { Detail: each.detail, ...incidentDetails(message), ...reason },
    })),
  ];
  const omitted = describeOmitted(message);
  if (named.length > 0 && omitted.length === 0) return named;
  const rest = {
    ...common,
    key: `notifier-${message.id}`,
    title: [subject, ...(named.length === 0 ? [] : omitted)].join(', '),
    level: type === 'test' ? 'info' : 'warning',
    project: '',
    url,
    details: {
      ...incidentDetails(message),
      ...(omitted.length === 0 ? {} : { More: omitted.join('; ') }),
      ...reason,
    },
  };
  return [...named, rest, ...(type === 'test' ? [{ ...rest, action: 'resolve' as const }] : [])];
}

function incidentDetails(message: AlertMessage): Record<string, string> {
  const items = listItems({ ...message, issues: [], objects: [] });
  const lines = items.map(({ title, url }) => (url === null ? title : `${title} ${url}`));
  return lines.length === 0 ? {} : { Incidents: lines.join('; ') };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Sends all at once, those of one key one after the other. Sending one again is harmless: it has a key. */
export async function postAlerts(
  sender: NotificationSender,
  requests: ReadonlyArray<{ readonly key: string; readonly request: WebhookMessage }>,
): Promise<DeliveryResult> {
  const byKey = [...Map.groupBy(requests, ({ key }) => key).values()];
  const results = await Promise.all(
    byKey.map(async (group) => {
      const answers: DeliveryResult[] = [];
      for (const { request } of group) {
        const answer = await sender.post(request);
        answers.push(answer);
        if (!answer.ok) break;
      }
      return answers;
    }),
  );
  const all = results.flat();
  return all.find(({ ok }) => !ok) ?? all[0] ?? { ok: true, status: null, detail: '' };
}
