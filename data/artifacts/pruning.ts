// Removes old chunks, replaced artifacts and unused contents, in small steps: the SQLite driver is synchronous.
import { setImmediate } from 'node:timers/promises';
import {
  assembledChunksKeptMs,
  replacedArtifactKeptMs,
  unusedContentKeptMs,
} from '../../src/core/source-maps/artifacts.ts';
import type { Db } from '../db.ts';
import { freeBytes } from './contents.ts';

// For one transaction: rows of up to a megabyte, rows of a few bytes; and contents checked between two turns.
const largeRowsMax = 16;
const lightRowsMax = 500;
const pageMax = 200;

const isNamed = `EXISTS (SELECT 1 FROM artifacts
  WHERE artifacts.project_id = artifact_contents.project_id AND artifacts.sha256 = artifact_contents.sha256)`;

export async function pruneArtifacts(db: Db, nowMs: number): Promise<number> {
  const chunks = await pruneChunks(db, nowMs);
  const replaced = await deleteInBatches(
    db,
    `DELETE FROM artifacts WHERE id IN
       (SELECT id FROM artifacts WHERE replaced_at_ms IS NOT NULL AND replaced_at_ms < $1 LIMIT $2)`,
    [nowMs - replacedArtifactKeptMs, lightRowsMax],
  );
  return chunks + replaced + (await pruneContents(db, nowMs - unusedContentKeptMs));
}

async function pruneChunks(db: Db, nowMs: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const { changes } = await db.write(async (tx) => {
      const deleted = await tx.all<{ project_id: number; size: number; is_assembled: number }>(
        `DELETE FROM upload_chunks WHERE (project_id, sha1) IN
           (SELECT project_id, sha1 FROM upload_chunks
            WHERE created_at_ms < $2 AND (created_at_ms < $1 OR is_assembled = 1) LIMIT $3)
         RETURNING project_id, LENGTH(bytes) AS size, is_assembled`,
        [nowMs - unusedContentKeptMs, nowMs - assembledChunksKeptMs, largeRowsMax],
      );
      for (const chunk of deleted)
        if (chunk.is_assembled === 0) await freeBytes(tx, chunk.project_id, chunk.size);
      return { changes: deleted.length };
    });
    removed += changes;
    if (changes < largeRowsMax) return removed;
    await setImmediate();
  }
}

/** Repeats a statement, whose last value is its limit, until it changes fewer rows than that. */
async function deleteInBatches(db: Db, sql: string, values: readonly (string | number)[]): Promise<number> {
  let removed = 0;
  for (;;) {
    const { changes } = await db.write((tx) => tx.run(sql, values));
    removed += changes;
    if (changes < Number(values.at(-1))) return removed;
    await setImmediate();
  }
}

async function pruneContents(db: Db, touchedBeforeMs: number): Promise<number> {
  let removed = 0;
  let [projectId, sha256] = [0, ''];
  for (;;) {
    const page = await db.all<{ project_id: number; sha256: string; unused: number }>(
      `SELECT project_id, sha256, CASE WHEN touched_at_ms < $3 AND NOT ${isNamed} THEN 1 ELSE 0 END AS unused
       FROM artifact_contents WHERE (project_id, sha256) > ($1, $2) ORDER BY project_id, sha256 LIMIT $4`,
      [projectId, sha256, touchedBeforeMs, pageMax],
    );
    for (const content of page) {
      [projectId, sha256] = [content.project_id, content.sha256];
      if (content.unused === 1 && (await removeContent(db, projectId, sha256, touchedBeforeMs))) removed += 1;
    }
    if (page.length < pageMax) return removed;
    await setImmediate();
  }
}

/** An upload that needs the content meanwhile finds it incomplete and writes it again. */
async function removeContent(
  db: Db,
  projectId: number,
  sha256: string,
  touchedBeforeMs: number,
): Promise<boolean> {
  const stillUnused = `project_id = $1 AND sha256 = $2 AND touched_at_ms < $3 AND NOT ${isNamed}`;
  const values = [projectId, sha256, touchedBeforeMs];
  await db.write((tx) => tx.run(`UPDATE artifact_contents SET complete = 0 WHERE ${stillUnused}`, values));
  await deleteInBatches(
    db,
    `DELETE FROM artifact_parts WHERE project_id = $1 AND sha256 = $2
       AND EXISTS (SELECT 1 FROM artifact_contents WHERE ${stillUnused}) AND part IN
       (SELECT part FROM artifact_parts WHERE project_id = $1 AND sha256 = $2 ORDER BY part DESC LIMIT $4)`,
    [...values, largeRowsMax],
  );
  return db.write(async (tx) => {
    const sql = `DELETE FROM artifact_contents WHERE ${stillUnused} RETURNING size, is_used`;
    const deleted = await tx.get<{ size: number; is_used: number }>(sql, values);
    if (deleted?.is_used === 0) await freeBytes(tx, projectId, deleted.size);
    return deleted !== undefined;
  });
}
