// The domains of a project and their switches: queries only.
import type { Domain, DomainStore } from '../../src/core/store/domains.ts';
import type { Db, Query, SqlValue } from '../db.ts';

interface DomainRow {
  readonly id: number;
  readonly project_id: number;
  readonly host: string;
  readonly bug_reports: number;
  readonly errors: number;
  readonly sampling: number;
  readonly allowed_origins: string;
  readonly verification_id: string | null;
  readonly created_at_ms: number;
}

/** The queries of `DomainStore`. */
export function domainStore(db: Db): DomainStore {
  return {
    addDomain: (domain) => db.write((tx) => addDomain(tx, domain)),
    async listDomains(projectId) {
      const rows = await db.all<DomainRow>('SELECT * FROM domains WHERE project_id = $1 ORDER BY id', [
        projectId,
      ]);
      return rows.map(domainOf);
    },
    async findDomain(projectId, domainId) {
      const row = await db.get<DomainRow>('SELECT * FROM domains WHERE project_id = $1 AND id = $2', [
        projectId,
        domainId,
      ]);
      return row === undefined ? null : domainOf(row);
    },
    changeDomain: (projectId, domainId, change) =>
      db.write(async (tx) => {
        const row = await tx.get<DomainRow>(
          `UPDATE domains SET bug_reports = COALESCE($3, bug_reports), errors = COALESCE($4, errors),
             sampling = COALESCE($5, sampling), allowed_origins = COALESCE($6, allowed_origins),
             verification_id = CASE WHEN $7 = 1 THEN $8 ELSE verification_id END
           WHERE project_id = $1 AND id = $2 RETURNING *`,
          [
            projectId,
            domainId,
            flag(change.bugReports),
            flag(change.errors),
            change.sampling ?? null,
            change.allowedOrigins === undefined ? null : JSON.stringify(change.allowedOrigins),
            Number(change.verificationId !== undefined),
            change.verificationId ?? null,
          ],
        );
        return row === undefined ? null : domainOf(row);
      }),
    deleteDomain: (projectId, domainId) =>
      db.write(async (tx) => {
        const row = await tx.get<DomainRow>(
          'DELETE FROM domains WHERE project_id = $1 AND id = $2 RETURNING *',
          [projectId, domainId],
        );
        return row === undefined ? null : domainOf(row);
      }),
  };
}

async function addDomain(
  tx: Query,
  domain: Parameters<DomainStore['addDomain']>[0],
): Promise<{ domain: Domain; created: boolean }> {
  const made = await tx.get<DomainRow>(
    `INSERT INTO domains (project_id, host, bug_reports, errors, sampling, allowed_origins, created_at_ms)
     VALUES ($1, $2, $3, 1, 1, '[]', $4) ON CONFLICT (project_id, host) DO NOTHING RETURNING *`,
    [domain.projectId, domain.host, Number(domain.bugReports), domain.createdAtMs],
  );
  if (made !== undefined) return { domain: domainOf(made), created: true };
  const there = await tx.get<DomainRow>('SELECT * FROM domains WHERE project_id = $1 AND host = $2', [
    domain.projectId,
    domain.host,
  ]);
  if (there === undefined) throw new Error('A domain is taken and not there.');
  return { domain: domainOf(there), created: false };
}

function flag(value: boolean | undefined): SqlValue {
  return value === undefined ? null : Number(value);
}

function domainOf(row: DomainRow): Domain {
  return {
    id: row.id,
    projectId: row.project_id,
    host: row.host,
    bugReports: row.bug_reports === 1,
    errors: row.errors === 1,
    sampling: row.sampling,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
    verificationId: row.verification_id,
    createdAtMs: row.created_at_ms,
  };
}
