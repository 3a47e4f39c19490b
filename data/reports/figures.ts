import { setImmediate } from 'node:timers/promises';
import type { ProjectReportFigures, ReportRange, TopIssue } from '../../src/core/store/reports.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, StoreMethod } from '../db.ts';
import { groupsOf } from '../issues/group.ts';
import { toValueList } from '../value-lists.ts';

/** Projects or issues read by one statement: SQLite blocks the process meanwhile. */
const batchSize = 100;

export function reportFigures(db: Db) {
  return {
    async projectMoves(projectIds, range) {
      const moves: ProjectReportFigures[] = [];
      for (let at = 0; at < projectIds.length; at += batchSize) {
        moves.push(...(await readFigures(db, projectIds.slice(at, at + batchSize), range)));
      }
      return moves;
    },
    busiestIssues: (projectIds, range, limit) => busiestIssues(db, projectIds, range, limit),
  } satisfies Partial<StoreParts>;
}

type Figure = Exclude<keyof ProjectReportFigures, 'projectId'>;
type Figures = { -readonly [Name in Figure]: number };

/** `#projects` is replaced by the list, `$1` and `$2` are the range. */
const statements = [
  `SELECT project_id,
      CAST(SUM(CASE WHEN outcome = 'accepted' THEN fatal + error + warning + info + debug ELSE 0 END)
        AS BIGINT) AS events,
      CAST(SUM(quantity) AS BIGINT) AS sent,
      CAST(SUM(CASE WHEN outcome = 'accepted' THEN quantity ELSE 0 END) AS BIGINT) AS kept
    FROM outcomes WHERE project_id IN (#projects) AND hour_ms >= $1 AND hour_ms < $2
      AND outcome <> 'client_discard' GROUP BY project_id`,
  `SELECT project_id, COUNT(*) AS "newIssues" FROM issues WHERE merged_into IS NULL
      AND project_id IN (#projects) AND first_seen_ms >= $1 AND first_seen_ms < $2 GROUP BY project_id`,
  `SELECT project_id, COUNT(DISTINCT CASE WHEN kind = 'resolved' THEN issue_id END) AS "resolvedIssues",
      COUNT(DISTINCT CASE WHEN kind = 'regressed' THEN issue_id END) AS "regressedIssues"
    FROM issue_activity WHERE kind IN ('resolved', 'regressed')
      AND project_id IN (#projects) AND at_ms >= $1 AND at_ms < $2 GROUP BY project_id`,
  `SELECT project_id, COUNT(*) AS feedback FROM feedback WHERE spam = 0
      AND project_id IN (#projects) AND created_at_ms >= $1 AND created_at_ms < $2 GROUP BY project_id`,
  `SELECT project_id, CAST(SUM(sessions) AS BIGINT) AS sessions,
      CAST(SUM(crashed) AS BIGINT) AS "crashedSessions"
    FROM release_health WHERE project_id IN (#projects) AND hour_ms >= $1 AND hour_ms < $2
    GROUP BY project_id`,
  `SELECT project_id, COUNT(*) AS releases FROM releases
    WHERE project_id IN (#projects) AND created_at_ms >= $1 AND created_at_ms < $2 GROUP BY project_id`,
  `SELECT project_id, COUNT(*) AS deploys,
      CAST(SUM(CASE WHEN status IN ('failure', 'error') THEN 1 ELSE 0 END) AS BIGINT) AS "failedDeploys"
    FROM deploys WHERE project_id IN (#projects) AND created_at_ms >= $1 AND created_at_ms < $2
    GROUP BY project_id`,
  `SELECT project_id, COUNT(*) AS "testRuns", CAST(SUM(tests - skipped) AS BIGINT) AS tests,
      CAST(SUM(CASE WHEN status IN ('failed', 'error') THEN 1 ELSE 0 END) AS BIGINT) AS "failedRuns",
      CAST(SUM(passed) AS BIGINT) AS "passedTests"
    FROM test_runs WHERE project_id IN (#projects) AND created_at_ms >= $1 AND created_at_ms < $2
    GROUP BY project_id`,
];

const zeroFigures: Figures = {
  events: 0,
  newIssues: 0,
  resolvedIssues: 0,
  regressedIssues: 0,
  feedback: 0,
  sessions: 0,
  crashedSessions: 0,
  sent: 0,
  kept: 0,
  releases: 0,
  deploys: 0,
  failedDeploys: 0,
  testRuns: 0,
  failedRuns: 0,
  tests: 0,
  passedTests: 0,
};

