// Rules and the channels that they tell, in SQL: queries only.
import type {
  AlertStore,
  KeptChannel,
  KeptRule,
  NewRule,
  RuleStanding,
  SignalKind,
} from '../../src/core/store/alerting.ts';
import type { AlertRule, ChannelType, RuleTerms } from '../../src/core/store/alerts.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query } from '../db.ts';

interface RuleRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly name: string;
  readonly sentence: string;
  readonly terms: string;
}

/** Kinds that say beside their news how much came over the limit of new issues. */
const tellsOverflow: readonly string[] = [
  'issue.is_new',
  'issue.came_back',
  'issue.reopened',
  'issue.first_of_release',
] satisfies SignalKind[];

type RuleStore = Pick<
  AlertStore,
  'addRule' | 'findKeptRule' | 'changeRule' | 'deleteRule' | 'listStandings' | 'openWindow'
>;

/** The queries on rules. */
export function ruleStore(db: Db): RuleStore {
  return {
    addRule: (rule, channelIds) => db.write((tx) => addRule(tx, rule, channelIds)),
    findKeptRule: (id) => findRule(db, id),
    changeRule: (id, rule, channelIds) =>
      db.write(async (tx) => {
        const before = await findRule(tx, id);
        await tx.run('UPDATE alert_rules SET name = $2, sentence = $3, terms = $4, kind = $5 WHERE id = $1', [
          id,
          rule.name,
          rule.sentence,
          JSON.stringify(rule.terms),
          kindOf(rule.terms),
        ]);
        const there = await findRule(tx, id);
        if (before === null || there === null) return null;
        // It asks for something else now: what it told of before is no answer to that.
        if (before.sentence !== rule.sentence) await forgetOngoing(tx, id);
        const isOtherKind = kindOf(before.terms) !== kindOf(rule.terms);
        if (isOtherKind) await forgetKind(tx, before, rule);
        const left = there.channelIds.filter((each) => !channelIds.includes(each));
        for (const channelId of left) await untie(tx, id, channelId);
        await tie(
          tx,
          id,
          channelIds.filter((each) => !there.channelIds.includes(each)),
        );
        if (isOtherKind) await rememberOverflow(tx, there);
        return findRule(tx, id);
      }),
    deleteRule: (id) =>
      db.write(async (tx) => {
        const there = await findRule(tx, id);
        if (there === null) return null;
        for (const channelId of there.channelIds) await untie(tx, id, channelId);
        await forgetOngoing(tx, id);
        await tx.run('DELETE FROM alert_rules WHERE id = $1', [id]);
        return there;
      }),
    listStandings: () => listStandings(db),
    openWindow: ({ ruleId, channelId }, closesAtMs, alone) =>
      db.write(async (tx) => {
        await tx.run(
          'UPDATE alert_rule_channels SET closes_at_ms = $3, alone = $4 WHERE rule_id = $1 AND channel_id = $2',
          [ruleId, channelId, closesAtMs, alone],
        );
      }),
  };
}

