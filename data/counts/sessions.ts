import { hourOf } from '../../src/core/reading/spans.ts';
import { otherName, type ProjectBounds } from '../../src/core/store/bounds.ts';
import type { NewSessions, SessionStore } from '../../src/core/store/counts/sessions.ts';
import { compareKeys } from '../compare-keys.ts';
import type { Db, Query } from '../db.ts';
import { isLiveProject } from '../projects/projects.ts';
import type { Admitted, NameRoom } from '../releases/bounded-names.ts';

interface HealthPlace {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly hourMs: number;
}

type Counts = Pick<NewSessions, 'sessions' | 'exited' | 'errored' | 'crashed' | 'abnormal'>;

interface Addition {
  readonly place: HealthPlace;
  readonly counts: { -readonly [Name in keyof Counts]: number };
  readonly isNew: boolean;
}

/** Written last and sorted, so that transactions that add sessions cannot deadlock. */
type Additions = Map<string, Addition>;

export function sessionStore(
  db: Db,
  limits: Pick<ProjectBounds, 'healthRowsPerHourMax'>,
  names: NameRoom,
): SessionStore {
  return {
    async addSessions(sessions) {
      const admitted = await db.write(async (tx) => {
        const places: Admitted[] = [];
        const additions: Additions = new Map();
        for (const counts of inOrderOfIds(sessions)) {
          if (!(await isLiveProject(tx, counts.projectId))) continue;
          if (await addToRecent(tx, counts, additions)) continue;
          const { projectId, release, environment, atMs } = counts;
          const named = await names.admit(tx, projectId, { release, environment }, atMs);
          places.push(named);
          await addNew(tx, { ...counts, ...textsOf(named) }, additions, limits.healthRowsPerHourMax);
        }
        for (const key of [...additions.keys()].sort()) await add(tx, additions.get(key) as Addition);
        return places;
      });
      for (const named of admitted) names.remember(named);
    },
  };
}

function inOrderOfIds(sessions: readonly NewSessions[]): NewSessions[] {
  return sessions.toSorted((one, other) => compareKeys([one.id], [other.id], 1));
}

function textsOf(named: Admitted): { release: string; environment: string } {
  return { release: named.release ?? '', environment: named.environment ?? '' };
}

/** A later one of these replaces an earlier one of the same session. */
const statuses = ['ok', 'exited', 'abnormal', 'crashed'] as const;
type Status = (typeof statuses)[number];

function statusOf(counts: Counts): Status {
  return statuses.findLast((status) => status !== 'ok' && counts[status] > 0) ?? 'ok';
}

interface RecentRow {
  readonly release: string;
  readonly environment: string;
  readonly hour_ms: number;
  readonly errored: number;
  readonly status: Status;
}

/** Adds what is new of a known session; false where the session is unknown. */
async function addToRecent(tx: Query, counts: NewSessions, additions: Additions): Promise<boolean> {
  if (counts.id === null) return false;
  const key = [counts.projectId, counts.id];
  // This update changes nothing, but locks the row until the commit.
  const row = await tx.get<RecentRow>(
    `UPDATE recent_sessions SET hour_ms = hour_ms WHERE project_id = $1 AND session_id = $2
     RETURNING release, environment, hour_ms, errored, status`,
    key,
  );
  if (row === undefined) return false;
  const [before, after] = [row.status, statusOf(counts)];
  const isEnding = statuses.indexOf(after) > statuses.indexOf(before);
  const errored = Number(row.errored) === 0 && counts.errored > 0 ? 1 : 0;
  if (!isEnding && errored === 0) return true;
  const { release, environment } = row;
  const place = { projectId: counts.projectId, release, environment, hourMs: Number(row.hour_ms) };
  const added = additionTo(additions, place, false).counts;
  added.errored += errored;
  if (isEnding && before !== 'ok') added[before] -= 1;
  if (isEnding && after !== 'ok') added[after] += 1;
  await tx.run(
    'UPDATE recent_sessions SET errored = $3, status = $4 WHERE project_id = $1 AND session_id = $2',
    [...key, Math.max(Number(row.errored), errored), isEnding ? after : before],
  );
  return true;
}