async function readFigures(
  db: Db,
  projectIds: readonly number[],
  { fromMs, toMs }: ReportRange,
): Promise<ProjectReportFigures[]> {
  const { placeholders, values } = toValueList(projectIds, 3);
  const found = new Map<number, Figures>();
  for (const sql of statements) {
    const rows = await db.all<{ project_id: number } & Figures>(sql.replace('#projects', placeholders), [
      fromMs,
      toMs,
      ...values,
    ]);
    await setImmediate();
    for (const { project_id: projectId, ...row } of rows) {
      const figures = found.get(projectId) ?? { ...zeroFigures };
      for (const name of Object.keys(row) as Figure[]) figures[name] = Number(row[name]);
      found.set(projectId, figures);
    }
  }
  return projectIds.flatMap((projectId) => {
    const figures = found.get(projectId);
    return figures === undefined ? [] : [{ projectId, ...figures }];
  });
}

interface IssueRow {
  readonly id: number;
  readonly project_id: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: TopIssue['level'];
  readonly events_count: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}

// Few issues seen in the range: those. Else by all events, until no further one can exceed the last shown.
const busiestIssues: StoreMethod<'busiestIssues', Db> = async (db, projectIds, range, limit) => {
  let top: readonly TopIssue[] = [];
  for (const projectId of projectIds) {
    const others = top;
    let page = await largestIssues(db, projectId, undefined);
    top = await rankIssues(db, others, page, { range, limit });
    const isDone = (): boolean => page.length < batchSize || !mayFollow(page, top, limit);
    if (isDone()) continue;
    const seen = await issuesSeenFrom(db, projectId, range.fromMs);
    if (seen.length <= batchSize) {
      top = await rankIssues(db, others, seen, { range, limit });
      continue;
    }
    while (!isDone()) {
      page = await largestIssues(db, projectId, page.at(-1));
      top = await rankIssues(db, top, page, { range, limit });
    }
  }
  return [...top];
};

function mayFollow(page: readonly IssueRow[], top: readonly TopIssue[], limit: number): boolean {
  return top.length < limit || (page.at(-1)?.events_count ?? 0) > (top.at(-1)?.events ?? 0);
}

async function rankIssues(
  db: Db,
  top: readonly TopIssue[],
  issues: readonly IssueRow[],
  { range, limit }: { readonly range: ReportRange; readonly limit: number },
): Promise<readonly TopIssue[]> {
  const seen = issues.filter(
    ({ first_seen_ms: first, last_seen_ms: last }) => first < range.toMs && last >= range.fromMs,
  );
  const events = await eventsWithin(db, seen, range);
  await setImmediate();
  return [...top, ...seen.flatMap((row) => toTopIssues(row, events.get(row.id) ?? 0))]
    .sort((one, other) => other.events - one.events || one.id - other.id)
    .slice(0, limit);
}

const issueColumns = 'id, project_id, title, culprit, level, events_count, first_seen_ms, last_seen_ms';

function largestIssues(db: Db, projectId: number, after: Pick<IssueRow, 'events_count' | 'id'> | undefined) {
  return db.all<IssueRow>(
    `SELECT ${issueColumns} FROM issues
     WHERE merged_into IS NULL AND project_id = $1 AND (events_count, id) < ($2, $3)
     ORDER BY events_count DESC, id DESC LIMIT $4`,
    [
      projectId,
      after?.events_count ?? Number.MAX_SAFE_INTEGER,
      after?.id ?? Number.MAX_SAFE_INTEGER,
      batchSize,
    ],
  );
}

/** One more than are read at once, where there are more. */
function issuesSeenFrom(db: Db, projectId: number, fromMs: number): Promise<IssueRow[]> {
  return db.all<IssueRow>(
    `SELECT ${issueColumns} FROM issues
     WHERE merged_into IS NULL AND project_id = $1 AND last_seen_ms >= $2
     ORDER BY last_seen_ms DESC, id DESC LIMIT $3`,
    [projectId, fromMs, batchSize + 1],
  );
}

async function eventsWithin(
  db: Db,
  issues: readonly IssueRow[],
  { fromMs, toMs }: ReportRange,
): Promise<Map<number, number>> {
  if (issues.length === 0) return new Map();
  const { placeholders, values } = toValueList(
    issues.map(({ id }) => id),
    3,
  );
  const rows = await db.all<{ head_id: number; events: number }>(
    `SELECT own.head_id, CAST(SUM(hours.events) AS BIGINT) AS events
     FROM (${groupsOf(placeholders)}) AS own CROSS JOIN issue_hours hours
     WHERE hours.project_id = own.project_id AND hours.issue_id = own.id
       AND hours.hour_ms >= $1 AND hours.hour_ms < $2 GROUP BY own.head_id`,
    [fromMs, toMs, ...values],
  );
  return new Map(rows.map((row) => [row.head_id, Number(row.events)]));
}

function toTopIssues(row: IssueRow, events: number): TopIssue[] {
  const { id, project_id: projectId, title, culprit, level } = row;
  return events === 0 ? [] : [{ id, projectId, title, culprit, level, events }];
}
