import { setImmediate } from 'node:timers/promises';
import { createUnfinishedLimitError } from '../../src/core/source-maps/artifacts.ts';
import type { Artifact, SinglePieceContent } from '../../src/core/store/artifacts.ts';
import type { ProjectLimits } from '../../src/core/store/projects.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query, StoreMethod } from '../db.ts';
import { absentAs, bytes, defaulted, flag, integer, nullable, oneOf, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';

export const artifacts = tableOf('artifacts', {
  id: defaulted(integer),
  projectId: integer,
  release: absentAs('', text),
  dist: absentAs('', text),
  name: text,
  type: oneOf<Artifact['type']>(),
  debugId: absentAs('', text),
  sourceMap: nullable(text),
  hasInlineMap: flag,
  hasWildcard: flag,
  size: integer,
  sha256: text,
  createdAtMs: integer,
  replacedAtMs: defaulted(nullable(integer)),
  searchText: nullable(text),
}).without('hasWildcard', 'searchText');

const contents = tableOf('artifact_contents', {
  projectId: integer,
  sha256: text,
  size: integer,
  complete: flag,
  touchedAtMs: integer,
  /** An artifact refers to the content. */
  isUsed: flag,
});

const parts = tableOf('artifact_parts', { projectId: integer, sha256: text, part: integer, bytes });

const chunks = tableOf('upload_chunks', {
  projectId: integer,
  sha1: text,
  bytes,
  createdAtMs: integer,
  /** A bundle was assembled from it. */
  isAssembled: flag,
});

const listMax = 100;
const partsPerBatch = 16;

export function contentStore(db: Db, limits: UploadLimits) {
  return {
    claimContent: (projectId, sha256, size, nowMs) =>
      db.write((tx) => claimContent(tx, limits, projectId, { sha256, size }, nowMs)),
    writeContentPart: (projectId, sha256, part, bytes) =>
      db.write((tx) => writePart(tx, projectId, sha256, part, bytes), bytes.byteLength),
    completeContent: (projectId, sha256, count) =>
      db.write((tx) => completeContent(tx, projectId, sha256, count)),
    keepSmallContents: (projectId, newContents, nowMs) =>
      keepSmallContents(db, limits, projectId, newContents, nowMs),
    /** One query a part: the synchronous SQLite driver must not read fifty megabytes in one call. */
    async findContent(projectId, sha256) {
      const content = await contents.find(db, `WHERE ${ofHash}`, [projectId, sha256]);
      if (content === null || !content.complete) return null;
      const read: Uint8Array[] = [];
      for (;;) {
        const at = [projectId, sha256, read.length];
        const row = await parts.only('bytes').find(db, `WHERE ${ofHash} AND part = $3`, at);
        if (row === null) return read;
        read.push(row.bytes);
        if (read.length % partsPerBatch === 0) await setImmediate();
      }
    },
    writeChunk: (projectId, sha1, bytes, nowMs) =>
      db.write((tx) => writeChunk(tx, limits, projectId, sha1, bytes, nowMs), bytes.byteLength),
    async findChunk(projectId, sha1) {
      const where = 'WHERE project_id = $1 AND sha1 = $2';
      return (await chunks.only('bytes').find(db, where, [projectId, sha1]))?.bytes ?? null;
    },
    async missingChunks(projectId, sha1s) {
      const present = new Set<string>();
      const distinct = [...new Set(sha1s)];
      for (let at = 0; at < distinct.length; at += listMax) {
        const batch = distinct.slice(at, at + listMax);
        const list = toValueList(batch, 2);
        const where = `WHERE project_id = $1 AND sha1 IN (${list.placeholders})`;
        const found = await chunks.only('sha1').list(db, where, [projectId, ...list.values]);
        for (const { sha1 } of found) present.add(sha1);
      }
      return distinct.filter((sha1) => !present.has(sha1));
    },
    /** Chunks of a finished bundle no longer count as unfinished; they stay for a client that asks again. */
    async chunksFiled(projectId, sha1s) {
      const distinct = [...new Set(sha1s)].sort();
      for (let at = 0; at < distinct.length; at += listMax) {
        const list = toValueList(distinct.slice(at, at + listMax), 2);
        await db.write(async (tx) => {
          const assembled = await tx.all<{ size: number }>(
            `UPDATE upload_chunks SET is_assembled = 1 WHERE project_id = $1 AND sha1 IN (${list.placeholders}) AND is_assembled = 0
             RETURNING LENGTH(bytes) AS size`,
            [projectId, ...list.values],
          );
          await freeBytes(
            tx,
            projectId,
            assembled.reduce((sum, each) => sum + each.size, 0),
          );
        });
      }
    },
  } satisfies Partial<StoreParts>;
}

async function claimContent(
  tx: Query,
  limits: UploadLimits,
  projectId: number,
  { sha256, size }: { sha256: string; size: number },
  nowMs: number,
): Promise<boolean> {
  const touch = () =>
    contents.updateReturning(tx, { touchedAtMs: nowMs }, { where: ofHash, values: [projectId, sha256] });
  const known = await touch();
  if (known !== null) return known.complete;
  await takeBytes(tx, limits, projectId, size);
  const row = { projectId, sha256, size, complete: false, touchedAtMs: nowMs, isUsed: false };
  if ((await contents.insert(tx, row, { onConflict: 'DO NOTHING' })) > 0) return false;
  // Another upload of the same content was faster.
  await freeBytes(tx, projectId, size);
  return (await touch())?.complete === true;
}

const ofHash = 'project_id = $1 AND sha256 = $2';

/** A chunk that is stored already is kept for another day. */
async function writeChunk(
  tx: Query,
  limits: UploadLimits,
  projectId: number,
  sha1: string,
  bytes: Uint8Array,
  nowMs: number,
): Promise<void> {
  const sameChunk = { where: 'project_id = $1 AND sha1 = $2', values: [projectId, sha1] };
  if ((await chunks.update(tx, { createdAtMs: nowMs }, sameChunk)) > 0) return;
  await takeBytes(tx, limits, projectId, bytes.byteLength);
  const row = { projectId, sha1, bytes, createdAtMs: nowMs, isAssembled: false };
  const inserted = await chunks.insert(tx, row, { onConflict: 'DO NOTHING' });
  if (inserted === 0) await freeBytes(tx, projectId, bytes.byteLength);
}

async function keepSmallContents(
  db: Db,
  limits: UploadLimits,
  projectId: number,
  newContents: readonly SinglePieceContent[],
  nowMs: number,
): Promise<void> {
  const bytes = newContents.reduce((sum, content) => sum + content.bytes.byteLength, 0);
  await db.write(async (tx) => {
    // Sorted, so that two uploads of the same files cannot deadlock.
    for (const content of newContents.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))) {
      if (await claimContent(tx, limits, projectId, content, nowMs)) continue;
      await writePart(tx, projectId, content.sha256, 0, content.bytes);
      await completeContent(tx, projectId, content.sha256, 1);
    }
  }, bytes);
}

