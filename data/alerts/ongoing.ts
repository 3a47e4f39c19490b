// What rules told of that still goes on, and the rules that are looked at by a clock: queries only.
import type { AlertStore } from '../../src/core/store/alerting.ts';
import type { RuleTerms } from '../../src/core/store/alerts.ts';
import { numberOrNull } from '../columns.ts';
import type { Db } from '../db.ts';
import { followEnd } from '../incidents/of-rules.ts';
import { noProject, projectOf, signal } from './signals.ts';

type OngoingStore = Pick<AlertStore, 'listAskingRules' | 'listOngoing' | 'beginOngoing' | 'endOngoing'>;

/** The queries on what goes on. */
export function ongoingStore(db: Db): OngoingStore {
  return {
    async listAskingRules(kind) {
      const rows = await db.all<{ id: number; project_id: number | null; terms: string }>(
        'SELECT id, project_id, terms FROM alert_rules WHERE kind = $1 ORDER BY id',
        [kind],
      );
      return rows.map(({ id, project_id: projectId, terms }) => ({
        id: Number(id),
        projectId: numberOrNull(projectId),
        terms: JSON.parse(terms) as RuleTerms,
      }));
    },
    async listOngoing(kind) {
      const rows = await db.all<{ rule_id: number; project_id: number; object: string }>(
        `SELECT o.rule_id, o.project_id, o.object FROM alert_rules r JOIN alert_ongoing o ON o.rule_id = r.id
         WHERE r.kind = $1 ORDER BY o.rule_id, o.object`,
        [kind],
      );
      return rows.map((row) => ({
        ruleId: Number(row.rule_id),
        projectId: projectOf(row.project_id),
        object: row.object,
      }));
    },
    beginOngoing: ({ ruleId, projectId, object, objectId, kind, atMs, said }) =>
      db.write(async (tx) => {
        const { changes } = await tx.run(
          `INSERT INTO alert_ongoing (rule_id, object, project_id, since_ms)
           SELECT id, CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM alert_rules WHERE id = $1
           ON CONFLICT (rule_id, object) DO NOTHING`,
          [ruleId, object, projectId ?? noProject, atMs],
        );
        if (changes === 0) return false;
        await signal(tx, { projectId, kind, objectId, atMs, ruleId, said, object });
        return true;
      }),
    endOngoing: (at, mendedAtMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM alert_ongoing WHERE rule_id = $1 AND object = $2', [at.ruleId, at.object]);
        if (mendedAtMs !== null) await followEnd(tx, at, mendedAtMs);
      }),
  };
}
