import { type Query, storePart } from '../db.ts';
import { tableOf, text } from '../table.ts';

export const settings = tableOf('meta', { name: text, value: text });

export const settingStore = storePart(
  {
    findSetting,
  },
  {
    async setSetting(tx, name, value, options) {
      const action = options?.onlyIfAbsent === true ? 'NOTHING' : 'UPDATE SET value = excluded.value';
      await settings.insert(tx, { name, value }, { onConflict: `(name) DO ${action}` });
      return (await findSetting(tx, name)) ?? value;
    },
  },
);

/** Makes every process drop its cached keys and projects. */
export async function raiseKeysVersion(tx: Query): Promise<void> {
  const onConflict = '(name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)';
  await settings.insert(tx, { name: 'keys_version', value: '1' }, { onConflict });
}

async function findSetting(query: Pick<Query, 'get'>, name: string): Promise<string | null> {
  return (await settings.find(query, 'WHERE name = $1', [name]))?.value ?? null;
}
