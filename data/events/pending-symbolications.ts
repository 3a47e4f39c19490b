import type { PendingSelection, SymbolicationResult } from '../../src/core/store/artifacts.ts';
import { type Query, type SqlValue, storePart, type Transaction } from '../db.ts';
import { bodies, findBody, readBody, readPayload, repackBody, writeGrouping } from '../event-bodies.ts';
import { addActivity } from '../issues/activity.ts';
import { type ReindexedEvent, reindexTags } from '../issues/tags/stored-tags.ts';
import { integer, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { addPendingRegrouping } from './pending-hashes.ts';

/** New names that one query answers; an upload may bring more. */
const newsMax = 1_000;

interface PendingRow {
  id: number;
  event_id: string;
  issue_id: number;
  body: Uint8Array;
  sha256: Uint8Array;
}

export const mappingStore = storePart(
  {
    async listPendingSymbolications(db, projectId, selection, beforeRow, limit) {
      const { where, values } = conditionOf(selection);
      const rows = await db.all<PendingRow>(
        `SELECT events.id, events.event_id, COALESCE(issues.merged_into, issues.id) AS issue_id, body, body_sha256 AS sha256
         FROM events JOIN issues ON issues.id = events.issue_id JOIN event_bodies ON event_row = events.id
         WHERE events.needs_mapping = 1 AND events.project_id = $1 AND events.id < $2 ${where}
         ORDER BY events.id DESC LIMIT $3`,
        [projectId, beforeRow, limit, ...values],
      );
      if (rows.length === 0) return [];
      const ids = rows.map((row) => row.id);
      const list = toValueList(ids, 2);
      const awaited = await db.all<{ event_row: number; awaited: string }>(
        `SELECT event_row, awaited FROM pending_symbolications WHERE project_id = $1 AND event_row IN (${list.placeholders})`,
        [projectId, ...list.values],
      );
      const names = Map.groupBy(awaited, (each) => each.event_row);
      return rows.map((row) => ({
        row: row.id,
        eventId: row.event_id,
        issueId: row.issue_id,
        payload: readPayload(row),
        awaits: (names.get(row.id) ?? []).map((each) => each.awaited),
      }));
    },
    async storeSymbolication(db, projectId, row, result) {
      await db.write((tx) => storeSymbolication(tx, projectId, row, result), bytesOf(result));
    },
    async artifactsSince(db, projectId, afterId) {
      const last = await db.get<{ id: number }>(
        'SELECT id FROM artifacts WHERE project_id = $1 ORDER BY id DESC LIMIT 1',
        [projectId],
      );
      const lastId = last?.id ?? 0;
      const distinct = async (column: 'release' | 'debug_id'): Promise<string[]> => {
        const rows = await db.all<{ word: string }>(
          `SELECT DISTINCT ${column} AS word FROM artifacts
           WHERE project_id = $1 AND id > $2 AND id <= $3 AND ${column} <> '' LIMIT $4`,
          [projectId, afterId, lastId, newsMax + 1],
        );
        return rows.map((row) => row.word);
      };
      if (lastId <= afterId) return { lastId, releases: [], debugIds: [], isMore: false };
      const releases = await distinct('release');
      const debugIds = await distinct('debug_id');
      return { lastId, releases, debugIds, isMore: Math.max(releases.length, debugIds.length) > newsMax };
    },
  },
  {
    async addSymbolicationActivity(tx, activity) {
      const { projectId, events, release, atMs } = activity;
      const issue = await tx.get<{ id: number; status: string }>(
        `SELECT id, status FROM issues WHERE project_id = $1 AND id =
           (SELECT COALESCE(merged_into, id) FROM issues WHERE project_id = $1 AND id = $2)`,
        [projectId, activity.issueId],
      );
      if (issue === undefined) return;
      const { id: issueId, status: state } = issue;
      const mapped = { projectId, issueId, kind: 'mapped', release, detail: { events } } as const;
      const action = { actor: 'symbolication', nowMs: atMs };
      await addActivity(tx, { ...mapped, from: state, to: state }, action);
    },
  },
);

const awaitedMaps = tableOf('pending_symbolications', {
  projectId: integer,
  awaited: text,
  eventRow: integer,
});

export async function insertPendingSymbolication(
  tx: Query,
  projectId: number,
  row: number,
  awaits: readonly string[],
): Promise<void> {
  for (const awaited of awaits) {
    await awaitedMaps.insert(tx, { projectId, awaited, eventRow: row }, { onConflict: 'DO NOTHING' });
  }
}

function bytesOf({ payload }: SymbolicationResult): number | undefined {
  return typeof payload === 'string' ? payload.length : payload?.body.byteLength;
}

async function storeSymbolication(
  tx: Transaction,
  projectId: number,
  row: number,
  result: SymbolicationResult,
): Promise<void> {
  const marked = await tx.get<ReindexedEvent>(
    `UPDATE events SET needs_mapping = $3 WHERE id = $1 AND project_id = $2
     RETURNING id, issue_id, received_at_ms, level`,
    [row, projectId, result.needsMapping ? 1 : 0],
  );
  // It may be gone since it was read.
  if (marked === undefined) return;
  if (result.payload !== null) await reindexTags(tx, projectId, marked, result.payload);
  // After its event: the order in which moving events locks rows.
  await storeBody(tx, projectId, row, result);
  await tx.run('DELETE FROM pending_symbolications WHERE event_row = $1 AND project_id = $2', [
    row,
    projectId,
  ]);
  await insertPendingSymbolication(tx, projectId, row, result.awaits);
  if (result.regrouped !== null) await addPendingRegrouping(tx, projectId, row, result.regrouped);
}

async function storeBody(
  tx: Query,
  projectId: number,
  row: number,
  { payload, regrouped }: SymbolicationResult,
): Promise<void> {
  if (payload === null) {
    if (regrouped !== null) await writeGrouping(tx, projectId, row, regrouped.grouping);
    return;
  }
  const stored = await findBody(tx, projectId, row);
  if (stored === null) return;
  const { grouping, errors } = readBody(stored);
  const packed = repackBody(payload, { grouping: regrouped?.grouping ?? grouping, errors });
  await bodies.update(tx, packed, {
    where: 'event_row = $1 AND project_id = $2',
    values: [row, projectId],
  });
}

function conditionOf(selection: PendingSelection): { where: string; values: SqlValue[] } {
  if (selection.of === 'all') return { where: '', values: [] };
  if (selection.of === 'release') return { where: 'AND events.release = $4', values: [selection.release] };
  const list = toValueList(selection.names, 4);
  const waiting = `SELECT pending_symbolications.event_row FROM pending_symbolications
    WHERE pending_symbolications.project_id = $1 AND pending_symbolications.awaited IN (${list.placeholders}) AND pending_symbolications.event_row < $2`;
  return { where: `AND events.id IN (${waiting})`, values: list.values };
}
