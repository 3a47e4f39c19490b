import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import { createNameTakenError } from '../../src/core/source-maps/artifacts.ts';
import {
  type Artifact,
  type ArtifactFilter,
  type ArtifactPageFilter,
  type ArtifactPageStore,
  type ArtifactStore,
  type ArtifactType,
  artifactTypes,
  type NewArtifact,
  type RecordedArtifact,
} from '../../src/core/store/artifacts.ts';
import type { Page } from '../../src/core/store/pagination.ts';
import { projectLimits } from '../../src/core/store/projects.ts';
import type { Db, Query, SqlValue, StoreMethod } from '../db.ts';
import { projectsCondition, readPage, readSlice } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import { artifacts, contentStore, freeBytes, type UploadLimits } from './contents.ts';

/** Values in one IN list, and artifacts in one transaction: a large bundle must not block other writers. */
const listMax = 100;
const wildcardsMax = 100;
const foundMax = 1_000;

export function artifactStore(db: Db, limits: UploadLimits = projectLimits): ArtifactStore {
  return {
    ...contentStore(db, limits),
    ...artifactPageStore(db),
    recordArtifacts: (newArtifacts, options) => recordArtifacts(db, newArtifacts, options),
    listArtifacts: (projectId, filter) => listArtifacts(db, projectId, filter),
    findArtifact: (projectId, artifactId) =>
      artifacts.find(db, 'WHERE project_id = $1 AND id = $2', [projectId, artifactId]),
    async deleteArtifact(projectId, artifactId) {
      const sql = 'DELETE FROM artifacts WHERE project_id = $1 AND id = $2';
      return (await db.write((tx) => tx.run(sql, [projectId, artifactId]))).changes > 0;
    },
    async hasArtifacts(projectId) {
      const sql = 'SELECT 1 AS found FROM artifacts WHERE project_id = $1 LIMIT 1';
      return (await db.get(sql, [projectId])) !== undefined;
    },
    findArtifactsByDebugId: (projectId, debugIds) =>
      findIn(db, debugIds, "debug_id <> '' AND project_id = $1 AND debug_id", [projectId]),
    findArtifactsByName: (projectId, release, names) =>
      findIn(db, names, 'replaced_at_ms IS NULL AND project_id = $1 AND release = $2 AND name', [
        projectId,
        release,
      ]),
    findWildcardArtifacts: (projectId, release) =>
      artifacts.list(
        db,
        `WHERE project_id = $1 AND release = $2 AND has_wildcard = 1
        AND replaced_at_ms IS NULL ORDER BY id DESC LIMIT ${wildcardsMax}`,
        [projectId, release],
      ),
  };
}

const recordArtifacts: StoreMethod<'recordArtifacts', Db> = async (db, newArtifacts, options) => {
  // Without `overwrite` all artifacts are stored or none; with it in steps that can be repeated safely.
  const step = options.overwrite ? listMax : Math.max(1, newArtifacts.length);
  const recorded: RecordedArtifact[] = [];
  for (let at = 0; at < newArtifacts.length; at += step) {
    const batch = newArtifacts.slice(at, at + step);
    recorded.push(
      ...(await db.write(async (tx) => {
        const rows = new Map<NewArtifact, RecordedArtifact>();
        for (const artifact of batch.toSorted(by((each) => each.name))) {
          rows.set(artifact, await recordArtifact(tx, artifact, options));
        }
        await markContentsFiled(tx, batch);
        return batch.flatMap((artifact) => rows.get(artifact) ?? []);
      })),
    );
  }
  return recorded;
};

async function recordArtifact(
  tx: Query,
  artifact: NewArtifact,
  { overwrite, nowMs }: { overwrite: boolean; nowMs: number },
): Promise<RecordedArtifact> {
  if (overwrite) await replaceOthers(tx, artifact, nowMs);
  const inserted = await artifacts.insertReturning(
    tx,
    {
      ...artifact,
      hasWildcard: artifact.name.includes('*'),
      createdAtMs: nowMs,
      searchText: foldSearchTexts([artifact.name]),
    },
    { onConflict: 'DO NOTHING' },
  );
  if (inserted !== null) return { artifact: inserted, duplicate: false };
  const { where, values } = slotOf(artifact);
  const existing = await artifacts.find(tx, `WHERE ${where}`, values);
  if (existing === null) throw new Error('The artifact was not found after the insert conflicted.');
  if (existing.sha256 !== artifact.sha256) throw createNameTakenError(artifact.name);
  return { artifact: existing, duplicate: true };
}

async function markContentsFiled(tx: Query, newArtifacts: readonly NewArtifact[]): Promise<void> {
  const [first] = newArtifacts;
  if (first === undefined) return;
  const contents = [...new Set(newArtifacts.map((artifact) => artifact.sha256))].sort();
  let bytes = 0;
  for (let at = 0; at < contents.length; at += listMax) {
    const list = toValueList(contents.slice(at, at + listMax), 2);
    const firstUsed = await tx.all<{ size: number }>(
      `UPDATE artifact_contents SET is_used = 1 WHERE project_id = $1 AND sha256 IN (${list.placeholders}) AND is_used = 0
       RETURNING size`,
      [first.projectId, ...list.values],
    );
    bytes += firstUsed.reduce((sum, each) => sum + each.size, 0);
  }
  await freeBytes(tx, first.projectId, bytes);
}

