import { type RuleName, ruleNameOf } from '../../../../schemas/alert-channels.ts';
import { ruleKindOf } from '../../alerts/rule-definitions.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type {
  AlertChannel,
  AlertRule,
  Delivery,
  RuleEvent,
  RuleFilter,
  RuleSubject,
} from '../../store/alerts.ts';
import type { AutomaticSeverity } from '../../store/incidents/incidents.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { listPeople } from './channel-forms.ts';
import { type ChannelView, deliveriesPerChannelMax, viewChannelHead } from './channels.ts';
import { startOfDayMs } from './uptime.ts';

const what = 'A rule with this number';
const daysCounted = 14;
const messagesShown = 5;

interface RuleChannel extends ChannelView {
  readonly is_told: boolean;
}

interface RuleView {
  readonly rule_id: number;
  readonly name: string;
  /** Without the full stop. */
  readonly sentence: string;
  /** Severity; null if it opens none. */
  readonly opens_incident: AutomaticSeverity | null;
  /** Messages in 14 days, over all channels. */
  readonly sent: number;
}

export interface RulesModel {
  readonly rules: ReadonlyArray<
    RuleView & { readonly channels: readonly RuleChannel[]; readonly last_at: string | null }
  >;
}

export interface RuleModel extends RuleView {
  readonly on: RuleName;
  /** Members, and teams with `#`, by name: whom conditions can be about. */
  readonly people: readonly string[];
  readonly subject: RuleSubject;
  readonly event: RuleEvent;
  readonly limit: {
    readonly count: number;
    readonly unit: 'events' | 'users' | 'percent' | 'days';
    readonly within_ms: number | null;
  } | null;
  readonly filters: readonly RuleFilter[];
  readonly every_ms: number;
  readonly fold_over: number;
  readonly channels: readonly RuleChannel[];
  /** The last 14 days, oldest first. */
  readonly days: ReadonlyArray<{ readonly date: string; readonly sent: number }>;
  /** Newest first. */
  readonly messages: ReadonlyArray<{
    readonly delivery_id: number;
    readonly channel_id: number;
    readonly at: string;
    readonly subject: string;
    readonly path: string | null;
  }>;
  readonly sample: string | null;
}

interface RuleDeliveries {
  readonly rule: AlertRule;
  readonly channels: readonly AlertChannel[];
  readonly deliveries: readonly Delivery[];
}

export async function rulesModel(context: RequestContext): Promise<RulesModel> {
  const { all, listed } = await readRules(context);
  return {
    rules: listed.map((each) => ({
      ...ruleView(each, context.nowMs),
      channels: channelsOf(each, all).filter(({ is_told: isTold }) => isTold),
      last_at: formatTime(each.deliveries[0]?.atMs ?? null),
    })),
  };
}

export async function ruleModel(context: RequestContext): Promise<RuleModel> {
  const id = pathId(context, 'rule_id', what);
  const { all, listed } = await readRules(context);
  const found = listed.find(({ rule }) => rule.id === id);
  if (found === undefined) throw pageNotFound(what);
  const { subject, event, limit, filters, everyMs, foldOver } = found.rule.terms;
  const today = startOfDayMs(context.nowMs);
  const byDay = Map.groupBy(found.deliveries, ({ atMs }) => startOfDayMs(atMs));
  return {
    ...ruleView(found, context.nowMs),
    on: ruleNameOf(ruleKindOf(found.rule.terms), limit?.unit),
    people: await listPeople(context),
    subject,
    event,
    limit: limit === null ? null : { count: limit.count, unit: limit.unit, within_ms: limit.withinMs },
    filters,
    every_ms: everyMs,
    fold_over: foldOver,
    channels: channelsOf(found, all),
    days: Array.from({ length: daysCounted }, (_, at) => {
      const atMs = today - (daysCounted - 1 - at) * dayMs;
      return { date: formatTime(atMs).slice(0, 10), sent: byDay.get(atMs)?.length ?? 0 };
    }),
    messages: found.deliveries.slice(0, messagesShown).map((each) => ({
      delivery_id: each.id,
      channel_id: each.channelId,
      at: formatTime(each.atMs),
      subject: each.subject,
      path: each.path,
    })),
    sample: found.deliveries[0]?.sent ?? null,
  };
}

async function readRules(
  context: RequestContext,
): Promise<{ readonly all: readonly AlertChannel[]; readonly listed: readonly RuleDeliveries[] }> {
  const store = context.deps.store;
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
      const own = deliveries.filter((each) => each.rule === rule.name && ids.includes(each.channelId));
      return { rule, channels, deliveries: own.toSorted((one, other) => other.atMs - one.atMs) };
    });
  return { all, listed: withDeliveries };
}

function ruleView({ rule, deliveries }: RuleDeliveries, nowMs: number): RuleView {
  const fromMs = startOfDayMs(nowMs) - (daysCounted - 1) * dayMs;
  return {
    rule_id: rule.id,
    name: rule.name,
    sentence: rule.sentence,
    opens_incident: rule.terms.opensIncident ?? null,
    sent: deliveries.filter(({ atMs }) => atMs >= fromMs).length,
  };
}

function channelsOf({ channels }: RuleDeliveries, all: readonly AlertChannel[]): RuleChannel[] {
  return all.map((channel) => ({
    ...viewChannelHead(channel),
    is_told: channels.includes(channel),
  }));
}
