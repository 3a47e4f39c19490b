// Makes a million events of some thousands that came by the rules: copies set-wise, then the counts that
// follow from them, in SQL that both databases take. What is kept once an issue (its words, its tags) stays
// as the rules wrote it.
import type { Db } from '../../../data/db.ts';
import { hourMs } from '../../../src/core/reading/spans.ts';
import { classes, eventsByRules, eventsCount, issuesCount, spanMs } from './scale.ts';

type Progress = (text: string) => void;

/** Events of one statement: enough to be quick, few enough to be told of. */
const sliceEvents = 20_000;
const toldEvery = 100_000;

/** Fills up to a million; `fromMs` is the beginning of the time that the events lie in. */
export async function copyEvents(db: Db, fromMs: number, progress: Progress): Promise<void> {
  const run = patientlyOn(db);
  await run('CREATE TABLE bench_places (issue_id BIGINT PRIMARY KEY, place BIGINT NOT NULL)');
  await run(`INSERT INTO bench_places
    SELECT id, ROW_NUMBER() OVER (PARTITION BY project_id ORDER BY id) FROM issues`);
  await run('CREATE TABLE bench_originals AS SELECT * FROM events');
  await run('CREATE INDEX bench_by_place ON bench_places (place)');
  await run('CREATE INDEX bench_by_issue ON bench_originals (issue_id)');
  const originals = await count(db, 'SELECT MAX(id) AS n FROM bench_originals');
  let last = await count(db, 'SELECT MAX(id) AS n FROM events');
  let made = await count(db, 'SELECT COUNT(*) AS n FROM bench_originals');
  let copy = 0;
  for (const { placeFrom, placeTo, copies } of await portions(db)) {
    const issues = await placesBetween(db, placeFrom, placeTo);
    const sliceCopies = Math.max(1, Math.floor(sliceEvents / (issues * eventsByRules)));
    for (let done = 0; done < copies; done += sliceCopies) {
      const slice = Math.min(sliceCopies, copies - done);
      const { changes } = await run(copySql, [
        last,
        copy,
        slice,
        fromMs,
        spanMs,
        placeFrom,
        placeTo,
        originals,
      ]);
      last += originals * slice;
      copy += slice;
      if (Math.floor((made + changes) / toldEvery) > Math.floor(made / toldEvery)) {
        progress(`events: ${(made + changes).toLocaleString('en')} of ${eventsCount.toLocaleString('en')}`);
      }
      made += changes;
    }
  }
  await copyBodies(run, progress);
  await countAnew(run, progress);
  await run('DROP TABLE bench_originals');
  await run('DROP TABLE bench_places');
}

/** The classes with the last one, so that the sum is what was promised. */
async function portions(db: Db) {
  let from = 1;
  let left = eventsCount - issuesCount * eventsByRules;
  const found: { placeFrom: number; placeTo: number; copies: number }[] = [];
  for (const { issuesUpTo, copies } of classes) {
    const issues = await placesBetween(db, from, issuesUpTo);
    found.push({ placeFrom: from, placeTo: issuesUpTo, copies });
    left -= issues * eventsByRules * copies;
    from = issuesUpTo + 1;
  }
  const rest = (await placesBetween(db, from, issuesCount)) * eventsByRules;
  return [...found, { placeFrom: from, placeTo: issuesCount, copies: Math.floor(left / rest) }];
}

function placesBetween(db: Db, from: number, to: number): Promise<number> {
  return count(db, 'SELECT COUNT(*) AS n FROM bench_places WHERE place BETWEEN $1 AND $2', [from, to]);
}

async function count(db: Db, sql: string, values: readonly number[] = []): Promise<number> {
  return Number((await db.get<{ n: number }>(sql, [...values]))?.n ?? 0);
}

/**
 * $1 last id, $2 copies before, $3 copies, $4 and $5 the time, $6 and $7 the places of issues, $8 the highest
 * id of an original.
 */
