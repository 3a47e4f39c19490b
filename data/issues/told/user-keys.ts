// Keyed hashes of names and e-mail addresses, by which users are searched.
import type { NewEvent } from '../../../src/core/store/events.ts';
import { compareKeys } from '../../compare-keys.ts';
import type { RowStatement, SqlValue, Transaction } from '../../db.ts';
import type { Written } from './tags.ts';

const rememberedMax = 20_000;

const insertKey: RowStatement = {
  sql: `INSERT INTO user_keys (project_id, key_hash, user_hash) VALUES ($1, $2, $3)
    ON CONFLICT (project_id, key_hash, user_hash) DO NOTHING`,
  types: ['bigint', 'text', 'text'],
};

/** Those written recently are skipped. */
export async function noteUserKeys(
  tx: Transaction,
  events: readonly NewEvent[],
  remembered: Set<string>,
  written: Written,
): Promise<void> {
  const rows = new Map<string, SqlValue[]>();
  for (const { projectId, userHash, userKeys = [] } of events) {
    if (userHash === null) continue;
    for (const key of userKeys) {
      const known = `${projectId} ${key} ${userHash}`;
      if (!remembered.has(known)) rows.set(known, [projectId, key, userHash]);
    }
  }
  if (rows.size === 0) return;
  await tx.allMany(
    insertKey,
    [...rows.values()].sort((left, right) => compareKeys(left, right, 3)),
  );
  written.push(() => {
    if (remembered.size + rows.size > rememberedMax) remembered.clear();
    for (const known of rows.keys()) remembered.add(known);
  });
}
