import { cutText } from '../../src/core/parsing/cut-text.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import type {
  FeedbackFilter,
  FeedbackState,
  FeedbackStore,
  ImportedFeedback,
  NewFeedback,
  Screenshot,
  WorkspaceFeedbackFilter,
} from '../../src/core/store/feedback.ts';
import type { CursorWindow } from '../../src/core/store/pagination.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readPage, readSlice } from '../paging.ts';
import { requireLiveProject } from '../projects/projects.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import {
  feedback,
  feedbackOf,
  findRow,
  noDomain,
  ofIssue,
  reportColumns,
  screenshots,
  stateOf,
} from './rows.ts';

const notedCharactersMax = 500;

const columnsOf: Readonly<Record<FeedbackState, { readonly spam: boolean; readonly resolved: boolean }>> = {
  open: { spam: false, resolved: false },
  resolved: { spam: false, resolved: true },
  spam: { spam: true, resolved: false },
};

export function feedbackStore(db: Db): FeedbackStore {
  return {
    recordFeedback: (report) => db.write((tx) => receiveFeedback(tx, report), bytesOf(report)),
    importFeedbackRecord: (report) => db.write((tx) => importFeedbackRecord(tx, report), bytesOf(report)),
    listFeedback: (projectId, filter) => listFeedback(db, projectId, filter),
    async findFeedback(projectId, id) {
      const row = await findRow(db, projectId, id);
      const detailsRow = await feedback.only('details').find(db, 'WHERE id = $1', [id]);
      if (row === undefined || detailsRow === null) return null;
      const facts = await screenshotFacts.list(db, 'WHERE feedback_id = $1 ORDER BY position', [id]);
      return {
        feedback: feedbackOf(row),
        details: detailsRow.details,
        screenshots: facts.map(({ size: sizeBytes, ...each }) => ({ ...each, sizeBytes })),
      };
    },
    async findScreenshot(projectId, id, position) {
      const ofProject = 'EXISTS (SELECT 1 FROM feedback WHERE id = feedback_id AND project_id = $1)';
      const where = `WHERE ${ofProject} AND feedback_id = $2 AND position = $3`;
      const row = await screenshots
        .without('feedbackId', 'position', 'size')
        .find(db, where, [projectId, id, position]);
      return row && { ...row, bytes: Buffer.from(row.bytes) };
    },
    ...reportStore(db),
    deleteFeedback: (projectId, id) =>
      db.write(async (tx) => {
        await tx.run(
          `DELETE FROM feedback_screenshots WHERE feedback_id IN (
             SELECT id FROM feedback WHERE project_id = $1 AND id = $2)`,
          [projectId, id],
        );
        const { changes } = await tx.run('DELETE FROM feedback WHERE project_id = $1 AND id = $2', [
          projectId,
          id,
        ]);
        return changes > 0;
      }),
  };
}

/** Reports that were imported notify nobody. */
async function receiveFeedback(tx: Query, report: NewFeedback) {
  const recorded = await recordFeedback(tx, report);
  if (recorded.duplicate || report.spam) return recorded;
  const { projectId, createdAtMs: atMs, eventId, release, environment, name, url } = report;
  const facts = [name === null ? '' : `from ${name}`, url ?? ''].filter((each) => each !== '');
  await signal(tx, {
    ...{ projectId, kind: 'feedback.created', objectId: recorded.id, atMs, eventId, release, environment },
    summary: {
      title: cutText(report.message, notedCharactersMax),
      detail: cutText(facts.join(', '), notedCharactersMax),
      path: `/feedback/${recorded.id}`,
    },
  });
  return recorded;
}

async function recordFeedback(tx: Query, report: NewFeedback) {
  await requireLiveProject(tx, report.projectId);
  const inserted = await feedback.only('id').insertReturning(
    tx,
    {
      ...report,
      screenshotCount: report.screenshots.length,
      searchText: foldSearchTexts([report.message, report.name, report.email, report.url]),
    },
    { onConflict: '(project_id, report_id) DO NOTHING' },
  );
  if (inserted !== null) await insertScreenshots(tx, inserted.id, report.screenshots);
  const row = await tx.get<{ id: number; issueId: number | null }>(
    `SELECT ${reportColumns} FROM feedback WHERE project_id = $1 AND (id = $2 OR report_id = $3)`,
    [report.projectId, inserted?.id ?? null, report.reportId],
  );
  if (row === undefined)
    throw new Error('The bug report of this key was not found after the insert conflicted.');
  return { id: row.id, issueId: row.issueId, duplicate: inserted === null };
}

async function importFeedbackRecord(tx: Query, report: ImportedFeedback): Promise<boolean> {
  const { projectId, createdAtMs, message, email, eventId, act: stateChange } = report;
  // With `spam` the index by time is used.
  const existing = await tx.get<{ id: number; state_at_ms: number | null }>(
    `SELECT id, state_at_ms FROM feedback
     WHERE project_id = $1 AND spam IN (0, 1) AND created_at_ms = $2 AND message = $3
       AND COALESCE(email, '') = $4 AND COALESCE(event_id, '') = $5 ORDER BY id LIMIT 1`,
    [projectId, createdAtMs, message, email ?? '', eventId ?? ''],
  );
  const recorded = existing === undefined ? await recordFeedback(tx, report) : null;
  if (recorded?.duplicate === true || (existing !== undefined && existing.state_at_ms !== null)) return false;
  if (stateChange !== null) await setState(tx, projectId, Number(existing?.id ?? recorded?.id), stateChange);
  return recorded !== null || stateChange !== null;
}

