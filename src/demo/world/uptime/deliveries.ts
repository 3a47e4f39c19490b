// What was sent to whom: every message follows from something that happened, by a rule of its channel.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { AlertChannel, Delivery, DeliveryAttempt } from '../../../core/store/alerts.ts';
import type { Incident } from '../../../core/store/incidents/incidents.ts';
import { weekOf, weekStartMs } from '../calendar.ts';
import { between, chance, hex } from '../chance.ts';
import type { Trouble } from '../story.ts';
import { type ChannelRow, channelRows, failing, type News, pausedChannel } from './channels.ts';
import { watched } from './monitors.ts';

/** Something that channels are told of. */
export interface Happened {
  readonly atMs: number;
  readonly news: News;
  readonly projectId: number | null;
  readonly subject: string;
  readonly path: string;
}

/** As many as a list of all channels shows at most. */
const deliveriesMax = 120;

const retryAfterMs = [2_000, 10_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs] as const;

/** What channels are told of incidents, and of weeks that are over. */
export function newsOf(incidents: readonly Incident[], nowMs: number): Happened[] {
  const paymentIds = watched.filter(({ tags }) => tags.includes('payments')).map(({ id }) => id);
  const ofIncidents = incidents
    .filter(({ severity }) => severity !== 'planned')
    .flatMap(({ id, title, severity, startedAtMs, projectId, affects }): Happened[] => {
      const news = { atMs: startedAtMs, projectId, subject: title, path: `/incidents/${id}` };
      const isPayments = affects.some((each) => each.kind === 'monitor' && paymentIds.includes(each.id));
      return [
        { ...news, news: 'incident' },
        ...(severity === 'critical' ? [{ ...news, news: 'critical' as const }] : []),
        ...(isPayments ? [{ ...news, news: 'payments' as const }] : []),
      ];
    });
  const weeks = Array.from({ length: 13 }, (_, back) => weekOf(nowMs) - back)
    .map((week): Happened => {
      const name = isoWeekName(week - 1);
      const atMs = weekStartMs(week) + 7 * hourMs;
      return {
        atMs,
        news: 'report',
        projectId: null,
        subject: `Report of ${name}`,
        path: `/reports/${name}`,
      };
    })
    .filter(({ atMs }) => atMs <= nowMs);
  return [...ofIncidents, ...weeks];
}

