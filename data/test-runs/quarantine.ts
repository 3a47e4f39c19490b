import { type QuarantineStore, quarantinedCasesMax } from '../../src/core/store/test-runs.ts';
import type { Db } from '../db.ts';
import { defaulted, integer, nullable, tableOf, text } from '../table.ts';

const quarantined = tableOf('quarantined_cases', {
  id: defaulted(integer),
  projectId: integer,
  caseId: text,
  name: text,
  suite: text,
  file: nullable(text),
  reason: text,
  issueId: nullable(integer),
  untilMs: integer,
  createdAtMs: integer,
  createdBy: text,
});

export function quarantineStore(db: Db): QuarantineStore {
  return {
    listQuarantinedCases: (projectId, nowMs) =>
      quarantined.list(
        db,
        `WHERE project_id = $1 AND until_ms > $2 ORDER BY until_ms, id LIMIT ${quarantinedCasesMax}`,
        [projectId, nowMs],
      ),
    findQuarantinedCase: (projectId, caseId, nowMs) =>
      quarantined.find(db, 'WHERE project_id = $1 AND case_id = $2 AND until_ms > $3', [
        projectId,
        caseId,
        nowMs,
      ]),
    putQuarantinedCase: (entry) =>
      db.write(async (tx) => {
        const onConflict = quarantined.mergeOn({ key: ['projectId', 'caseId'], otherwise: 'given' });
        const row = await quarantined.insertReturning(tx, entry, { onConflict });
        if (row === null) throw new Error('an upsert of a quarantined case returned no row');
        return row;
      }),
    removeQuarantinedCase: (projectId, id) =>
      db.write((tx) => quarantined.deleteReturning(tx, 'WHERE project_id = $1 AND id = $2', [projectId, id])),
    removeEndedQuarantine: (projectId, nowMs) =>
      db.write(async (tx) => {
        const ended = 'DELETE FROM quarantined_cases WHERE project_id = $1 AND until_ms <= $2';
        await tx.run(ended, [projectId, nowMs]);
      }),
  };
}
