// What a user is called beside what counts them: keyed hashes of names and e-mail addresses.
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { Query } from '../../db.ts';
import type { Written } from './tags.ts';

const rememberedMax = 20_000;

/**
 * Writes down by which hashes the event's user is found too; one that was written a moment ago is not again.
 */
export async function noteUserKeys(
  tx: Query,
  event: NewEvent,
  remembered: Set<string>,
  written: Written,
): Promise<void> {
  const { projectId, userHash, userKeys = [] } = event;
  if (userHash === null) return;
  for (const key of userKeys) {
    const known = `${projectId} ${key} ${userHash}`;
    if (remembered.has(known)) continue;
    await tx.run(
      `INSERT INTO user_keys (project_id, key_hash, user_hash) VALUES ($1, $2, $3)
       ON CONFLICT (project_id, key_hash, user_hash) DO NOTHING`,
      [projectId, key, userHash],
    );
    written.push(() => {
      if (remembered.size >= rememberedMax) remembered.clear();
      remembered.add(known);
    });
  }
}