const writePart: StoreMethod<'writeContentPart'> = async (tx, projectId, sha256, part, bytes) => {
  await parts.insert(tx, { projectId, sha256, part, bytes }, { onConflict: rewritten });
};

const rewritten = parts.mergeOn({ key: ['projectId', 'sha256', 'part'], otherwise: 'given' });

async function completeContent(tx: Query, projectId: number, sha256: string, count: number): Promise<void> {
  await tx.run('DELETE FROM artifact_parts WHERE project_id = $1 AND sha256 = $2 AND part >= $3', [
    projectId,
    sha256,
    count,
  ]);
  await contents.update(tx, { complete: true }, { where: ofHash, values: [projectId, sha256] });
}

// Bytes of unfinished uploads of a project (chunks and unused contents), counted with every write.

export type UploadLimits = Pick<ProjectLimits, 'unfinishedBytesMax'>;

/** @throws 400 when the project would exceed its limit; then nothing is counted. */
async function takeBytes(tx: Query, { unfinishedBytesMax }: UploadLimits, projectId: number, bytes: number) {
  if (bytes > unfinishedBytesMax) throw createUnfinishedLimitError(unfinishedBytesMax);
  const reserved = await tx.get(
    `INSERT INTO project_usage (project_id, releases, environments, unfinished_bytes) VALUES ($1, 0, 0, $2)
     ON CONFLICT (project_id) DO UPDATE SET unfinished_bytes = project_usage.unfinished_bytes + $2
     WHERE project_usage.unfinished_bytes + $2 <= $3 RETURNING project_id`,
    [projectId, bytes, unfinishedBytesMax],
  );
  if (reserved === undefined) throw createUnfinishedLimitError(unfinishedBytesMax);
}

export async function freeBytes(tx: Query, projectId: number, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await tx.run('UPDATE project_usage SET unfinished_bytes = unfinished_bytes - $2 WHERE project_id = $1', [
    projectId,
    bytes,
  ]);
}
