import type {
  NewRule,
  RuleDeliveryState,
  RuleRecord,
  SignalKind,
} from '../../src/core/store/alert-records.ts';
import type { AlertRule, RuleConditions } from '../../src/core/store/alerts.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query } from '../db.ts';
import { channels, ruleChannels, rules } from './rows.ts';

/** Rule kinds whose messages also say how many events the overflow issue took. */
const kindsWithOverflow: readonly string[] = [
  'issue.is_new',
  'issue.came_back',
  'issue.reopened',
  'issue.first_of_release',
] satisfies SignalKind[];

export function ruleStore(db: Db) {
  return {
    addRule: (rule, channelIds) => db.write((tx) => addRule(tx, rule, channelIds)),
    findRuleRecord: (id) => findRule(db, id),
    changeRule: (id, rule, channelIds) =>
      db.write(async (tx) => {
        const before = await findRule(tx, id);
        const { name, sentence, conditions } = rule;
        const change = { name, sentence, conditions, kind: kindOf(conditions) };
        await rules.update(tx, change, { where: 'id = $1', values: [id] });
        const stored = await findRule(tx, id);
        if (before === null || stored === null) return null;
        // The rule has other conditions now: its active alerts are forgotten.
        if (before.sentence !== rule.sentence) await clearActiveAlerts(tx, id);
        const hasKindChanged = kindOf(before.conditions) !== kindOf(rule.conditions);
        if (hasKindChanged) await clearOldKind(tx, before, rule);
        const removedChannelIds = stored.channelIds.filter((each) => !channelIds.includes(each));
        for (const channelId of removedChannelIds) await removeRuleChannel(tx, id, channelId);
        await addRuleChannels(
          tx,
          id,
          channelIds.filter((each) => !stored.channelIds.includes(each)),
        );
        if (hasKindChanged) await queueOverflow(tx, stored);
        return findRule(tx, id);
      }),
    deleteRule: (id) =>
      db.write(async (tx) => {
        const stored = await findRule(tx, id);
        if (stored === null) return null;
        for (const channelId of stored.channelIds) await removeRuleChannel(tx, id, channelId);
        await clearActiveAlerts(tx, id);
        await tx.run('DELETE FROM alert_rules WHERE id = $1', [id]);
        return stored;
      }),
    listRuleDeliveryStates: () => listRuleDeliveryStates(db),
    openWindow: ({ ruleId, channelId }, closesAtMs, sentSeparately) =>
      db.write(async (tx) => {
        const condition = { where: 'rule_id = $1 AND channel_id = $2', values: [ruleId, channelId] };
        await ruleChannels.update(tx, { closesAtMs, sentSeparately }, condition);
      }),
  } satisfies Partial<StoreParts>;
}

async function addRule(tx: Query, rule: NewRule, channelIds: readonly number[]): Promise<RuleRecord> {
  const { id } = await rules.insertReturning(tx, { ...rule, kind: kindOf(rule.conditions) });
  await addRuleChannels(tx, id, channelIds);
  const record = { ...rule, id, channelIds };
  await queueOverflow(tx, record);
  return record;
}

// Pending notifications are worded for the other kind, and incidents' object ids would match other objects.
async function clearOldKind(
  tx: Query,
  { id, conditions: { subject } }: RuleRecord,
  { conditions: next }: Pick<NewRule, 'conditions'>,
): Promise<void> {
  await tx.run('DELETE FROM pending_notifications WHERE rule_id = $1', [id]);
  if (subject === next.subject) return;
  await tx.run('UPDATE incidents SET rule_object = NULL WHERE rule_id = $1 AND resolved_at_ms IS NULL', [id]);
}

async function addRuleChannels(tx: Query, ruleId: number, channelIds: readonly number[]): Promise<void> {
  for (const channelId of channelIds) {
    const row = { ruleId, channelId, closesAtMs: 0, sentSeparately: 0 };
    await ruleChannels.insert(tx, row, { onConflict: 'DO NOTHING' });
  }
}

