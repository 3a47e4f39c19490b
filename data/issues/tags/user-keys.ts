// Keyed hashes of names and e-mail addresses, by which users are searched.
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { SqlValue, Transaction } from '../../db.ts';
import { integer, tableOf, text } from '../../table.ts';
import { compareKeys } from '../../value-lists.ts';
import type { AfterWrite } from './tags.ts';

const cachedMax = 20_000;

const userKeys = tableOf('user_keys', { projectId: integer, keyHash: text, userHash: text });
const insertKey = userKeys.insertStatement('ON CONFLICT DO NOTHING');

/** Those written recently are skipped. */
export async function insertUserKeys(
  tx: Transaction,
  events: readonly NewEvent[],
  cache: Set<string>,
  written: AfterWrite,
): Promise<void> {
  const rows = new Map<string, SqlValue[]>();
  for (const { projectId, userHash, userKeys: keys = [] } of events) {
    if (userHash === null) continue;
    for (const keyHash of keys) {
      const key = `${projectId} ${keyHash} ${userHash}`;
      if (!cache.has(key)) rows.set(key, userKeys.valuesOf({ projectId, keyHash, userHash }));
    }
  }
  if (rows.size === 0) return;
  await tx.allMany(
    insertKey,
    [...rows.values()].sort((left, right) => compareKeys(left, right, 3)),
  );
  written.push(() => {
    if (cache.size + rows.size > cachedMax) cache.clear();
    for (const key of rows.keys()) cache.add(key);
  });
}
