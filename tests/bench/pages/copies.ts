// Makes many events of some thousands that came by the rules: copies set-wise, then the counts that follow
// from them, in SQL that both databases take. Left as the rules wrote it is what copies say nothing
// new of: words and states of issues (what is resolved stays so), their hashes, hours of new ones, names of
// environments; and users of copies have no name beside their hash (user_keys).
import type { Db } from '../../../data/db.ts';
import { hourMs } from '../../../src/core/reading/spans.ts';
import { eventsByRules, issuesCount, type Scale, spanMs } from './scale.ts';

type Progress = (text: string) => void;

/** Events of one statement: enough to be quick, few enough to be told of. */
const sliceEvents = 20_000;
const toldEvery = 100_000;

/** Fills up to the scale's count; `fromMs` is the beginning of the time that the events lie in. */
export async function copyEvents(db: Db, fromMs: number, scale: Scale, progress: Progress): Promise<void> {
  const { eventsCount } = scale;
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
  for (const { placeFrom, placeTo, copies } of await portions(db, scale)) {
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
  await copyBodies(run, originals, progress);
  await countAnew(run, originals, progress);
  await run('DROP TABLE bench_originals');
  await run('DROP TABLE bench_places');
}

/** The classes with the last one, so that the sum is what was promised. */
async function portions(db: Db, { classes, eventsCount }: Scale) {
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
  return [...found, { placeFrom: from, placeTo: issuesCount, copies: Math.ceil(left / rest) }];
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

/** A copy has the number of its original and a multiple of the highest of them. */
const originOf = (id: string): string => `(${id} - 1) % CAST($1 AS BIGINT) + 1`;

/** Every copy has the body of its original. */
async function copyBodies(run: Run, originals: number, progress: Progress): Promise<void> {
  progress('bodies of events');
  // In the order of their numbers, so that each lies behind the one before.
  await run(
    `INSERT INTO event_bodies (event_row, project_id, body, body_sha256, grouping, errors)
     SELECT e.id, e.project_id, b.body, b.body_sha256, b.grouping, b.errors
     FROM events e CROSS JOIN event_bodies b
     WHERE e.id > CAST($1 AS BIGINT) AND b.event_row = ${originOf('e.id')} ORDER BY e.id`,
    [originals],
  );
}

/** What follows from events, as `recordEvent` counts it. */
async function countAnew(run: Run, originals: number, progress: Progress): Promise<void> {
  await countHours(run, progress);
  await countTags(run, originals, progress);
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

const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
const countOf = (level: string): string => `SUM(CASE WHEN level = '${level}' THEN 1 ELSE 0 END)`;
const hour = `received_at_ms - received_at_ms % ${hourMs}`;

/** In the order in which the hours came. */
async function countHours(run: Run, progress: Progress): Promise<void> {
  progress('counts by hour');
  const ofIssues = levels.filter((level) => level !== 'error');
  await run('DELETE FROM issue_hours');
  await run(`INSERT INTO issue_hours (project_id, issue_id, hour_ms, events, ${ofIssues.join(', ')})
    SELECT project_id, issue_id, ${hour}, COUNT(*), ${ofIssues.map(countOf).join(', ')} FROM events
    GROUP BY 1, 2, 3 ORDER BY 3`);
  await run("DELETE FROM outcomes WHERE outcome = 'accepted' AND category = 'error'");
  await run(`INSERT INTO outcomes (project_id, hour_ms, outcome, reason, category, quantity, ${levels.join(', ')})
    SELECT project_id, ${hour}, 'accepted', '', 'error', COUNT(*), ${levels.map(countOf).join(', ')} FROM events
    GROUP BY 1, 2 ORDER BY 2`);
}

/**
 * A pair of an original was seen with each copy of it: the pairs of an issue say when, its originals how
 * often.
 */
async function countTags(run: Run, originals: number, progress: Progress): Promise<void> {
  progress('counts by tag');
  await run(`CREATE TABLE bench_sightings
    (origin BIGINT PRIMARY KEY, events BIGINT NOT NULL, first_ms BIGINT NOT NULL, last_ms BIGINT NOT NULL)`);
  await run(
    `INSERT INTO bench_sightings SELECT ${originOf('id')}, COUNT(*), MIN(received_at_ms), MAX(received_at_ms)
     FROM events GROUP BY 1`,
    [originals],
  );
  await run(`UPDATE issue_tags SET events = c.events, first_seen_ms = c.first_ms, last_seen_ms = c.last_ms
    FROM (SELECT t.issue_id, t.tag, t.value, SUM(s.events) AS events, MIN(s.first_ms) AS first_ms,
        MAX(s.last_ms) AS last_ms
      FROM issue_tags t JOIN bench_originals o ON o.issue_id = t.issue_id
        AND o.received_at_ms BETWEEN t.first_seen_ms AND t.last_seen_ms
      JOIN bench_sightings s ON s.origin = o.id GROUP BY 1, 2, 3) c
    WHERE c.issue_id = issue_tags.issue_id AND c.tag = issue_tags.tag AND c.value = issue_tags.value`);
  await run('DROP TABLE bench_sightings');
  await run(`UPDATE releases SET first_event_at_ms = c.first_ms, last_event_at_ms = c.last_ms
    FROM (SELECT project_id, release, MIN(received_at_ms) AS first_ms, MAX(received_at_ms) AS last_ms FROM events
      GROUP BY 1, 2) c WHERE c.project_id = releases.project_id AND c.release = releases.version`);
  await run(`UPDATE sdk_statistics SET events = c.events, first_event_at_ms = c.first_ms, first_seen_ms = c.first_ms,
      last_event_at_ms = c.last_ms, last_seen_ms = c.last_ms
    FROM (SELECT project_id, COUNT(*) AS events, MIN(received_at_ms) AS first_ms, MAX(received_at_ms) AS last_ms
      FROM events GROUP BY 1) c WHERE c.project_id = sdk_statistics.project_id`);
}
