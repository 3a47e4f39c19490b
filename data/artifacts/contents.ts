// The bytes of artifacts in SQL: contents in pieces of a gzip stream, and the chunks of uploads that are
// under way.
import { setImmediate } from 'node:timers/promises';
import type { ArtifactStore, SmallContent } from '../../src/core/store/artifacts.ts';
import type { Db, Query } from '../db.ts';
import { listOf } from '../value-lists.ts';
import { freeBytes, takeBytes, type UploadLimits } from './unfinished.ts';

type ContentStore = Pick<
  ArtifactStore,
  | 'claimContent'
  | 'writeContentPart'
  | 'completeContent'
  | 'keepSmallContents'
  | 'findContent'
  | 'writeChunk'
  | 'findChunk'
  | 'missingChunks'
  | 'chunksFiled'
>;

/** Values in one IN list. */
const listMax = 100;
/** Pieces read before requests get their turn. */
const partsPerTurn = 16;

/** The part of the store that holds bytes. */
export function contentStore(db: Db, limits: UploadLimits): ContentStore {
  return {
    claimContent: (projectId, sha256, size, nowMs) =>
      db.write((tx) => claimContent(tx, limits, projectId, { sha256, size }, nowMs)),
    writeContentPart: (projectId, sha256, part, bytes) =>
      db.write((tx) => writePart(tx, projectId, sha256, part, bytes), bytes.byteLength),
    completeContent: (projectId, sha256, parts) =>
      db.write((tx) => completeContent(tx, projectId, sha256, parts)),
    keepSmallContents: (projectId, contents, nowMs) =>
      keepSmallContents(db, limits, projectId, contents, nowMs),
    findContent: (projectId, sha256) => findContent(db, projectId, sha256),
    writeChunk: (projectId, sha1, bytes, nowMs) =>
      db.write((tx) => writeChunk(tx, limits, projectId, sha1, bytes, nowMs), bytes.byteLength),
    async findChunk(projectId, sha1) {
      const sql = 'SELECT bytes FROM upload_chunks WHERE project_id = $1 AND sha1 = $2';
      return (await db.get<{ bytes: Uint8Array }>(sql, [projectId, sha1]))?.bytes ?? null;
    },
    missingChunks: (projectId, sha1s) => missingChunks(db, projectId, sha1s),
    chunksFiled: (projectId, sha1s) => chunksFiled(db, projectId, sha1s),
  };
}

async function claimContent(
  tx: Query,
  limits: UploadLimits,
  projectId: number,
  { sha256, size }: { sha256: string; size: number },
  nowMs: number,
): Promise<boolean> {
  const touch = () =>
    tx.get<{ complete: number }>(
      `UPDATE artifact_contents SET touched_at_ms = $3 WHERE project_id = $1 AND sha256 = $2 RETURNING complete`,
      [projectId, sha256, nowMs],
    );
  const known = await touch();
  if (known !== undefined) return known.complete === 1;
  await takeBytes(tx, limits, projectId, size);
  const made = await tx.run(
    `INSERT INTO artifact_contents (project_id, sha256, size, complete, touched_at_ms, filed) VALUES ($1, $2, $3, 0, $4, 0)
     ON CONFLICT (project_id, sha256) DO NOTHING`,
    [projectId, sha256, size, nowMs],
  );
  if (made.changes > 0) return false;
  // Another upload of the same content was faster.
  await freeBytes(tx, projectId, size);
  return (await touch())?.complete === 1;
}

/** A chunk that is there already lives on for a day. */
async function writeChunk(
  tx: Query,
  limits: UploadLimits,
  projectId: number,
  sha1: string,
  bytes: Uint8Array,
  nowMs: number,
): Promise<void> {
  const touched = 'UPDATE upload_chunks SET created_at_ms = $3 WHERE project_id = $1 AND sha1 = $2';
  if ((await tx.run(touched, [projectId, sha1, nowMs])).changes > 0) return;
  await takeBytes(tx, limits, projectId, bytes.byteLength);
  const made = await tx.run(
    `INSERT INTO upload_chunks (project_id, sha1, bytes, created_at_ms, filed) VALUES ($1, $2, $3, $4, 0)
     ON CONFLICT (project_id, sha1) DO NOTHING`,
    [projectId, sha1, bytes, nowMs],
  );
  if (made.changes === 0) await freeBytes(tx, projectId, bytes.byteLength);
}

