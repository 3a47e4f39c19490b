// The incidents that rules open: what a rule finds begins one or goes on with it, and what is over ends it.
// Queries only.
import { followingEnd, followingFinding } from '../../src/core/incidents/of-rules.ts';
import type { RuleFinding } from '../../src/core/store/incidents/keeping.ts';
import type { Query } from '../db.ts';
import { follow } from './writing.ts';

const ofObject = 'rule_id = $1 AND rule_object = $2';

/**
 * What a rule found changes of its incident, or opens now, in the transaction that finds it. Answers the
 * number of the incident.
 */
export async function followRule(tx: Query, finding: RuleFinding): Promise<number | null> {
  const { rule, object } = finding;
  const row = await tx.get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM incidents WHERE rule_id = $1 AND resolved_at_ms IS NULL',
    [rule.id],
  );
  const openOfRule = Number(row?.count ?? 0);
  return follow(tx, ofObject, [rule.id, object], (open) => followingFinding(finding, open, openOfRule));
}

/** What a rule found is over: in the transaction that says so. */
export async function followEnd(
  tx: Query,
  { ruleId, object }: { readonly ruleId: number; readonly object: string },
  atMs: number,
): Promise<void> {
  await follow(tx, ofObject, [ruleId, object], (open) => followingEnd(open, 'It is over.', atMs));
}

interface Good {
  readonly body: string;
  readonly atMs: number;
}

const openOfKinds = `SELECT i.id FROM incidents i JOIN alert_rules r ON r.id = i.rule_id
  WHERE i.rule_id IS NOT NULL AND i.resolved_at_ms IS NULL`;

/** A monitor is no longer slow, whichever rules found that. */
export async function followFast(tx: Query, monitorId: number, good: Good): Promise<void> {
  const open = await tx.all<{ id: number }>(
    `${openOfKinds} AND r.kind = 'monitor.slow' AND i.rule_object = $1 ORDER BY i.id`,
    [String(monitorId)],
  );
  await endAll(tx, open, good);
}

/** An issue was seen to, and so were those that were merged into it, whatever rules found of them. */
export async function followSeenTo(tx: Query, issueId: number, good: Good): Promise<void> {
  const open = await tx.all<{ id: number }>(
    `${openOfKinds} AND r.kind LIKE 'issue.%' AND (i.rule_object = $1 OR i.rule_object IN
       (SELECT CAST(id AS TEXT) FROM issues WHERE merged_into = $2)) ORDER BY i.id`,
    [String(issueId), issueId],
  );
  await endAll(tx, open, good);
}

async function endAll(
  tx: Query,
  open: ReadonlyArray<{ readonly id: number }>,
  { body, atMs }: Good,
): Promise<void> {
  for (const { id } of open) await follow(tx, 'id = $1', [id], (each) => followingEnd(each, body, atMs));
}