/** The name of a week as reports have it: `2026-W47`. */
function isoWeekName(week: number): string {
  // The week belongs to the year that its Thursday lies in.
  const thursday = new Date(weekStartMs(week) + 3 * dayMs);
  const year = thursday.getUTCFullYear();
  const nth = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(nth).padStart(2, '0')}`;
}

/** The newest deliveries of all channels, newest first. */
export function deliveriesOf(
  seed: string,
  happened: readonly Happened[],
  trouble: Trouble,
  nowMs: number,
): Delivery[] {
  return happened
    .flatMap((news) =>
      channelRows
        .filter((channel) => isTold(channel, news))
        .map((channel) => deliveryOf(seed, channel, news, { trouble, nowMs })),
    )
    .filter(({ atMs }) => atMs <= nowMs)
    .sort((one, other) => other.atMs - one.atMs || other.id - one.id)
    .slice(0, deliveriesMax);
}

function isTold({ id, rules, hasReports }: ChannelRow, { news, projectId, atMs }: Happened): boolean {
  if (news === 'report') return hasReports === true;
  if (id === pausedChannel.channelId && atMs >= pausedChannel.sinceMs) return false;
  return rules.some(
    (rule) =>
      rule.news === news &&
      (rule.projectIds.length === 0 || (projectId !== null && rule.projectIds.includes(projectId))),
  );
}

interface Now {
  readonly trouble: Trouble;
  readonly nowMs: number;
}

function deliveryOf(seed: string, channel: ChannelRow, news: Happened, { trouble, nowMs }: Now): Delivery {
  const rule = channel.rules.find((each) => each.news === news.news);
  // It leaves within five seconds of what happened.
  const atMs = news.atMs + between(900, 4_600, seed, 'leaves', channel.id, news.atMs, news.subject);
  const id = Math.floor(news.atMs / 1000) * 10 + channel.id;
  const isFailing = channel.id === failing.channelId && atMs >= trouble.startedAtMs - failing.beforeTroubleMs;
  const attempts = isFailing ? failedAttempts(seed, id, atMs, nowMs) : goodAttempts(seed, id, atMs);
  const last = attempts.at(-1)?.atMs ?? atMs;
  return {
    id,
    channelId: channel.id,
    atMs,
    subject: news.subject,
    rule: rule?.name ?? 'Weekly report',
    why:
      rule === undefined ? 'It goes out each Monday at 07:00.' : `The rule “${rule.name}”: ${rule.sentence}.`,
    path: news.path,
    state: isFailing ? 'waiting' : 'arrived',
    attempts,
    nextTryAtMs: isFailing ? last + (retryAfterMs[attempts.length - 1] ?? hourMs) : null,
    sent: sentText(channel, news, seed, id),
  };
}

function goodAttempts(seed: string, id: number, atMs: number): DeliveryAttempt[] {
  const tookMs = between(60, 240, seed, 'took', id);
  const good = { status: 200, durationMs: tookMs, said: 'OK' };
  // One in fifty needs a second try.
  if (chance(seed, 'second try', id) >= 0.02) return [{ ...good, atMs }];
  return [
    { atMs, status: 503, durationMs: tookMs * 3, said: 'Service Unavailable' },
    { ...good, atMs: atMs + retryAfterMs[0] },
  ];
}

function failedAttempts(seed: string, id: number, atMs: number, nowMs: number): DeliveryAttempt[] {
  const attempts: DeliveryAttempt[] = [];
  for (let at = atMs; at <= nowMs; at += retryAfterMs[attempts.length - 1] ?? hourMs) {
    const durationMs = between(180, 230, seed, 'refused', id, attempts.length);
    attempts.push({ atMs: at, status: 500, durationMs, said: failing.fault });
  }
  return attempts;
}

function sentText(
  { type, name }: ChannelRow,
  { subject, path, atMs, news }: Happened,
  seed: string,
  id: number,
): string {
  const url = `https://notifier.harbourpine.example${path}`;
  if (type === 'webhook') {
    const body = {
      type: `notifier.${news}`,
      timestamp: new Date(atMs).toISOString(),
      data: { subject, url },
    };
    return [
      `webhook-id: msg_${hex(20, seed, 'message', id)}`,
      `webhook-timestamp: ${Math.floor(atMs / 1000)}`,
      'webhook-signature: v1,K5oZfzN95Z••••',
      '',
      JSON.stringify(body, null, 1),
    ].join('\n');
  }
  if (type === 'email') {
    return [
      `Subject: [Harbour & Pine] ${subject}`,
      '',
      subject,
      url,
      '',
      `You get this as “${name}”. Stop it there.`,
    ].join('\n');
  }
  if (type === 'ntfy') return [`Title: ${subject}`, `Click: ${url}`, 'Priority: 5', '', subject].join('\n');
  return JSON.stringify({ text: `*${subject}*\n${url}` }, null, 1);
}

/** Channels as they stand at `nowMs`. */
export function channelsAt({ trouble, nowMs }: Now): AlertChannel[] {
  return channelRows.map((row): AlertChannel => {
    const facts = {
      ...row,
      projectId: null,
      rules: row.rules.map(({ id, name, sentence, terms }) => ({
        id,
        projectId: null,
        name,
        sentence,
        terms,
      })),
    };
    if (row.id === failing.channelId) {
      const sinceMs = trouble.startedAtMs - failing.beforeTroubleMs;
      return {
        ...facts,
        state: 'failing',
        stateSinceMs: sinceMs,
        pausedUntilMs: null,
        lastFault: failing.fault,
      };
    }
    if (row.id === pausedChannel.channelId && nowMs >= pausedChannel.sinceMs) {
      const since = { stateSinceMs: pausedChannel.sinceMs, pausedUntilMs: null };
      return { ...facts, state: 'paused', ...since, lastFault: '' };
    }
    return { ...facts, state: 'on', stateSinceMs: row.createdAtMs, pausedUntilMs: null, lastFault: '' };
  });
}