/** What a bundle was filed from is unfinished no longer; it stays a while for a client that asks again. */
async function chunksFiled(db: Db, projectId: number, sha1s: readonly string[]): Promise<void> {
  const distinct = [...new Set(sha1s)].sort();
  for (let at = 0; at < distinct.length; at += listMax) {
    const list = listOf(distinct.slice(at, at + listMax), 2);
    await db.write(async (tx) => {
      const filed = await tx.all<{ size: number }>(
        `UPDATE upload_chunks SET filed = 1 WHERE project_id = $1 AND sha1 IN (${list.marks}) AND filed = 0
         RETURNING LENGTH(bytes) AS size`,
        [projectId, ...list.values],
      );
      await freeBytes(
        tx,
        projectId,
        filed.reduce((sum, each) => sum + each.size, 0),
      );
    });
  }
}

async function keepSmallContents(
  db: Db,
  limits: UploadLimits,
  projectId: number,
  contents: readonly SmallContent[],
  nowMs: number,
): Promise<void> {
  const bytes = contents.reduce((sum, content) => sum + content.bytes.byteLength, 0);
  await db.write(async (tx) => {
    // One order for all uploads, so that two of the same files never wait for each other.
    for (const content of contents.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))) {
      if (await claimContent(tx, limits, projectId, content, nowMs)) continue;
      await writePart(tx, projectId, content.sha256, 0, content.bytes);
      await completeContent(tx, projectId, content.sha256, 1);
    }
  }, bytes);
}

async function writePart(
  tx: Query,
  projectId: number,
  sha256: string,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  await tx.run(
    `INSERT INTO artifact_parts (project_id, sha256, part, bytes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (project_id, sha256, part) DO UPDATE SET bytes = excluded.bytes`,
    [projectId, sha256, part, bytes],
  );
}

async function completeContent(tx: Query, projectId: number, sha256: string, parts: number): Promise<void> {
  await tx.run('DELETE FROM artifact_parts WHERE project_id = $1 AND sha256 = $2 AND part >= $3', [
    projectId,
    sha256,
    parts,
  ]);
  await tx.run('UPDATE artifact_contents SET complete = 1 WHERE project_id = $1 AND sha256 = $2', [
    projectId,
    sha256,
  ]);
}

/** One query a piece: a synchronous driver must not read fifty megabytes in one go. */
async function findContent(db: Db, projectId: number, sha256: string): Promise<Uint8Array[] | null> {
  const content = await db.get<{ complete: number }>(
    'SELECT complete FROM artifact_contents WHERE project_id = $1 AND sha256 = $2',
    [projectId, sha256],
  );
  if (content?.complete !== 1) return null;
  const parts: Uint8Array[] = [];
  const sql = 'SELECT bytes FROM artifact_parts WHERE project_id = $1 AND sha256 = $2 AND part = $3';
  for (;;) {
    const row = await db.get<{ bytes: Uint8Array }>(sql, [projectId, sha256, parts.length]);
    if (row === undefined) return parts;
    parts.push(row.bytes);
    if (parts.length % partsPerTurn === 0) await setImmediate();
  }
}

async function missingChunks(db: Db, projectId: number, sha1s: readonly string[]): Promise<string[]> {
  const present = new Set<string>();
  const distinct = [...new Set(sha1s)];
  for (let at = 0; at < distinct.length; at += listMax) {
    const some = distinct.slice(at, at + listMax);
    const list = listOf(some, 2);
    const sql = `SELECT sha1 FROM upload_chunks WHERE project_id = $1 AND sha1 IN (${list.marks})`;
    for (const row of await db.all<{ sha1: string }>(sql, [projectId, ...list.values])) present.add(row.sha1);
  }
  return distinct.filter((sha1) => !present.has(sha1));
}
