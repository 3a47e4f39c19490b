import type { AlertChannelView } from '../../alerts/channel-schemas.ts';
import { viewChannel, viewRule } from '../../alerts/views.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatDate, formatTime } from '../../parsing/timestamps.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { listPeople } from './channel-forms.ts';
import { deliveriesPerChannelMax } from './channels.ts';
import { lastDays, startOfDayMs } from './uptime.ts';

const subject = 'A rule with this number';
const daysCounted = 14;
const messagesShown = 5;

type ChannelHead = Omit<AlertChannelView, 'rules'>;

export type RulesModel = Awaited<ReturnType<typeof rulesModel>>;

export type RuleModel = Awaited<ReturnType<typeof ruleModel>>;

type RuleDeliveries = Awaited<ReturnType<typeof readRules>>['listed'][number];

export async function rulesModel(context: RequestContext) {
  const { views, listed } = await readRules(context);
  return {
    rules: listed.map((each) => ({
      ...ruleView(each, context.nowMs),
      channels: channelsOf(each, views).filter(({ is_notified: isNotified }) => isNotified),
      last_at: formatTime(each.deliveries[0]?.atMs ?? null),
    })),
  };
}

export async function ruleModel(context: RequestContext) {
  const id = pathId(context, 'rule_id', subject);
  const { views, listed } = await readRules(context);
  const found = listed.find(({ rule }) => rule.id === id);
  if (found === undefined) throw pageNotFound(subject);
  const byDay = Map.groupBy(found.deliveries, ({ atMs }) => startOfDayMs(atMs));
  return {
    ...ruleView(found, context.nowMs),
    /** Members, and teams with `#`, by name: whom conditions can be about. */
    people: await listPeople(context),
    filters: [...found.rule.conditions.filters],
    channels: channelsOf(found, views),
    /** The last 14 days, oldest first. */
    days: lastDays(context.nowMs, daysCounted).map((atMs) => ({
      date: formatDate(atMs),
      sent: byDay.get(atMs)?.length ?? 0,
    })),
    /** Newest first. */
    messages: found.deliveries.slice(0, messagesShown).map((each) => ({
      delivery_id: each.id,
      alert_channel_id: each.channelId,
      at: formatTime(each.atMs),
      subject: each.subject,
      path: each.path,
    })),
    sample: found.deliveries[0]?.sent ?? null,
  };
}

async function readRules({ deps: { store } }: RequestContext) {
  const all = await store.listChannels();
  const slice = { after: null, before: null, limit: deliveriesPerChannelMax };
  const lists = await Promise.all(all.map(async ({ id }) => (await store.listDeliveries(id, slice)).rows));
  const deliveries = lists.flat();
  const rules = new Map(all.flatMap((channel) => channel.rules.map((rule) => [rule.id, rule] as const)));
  const withDeliveries = [...rules.values()]
    .toSorted((one, other) => one.id - other.id)
    .map((rule) => {
      const channels = all.filter((channel) => channel.rules.some(({ id }) => id === rule.id));
      const ids = channels.map(({ id }) => id);
      const ruleDeliveries = deliveries.filter(
        (each) => each.rule === rule.name && ids.includes(each.channelId),
      );
      return { rule, channels, deliveries: ruleDeliveries.toSorted((one, other) => other.atMs - one.atMs) };
    });
  const views = all.map(viewChannel).map(({ rules: _rules, ...head }) => head);
  return { views, listed: withDeliveries };
}

function ruleView({ rule, deliveries }: RuleDeliveries, nowMs: number) {
  const fromMs = startOfDayMs(nowMs) - (daysCounted - 1) * dayMs;
  return { ...viewRule(rule), sent: deliveries.filter(({ atMs }) => atMs >= fromMs).length };
}

function channelsOf({ channels }: RuleDeliveries, views: readonly ChannelHead[]) {
  const notified = new Set(channels.map(({ id }) => id));
  return views.map((view) => ({ ...view, is_notified: notified.has(view.alert_channel_id) }));
}
