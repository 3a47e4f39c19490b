// What each look at a proof found: queries only. The newest of each proof are kept.
import type { DomainLook, DomainLookStore } from '../../src/core/store/domains.ts';
import type { Db, Query } from '../db.ts';

/** Looks of one proof that are kept; a failing one is looked at every six hours, a waiting one every hour. */
const keptMax = 50;

interface LookRow {
  readonly at_ms: number;
  readonly asked: number;
  readonly outcome: string;
  readonly status: string;
  readonly found: string;
}

/** The queries of `DomainLookStore`. */
export function domainLookStore(db: Db): DomainLookStore {
  return {
    keepLook: (proof, look) => db.write((tx) => keepLook(tx, proof, look)),
    async listLooks({ projectId, id }) {
      const rows = await db.all<LookRow>(
        `SELECT at_ms, asked, outcome, status, found FROM domain_looks
         WHERE verification_id = $1 AND project_id = $2 ORDER BY id DESC LIMIT $3`,
        [id, projectId, keptMax],
      );
      return rows.map((row) => ({
        atMs: Number(row.at_ms),
        asked: row.asked === 1,
        outcome: row.outcome as DomainLook['outcome'],
        status: row.status as DomainLook['status'],
        found: JSON.parse(row.found) as DomainLook['found'],
      }));
    },
  };
}

/** Writes a look down, and removes what it makes too many. */
export async function keepLook(
  tx: Query,
  { id, projectId }: { readonly id: string; readonly projectId: number },
  { atMs, asked, outcome, status, found }: DomainLook,
): Promise<void> {
  await tx.run(
    `INSERT INTO domain_looks (project_id, verification_id, at_ms, asked, outcome, status, found)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [projectId, id, atMs, asked ? 1 : 0, outcome, status, JSON.stringify(found)],
  );
  await tx.run(
    `DELETE FROM domain_looks WHERE verification_id = $1 AND id <=
       (SELECT id FROM domain_looks WHERE verification_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`,
    [id, keptMax],
  );
}
