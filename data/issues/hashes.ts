import type { Grouping } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';
import { defaulted, flag, integer, nullable, tableOf, text } from '../table.ts';

/** `headId` differs from `id` when the issue is merged: events count for the head. */
export interface MatchedIssue {
  readonly id: number;
  readonly headId: number;
  readonly isNew: boolean;
}

export interface HashClaim {
  readonly projectId: number;
  readonly grouping: Pick<Grouping, 'hash' | 'algorithm' | 'secondary'>;
  readonly atMs: number;
}

export async function findByHash(tx: Query, projectId: number, hash: string): Promise<MatchedIssue | null> {
  const row = await tx.get<Pick<SecondaryHashRow, 'id' | 'merged_into'>>(
    `SELECT issues.id, issues.merged_into FROM issue_hashes JOIN issues ON issues.id = issue_hashes.issue_id
     WHERE issue_hashes.project_id = $1 AND issue_hashes.hash = $2`,
    [projectId, hash],
  );
  return row === undefined ? null : toMatchedIssue(row);
}

/** For an unknown hash, the issue of the same fault seen with more or less information (secondary hash). One with less
 * takes the first with more; one with more joins only where no other did, so two places in a function stay apart. */
export async function findBySecondaryHash(
  tx: Query,
  { projectId, grouping }: HashClaim,
): Promise<MatchedIssue | null> {
  const { secondary } = grouping;
  if (secondary === undefined || secondary === null) return null;
  const first = await findFirstHash(tx, projectId, secondary.hash);
  if (first === undefined || !secondary.hasSource) return first === undefined ? null : toMatchedIssue(first);
  if (first.has_source === 1) return null;
  // Of two better informed events at once, the second waits here and finds the first.
  await tx.run('UPDATE issue_hashes SET has_source = has_source WHERE id = $1', [first.hash_id]);
  const rechecked = await findFirstHash(tx, projectId, secondary.hash);
  return rechecked === undefined || rechecked.has_source === 1 ? null : toMatchedIssue(rechecked);
}

interface SecondaryHashRow {
  readonly hash_id: number;
  readonly has_source: number;
  readonly id: number;
  readonly merged_into: number | null;
}

function findFirstHash(tx: Query, projectId: number, secondaryHash: string) {
  return tx.get<SecondaryHashRow>(
    `SELECT issue_hashes.id AS hash_id, has_source, issues.id, issues.merged_into
     FROM issue_hashes JOIN issues ON issues.id = issue_hashes.issue_id
     WHERE issue_hashes.project_id = $1 AND issue_hashes.secondary_hash = $2
     ORDER BY has_source DESC, issue_hashes.id LIMIT 1`,
    [projectId, secondaryHash],
  );
}

function toMatchedIssue({
  id,
  merged_into: mergedInto,
}: Pick<SecondaryHashRow, 'id' | 'merged_into'>): MatchedIssue {
  return { id, headId: mergedInto ?? id, isNew: false };
}

/** False where the hash leads to an issue already. */
export async function claimHash(tx: Query, claim: HashClaim, issueId: number): Promise<boolean> {
  const { projectId, grouping, atMs } = claim;
  const { hash, algorithm, secondary } = grouping;
  const claimed = await hashes.insert(
    tx,
    {
      ...{ projectId, hash, issueId, algorithm, createdAtMs: atMs },
      secondaryHash: secondary?.hash ?? null,
      hasSource: secondary?.hasSource === true,
    },
    { onConflict: '(project_id, hash) DO NOTHING' },
  );
  return claimed > 0;
}

const hashes = tableOf('issue_hashes', {
  id: defaulted(integer),
  projectId: integer,
  hash: text,
  issueId: integer,
  algorithm: text,
  createdAtMs: integer,
  superseded: defaulted(flag),
  secondaryHash: nullable(text),
  hasSource: flag,
});
