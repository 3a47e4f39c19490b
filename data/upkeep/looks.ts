// What `doctor` is told of a database, of any age and of either kind. Reads alone, each bounded.

import type { ContentFacts, DatabaseFacts, KeyFacts, ProjectFacts } from '../../src/core/doctor/facts.ts';
import { dayMs } from '../../src/core/reading/spans.ts';
import {
  backupMadeSetting,
  keptSetting,
  lastStartSetting,
  stateSetting,
} from '../../src/core/store/storage/setting-names.ts';
import { checkBodies } from './bodies.ts';
import { type Reading, readSchema } from './facts.ts';

const projectsMax = 200;
const keysMax = 200;
const sdksMax = 50;
/** Of the events that wait for maps, the newest are looked at. */
const awaitingMax = 5_000;
const releasesMax = 5;

const postgresSettings = ['fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding'];

/** Looks at a database, without the check of its file. */
export async function lookInto(
  db: Reading,
  nowMs: number,
  isWhole: boolean,
): Promise<Omit<DatabaseFacts, 'faults'>> {
  const { applied, missing, why } = await readSchema(db);
  const isOurs = missing.length === 0 && why === null;
  return {
    dbms: db.dbms,
    version: await versionOf(db),
    settings: await settingsOf(db),
    schema: { applied: applied.length, missing, why },
    content: isOurs ? await contentOf(db, nowMs, isWhole) : null,
  };
}

async function versionOf(db: Reading): Promise<string> {
  const sql =
    db.dbms === 'sqlite'
      ? 'SELECT sqlite_version() AS version'
      : "SELECT current_setting('server_version') AS version";
  return (await db.get<{ version: string }>(sql))?.version ?? '';
}

async function settingsOf(db: Reading): Promise<Record<string, string>> {
  if (db.dbms === 'sqlite') {
    const row = await db.get<{ journal_mode: string; auto_vacuum: number }>(
      'SELECT journal_mode, auto_vacuum FROM pragma_journal_mode(), pragma_auto_vacuum()',
    );
    return { journal_mode: row?.journal_mode ?? '', auto_vacuum: String(row?.auto_vacuum ?? '') };
  }
  const found: Record<string, string> = {};
  for (const name of postgresSettings) {
    const row = await db.get<{ value: string }>('SELECT current_setting($1) AS value', [name]);
    found[name] = row?.value ?? '';
  }
  return found;
}

async function contentOf(db: Reading, nowMs: number, isWhole: boolean): Promise<ContentFacts> {
  const newest = await db.get<{ at: number }>(
    'SELECT received_at_ms AS at FROM events ORDER BY id DESC LIMIT 1',
  );
  const lastStart = await settingOf(db, lastStartSetting);
  const projects = await db.all<{ id: number; name: string }>(
    'SELECT id, name FROM projects ORDER BY id LIMIT $1',
    [projectsMax],
  );
  const looked: ProjectFacts[] = [];
  for (const { id, name } of projects) {
    looked.push({
      id,
      name,
      keys: await keysOf(db, id),
      sdks: await sdksOf(db, id),
      outcomesOfDay: await outcomesOf(db, id, nowMs),
      awaitingMaps: await awaitingOf(db, id),
    });
  }
  return {
    newestEventAtMs: newest?.at ?? null,
    bodies: await checkBodies(db, isWhole),
    lastStartAtMs: lastStart === null ? null : Number(lastStart),
    backupMadeAt: await settingOf(db, backupMadeSetting),
    retention: {
      state: await settingOf(db, stateSetting),
      keepsAll: (await settingOf(db, keptSetting)) !== null,
    },
    projects: looked,
  };
}

async function settingOf(db: Reading, name: string): Promise<string | null> {
  const row = await db.get<{ value: string }>('SELECT value FROM meta WHERE name = $1', [name]);
  return row?.value ?? null;
}

async function keysOf(db: Reading, projectId: number): Promise<KeyFacts[]> {
  const rows = await db.all<{
    id: number;
    kind: KeyFacts['kind'];
    label: string;
    created_at_ms: number;
    expires_at_ms: number | null;
    revoked_at_ms: number | null;
    last_used_at_ms: number | null;
  }>(
    `SELECT id, kind, label, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms
     FROM project_keys WHERE project_id = $1 ORDER BY id DESC LIMIT $2`,
    [projectId, keysMax],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    label: row.label,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  }));
}

async function sdksOf(db: Reading, projectId: number): Promise<ProjectFacts['sdks']> {
  return db.all(
    `SELECT sdk_name AS name, SUM(events) AS events, MAX(last_seen_ms) AS "lastSeenMs"
     FROM sdk_statistics WHERE project_id = $1 GROUP BY sdk_name ORDER BY MAX(last_seen_ms) DESC LIMIT $2`,
    [projectId, sdksMax],
  );
}

async function outcomesOf(db: Reading, projectId: number, nowMs: number): Promise<Record<string, number>> {
  const rows = await db.all<{ outcome: string; quantity: number }>(
    `SELECT outcome, SUM(quantity) AS quantity FROM outcomes WHERE project_id = $1 AND hour_ms > $2
     GROUP BY outcome`,
    [projectId, nowMs - dayMs],
  );
  return Object.fromEntries(rows.map(({ outcome, quantity }) => [outcome, Number(quantity)]));
}

async function awaitingOf(db: Reading, projectId: number): Promise<ProjectFacts['awaitingMaps']> {
  const rows = await db.all<{ release: string | null; events: number }>(
    `SELECT release, COUNT(*) AS events FROM (
       SELECT release FROM events WHERE project_id = $1 AND needs_mapping = 1 ORDER BY id DESC LIMIT $2
     ) AS newest GROUP BY release ORDER BY COUNT(*) DESC, release LIMIT $3`,
    [projectId, awaitingMax, releasesMax],
  );
  const found: Array<ProjectFacts['awaitingMaps'][number]> = [];
  for (const row of rows) {
    const release = row.release ?? '';
    const files = await db.get<{ number: number }>(
      'SELECT COUNT(*) AS number FROM artifacts WHERE project_id = $1 AND release = $2 AND replaced_at_ms IS NULL',
      [projectId, release],
    );
    found.push({ release, events: Number(row.events), artifacts: Number(files?.number ?? 0) });
  }
  return found;
}
