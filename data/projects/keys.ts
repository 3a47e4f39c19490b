// A key is found by its sha256; only public keys are stored as text.
import { minuteMs } from '../../src/core/parsing/durations.ts';
import type { ExpiringKey, ProjectKey } from '../../src/core/store/projects.ts';
import { type Db, type Query, storePart } from '../db.ts';
import { defaulted, flag, integer, json, nullable, oneOf, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { projects } from './projects.ts';
import { raiseKeysVersion } from './settings.ts';

const keys = tableOf('project_keys', {
  id: defaulted(integer),
  projectId: integer,
  kind: oneOf<ProjectKey['kind']>(),
  hash: text,
  prefix: text,
  lastFour: text,
  imported: flag,
  label: text,
  publicKey: nullable(text),
  allowedOrigins: json<readonly string[]>(),
  createdAtMs: integer,
  expiresAtMs: nullable(integer),
  revokedAtMs: defaulted(nullable(integer)),
  lastUsedAtMs: defaulted(nullable(integer)),
  scopes: json<ProjectKey['scopes']>(),
}).without('hash');

/** The minimum time between writes: each is a commit. */
const touchEveryMs = minuteMs;

/** Every change raises `keysVersion`. */
export const keyStore = storePart(
  {
    createKey: async (db, key) => requireKey(await changeKeys(db, (tx) => keys.insertReturning(tx, key))),
    async keysVersion(db) {
      const row = await db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'keys_version'");
      return Number(row?.value ?? 0);
    },
    async findKeyByHash(query, hash) {
      const key = await keyOfHash(query, hash);
      if (key === null) return null;
      const project = await projects.find(query, 'WHERE id = $1 AND deleted_at_ms IS NULL', [key.projectId]);
      return project && { key, project };
    },
    listKeys: (db, projectId) => keys.list(db, 'WHERE project_id = $1 ORDER BY id', [projectId]),
    listEndingKeys: (db, projectIds, fromMs, toMs, limit) =>
      projectIds.length === 0 ? Promise.resolve([]) : listExpiringKeys(db, projectIds, [fromMs, toMs, limit]),
    revokeKey: (db, projectId, keyId, nowMs) =>
      changeKeys(db, (tx) =>
        keys.updateReturning(
          tx,
          {},
          {
            ...ofProject,
            values: [projectId, keyId, nowMs],
            extraAssignment: 'revoked_at_ms = COALESCE(revoked_at_ms, $3)',
          },
        ),
      ),
    changeKey: (db, projectId, keyId, { label, scopes, allowedOrigins, expiresAtMs }) =>
      changeKeys(db, (tx) =>
        keys.updateReturning(
          tx,
          { label, scopes, allowedOrigins, expiresAtMs },
          { ...ofProject, values: [projectId, keyId] },
        ),
      ),
    expireKey: (db, projectId, keyId, expiresAtMs) =>
      changeKeys(db, (tx) =>
        keys.updateReturning(
          tx,
          {},
          {
            ...ofProject,
            values: [projectId, keyId, expiresAtMs],
            extraAssignment: 'expires_at_ms = CASE WHEN expires_at_ms < $3 THEN expires_at_ms ELSE $3 END',
          },
        ),
      ),
    async touchKey(db, keyId, usedAtMs) {
      await db.run(
        `UPDATE project_keys SET last_used_at_ms = $2 WHERE id = $1
         AND (last_used_at_ms IS NULL OR last_used_at_ms <= $3)`,
        [keyId, usedAtMs, usedAtMs - touchEveryMs],
      );
    },
  },
  {
    async addKey(tx, key) {
      const inserted = await keys.insertReturning(tx, key, { onConflict: '(hash) DO NOTHING' });
      if (inserted !== null) await raiseKeysVersion(tx);
      return { key: requireKey(inserted ?? (await keyOfHash(tx, key.hash))), created: inserted !== null };
    },
  },
);

const ofProject = { where: 'project_id = $1 AND id = $2' };

function keyOfHash(query: Pick<Query, 'get'>, hash: string): Promise<ProjectKey | null> {
  return keys.find(query, 'WHERE hash = $1', [hash]);
}

function changeKeys(db: Db, change: (tx: Query) => Promise<ProjectKey | null>): Promise<ProjectKey | null> {
  return db.write(async (tx) => {
    const key = await change(tx);
    if (key !== null) await raiseKeysVersion(tx);
    return key;
  });
}

function requireKey(key: ProjectKey | null): ProjectKey {
  if (key === null) throw new Error('The key was not found after it was written.');
  return key;
}

async function listExpiringKeys(
  query: Query,
  projectIds: readonly number[],
  range: readonly [fromMs: number, toMs: number, limit: number],
): Promise<ExpiringKey[]> {
  const { placeholders, values } = toValueList(projectIds, 4);
  return query.all<ExpiringKey>(
    `SELECT ${keys.only('id', 'projectId', 'prefix', 'lastFour').columns()}, expires_at_ms AS "endsAtMs" FROM project_keys
     WHERE expires_at_ms > $1 AND expires_at_ms < $2 AND revoked_at_ms IS NULL
       AND project_id IN (${placeholders}) ORDER BY expires_at_ms, id LIMIT $3`,
    [...range, ...values],
  );
}