// Events that the overflow issue had before are not reported; their number is stored, so that later growth is.
async function queueOverflow(
  tx: Query,
  { id, projectId, conditions }: Pick<RuleRecord, 'id' | 'projectId' | 'conditions'>,
): Promise<void> {
  if (!kindsWithOverflow.includes(kindOf(conditions))) return;
  await tx.run(
    `INSERT INTO pending_notifications (rule_id, channel_id, project_id, object_id, at_ms, due_at_ms, wait_ms, notified_events)
     SELECT t.rule_id, t.channel_id, i.project_id, i.id, 0, CAST($2 AS BIGINT), 0, i.events_count
     FROM alert_rule_channels t JOIN alert_channels c ON c.id = t.channel_id
       JOIN issues i ON i.is_overflow = 1
     WHERE t.rule_id = $1 AND (i.project_id = $3 OR CAST($3 AS BIGINT) IS NULL)
       AND (c.project_id IS NULL OR c.project_id = i.project_id)`,
    [id, Number.MAX_SAFE_INTEGER, projectId],
  );
}

async function removeRuleChannel(tx: Query, ruleId: number, channelId: number): Promise<void> {
  for (const table of ['pending_notifications', 'alert_rule_channels']) {
    await tx.run(`DELETE FROM ${table} WHERE rule_id = $1 AND channel_id = $2`, [ruleId, channelId]);
  }
}

async function findRule(query: Query, id: number): Promise<RuleRecord | null> {
  const rule = await rules.find(query, 'WHERE id = $1', [id]);
  if (rule === null) return null;
  const channels = await ruleChannels.list(query, 'WHERE rule_id = $1 ORDER BY channel_id', [id]);
  return { ...rule, channelIds: channels.map(({ channelId }) => channelId) };
}

function kindOf({ subject, event }: RuleConditions): string {
  return `${subject}.${event}`;
}

async function clearActiveAlerts(tx: Query, ruleId: number): Promise<void> {
  await tx.run('DELETE FROM active_alerts WHERE rule_id = $1', [ruleId]);
}

export async function removeRulesWithoutChannel(tx: Query): Promise<void> {
  await tx.run('DELETE FROM active_alerts WHERE rule_id NOT IN (SELECT rule_id FROM alert_rule_channels)');
  await tx.run('DELETE FROM alert_rules WHERE id NOT IN (SELECT rule_id FROM alert_rule_channels)');
}

export async function rulesOf(query: Query): Promise<Map<number, AlertRule[]>> {
  const rows = await query.all<{ channel_id: number }>(
    `SELECT ${rules.columns('r')}, t.channel_id FROM alert_rules r JOIN alert_rule_channels t ON t.rule_id = r.id
     ORDER BY t.channel_id, r.id`,
  );
  const byChannel = Map.groupBy(rows, (row) => row.channel_id);
  return new Map([...byChannel].map(([id, ruleRows]) => [id, ruleRows.map(rules.rowOf)]));
}

async function listRuleDeliveryStates(query: Query): Promise<RuleDeliveryState[]> {
  const ruleRows = await rules.list(query, 'WHERE id IN (SELECT rule_id FROM alert_rule_channels)');
  const byId = new Map(ruleRows.map((rule) => [rule.id, rule]));
  const rows = await query.all<
    RuleDeliveryState['channel'] & { ruleId: number; closesAtMs: number; sentSeparately: number }
  >(
    `SELECT ${notifiedChannels.columns('c')}, t.rule_id AS "ruleId", t.closes_at_ms AS "closesAtMs", t.sent_separately AS "sentSeparately"
     FROM alert_rule_channels t JOIN alert_channels c ON c.id = t.channel_id ORDER BY t.rule_id, c.id`,
  );
  return rows.flatMap(({ ruleId, closesAtMs, sentSeparately, ...channel }) => {
    const rule = byId.get(ruleId);
    return rule === undefined
      ? []
      : [{ rule, channel: notifiedChannels.rowOf(channel), closesAtMs, sentSeparately }];
  });
}

const notifiedChannels = channels.only(
  ...(['id', 'projectId', 'name', 'type', 'address', 'settings', 'state', 'quietHours'] as const),
);
