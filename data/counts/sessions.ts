import { startOfHour } from '../../src/core/parsing/durations.ts';
import type { NewSessions, SessionStore } from '../../src/core/store/counts.ts';
import { overLimitName, type ProjectLimits } from '../../src/core/store/projects.ts';
import type { Db, Query } from '../db.ts';
import { countRows } from '../paging.ts';
import { isLiveProject } from '../projects/projects.ts';
import type { Admitted, NameCache } from '../releases/bounded-names.ts';
import { flag, integer, oneOf, tableOf, text } from '../table.ts';
import { compareKeys } from '../value-lists.ts';

interface HealthKey {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly hourMs: number;
}

type Counts = Pick<NewSessions, 'sessions' | 'exited' | 'errored' | 'crashed' | 'abnormal'>;

interface Addition {
  readonly healthKey: HealthKey;
  readonly counts: { -readonly [Name in keyof Counts]: number };
  readonly isNew: boolean;
}

/** Written last and sorted, so that transactions that add sessions cannot deadlock. */
type Additions = Map<string, Addition>;

export function sessionStore(
  db: Db,
  limits: Pick<ProjectLimits, 'healthRowsPerHourMax'>,
  names: NameCache,
): SessionStore {
  return {
    async addSessions(sessions) {
      const admitted = await db.write(async (tx) => {
        const admissions: Admitted[] = [];
        const additions: Additions = new Map();
        for (const counts of inOrderOfIds(sessions)) {
          if (!(await isLiveProject(tx, counts.projectId))) continue;
          if (await addToRecent(tx, counts, additions)) continue;
          const { projectId, release, environment, atMs } = counts;
          const named = await names.admit(tx, projectId, { release, environment }, atMs);
          admissions.push(named);
          await addNew(tx, { ...counts, ...textsOf(named) }, additions, limits.healthRowsPerHourMax);
        }
        for (const key of [...additions.keys()].sort()) await add(tx, additions.get(key) as Addition);
        return admissions;
      });
      for (const named of admitted) names.add(named);
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

const recentSessions = tableOf('recent_sessions', {
  projectId: integer,
  sessionId: text,
  release: text,
  environment: text,
  hourMs: integer,
  errored: flag,
  status: oneOf<Status>(),
});

const health = tableOf('release_health', {
  projectId: integer,
  release: text,
  environment: text,
  hourMs: integer,
  sessions: integer,
  exited: integer,
  errored: integer,
  crashed: integer,
  abnormal: integer,
});
const added = health.mergeOn({ key: ['projectId', 'release', 'environment', 'hourMs'], otherwise: 'sum' });

/** Adds what is new of a known session; false where the session is unknown. */
async function addToRecent(tx: Query, counts: NewSessions, additions: Additions): Promise<boolean> {
  if (counts.id === null) return false;
  const known = { where: 'project_id = $1 AND session_id = $2', values: [counts.projectId, counts.id] };
  // This update changes nothing, but locks the row until the commit.
  const row = await recentSessions.updateReturning(tx, {}, known);
  if (row === null) return false;
  const [before, after] = [row.status, statusOf(counts)];
  const isEnding = statuses.indexOf(after) > statuses.indexOf(before);
  const isFirstError = !row.errored && counts.errored > 0;
  if (!isEnding && !isFirstError) return true;
  const { projectId, release, environment, hourMs } = row;
  const { counts: sums } = additionTo(additions, { projectId, release, environment, hourMs }, false);
  if (isFirstError) sums.errored += 1;
  if (isEnding && before !== 'ok') sums[before] -= 1;
  if (isEnding && after !== 'ok') sums[after] += 1;
  const change = { errored: row.errored || isFirstError, status: isEnding ? after : before };
  await recentSessions.update(tx, change, known);
  return true;
}

function additionTo(additions: Additions, healthKey: HealthKey, isNew: boolean): Addition {
  const key = JSON.stringify([
    healthKey.projectId,
    healthKey.release,
    healthKey.environment,
    healthKey.hourMs,
  ]);
  const counts = { sessions: 0, exited: 0, errored: 0, crashed: 0, abnormal: 0 };
  const addition = additions.get(key) ?? { healthKey, counts, isNew };
  additions.set(key, addition);
  return addition;
}

async function addNew(tx: Query, counts: NewSessions, additions: Additions, rowsMax: number): Promise<void> {
  const { projectId, release, environment } = counts;
  const key = { projectId, release, environment, hourMs: startOfHour(counts.atMs) };
  const addition = await additionFor(tx, key, additions, rowsMax);
  const { healthKey, counts: added } = addition;
  if (counts.id !== null) {
    const claimed = await recentSessions.insert(
      tx,
      { ...healthKey, sessionId: counts.id, errored: counts.errored > 0, status: statusOf(counts) },
      { onConflict: 'DO NOTHING' },
    );
    // Another transaction was first.
    if (claimed === 0) return void (await addToRecent(tx, counts, additions));
  }
  for (const name of countNames) added[name] += counts[name];
}

const countNames = ['sessions', 'exited', 'errored', 'crashed', 'abnormal'] as const;

/** Past `rowsMax` rows an hour all further releases and environments share one row. */
async function additionFor(tx: Query, healthKey: HealthKey, additions: Additions, rowsMax: number) {
  const { projectId, release, environment, hourMs } = healthKey;
  const existing = await tx.get(
    `SELECT hour_ms FROM release_health
     WHERE project_id = $1 AND release = $2 AND environment = $3 AND hour_ms = $4`,
    [projectId, release, environment, hourMs],
  );
  if (existing !== undefined) return additionTo(additions, healthKey, false);
  const ofHour = 'FROM release_health WHERE project_id = $1 AND hour_ms = $2';
  const rows = await countRows(tx, ofHour, [projectId, hourMs]);
  const isSame = (other: HealthKey): boolean =>
    other.release === release && other.environment === environment;
  const newAdditions = [...additions.values()].filter(
    ({ isNew, healthKey: other }) => isNew && other.projectId === projectId && other.hourMs === hourMs,
  );
  const isCrowded =
    rows + newAdditions.length >= rowsMax && !newAdditions.some((each) => isSame(each.healthKey));
  const shared = { ...healthKey, release: overLimitName, environment: overLimitName };
  return additionTo(additions, isCrowded ? shared : healthKey, true);
}

// The start of a session may be missing: `sessions` is raised to the number that ended or had an error.
async function add(tx: Query, { healthKey, counts }: Addition): Promise<void> {
  const sums = await health.insertReturning(tx, { ...healthKey, ...counts }, { onConflict: added });
  const { sessions = 0, exited = 0, crashed = 0, abnormal = 0, errored = 0 } = sums ?? {};
  const sessionsMin = Math.max(exited + crashed + abnormal, errored);
  if (sessions >= sessionsMin) return;
  await health.update(
    tx,
    { sessions: sessionsMin },
    {
      where: 'project_id = $1 AND release = $2 AND environment = $3 AND hour_ms = $4',
      values: [healthKey.projectId, healthKey.release, healthKey.environment, healthKey.hourMs],
    },
  );
}
