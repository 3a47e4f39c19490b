// Domain proofs in SQL: queries only.

import type {
  CheckFailure,
  DomainLook,
  DomainLookStore,
  DomainProof,
  DomainVerificationStore,
  ProofMethod,
} from '../../src/core/store/domains.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { listOf } from '../value-lists.ts';

/** Looks of one proof that are kept; a failing one is looked at every six hours, a waiting one every hour. */
const keptMax = 50;

interface ProofRow {
  readonly id: string;
  readonly project_id: number;
  readonly domain: string;
  readonly scope: string;
  readonly method: string;
  readonly label: string | null;
  readonly token: string;
  readonly token_issued_at_ms: number;
  readonly status: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly verified_at_ms: number | null;
  readonly verified_by: string | null;
  readonly last_checked_at_ms: number | null;
  readonly next_check_at_ms: number | null;
  readonly failures: number;
  readonly failing_since_ms: number | null;
  readonly last_error: string | null;
}

/** The domain verification part of the store. */
export function domainVerificationStore(db: Db): DomainVerificationStore {
  return {
    ...domainLookStore(db),
    createProof: (proof, { proofsMax }) => db.write((tx) => createProof(tx, proof, proofsMax)),
    findProof: (projectId, id) => findProof(db, projectId, id),
    async listProofs(projectId) {
      const rows = await db.all<ProofRow>(
        'SELECT * FROM domain_verifications WHERE project_id = $1 ORDER BY created_at_ms, id',
        [projectId],
      );
      return rows.map(proofOf);
    },
    async listUnsettledProofs(projectIds, limit) {
      if (projectIds.length === 0) return [];
      const { marks, values } = listOf(projectIds, 2);
      const rows = await db.all<ProofRow>(
        `SELECT * FROM domain_verifications
         WHERE status IN ('pending', 'failing') AND project_id IN (${marks})
         ORDER BY created_at_ms, id LIMIT $1`,
        [limit, ...values],
      );
      return rows.map(proofOf);
    },
    saveProof: (proof, readAs, look) =>
      db.write(async (tx) => {
        const { changes } = await tx.run(
          `UPDATE domain_verifications SET token = $3, token_issued_at_ms = $4, status = $5, expires_at_ms = $6,
             verified_at_ms = $7, verified_by = $8, last_checked_at_ms = $9, next_check_at_ms = $10, failures = $11,
             failing_since_ms = $12, last_error = $13
           WHERE project_id = $1 AND id = $2 AND status = $14 AND token = $15 AND failures = $16`,
          [proof.projectId, proof.id, ...stateValues(proof), readAs.status, readAs.token, readAs.failures],
        );
        if (changes > 0 && look !== undefined) await keepLook(tx, proof, look);
        return changes > 0;
      }),
    // The outer condition is asked again once a row is free: of two processes only one takes it.
    claimDueProofs: (nowMs, leaseMs, limit) =>
      db.write(async (tx) => {
        const rows = await tx.all<ProofRow>(
          `UPDATE domain_verifications SET next_check_at_ms = $2 WHERE id IN (
             SELECT id FROM domain_verifications WHERE next_check_at_ms IS NOT NULL AND next_check_at_ms <= $1
             ORDER BY next_check_at_ms LIMIT $3)
           AND next_check_at_ms <= $1
           RETURNING *`,
          [nowMs, nowMs + leaseMs, limit],
        );
        return rows.map(proofOf);
      }),
  };
}

/**
 * One statement decides: a new row, the renewal of one that is over, or nothing, when what is there goes on.
 */