function bytesOf(report: NewFeedback): number {
  return report.screenshots.reduce((sum, { bytes }) => sum + bytes.length, 8 * report.message.length);
}

async function insertScreenshots(tx: Query, feedbackId: number, shots: readonly Screenshot[]) {
  for (const [index, shot] of shots.entries()) {
    await screenshots.insert(tx, { ...shot, feedbackId, position: index + 1, size: shot.bytes.length });
  }
}

const screenshotFacts = screenshots.without('feedbackId', 'position', 'bytes');

async function listFeedback(db: Db, projectId: number, filter: FeedbackFilter) {
  const { spam, resolved } =
    filter.state === undefined ? { spam: filter.spam, resolved: null } : columnsOf[filter.state];
  const from = `FROM (${ofIssue.from} WHERE project_id = $1) AS listed
    WHERE spam = $2
    AND (CAST($3 AS TEXT) IS NULL OR ${matchCondition('search_text', ['message', 'name', 'email', 'url'], '$3')})
    AND (CAST($4 AS TEXT) IS NULL OR event_id = $4)
    AND (CAST($5 AS BIGINT) IS NULL OR issue_id = $5)
    AND (CAST($6 AS TEXT) IS NULL OR domain = $6)
    AND (CAST($7 AS TEXT) IS NULL OR category = $7)
    AND (CAST($8 AS INTEGER) IS NULL OR resolved = $8)`;
  const values = [
    projectId,
    Number(spam),
    toLikePattern(filter.search),
    filter.eventId ?? null,
    filter.issueId ?? null,
    filter.domain ?? null,
    filter.category ?? null,
    resolved === null ? null : Number(resolved),
  ];
  const direction = filter.descending ? 'DESC' : 'ASC';
  const order = `created_at_ms ${direction}, id ${direction}`;
  const page = await readPage(db, { columns: ofIssue.columns, from, order, values }, filter);
  return { rows: page.rows.map(feedbackOf), total: page.total };
}

function reportStore(db: Db) {
  return {
    listReports: (filter, window) => listReports(db, filter, window),
    countReports: (projectIds) => countReports(db, projectIds),
    async reportMoments(projectIds, fromMs, limit) {
      if (projectIds.length === 0) return [];
      const { placeholders, values } = toValueList(projectIds, 3);
      const rows = await db.all<{ created_at_ms: number }>(
        `SELECT created_at_ms FROM feedback WHERE spam = 0 AND created_at_ms >= $1 AND project_id IN (${placeholders})
         ORDER BY created_at_ms DESC LIMIT $2`,
        [fromMs, limit, ...values],
      );
      return rows.map((row) => row.created_at_ms);
    },
    changeFeedbackState: (projectId, id, change) =>
      db.write(async (tx) => {
        await setState(tx, projectId, id, change);
        const row = await findRow(tx, projectId, id);
        return row === undefined ? null : feedbackOf(row);
      }),
  } satisfies Partial<StoreParts>;
}

async function setState(
  tx: Query,
  projectId: number,
  id: number,
  { state, by, atMs }: { readonly state: FeedbackState; readonly by: string; readonly atMs: number },
): Promise<void> {
  const change = { ...columnsOf[state], stateBy: by, stateAtMs: atMs };
  await feedback.update(tx, change, { where: 'project_id = $1 AND id = $2', values: [projectId, id] });
}

async function listReports(query: Pick<Query, 'all'>, filter: WorkspaceFeedbackFilter, window: CursorWindow) {
  if (filter.projectIds.length === 0) return { rows: [], hasNewer: false, hasOlder: false };
  const text = filter.search?.trim() ?? '';
  const exact = text === '' ? null : `%${text.replaceAll(/[!%_]/g, (character) => `!${character}`)}%`;
  const { spam, resolved } = columnsOf[filter.state];
  const first: SqlValue[] = [
    Number(spam),
    Number(resolved),
    filter.domain === null ? null : filter.domain || noDomain,
    toLikePattern(text),
    exact,
  ];
  const { placeholders, values } = toValueList(filter.projectIds, first.length + 1);
  // `search_text` also holds name and e-mail address, which this search must not reveal.
  const from = `FROM feedback
     WHERE spam = $1 AND resolved = $2 AND project_id IN (${placeholders})
     AND (CAST($3 AS TEXT) IS NULL OR domain = $3)
     AND (CAST($4 AS TEXT) IS NULL OR LOWER(message COLLATE "C") LIKE $4 ESCAPE '!'
       OR LOWER(url COLLATE "C") LIKE $4 ESCAPE '!' OR message LIKE $5 ESCAPE '!')`;
  const list = {
    columns: reportColumns,
    from,
    atMs: 'created_at_ms',
    id: 'id',
    values: [...first, ...values],
  };
  const page = await readSlice(query, list, window);
  return { ...page, rows: page.rows.map(feedbackOf) };
}

async function countReports(query: Pick<Query, 'all'>, projectIds: readonly number[]) {
  const counts: Record<FeedbackState, number> = { open: 0, resolved: 0, spam: 0 };
  if (projectIds.length === 0) return counts;
  const { placeholders, values } = toValueList(projectIds, 1);
  const rows = await query.all<{ spam: number; resolved: number; n: number }>(
    `SELECT spam, resolved, COUNT(*) AS n FROM feedback WHERE project_id IN (${placeholders}) GROUP BY spam, resolved`,
    values,
  );
  for (const { spam, resolved, n } of rows) {
    counts[stateOf(spam === 1, resolved === 1)] += n;
  }
  return counts;
}