async function addRule(tx: Query, rule: NewRule, channelIds: readonly number[]): Promise<KeptRule> {
  const row = await tx.get<{ id: number }>(
    `INSERT INTO alert_rules (project_id, name, sentence, terms, kind) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [rule.projectId, rule.name, rule.sentence, JSON.stringify(rule.terms), kindOf(rule.terms)],
  );
  const id = Number(row?.id);
  await tie(tx, id, channelIds);
  const kept = { ...rule, id, channelIds };
  await rememberOverflow(tx, kept);
  return kept;
}

/**
 * What waits would be told in the words of the other kind. Incidents are found by the number of their thing,
 * and things of another sort have the same numbers: those that go on are found by it no more.
 */
async function forgetKind(
  tx: Query,
  { id, terms: { subject } }: KeptRule,
  { terms: next }: Pick<NewRule, 'terms'>,
): Promise<void> {
  await tx.run('DELETE FROM alert_gathered WHERE rule_id = $1', [id]);
  if (subject === next.subject) return;
  await tx.run('UPDATE incidents SET rule_object = NULL WHERE rule_id = $1 AND resolved_at_ms IS NULL', [id]);
}

async function tie(tx: Query, ruleId: number, channelIds: readonly number[]): Promise<void> {
  for (const channelId of channelIds) {
    await tx.run(
      `INSERT INTO alert_rule_channels (rule_id, channel_id, closes_at_ms, alone) VALUES ($1, $2, 0, 0)
       ON CONFLICT (rule_id, channel_id) DO NOTHING`,
      [ruleId, channelId],
    );
  }
}

/**
 * What came over the limit of new issues before is not told: how much it was is remembered, and told from
 * there on when it grows beside other news.
 */
async function rememberOverflow(
  tx: Query,
  { id, projectId, terms }: Pick<KeptRule, 'id' | 'projectId' | 'terms'>,
): Promise<void> {
  if (!tellsOverflow.includes(kindOf(terms))) return;
  await tx.run(
    `INSERT INTO alert_gathered (rule_id, channel_id, project_id, object_id, at_ms, due_at_ms, wait_ms, told)
     SELECT t.rule_id, t.channel_id, i.project_id, i.id, 0, CAST($2 AS BIGINT), 0, i.events_count
     FROM alert_rule_channels t JOIN issues i ON i.is_overflow = 1
     WHERE t.rule_id = $1 AND (i.project_id = $3 OR CAST($3 AS BIGINT) IS NULL)`,
    [id, Number.MAX_SAFE_INTEGER, projectId],
  );
}

async function untie(tx: Query, ruleId: number, channelId: number): Promise<void> {
  for (const table of ['alert_gathered', 'alert_rule_channels']) {
    await tx.run(`DELETE FROM ${table} WHERE rule_id = $1 AND channel_id = $2`, [ruleId, channelId]);
  }
}

async function findRule(query: Query, id: number): Promise<KeptRule | null> {
  const row = await query.get<RuleRow>('SELECT * FROM alert_rules WHERE id = $1', [id]);
  if (row === undefined) return null;
  const told = await query.all<{ channel_id: number }>(
    'SELECT channel_id FROM alert_rule_channels WHERE rule_id = $1 ORDER BY channel_id',
    [id],
  );
  return { ...ruleOf(row), channelIds: told.map((each) => Number(each.channel_id)) };
}

function kindOf({ subject, event }: RuleTerms): string {
  return `${subject}.${event}`;
}

async function forgetOngoing(tx: Query, ruleId: number): Promise<void> {
  await tx.run('DELETE FROM alert_ongoing WHERE rule_id = $1', [ruleId]);
}

/** Removes rules that tell nobody. */
export async function removeUntold(tx: Query): Promise<void> {
  await tx.run('DELETE FROM alert_ongoing WHERE rule_id NOT IN (SELECT rule_id FROM alert_rule_channels)');
  await tx.run('DELETE FROM alert_rules WHERE id NOT IN (SELECT rule_id FROM alert_rule_channels)');
}

/** All rules, by the id of each channel that they tell. */
export async function rulesOf(query: Query): Promise<Map<number, AlertRule[]>> {
  const rows = await query.all<RuleRow & { channel_id: number }>(
    `SELECT r.*, t.channel_id FROM alert_rules r JOIN alert_rule_channels t ON t.rule_id = r.id
     ORDER BY t.channel_id, r.id`,
  );
  const byChannel = Map.groupBy(rows, (row) => Number(row.channel_id));
  return new Map([...byChannel].map(([id, own]) => [id, own.map(ruleOf)]));
}

function ruleOf(row: RuleRow): AlertRule {
  return {
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    name: row.name,
    sentence: row.sentence,
    terms: JSON.parse(row.terms) as RuleTerms,
  };
}

interface StandingRow extends RuleRow {
  readonly channel_id: number;
  readonly channel_project: number | null;
  readonly channel_name: string;
  readonly type: string;
  readonly state: string;
  readonly quiet_hours: string;
  readonly closes_at_ms: number;
  readonly alone: number;
}

async function listStandings(query: Query): Promise<RuleStanding[]> {
  const rows = await query.all<StandingRow>(
    `SELECT r.*, c.id AS channel_id, c.project_id AS channel_project, c.name AS channel_name, c.type, c.state,
       c.quiet_hours, t.closes_at_ms, t.alone
     FROM alert_rule_channels t JOIN alert_rules r ON r.id = t.rule_id JOIN alert_channels c ON c.id = t.channel_id
     ORDER BY r.id, c.id`,
  );
  return rows.map((row) => ({
    rule: ruleOf(row),
    channel: {
      id: Number(row.channel_id),
      projectId: numberOrNull(row.channel_project),
      name: row.channel_name,
      type: row.type as ChannelType,
      state: row.state as KeptChannel['state'],
      quietHours: row.quiet_hours,
    },
    closesAtMs: Number(row.closes_at_ms),
    alone: Number(row.alone),
  }));
}