async function createProof(tx: Query, proof: DomainProof, proofsMax: number) {
  const made = await tx.get<ProofRow>(
    `INSERT INTO domain_verifications (id, project_id, domain, scope, method, label, created_at_ms, token,
       token_issued_at_ms, status, expires_at_ms, verified_at_ms, verified_by, last_checked_at_ms, next_check_at_ms,
       failures, failing_since_ms, last_error)
     SELECT $1, CAST($2 AS BIGINT), $3, $4, $5, $6, CAST($7 AS BIGINT), $8, CAST($9 AS BIGINT), $10, CAST($11 AS BIGINT),
       CAST($12 AS BIGINT), $13, CAST($14 AS BIGINT), CAST($15 AS BIGINT), CAST($16 AS BIGINT), CAST($17 AS BIGINT), $18
     WHERE (SELECT COUNT(*) FROM domain_verifications WHERE project_id = $2) < CAST($19 AS BIGINT)
       OR EXISTS (SELECT 1 FROM domain_verifications WHERE project_id = $2 AND domain = $3 AND scope = $4)
     ON CONFLICT (project_id, domain, scope) DO UPDATE SET method = excluded.method, label = excluded.label,
       token = excluded.token, token_issued_at_ms = excluded.token_issued_at_ms, status = excluded.status,
       expires_at_ms = excluded.expires_at_ms, verified_at_ms = NULL, verified_by = NULL,
       next_check_at_ms = excluded.next_check_at_ms, failures = 0, failing_since_ms = NULL, last_error = NULL
     WHERE domain_verifications.status IN ('lapsed', 'expired', 'revoked')
       OR (domain_verifications.status = 'pending' AND domain_verifications.expires_at_ms <= excluded.token_issued_at_ms)
     RETURNING *`,
    [
      proof.id,
      proof.projectId,
      proof.domain,
      proof.scope,
      proof.method,
      proof.label,
      proof.createdAtMs,
      ...stateValues(proof),
      proofsMax,
    ],
  );
  if (made !== undefined) return { proof: proofOf(made), created: true };
  const there = await tx.get<ProofRow>(
    'SELECT * FROM domain_verifications WHERE project_id = $1 AND domain = $2 AND scope = $3',
    [proof.projectId, proof.domain, proof.scope],
  );
  return there === undefined ? null : { proof: proofOf(there), created: false };
}

async function findProof(query: Query, projectId: number, id: string): Promise<DomainProof | null> {
  const row = await query.get<ProofRow>(
    'SELECT * FROM domain_verifications WHERE project_id = $1 AND id = $2',
    [projectId, id],
  );
  return row === undefined ? null : proofOf(row);
}

/** What changes in the life of a proof, in the order of the columns above. */
function stateValues(proof: DomainProof): SqlValue[] {
  return [
    proof.token,
    proof.tokenIssuedAtMs,
    proof.status,
    proof.expiresAtMs,
    proof.verifiedAtMs,
    proof.verifiedBy,
    proof.lastCheckedAtMs,
    proof.nextCheckAtMs,
    proof.failures,
    proof.failingSinceMs,
    proof.lastError,
  ];
}

function proofOf(row: ProofRow): DomainProof {
  return {
    id: row.id,
    projectId: Number(row.project_id),
    domain: row.domain,
    scope: row.scope as DomainProof['scope'],
    method: row.method as DomainProof['method'],
    label: row.label,
    token: row.token,
    tokenIssuedAtMs: Number(row.token_issued_at_ms),
    status: row.status as DomainProof['status'],
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: numberOrNull(row.expires_at_ms),
    verifiedAtMs: numberOrNull(row.verified_at_ms),
    verifiedBy: row.verified_by as ProofMethod | null,
    lastCheckedAtMs: numberOrNull(row.last_checked_at_ms),
    nextCheckAtMs: numberOrNull(row.next_check_at_ms),
    failures: Number(row.failures),
    failingSinceMs: numberOrNull(row.failing_since_ms),
    lastError: row.last_error as CheckFailure | null,
  };
}

interface LookRow {
  readonly at_ms: number;
  readonly asked: number;
  readonly outcome: string;
  readonly status: string;
  readonly found: string;
}

/** The queries of `DomainLookStore`. */
function domainLookStore(db: Db): DomainLookStore {
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
async function keepLook(
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