const copySql = `
  WITH RECURSIVE series (k) AS (
    SELECT CAST(1 AS BIGINT) UNION ALL SELECT k + 1 FROM series WHERE k < CAST($3 AS BIGINT)
  )
  INSERT INTO events (id, project_id, issue_id, event_id, received_at_ms, timestamp_ms, level, platform, title,
    culprit, release, dist, environment, sdk_name, sdk_version, domain, user_hash, scrubbed_count, needs_mapping,
    folded)
  SELECT CAST($1 AS BIGINT) + (k - 1) * CAST($8 AS BIGINT) + o.id, o.project_id, o.issue_id,
    SUBSTR(CAST(10000000 + CAST($2 AS BIGINT) + k AS TEXT), 1, 8) || SUBSTR(o.event_id, 9),
    CAST($4 AS BIGINT)
      + (o.received_at_ms - CAST($4 AS BIGINT) + (CAST($2 AS BIGINT) + k) * 7919777) % CAST($5 AS BIGINT),
    o.timestamp_ms, o.level, o.platform, o.title, o.culprit, o.release, o.dist, o.environment, o.sdk_name,
    o.sdk_version, o.domain, SUBSTR(CAST(100000 + (CAST($2 AS BIGINT) + k) % 997 AS TEXT), 1, 6) || SUBSTR(o.user_hash, 7),
    o.scrubbed_count, o.needs_mapping, o.folded
  FROM bench_places p JOIN bench_originals o ON o.issue_id = p.issue_id CROSS JOIN series
  WHERE p.place BETWEEN CAST($6 AS BIGINT) AND CAST($7 AS BIGINT)`;

/** Statements of minutes; the program itself gives one far less on PostgreSQL. */
function patientlyOn(db: Db) {
  return (sql: string, values: readonly (number | string)[] = []) =>
    db.write(async (tx) => {
      if (db.dbms === 'postgres') await tx.run('SET LOCAL statement_timeout = 0', []);
      return tx.run(sql, [...values]);
    });
}

type Run = (sql: string, values?: readonly (number | string)[]) => Promise<unknown>;

/** Every copy has the body of the first event of its issue. */
async function copyBodies(run: Run, progress: Progress): Promise<void> {
  progress('bodies of events');
  await run('CREATE TABLE bench_bodies (issue_id BIGINT PRIMARY KEY, event_row BIGINT NOT NULL)');
  await run('INSERT INTO bench_bodies SELECT issue_id, MIN(id) FROM bench_originals GROUP BY issue_id');
  // In the order of their numbers, so that each lies behind the one before.
  await run(`INSERT INTO event_bodies (event_row, project_id, body, body_sha256, grouping, errors)
    SELECT e.id, e.project_id, b.body, b.body_sha256, b.grouping, b.errors
    FROM events e CROSS JOIN bench_bodies f CROSS JOIN event_bodies b
    WHERE e.id > (SELECT MAX(id) FROM bench_originals) AND f.issue_id = e.issue_id AND b.event_row = f.event_row
    ORDER BY e.id`);
  await run('DROP TABLE bench_bodies');
}

/** What follows from events, as `recordEvent` counts it. */
async function countAnew(run: Run, progress: Progress): Promise<void> {
  progress('counts by hour');
  await run('DELETE FROM issue_hours');
  await run(`INSERT INTO issue_hours (project_id, issue_id, hour_ms, events)
    SELECT project_id, issue_id, received_at_ms - received_at_ms % ${hourMs}, COUNT(*) FROM events GROUP BY 1, 2, 3`);
  progress('counts by release');
  await run('DELETE FROM issue_releases');
  await run(`INSERT INTO issue_releases (project_id, release, environment, issue_id, events, first_seen_ms, last_seen_ms)
    SELECT project_id, COALESCE(release, ''), COALESCE(environment, ''), issue_id, COUNT(*), MIN(received_at_ms),
      MAX(received_at_ms) FROM events GROUP BY 1, 2, 3, 4`);
  progress('users');
  await run('DELETE FROM issue_users');
  await run(`INSERT INTO issue_users (project_id, issue_id, user_hash)
    SELECT DISTINCT project_id, issue_id, user_hash FROM events WHERE user_hash IS NOT NULL`);
  progress('counts of issues');
  await run(`UPDATE issues SET events_count = c.events, own_events_count = c.events, last_seen_ms = c.last_ms,
      own_last_seen_ms = c.last_ms, first_seen_ms = c.first_ms, own_first_seen_ms = c.first_ms
    FROM (SELECT issue_id, COUNT(*) AS events, MIN(received_at_ms) AS first_ms, MAX(received_at_ms) AS last_ms
      FROM events GROUP BY issue_id) c WHERE c.issue_id = issues.id`);
  await run(`UPDATE issues SET users_count = c.users, own_users_count = c.users
    FROM (SELECT issue_id, COUNT(*) AS users FROM issue_users GROUP BY issue_id) c WHERE c.issue_id = issues.id`);
}
