import { findNewestRelease, type KnownRelease } from '../../../src/core/releases/compare-releases.ts';
import { parsePackageName } from '../../../src/core/releases/version.ts';
import type { NamedCount, ProjectRelease } from '../../../src/core/store/search-terms.ts';
import { type Db, storePart } from '../../db.ts';
import { type FirstSeenRow, firstSeenMs, firstSeenOf } from '../../releases/first-seen.ts';
import { likePattern } from '../../searching/patterns.ts';
import { bind, bindList, type Statement } from '../../searching/statement.ts';

const latestProjectsMax = 100;
const packagesMax = 20;
const namesMax = 50;
const releasesRead = 1_000;
const countedMax = 100_000;

export const searchNameStore = storePart({
  async findStoredTags(db, projectIds, names) {
    if (projectIds.length === 0 || names.length === 0) return [];
    const statement = statementOf(db);
    const projects = bindList(statement, projectIds);
    const each = names.slice(0, namesMax).map((name) => {
      const tag = `CAST(${bind(statement, name)} AS TEXT)`;
      return `SELECT ${tag} AS tag WHERE EXISTS
        (SELECT 1 FROM issue_tags WHERE project_id IN (${projects}) AND tag = ${tag})`;
    });
    const rows = await db.all<{ tag: string }>(each.join(' UNION ALL '), statement.values);
    return rows.map(({ tag }) => tag);
  },
  /** One look into the index for each name: a DISTINCT would read every row. */
  async listTagNames(db, projectIds, limit) {
    if (projectIds.length === 0) return [];
    const statement = statementOf(db);
    const projects = bindList(statement, projectIds);
    const next = (than: string): string =>
      `(SELECT MIN(tag) FROM issue_tags WHERE project_id = p AND tag > ${than})`;
    const rows = await db.all<{ tag: string }>(
      `WITH RECURSIVE names (p, tag) AS (
         SELECT p, ${next("''")} FROM (SELECT id AS p FROM projects WHERE id IN (${projects})) AS asked
         UNION ALL SELECT p, ${next('names.tag')} FROM names WHERE tag IS NOT NULL)
       SELECT DISTINCT tag FROM (SELECT tag FROM names WHERE tag IS NOT NULL LIMIT ${bind(statement, 10 * limit)}) AS found
       ORDER BY tag LIMIT ${bind(statement, limit)}`,
      statement.values,
    );
    return rows.map(({ tag }) => tag);
  },
  async listLatestReleases(db, projectIds) {
    const found = await Promise.all(
      projectIds.slice(0, latestProjectsMax).map((projectId) => latestOf(db, projectId)),
    );
    return found.flat();
  },
  listTagValues(db, projectIds, tag, prefix, limit) {
    const statement = statementOf(db);
    return countValues(db, statement, 'COUNT(*)', 'value AS name FROM issue_tags', [
      `tag = ${bind(statement, tag)}`,
      beginsWith(statement, 'value', prefix),
    ])(projectIds, limit);
  },
  listPlaceNames(db, projectIds, field, prefix, limit) {
    const statement = statementOf(db);
    return countValues(
      db,
      statement,
      'COUNT(DISTINCT issue_id)',
      `${field} AS name, issue_id FROM issue_releases`,
      [`${field} <> ''`, beginsWith(statement, field, prefix)],
    )(projectIds, limit);
  },
});

function statementOf({ dbms }: Db): Statement {
  return { dbms, values: [], sets: [] };
}

function beginsWith(statement: Statement, column: string, prefix: string): string {
  const pattern = bind(
    statement,
    likePattern([prefix.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()), '']),
  );
  return `LOWER(${column} COLLATE "C") LIKE ${pattern} ESCAPE '!'`;
}

/** Counts among the first rows alone, so that a completion costs little however many there are. */
function countValues(
  db: Db,
  statement: Statement,
  count: string,
  from: string,
  conditions: readonly string[],
) {
  return async (projectIds: readonly number[], limit: number): Promise<NamedCount[]> => {
    if (projectIds.length === 0) return [];
    const where = [`project_id IN (${bindList(statement, projectIds)})`, ...conditions].join(' AND ');
    const rows = await db.all<NamedCount>(
      `SELECT name, ${count} AS count FROM
         (SELECT ${from} WHERE ${where} LIMIT ${bind(statement, countedMax)}) AS counted
       GROUP BY name ORDER BY count DESC, name LIMIT ${bind(statement, limit)}`,
      statement.values,
    );
    return rows.map(({ name, count }) => ({ name, count: Number(count) }));
  };
}

async function latestOf(db: Db, projectId: number): Promise<ProjectRelease[]> {
  const rows = await db.all<FirstSeenRow>(
    `SELECT version, id, ${firstSeenMs('releases')} AS first_seen_ms FROM releases
     WHERE project_id = $1 ORDER BY created_at_ms DESC, id DESC LIMIT $2`,
    [projectId, releasesRead],
  );
  const packages = Map.groupBy(rows.map(firstSeenOf), ({ version }) => parsePackageName(version));
  return [...packages.values()]
    .slice(0, packagesMax)
    .flatMap((releases: readonly KnownRelease[]) => findNewestRelease(releases) ?? [])
    .map((release) => ({ projectId, release }));
}