async function replaceOthers(tx: Query, artifact: NewArtifact, nowMs: number): Promise<void> {
  const { where, values } = slotOf(artifact);
  const next = values.length;
  await tx.run(
    `UPDATE artifacts SET replaced_at_ms = $${next + 1} WHERE ${where}
       AND NOT (sha256 = $${next + 2} AND debug_id = $${next + 3} AND type = $${next + 4})`,
    [...values, nowMs, artifact.sha256, artifact.debugId ?? '', artifact.type],
  );
}

/** An artifact is identified by its name in its release, or by its debug id where it has no release. */
function slotOf(artifact: NewArtifact): { where: string; values: SqlValue[] } {
  if (artifact.release === null) {
    return {
      where: `replaced_at_ms IS NULL AND release = '' AND project_id = $1 AND debug_id = $2 AND type = $3`,
      values: [artifact.projectId, artifact.debugId ?? '', artifact.type],
    };
  }
  return {
    where: `replaced_at_ms IS NULL AND release <> '' AND project_id = $1 AND release = $2 AND dist = $3 AND name = $4`,
    values: [artifact.projectId, artifact.release, artifact.dist ?? '', artifact.name],
  };
}

async function listArtifacts(db: Db, projectId: number, filter: ArtifactFilter): Promise<Page<Artifact>> {
  const from = `FROM artifacts WHERE project_id = $1 AND replaced_at_ms IS NULL AND ($2 = '' OR release = $2)
    AND ($3 = '' OR debug_id = $3) AND ($4 = '' OR ${matchCondition('search_text', ['name'], '$4')})`;
  const values = [projectId, filter.release ?? '', filter.debugId ?? '', toLikePattern(filter.search) ?? ''];
  const order = `id ${filter.descending ? 'DESC' : 'ASC'}`;
  return readPage(db, { columns: artifacts.columns(), from, order, values }, filter, artifacts.rowOf);
}

/** Rows whose last named column is one of `keys`, newest first. */
async function findIn(db: Db, keys: readonly string[], where: string, values: readonly SqlValue[]) {
  const found: Artifact[] = [];
  for (let at = 0; at < keys.length && found.length < foundMax; at += listMax) {
    const batch = keys.slice(at, at + listMax);
    const list = toValueList(batch, values.length + 1);
    const tail = `WHERE ${where} IN (${list.placeholders}) ORDER BY id DESC LIMIT ${foundMax}`;
    found.push(...(await artifacts.list(db, tail, [...values, ...list.values])));
  }
  return found;
}

function by<Value>(key: (value: Value) => string): (one: Value, other: Value) => number {
  return (one, other) => (key(one) < key(other) ? -1 : 1);
}

function artifactPageStore(db: Db): ArtifactPageStore {
  return {
    async listArtifactPage(projectIds, filter, slice) {
      const { from, values } = filterCondition(projectIds, filter);
      const typed = `${from} AND ($1 = '' OR type = $1)`;
      const list = {
        columns: artifacts.columns(),
        from: typed,
        atMs: 'created_at_ms',
        id: 'id',
        values: [filter.type ?? '', ...values],
      };
      return readSlice(db, list, slice, artifacts.rowOf);
    },
    async countArtifacts(projectIds, filter) {
      const { from, values } = filterCondition(projectIds, filter);
      const rows = await db.all<{ type: ArtifactType; count: number }>(
        `SELECT type, COUNT(*) AS count ${from} AND $1 = '' GROUP BY type`,
        ['', ...values],
      );
      const counts = new Map(rows.map(({ type, count }) => [type, count]));
      const [script = 0, map = 0, source = 0] = artifactTypes.map((type) => counts.get(type) ?? 0);
      return { minified_source: script, source_map: map, source };
    },
    async contentSums(projectIds) {
      const projects = toValueList(projectIds.length === 0 ? [0] : projectIds, 1);
      return db.all(
        `SELECT project_id AS "projectId", COUNT(*) AS contents, CAST(SUM(size) AS BIGINT) AS bytes FROM artifact_contents
         WHERE project_id IN (${projects.placeholders}) AND complete = 1 GROUP BY project_id ORDER BY 3 DESC, 1`,
        projects.values,
      );
    },
    findArtifactAnywhere: (artifactId) => artifacts.find(db, 'WHERE id = $1', [artifactId]),
    sameContent: ({ id, projectId, sha256 }, limit) =>
      artifacts.list(
        db,
        `WHERE project_id = $1 AND sha256 = $2 AND id <> $3 ORDER BY id DESC LIMIT ${limit}`,
        [projectId, sha256, id],
      ),
  };
}

/** `$1` is left to the caller. */
function filterCondition(projectIds: readonly number[], { release, search }: ArtifactPageFilter) {
  const projects = projectsCondition('project_id', projectIds, 5);
  const word = search?.trim().toLowerCase() ?? '';
  // A checksum or debug id is found by its first characters.
  const beginning = /^[0-9a-f-]{6,64}$/.test(word) ? `${word}%` : '';
  const from = `FROM artifacts WHERE replaced_at_ms IS NULL AND ${projects.sql}
    AND ($2 = '' OR release = $2)
    AND ($3 = '' OR ${matchCondition('search_text', ['name'], '$3')} OR ($4 <> '' AND (sha256 LIKE $4 OR debug_id LIKE $4)))`;
  const values: SqlValue[] = [
    release ?? '',
    toLikePattern(search ?? undefined) ?? '',
    beginning,
    ...projects.values,
  ];
  return { from, values };
}
