// Project keys: queries only. A key is found by the sha256 of its text; only public keys are kept whole.
import { minuteMs } from '../../src/core/reading/spans.ts';
import type {
  EndingKey,
  KeyChange,
  KeyStore,
  NewKey,
  Project,
  ProjectKey,
} from '../../src/core/store/projects.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { listOf } from '../value-lists.ts';
import { type ProjectRow, projectOf } from './projects.ts';
import { raiseKeysVersion } from './settings.ts';

interface KeyRow {
  readonly id: number;
  readonly project_id: number;
  readonly kind: ProjectKey['kind'];
  readonly prefix: string;
  readonly last_four: string;
  readonly imported: number;
  readonly label: string;
  readonly public_key: string | null;
  readonly scopes: string;
  readonly allowed_origins: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
}

/** When a key was last used is written at most this often: it is for people, and costs a commit. */
const touchEveryMs = minuteMs;

const keyColumns = `id, project_id, kind, prefix, last_four, imported, label, public_key, scopes,
  allowed_origins, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms`;

/** The queries of `KeyStore`; every change of a key moves `keysVersion`. */
export function keyStore(db: Db): KeyStore {
  return {
    createKey: (key) => changed(db, `${insertKey} RETURNING ${keyColumns}`, valuesOf(key)).then(present),
    addKey: (key) =>
      db.write(async (tx) => {
        const made = await tx.get<KeyRow>(
          `${insertKey} ON CONFLICT (hash) DO NOTHING RETURNING ${keyColumns}`,
          valuesOf(key),
        );
        if (made !== undefined) await raiseKeysVersion(tx);
        const row = made ?? (await keyRow(tx, key.hash));
        if (row === undefined) throw new Error('A key is taken and not there.');
        return { key: keyOf(row), created: made !== undefined };
      }),
    async keysVersion() {
      const row = await db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'keys_version'");
      return Number(row?.value ?? 0);
    },
    findKeyByHash: (hash) => findKeyByHash(db, hash),
    async listKeys(projectId) {
      const rows = await db.all<KeyRow>(
        `SELECT ${keyColumns} FROM project_keys WHERE project_id = $1 ORDER BY id`,
        [projectId],
      );
      return rows.map(keyOf);
    },
    listEndingKeys: (projectIds, fromMs, toMs, limit) =>
      projectIds.length === 0 ? Promise.resolve([]) : endingKeys(db, projectIds, [fromMs, toMs, limit]),
    revokeKey: (projectId, keyId, nowMs) =>
      changed(
        db,
        `UPDATE project_keys SET revoked_at_ms = COALESCE(revoked_at_ms, $3) WHERE project_id = $1 AND id = $2
         RETURNING ${keyColumns}`,
        [projectId, keyId, nowMs],
      ),
    changeKey: (projectId, keyId, change) => changeKey(db, projectId, keyId, change),
    expireKey: (projectId, keyId, expiresAtMs) =>
      changed(
        db,
        `UPDATE project_keys SET expires_at_ms = CASE WHEN expires_at_ms < $3 THEN expires_at_ms ELSE $3 END
         WHERE project_id = $1 AND id = $2 RETURNING ${keyColumns}`,
        [projectId, keyId, expiresAtMs],
      ),
    async touchKey(keyId, usedAtMs) {
      await db.run(
        `UPDATE project_keys SET last_used_at_ms = $2 WHERE id = $1
         AND (last_used_at_ms IS NULL OR last_used_at_ms <= $3)`,
        [keyId, usedAtMs, usedAtMs - touchEveryMs],
      );
    },
  };
}

const insertKey = `INSERT INTO project_keys (project_id, kind, hash, prefix, last_four, imported, label, public_key,
  scopes, allowed_origins, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

function changeKey(
  db: Db,
  projectId: number,
  keyId: number,
  { label, scopes, allowedOrigins, expiresAtMs }: KeyChange,
): Promise<ProjectKey | null> {
  return changed(
    db,
    `UPDATE project_keys SET label = COALESCE($3, label), scopes = COALESCE($4, scopes),
       allowed_origins = COALESCE($5, allowed_origins),
       expires_at_ms = CASE WHEN $6 = 1 THEN $7 ELSE expires_at_ms END
     WHERE project_id = $1 AND id = $2 RETURNING ${keyColumns}`,
    [
      projectId,
      keyId,
      label ?? null,
      scopes === undefined ? null : JSON.stringify(scopes),
      allowedOrigins === undefined ? null : JSON.stringify(allowedOrigins),
      Number(expiresAtMs !== undefined),
      expiresAtMs ?? null,
    ],
  );
}

function valuesOf(key: NewKey): SqlValue[] {
  return [
    key.projectId,
    key.kind,
    key.hash,
    key.prefix,
    key.lastFour,
    Number(key.imported),
    key.label,
    key.publicKey,
    JSON.stringify(key.scopes),
    JSON.stringify(key.allowedOrigins),
    key.createdAtMs,
    key.expiresAtMs,
  ];
}

function keyRow(query: Pick<Query, 'get'>, hash: string): Promise<KeyRow | undefined> {
  return query.get<KeyRow>(`SELECT ${keyColumns} FROM project_keys WHERE hash = $1`, [hash]);
}

async function findKeyByHash(
  query: Pick<Query, 'get'>,
  hash: string,
): Promise<{ key: ProjectKey; project: Project } | null> {
  const key = await keyRow(query, hash);
  if (key === undefined) return null;
  const project = await query.get<ProjectRow>(
    'SELECT * FROM projects WHERE id = $1 AND deleted_at_ms IS NULL',
    [key.project_id],
  );
  return project === undefined ? null : { key: keyOf(key), project: projectOf(project) };
}

function changed(db: Db, sql: string, values: readonly SqlValue[]): Promise<ProjectKey | null> {
  return db.write(async (tx) => {
    const row = await tx.get<KeyRow>(sql, values);
    if (row === undefined) return null;
    await raiseKeysVersion(tx);
    return keyOf(row);
  });
}

function present(key: ProjectKey | null): ProjectKey {
  if (key === null) throw new Error('A new key returned no row.');
  return key;
}

function keyOf(row: KeyRow): ProjectKey {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    prefix: row.prefix,
    lastFour: row.last_four,
    imported: row.imported === 1,
    label: row.label,
    publicKey: row.public_key,
    scopes: JSON.parse(row.scopes) as ProjectKey['scopes'],
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}

async function endingKeys(
  query: Query,
  projectIds: readonly number[],
  within: readonly [fromMs: number, toMs: number, limit: number],
): Promise<EndingKey[]> {
  const { marks, values } = listOf(projectIds, 4);
  const rows = await query.all<Pick<KeyRow, 'id' | 'project_id' | 'prefix' | 'last_four' | 'expires_at_ms'>>(
    `SELECT id, project_id, prefix, last_four, expires_at_ms FROM project_keys
     WHERE expires_at_ms > $1 AND expires_at_ms < $2 AND revoked_at_ms IS NULL
       AND project_id IN (${marks}) ORDER BY expires_at_ms, id LIMIT $3`,
    [...within, ...values],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    prefix: row.prefix,
    lastFour: row.last_four,
    projectId: Number(row.project_id),
    endsAtMs: Number(row.expires_at_ms),
  }));
}
