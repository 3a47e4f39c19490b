import type { Domain, DomainStore } from '../../src/core/store/domains.ts';
import type { Db, Query } from '../db.ts';
import { defaulted, double, flag, integer, json, nullable, tableOf, text } from '../table.ts';

const domains = tableOf('domains', {
  id: defaulted(integer),
  projectId: integer,
  host: text,
  bugReports: flag,
  errors: flag,
  sampling: double,
  allowedOrigins: json<readonly string[]>(),
  verificationId: defaulted(nullable(text)),
  createdAtMs: integer,
});

const one = 'WHERE project_id = $1 AND id = $2';

export function domainStore(db: Db): DomainStore {
  return {
    addDomain: (domain) => db.write((tx) => addDomain(tx, domain)),
    listDomains: (projectId) => domains.list(db, 'WHERE project_id = $1 ORDER BY id', [projectId]),
    findDomain: (projectId, domainId) => domains.find(db, one, [projectId, domainId]),
    changeDomain: (projectId, domainId, { bugReports, errors, sampling, allowedOrigins, verificationId }) =>
      db.write((tx) =>
        domains.updateReturning(
          tx,
          { bugReports, errors, sampling, allowedOrigins, verificationId },
          { where: 'project_id = $1 AND id = $2', values: [projectId, domainId] },
        ),
      ),
    deleteDomain: (projectId, domainId) =>
      db.write(async (tx) => {
        const row = await tx.get(`DELETE FROM domains ${one} RETURNING ${domains.columns()}`, [
          projectId,
          domainId,
        ]);
        return row === undefined ? null : domains.rowOf(row);
      }),
  };
}

async function addDomain(
  tx: Query,
  domain: Parameters<DomainStore['addDomain']>[0],
): Promise<{ domain: Domain; created: boolean }> {
  const { projectId, host, bugReports, createdAtMs } = domain;
  const made = await domains.insertReturning(
    tx,
    { projectId, host, bugReports, errors: true, sampling: 1, allowedOrigins: [], createdAtMs },
    { onConflict: '(project_id, host) DO NOTHING' },
  );
  if (made !== null) return { domain: made, created: true };
  const there = await domains.find(tx, 'WHERE project_id = $1 AND host = $2', [projectId, host]);
  if (there === null) throw new Error('A domain is taken and not there.');
  return { domain: there, created: false };
}
