import type {
  CheckFailure,
  DomainVerification,
  VerificationCheck,
  VerificationMethod,
} from '../../src/core/store/domains.ts';
import { type Query, type StoreMethod, storePart } from '../db.ts';
import { defaulted, double, flag, integer, json, nullable, oneOf, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';

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

const byId = 'WHERE project_id = $1 AND id = $2';

export const domainStore = storePart(
  {
    listDomains: (db, projectId) => domains.list(db, 'WHERE project_id = $1 ORDER BY id', [projectId]),
    findDomain: (db, projectId, domainId) => domains.find(db, byId, [projectId, domainId]),
  },
  {
    async addDomain(tx, domain) {
      const { projectId, host, bugReports, createdAtMs } = domain;
      const inserted = await domains.insertReturning(
        tx,
        { projectId, host, bugReports, errors: true, sampling: 1, allowedOrigins: [], createdAtMs },
        { onConflict: '(project_id, host) DO NOTHING' },
      );
      if (inserted !== null) return { domain: inserted, created: true };
      const existing = await domains.find(tx, 'WHERE project_id = $1 AND host = $2', [projectId, host]);
      if (existing === null) throw new Error('The domain was not found after the insert conflicted.');
      return { domain: existing, created: false };
    },
    changeDomain: (
      tx,
      projectId,
      domainId,
      { bugReports, errors, sampling, allowedOrigins, verificationId },
    ) =>
      domains.updateReturning(
        tx,
        { bugReports, errors, sampling, allowedOrigins, verificationId },
        { where: 'project_id = $1 AND id = $2', values: [projectId, domainId] },
      ),
    deleteDomain: (tx, projectId, domainId) => domains.deleteReturning(tx, byId, [projectId, domainId]),
  },
);

/** A failing proof is checked every six hours, a pending one every hour. */
const keptMax = 50;

const verifications = tableOf('domain_verifications', {
  id: text,
  projectId: integer,
  domain: text,
  scope: oneOf<DomainVerification['scope']>(),
  method: oneOf<DomainVerification['method']>(),
  label: nullable(text),
  token: text,
  tokenIssuedAtMs: integer,
  status: oneOf<DomainVerification['status']>(),
  createdAtMs: integer,
  expiresAtMs: nullable(integer),
  verifiedAtMs: nullable(integer),
  verifiedBy: nullable(oneOf<VerificationMethod>()),
  lastCheckedAtMs: nullable(integer),
  nextCheckAtMs: nullable(integer),
  failures: integer,
  failingSinceMs: nullable(integer),
  lastError: nullable(oneOf<CheckFailure>()),
});

const verificationChecks = tableOf('domain_checks', {
  id: defaulted(integer),
  projectId: integer,
  verificationId: text,
  atMs: integer,
  isManual: flag,
  outcome: oneOf<VerificationCheck['outcome']>(),
  status: oneOf<VerificationCheck['status']>(),
  found: json<VerificationCheck['found']>(),
}).without('id', 'projectId', 'verificationId');

export const domainVerificationStore = storePart(
  {
    listVerificationChecks: (db, { projectId, id }) =>
      verificationChecks.list(
        db,
        'WHERE verification_id = $1 AND project_id = $2 ORDER BY id DESC LIMIT $3',
        [id, projectId, keptMax],
      ),
    findDomainVerification: (db, projectId, id) =>
      verifications.find(db, 'WHERE project_id = $1 AND id = $2', [projectId, id]),
    listDomainVerifications: (db, projectId) =>
      verifications.list(db, 'WHERE project_id = $1 ORDER BY created_at_ms, id', [projectId]),
    async listUnsettledVerifications(db, projectIds, limit) {
      if (projectIds.length === 0) return [];
      const { placeholders, values } = toValueList(projectIds, 2);
      return verifications.list(
        db,
        `WHERE status IN ('pending', 'failing') AND project_id IN (${placeholders})
         ORDER BY created_at_ms, id LIMIT $1`,
        [limit, ...values],
      );
    },
  },
  {
    addVerificationCheck: (tx, verification, check) => addVerificationCheck(tx, verification, check),
    insertDomainVerification: (tx, verification, { proofsMax }) =>
      insertDomainVerification(tx, verification, proofsMax),
    async saveDomainVerification(tx, verification, expected, check) {
      const changes = await verifications.update(tx, verification, {
        where: 'project_id = $1 AND id = $2 AND status = $3 AND token = $4 AND failures = $5',
        values: [verification.projectId, verification.id, expected.status, expected.token, expected.failures],
      });
      if (changes > 0 && check !== undefined) await addVerificationCheck(tx, verification, check);
      return changes > 0;
    },
    // The outer condition is checked again after waiting for a row: only one process claims it.
    async claimDueVerifications(tx, nowMs, leaseMs, limit) {
      const rows = await tx.all(
        `UPDATE domain_verifications SET next_check_at_ms = $2 WHERE id IN (
           SELECT id FROM domain_verifications WHERE next_check_at_ms IS NOT NULL AND next_check_at_ms <= $1
           ORDER BY next_check_at_ms LIMIT $3)
         AND next_check_at_ms <= $1
         RETURNING ${verifications.columns()}`,
        [nowMs, nowMs + leaseMs, limit],
      );
      return rows.map(verifications.rowOf);
    },
  },
);

/** One statement inserts a row, renews an ended one, or changes nothing. */
async function insertDomainVerification(tx: Query, verification: DomainVerification, proofsMax: number) {
  const { projectId, domain, scope } = verification;
  const inserted = await verifications.insertReturning(tx, verification, {
    when: `(SELECT COUNT(*) FROM domain_verifications WHERE project_id = $1) < CAST($4 AS BIGINT)
      OR EXISTS (SELECT 1 FROM domain_verifications WHERE project_id = $1 AND domain = $2 AND scope = $3)`,
    onConflict: renewed,
    values: [projectId, domain, scope, proofsMax],
  });
  if (inserted !== null) return { proof: inserted, created: true };
  const existing = await verifications.find(tx, 'WHERE project_id = $1 AND domain = $2 AND scope = $3', [
    projectId,
    domain,
    scope,
  ]);
  return existing && { proof: existing, created: false };
}

const renewal = verifications.mergeOn({
  key: ['projectId', 'domain', 'scope'],
  otherwise: 'given',
  rules: {
    id: 'kept',
    createdAtMs: 'kept',
    lastCheckedAtMs: 'kept',
    verifiedAtMs: 'SQL: NULL',
    verifiedBy: 'SQL: NULL',
    failures: 'SQL: 0',
    failingSinceMs: 'SQL: NULL',
    lastError: 'SQL: NULL',
  },
});
const renewed = `${renewal} WHERE domain_verifications.status IN ('lapsed', 'expired', 'revoked')
  OR (domain_verifications.status = 'pending' AND domain_verifications.expires_at_ms <= excluded.token_issued_at_ms)`;

const addVerificationCheck: StoreMethod<'addVerificationCheck'> = async (tx, { id, projectId }, check) => {
  await verificationChecks.insert(tx, { ...check, projectId, verificationId: id });
  await tx.run(
    `DELETE FROM domain_checks WHERE verification_id = $1 AND id <=
       (SELECT id FROM domain_checks WHERE verification_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`,
    [id, keptMax],
  );
};
