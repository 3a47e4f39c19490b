// A few named values of the whole installation.
import type { SettingStore } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';

/** The queries of `SettingStore`. */
export function settingStore(db: Db): SettingStore {
  return {
    findSetting: (name) => findSetting(db, name),
    setSetting: (name, value, options) =>
      db.write(async (tx) => {
        await tx.run(
          options?.onlyIfAbsent === true
            ? 'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING'
            : 'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
          [name, value],
        );
        return (await findSetting(tx, name)) ?? value;
      }),
  };
}

/** Says that whatever was read of keys and projects before is old now; other processes read it too. */
export async function raiseKeysVersion(tx: Query): Promise<void> {
  await tx.run(
    `INSERT INTO meta (name, value) VALUES ('keys_version', '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)`,
  );
}

async function findSetting(query: Pick<Query, 'get'>, name: string): Promise<string | null> {
  const row = await query.get<{ value: string }>('SELECT value FROM meta WHERE name = $1', [name]);
  return row?.value ?? null;
}
