// No statement reads events unless an event id is given.
import type { ExactMatch, SearchResult, SearchResultKind } from '../../src/core/store/page-queries.ts';
import { type Db, type SqlValue, storePart } from '../db.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { searchConditions } from '../searching/patterns.ts';
import { bind, bindList, type Statement } from '../searching/statement.ts';
import { toValueList } from '../value-lists.ts';

interface SearchTable {
  readonly table: string;
  readonly title: string;
  readonly place: string;
  readonly state: string;
  readonly at: string;
  readonly where: string;
  /** The folded column and its texts; issues have their own index. */
  readonly searchText?: string;
  readonly texts?: readonly string[];
}

const versionOfDeploy = '(SELECT version FROM releases WHERE releases.id = deploys.release_id)';

const searchTables: Readonly<Record<SearchResultKind, SearchTable>> = {
  issues: {
    table: 'issues',
    title: 'title',
    place: 'culprit',
    state: 'level',
    at: 'last_seen_ms',
    where: 'merged_into IS NULL',
  },
  feedback: {
    table: 'feedback',
    title: 'message',
    place: "COALESCE(url, '')",
    state: "''",
    at: 'created_at_ms',
    where: 'spam = 0',
    searchText: 'search_text',
    texts: ['message', 'name', 'email', 'url'],
  },
  domains: {
    table: 'domains',
    title: 'host',
    place: "''",
    state: "''",
    at: 'created_at_ms',
    where: '1 = 1',
    searchText: 'CAST(NULL AS TEXT)',
    texts: ['host'],
  },
  releases: {
    table: 'releases',
    title: 'version',
    place: "COALESCE(ref, '')",
    state: "''",
    at: 'created_at_ms',
    where: '1 = 1',
    searchText: 'search_text',
    texts: ['version', 'ref'],
  },
  deploys: {
    table: 'deploys',
    title: versionOfDeploy,
    place: 'environment',
    state: 'status',
    at: 'created_at_ms',
    where: '1 = 1',
    searchText: 'search_text',
    texts: [versionOfDeploy, 'environment', 'name'],
  },
  test_runs: {
    table: 'test_runs',
    title: "COALESCE(suite, '')",
    place: "COALESCE(branch, '')",
    state: 'status',
    at: 'created_at_ms',
    where: '1 = 1',
    searchText: 'search_text',
    texts: ['suite', 'branch', 'commit_sha', 'release'],
  },
  artifacts: {
    table: 'artifacts',
    title: 'name',
    place: 'release',
    state: "''",
    at: 'created_at_ms',
    where: 'replaced_at_ms IS NULL',
    searchText: 'search_text',
    texts: ['name'],
  },
};

const named: Readonly<Record<ExactMatch['by'], ReadonlyArray<readonly [SearchResultKind, string]>>> = {
  number: [
    ['issues', 'id = $1'],
    ['test_runs', 'id = $1'],
  ],
  version: [['releases', 'version = $1']],
  commit: [
    ['releases', '(ref = $1 OR last_commit = $1)'],
    ['test_runs', 'commit_sha = $1'],
  ],
  sha256: [['artifacts', 'sha256 = $1']],
  host: [['domains', 'host = $1']],
};

export const searchReads = storePart({
  async findThings(db, kind, projectIds, text, limit) {
    if (kind === 'issues') return findIssues(db, projectIds, text, limit);
    const pattern = toLikePattern(text);
    if (pattern === null) return [];
    const { searchText = 'search_text', texts = [] } = searchTables[kind];
    return readKind(db, kind, projectIds, [matchCondition(searchText, texts, '$1'), pattern], limit);
  },
  async findNamed(db, projectIds, name, limit) {
    const found = await Promise.all(
      named[name.by].map(([kind, condition]) =>
        readKind(db, kind, projectIds, [condition, name.value], limit),
      ),
    );
    return found.flat();
  },
  async findEventsNamed(db, projectIds, eventId, limit) {
    if (projectIds.length === 0) return [];
    const { placeholders, values } = toValueList(projectIds, 3);
    return db.all(
      `SELECT events.project_id AS "projectId", COALESCE(own.merged_into, own.id) AS "issueId",
         events.event_id AS "eventId", events.title, events.received_at_ms AS "receivedAtMs"
       FROM events JOIN issues own ON own.id = events.issue_id
       WHERE events.event_id = $1 AND events.project_id IN (${placeholders}) ORDER BY events.id DESC LIMIT $2`,
      [eventId, limit, ...values],
    );
  },
});

/** As in the list of issues, so that both find the same. */
async function findIssues(
  db: Db,
  projectIds: readonly number[],
  text: string,
  limit: number,
): Promise<SearchResult[]> {
  const statement: Statement = { dbms: db.dbms, values: [], sets: [] };
  const words = searchConditions(statement, text);
  if (words === null || projectIds.length === 0) return [];
  const found = `SELECT issue_id FROM issue_search WHERE project_id IN (${bindList(statement, projectIds)}) AND ${words}`;
  return readRows(db, 'issues', `id IN (${found})`, statement, projectIds, limit);
}

async function readKind(
  db: Db,
  kind: SearchResultKind,
  projectIds: readonly number[],
  [condition, value]: readonly [condition: string, value: SqlValue],
  limit: number,
): Promise<SearchResult[]> {
  if (projectIds.length === 0) return [];
  return readRows(db, kind, condition, { dbms: db.dbms, values: [value], sets: [] }, projectIds, limit);
}

async function readRows(
  db: Db,
  kind: SearchResultKind,
  condition: string,
  statement: Statement,
  projectIds: readonly number[],
  limit: number,
): Promise<SearchResult[]> {
  const { table, title, place, state, at, where } = searchTables[kind];
  const placeholders = bindList(statement, projectIds);
  const rows = await db.all<Omit<SearchResult, 'kind'>>(
    `SELECT id, project_id AS "projectId", COALESCE(${title}, '') AS title, ${place} AS place, ${state} AS state,
       ${at} AS "atMs" FROM ${table}
     WHERE ${where} AND ${condition} AND project_id IN (${placeholders}) ORDER BY ${at} DESC, id DESC LIMIT ${bind(statement, limit)}`,
    statement.values,
  );
  return rows.map((row) => ({ kind, ...row }));
}
