// Reads what `doctor` reports of a database, of any schema version. Read only, with limits.

import type {
  ContentFacts,
  DatabaseState,
  KeyFacts,
  PayloadCheck,
  ProjectFacts,
} from '../../src/core/doctor/facts.ts';
import { dayMs } from '../../src/core/parsing/durations.ts';
import {
  lastBackupSetting,
  lastStartSetting,
  retentionDisabledSetting,
  retentionStateSetting,
} from '../../src/core/store/setting-names.ts';
import { unpackBody } from '../event-bodies.ts';
import { type ReadOnlyDb, readSchema } from './database-facts.ts';

/** Bodies that are checked, spread evenly over all. */
const sampled = 1_000;
const pageRows = 200;
const namedMax = 5;

interface BodyRow {
  readonly row: number;
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
}

const from = `SELECT event_row AS row, body, body_sha256 AS sha256 FROM event_bodies
  WHERE event_row >= $1 ORDER BY event_row LIMIT $2`;

const projectsMax = 200;
const keysMax = 200;
const sdksMax = 50;
/** Only the newest events that wait for source maps are read. */
const awaitingMax = 5_000;
const releasesMax = 5;

const postgresSettings = ['fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding'];

export async function readDatabaseFacts(
  db: ReadOnlyDb,
  nowMs: number,
  isFullCheck: boolean,
): Promise<Omit<DatabaseState, 'faults'>> {
  const { applied, missing, why } = await readSchema(db);
  const isUsable = missing.length === 0 && why === null;
  return {
    dbms: db.dbms,
    version: await versionOf(db),
    settings: await settingsOf(db),
    schema: { applied: applied.length, missing, reason: why },
    content: isUsable ? await contentOf(db, nowMs, isFullCheck) : null,
  };
}

async function versionOf(db: ReadOnlyDb): Promise<string> {
  const sql =
    db.dbms === 'sqlite'
      ? 'SELECT sqlite_version() AS version'
      : "SELECT current_setting('server_version') AS version";
  return (await db.get<{ version: string }>(sql))?.version ?? '';
}

async function settingsOf(db: ReadOnlyDb): Promise<Record<string, string>> {
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

async function contentOf(db: ReadOnlyDb, nowMs: number, isFullCheck: boolean): Promise<ContentFacts> {
  const newest = await db.get<{ at: number }>(
    'SELECT received_at_ms AS at FROM events ORDER BY id DESC LIMIT 1',
  );
  const lastStart = await settingOf(db, lastStartSetting);
  const projects = await db.all<{ id: number; name: string }>(
    'SELECT id, name FROM projects ORDER BY id LIMIT $1',
    [projectsMax],
  );
  const projectFacts: ProjectFacts[] = [];
  for (const { id, name } of projects) {
    projectFacts.push({
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
    bodies: await checkBodies(db, isFullCheck),
    lastStartAtMs: lastStart === null ? null : Number(lastStart),
    backupMadeAt: await settingOf(db, lastBackupSetting),
    retention: {
      state: await settingOf(db, retentionStateSetting),
      keepsAll: (await settingOf(db, retentionDisabledSetting)) !== null,
    },
    projects: projectFacts,
  };
}

async function settingOf(db: ReadOnlyDb, name: string): Promise<string | null> {
  const row = await db.get<{ value: string }>('SELECT value FROM meta WHERE name = $1', [name]);
  return row?.value ?? null;
}

function keysOf(db: ReadOnlyDb, projectId: number): Promise<KeyFacts[]> {
  return db.all(
    `SELECT id, kind, label, created_at_ms AS "createdAtMs", expires_at_ms AS "expiresAtMs",
       revoked_at_ms AS "revokedAtMs", last_used_at_ms AS "lastUsedAtMs"
     FROM project_keys WHERE project_id = $1 ORDER BY id DESC LIMIT $2`,
    [projectId, keysMax],
  );
}

async function sdksOf(db: ReadOnlyDb, projectId: number): Promise<ProjectFacts['sdks']> {
  return db.all(
    `SELECT sdk_name AS name, SUM(events) AS events, MAX(last_seen_ms) AS "lastSeenMs"
     FROM sdk_statistics WHERE project_id = $1 GROUP BY sdk_name ORDER BY MAX(last_seen_ms) DESC LIMIT $2`,
    [projectId, sdksMax],
  );
}

async function outcomesOf(db: ReadOnlyDb, projectId: number, nowMs: number): Promise<Record<string, number>> {
  const rows = await db.all<{ outcome: string; quantity: number }>(
    `SELECT outcome, SUM(quantity) AS quantity FROM outcomes WHERE project_id = $1 AND hour_ms > $2
     GROUP BY outcome`,
    [projectId, nowMs - dayMs],
  );
  return Object.fromEntries(rows.map(({ outcome, quantity }) => [outcome, Number(quantity)]));
}

async function awaitingOf(db: ReadOnlyDb, projectId: number): Promise<ProjectFacts['awaitingMaps']> {
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

/** Verifies a thousand of the stored bodies, or all of them. */
export async function checkBodies(db: ReadOnlyDb, isFullCheck: boolean): Promise<PayloadCheck> {
  const damaged: number[] = [];
  let checked = 0;
  for await (const { row, body, sha256 } of isFullCheck ? readAllBodies(db) : sampleBodies(db)) {
    checked += 1;
    if (!isIntact(body, sha256)) damaged.push(row);
  }
  const named: string[] = [];
  for (const row of damaged.slice(0, namedMax)) {
    const event = await db.get<{ event_id: string }>('SELECT event_id FROM events WHERE id = $1', [row]);
    named.push(event?.event_id ?? `row ${row}`);
  }
  return { checked, damaged: damaged.length, named };
}

async function* readAllBodies(db: ReadOnlyDb): AsyncGenerator<BodyRow> {
  for (let next = 0; ; ) {
    const page = await db.all<BodyRow>(from, [next, pageRows]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    next = Number(last.row) + 1;
  }
}

async function* sampleBodies(db: ReadOnlyDb): AsyncGenerator<BodyRow> {
  const range = await db.get<{ least: number | null; most: number | null }>(
    'SELECT MIN(event_row) AS least, MAX(event_row) AS most FROM event_bodies',
  );
  if (range === undefined || range.least === null) return;
  const [least, most] = [Number(range.least), Number(range.most)];
  const step = Math.max(1, (most - least) / (sampled - 1));
  let seen = -1;
  for (let at = least; at <= most; at += step) {
    const row = await db.get<BodyRow>(from, [Math.max(seen + 1, Math.floor(at)), 1]);
    if (row === undefined) return;
    seen = Number(row.row);
    yield row;
  }
}

function isIntact(body: Uint8Array, sha256: Uint8Array): boolean {
  try {
    unpackBody({ body: Buffer.from(body), sha256: Buffer.from(sha256) });
    return true;
  } catch {
    return false;
  }
}