function additionTo(additions: Additions, place: HealthPlace, isNew: boolean): Addition {
  const key = JSON.stringify([place.projectId, place.release, place.environment, place.hourMs]);
  const counts = { sessions: 0, exited: 0, errored: 0, crashed: 0, abnormal: 0 };
  const addition = additions.get(key) ?? { place, counts, isNew };
  additions.set(key, addition);
  return addition;
}

async function addNew(tx: Query, counts: NewSessions, additions: Additions, rowsMax: number): Promise<void> {
  const { projectId, release, environment } = counts;
  const asked = { projectId, release, environment, hourMs: hourOf(counts.atMs) };
  const addition = await additionFor(tx, asked, additions, rowsMax);
  const { place, counts: added } = addition;
  if (counts.id !== null) {
    const claimed = await tx.run(
      `INSERT INTO recent_sessions (project_id, session_id, release, environment, hour_ms, errored, status)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id, session_id) DO NOTHING`,
      [
        ...[projectId, counts.id, place.release, place.environment, place.hourMs],
        ...[counts.errored > 0 ? 1 : 0, statusOf(counts)],
      ],
    );
    // Another transaction was first.
    if (claimed.changes === 0) return void (await addToRecent(tx, counts, additions));
  }
  for (const name of figures) added[name] += counts[name];
}

const figures = ['sessions', 'exited', 'errored', 'crashed', 'abnormal'] as const;

/** Past `rowsMax` rows an hour all further releases and environments share one row. */
async function additionFor(
  tx: Query,
  place: HealthPlace,
  additions: Additions,
  rowsMax: number,
): Promise<Addition> {
  const { projectId, release, environment, hourMs } = place;
  const there = await tx.get(
    `SELECT hour_ms FROM release_health
     WHERE project_id = $1 AND release = $2 AND environment = $3 AND hour_ms = $4`,
    [projectId, release, environment, hourMs],
  );
  if (there !== undefined) return additionTo(additions, place, false);
  const found = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM release_health WHERE project_id = $1 AND hour_ms = $2',
    [projectId, hourMs],
  );
  const isSame = (other: HealthPlace): boolean =>
    other.release === release && other.environment === environment;
  const made = [...additions.values()].filter(
    ({ isNew, place: other }) => isNew && other.projectId === projectId && other.hourMs === hourMs,
  );
  const isCrowded =
    Number(found?.rows ?? 0) + made.length >= rowsMax && !made.some((each) => isSame(each.place));
  const shared = { ...place, release: otherName, environment: otherName };
  return additionTo(additions, isCrowded ? shared : place, true);
}

// Updates without a session id may come where the start was not counted: `sessions` is raised to the number
// that ended or had an error.
async function add(tx: Query, { place, counts }: Addition): Promise<void> {
  const row = [place.projectId, place.release, place.environment, place.hourMs];
  const sums = await tx.get<{ sessions: number; ended: number; errored: number }>(
    `INSERT INTO release_health (project_id, release, environment, hour_ms, sessions, exited, errored, crashed, abnormal)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (project_id, release, environment, hour_ms) DO UPDATE SET
       sessions = release_health.sessions + excluded.sessions, exited = release_health.exited + excluded.exited,
       errored = release_health.errored + excluded.errored, crashed = release_health.crashed + excluded.crashed,
       abnormal = release_health.abnormal + excluded.abnormal
     RETURNING sessions, exited + crashed + abnormal AS ended, errored`,
    [...row, ...figures.map((name) => counts[name])],
  );
  const least = Math.max(Number(sums?.ended ?? 0), Number(sums?.errored ?? 0));
  if (Number(sums?.sessions ?? 0) >= least) return;
  await tx.run(
    `UPDATE release_health SET sessions = $5
     WHERE project_id = $1 AND release = $2 AND environment = $3 AND hour_ms = $4`,
    [...row, least],
  );
}
