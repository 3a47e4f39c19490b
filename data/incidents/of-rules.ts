import { endIncidentOfRule, updateIncidentOfRule } from '../../src/core/incidents/automatic.ts';
import type { RuleMatch } from '../../src/core/store/incidents.ts';
import type { Query } from '../db.ts';
import { countRows } from '../paging.ts';
import { applyToIncident } from './writing.ts';

const ofObject = 'rule_id = $1 AND rule_object = $2';

/** Opens or updates the incident of what a rule found; returns its id. */
export async function applyRuleMatch(tx: Query, finding: RuleMatch): Promise<number | null> {
  const { rule, object } = finding;
  const ofRule = 'FROM incidents WHERE rule_id = $1 AND resolved_at_ms IS NULL';
  const openOfRule = await countRows(tx, ofRule, [rule.id]);
  return applyToIncident(tx, ofObject, [rule.id, object], (open) =>
    updateIncidentOfRule(finding, open, openOfRule),
  );
}

export async function endIncidentOfObject(
  tx: Query,
  { ruleId, object }: { readonly ruleId: number; readonly object: string },
  atMs: number,
): Promise<void> {
  await applyToIncident(tx, ofObject, [ruleId, object], (open) =>
    endIncidentOfRule(open, 'It is over.', atMs),
  );
}

interface Recovery {
  readonly body: string;
  readonly atMs: number;
}

const openIncidentsSql = `SELECT i.id FROM incidents i JOIN alert_rules r ON r.id = i.rule_id
  WHERE i.rule_id IS NOT NULL AND i.resolved_at_ms IS NULL`;

export async function endIncidentsOfSlowMonitor(
  tx: Query,
  monitorId: number,
  recovery: Recovery,
): Promise<void> {
  const open = await tx.all<{ id: number }>(
    `${openIncidentsSql} AND r.kind = 'monitor.slow' AND i.rule_object = $1 ORDER BY i.id`,
    [String(monitorId)],
  );
  await endAll(tx, open, recovery);
}

/** Also ends incidents of the issues that were merged into it. */
export async function endIncidentsOfIssue(tx: Query, issueId: number, recovery: Recovery): Promise<void> {
  const open = await tx.all<{ id: number }>(
    `${openIncidentsSql} AND r.kind LIKE 'issue.%' AND (i.rule_object = $1 OR i.rule_object IN
       (SELECT CAST(id AS TEXT) FROM issues WHERE merged_into = $2)) ORDER BY i.id`,
    [String(issueId), issueId],
  );
  await endAll(tx, open, recovery);
}

async function endAll(tx: Query, open: ReadonlyArray<{ readonly id: number }>, { body, atMs }: Recovery) {
  for (const { id } of open)
    await applyToIncident(tx, 'id = $1', [id], (each) => endIncidentOfRule(each, body, atMs));
}
