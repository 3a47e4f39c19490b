// What pages ask of artifacts, over one project or many: lists by key, and what they take.
import {
  type ArtifactLookFilter,
  type ArtifactLooks,
  type ArtifactType,
  artifactTypes,
} from '../../src/core/store/artifacts.ts';
import type { Db, SqlValue } from '../db.ts';
import { containing, matching } from '../search.ts';
import { ofProjects, readSlice } from '../slices.ts';
import { listOf } from '../value-lists.ts';
import { type ArtifactRow, artifactOf, columns } from './rows.ts';

/** The reads of `ArtifactLooks`. */
export function artifactLooks(db: Db): ArtifactLooks {
  return {
    async sliceArtifacts(projectIds, filter, slice) {
      const { from, values } = fitting(projectIds, filter);
      const typed = `${from} AND ($1 = '' OR type = $1)`;
      const list = {
        columns,
        from: typed,
        atMs: 'created_at_ms',
        id: 'id',
        values: [filter.type ?? '', ...values],
      };
      const sliced = await readSlice<ArtifactRow>(db, list, slice);
      return { ...sliced, rows: sliced.rows.map(artifactOf) };
    },
    async countArtifacts(projectIds, filter) {
      const { from, values } = fitting(projectIds, filter);
      const rows = await db.all<{ type: ArtifactType; artifacts: number }>(
        `SELECT type, COUNT(*) AS artifacts ${from} AND $1 = '' GROUP BY type`,
        ['', ...values],
      );
      const counts = new Map(rows.map(({ type, artifacts }) => [type, Number(artifacts)]));
      const [script = 0, map = 0, source = 0] = artifactTypes.map((type) => counts.get(type) ?? 0);
      return { minified_source: script, source_map: map, source };
    },
    async contentSums(projectIds) {
      const projects = listOf(projectIds.length === 0 ? [0] : projectIds, 1);
      const rows = await db.all<{ project_id: number; contents: number; bytes: number }>(
        `SELECT project_id, COUNT(*) AS contents, CAST(SUM(size) AS BIGINT) AS bytes FROM artifact_contents
         WHERE project_id IN (${projects.marks}) AND complete = 1 GROUP BY project_id ORDER BY 3 DESC, 1`,
        projects.values,
      );
      return rows.map((row) => ({
        projectId: Number(row.project_id),
        contents: Number(row.contents),
        bytes: Number(row.bytes),
      }));
    },
    async lookUpArtifact(artifactId) {
      const row = await db.get<ArtifactRow>(`SELECT ${columns} FROM artifacts WHERE id = $1`, [artifactId]);
      return row === undefined ? null : artifactOf(row);
    },
    async sameContent({ id, projectId, sha256 }, limit) {
      const rows = await db.all<ArtifactRow>(
        `SELECT ${columns} FROM artifacts WHERE project_id = $1 AND sha256 = $2 AND id <> $3
         ORDER BY id DESC LIMIT ${limit}`,
        [projectId, sha256, id],
      );
      return rows.map(artifactOf);
    },
  };
}

/** `$1` is left to the caller. */
function fitting(projectIds: readonly number[], { release, search }: ArtifactLookFilter) {
  const projects = ofProjects('project_id', projectIds, 5);
  const word = search?.trim().toLowerCase() ?? '';
  // A checksum or a debug id is asked for by its beginning, and by no other text.
  const beginning = /^[0-9a-f-]{6,64}$/.test(word) ? `${word}%` : '';
  const from = `FROM artifacts WHERE replaced_at_ms IS NULL AND ${projects.sql}
    AND ($2 = '' OR release = $2)
    AND ($3 = '' OR ${matching('folded', ['name'], '$3')} OR ($4 <> '' AND (sha256 LIKE $4 OR debug_id LIKE $4)))`;
  const values: SqlValue[] = [
    release ?? '',
    containing(search ?? undefined) ?? '',
    beginning,
    ...projects.values,
  ];
  return { from, values };
}
