// Clients choose names: beyond a limit they count as `other`. A cache saves the usual event its query.

import { createBadRequestError } from '../../src/core/errors.ts';
import { hourMs, minuteMs } from '../../src/core/parsing/durations.ts';
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import { overLimitName, type ProjectLimits } from '../../src/core/store/projects.ts';
import type { Query } from '../db.ts';
import { blankRelease, environments, releases } from './rows.ts';

export type NameLimits = Pick<ProjectLimits, 'releasesMax' | 'environmentsMax'>;
type NameKind = 'releases' | 'environments';

interface Named {
  readonly release: string | null;
  readonly environment: string | null;
}

/** `learned`: to be remembered after the commit. */
export interface Admitted extends Named {
  readonly learned: readonly string[];
}

export interface NameCache {
  /** Returns each name, or `other` where the limit is reached. `learned`: names admitted earlier in this transaction. */
  admit(tx: Query, projectId: number, named: Named, nowMs: number, learned?: Set<string>): Promise<Admitted>;
  /** From the cache or `learned`; null where one is unknown. */
  get(projectId: number, named: Named, nowMs: number, learned: Set<string>): Named | null;
  /** Call it after the commit. */
  add(admitted: Admitted): void;
  restoreRelease(tx: Query, projectId: number, version: string, nowMs: number): Promise<void>;
}

/** Cached names, and for how long: last_seen_ms of environments is exact to this. */
const cachedMax = 50_000;
const cacheMs = hourMs;
/** A full project is checked again after this. */
const fullRecheckMs = minuteMs;

function createNameMemory() {
  const known = new Set<string>();
  const fullUntilMs = new Map<string, number>();
  let sinceMs = 0;
  return {
    known,
    fullUntilMs,
    /** Drops expired names, from `learned` too. */
    evictExpired(nowMs: number, learned: Set<string> | undefined): void {
      if (known.size < cachedMax && Math.abs(nowMs - sinceMs) < cacheMs) return;
      known.clear();
      learned?.clear();
      fullUntilMs.clear();
      sinceMs = nowMs;
    },
    isKnown(kind: NameKind, projectId: number, name: string | null, learned: ReadonlySet<string>): boolean {
      if (name === null || isAlwaysAdmitted(name)) return true;
      const key = keyOf(kind, projectId, name);
      return known.has(key) || learned.has(key);
    },
  };
}

const emptySet: ReadonlySet<string> = new Set();

export function createNameCache(limits: NameLimits): NameCache {
  const { known, fullUntilMs, evictExpired, isKnown } = createNameMemory();

  async function admitOne(
    tx: Query,
    request: NameRequest & { readonly before: ReadonlySet<string> | undefined },
    learned: string[],
  ): Promise<string | null> {
    const { kind, projectId, name, nowMs, before } = request;
    if (name === null || isKnown(kind, projectId, name, before ?? emptySet)) return name;
    const key = keyOf(kind, projectId, name);
    if (!(await nameExists(tx, kind, projectId, name, nowMs))) {
      const project = `${kind} ${projectId}`;
      if ((fullUntilMs.get(project) ?? 0) > nowMs) return overLimitName;
      if (!(await makeName(tx, limits, { ...request, name }))) {
        fullUntilMs.set(project, nowMs + fullRecheckMs);
        return overLimitName;
      }
    }
    learned.push(key);
    return name;
  }

  return {
    async admit(tx, projectId, named, nowMs, before) {
      evictExpired(nowMs, before);
      const learned: string[] = [];
      // Release first, then environment: two transactions that reserve names cannot deadlock.
      const release = await admitOne(
        tx,
        { kind: 'releases', projectId, name: named.release, nowMs, before },
        learned,
      );
      const environment = await admitOne(
        tx,
        { kind: 'environments', projectId, name: named.environment, nowMs, before },
        learned,
      );
      return { release, environment, learned };
    },
    get(projectId, { release, environment }, nowMs, learned) {
      evictExpired(nowMs, learned);
      const isReleaseKnown = isKnown('releases', projectId, release, learned);
      return isReleaseKnown && isKnown('environments', projectId, environment, learned)
        ? { release, environment }
        : null;
    },
    add(admitted) {
      for (const key of admitted.learned) known.add(key);
    },
    async restoreRelease(tx, projectId, version, nowMs) {
      await makeName(tx, limits, { kind: 'releases', projectId, name: version, nowMs });
    },
  };
}

function isAlwaysAdmitted(name: string): boolean {
  return name === '' || name === overLimitName;
}

function keyOf(kind: NameKind, projectId: number, name: string): string {
  return `${kind} ${projectId} ${name}`;
}

interface NameRequest {
  readonly kind: NameKind;
  readonly projectId: number;
  readonly name: string | null;
  readonly nowMs: number;
}

/** For an environment it also updates last_seen_ms; for releases events do. */
async function nameExists(tx: Query, kind: NameKind, projectId: number, name: string, nowMs: number) {
  if (kind === 'environments') {
    const seen = await tx.run(
      'UPDATE environments SET last_seen_ms = $3 WHERE project_id = $1 AND name = $2',
      [projectId, name, nowMs],
    );
    return seen.changes > 0;
  }
  const sql = 'SELECT 1 AS there FROM releases WHERE project_id = $1 AND version = $2';
  return (await tx.get(sql, [projectId, name])) !== undefined;
}

/** True when the name exists now. */
async function makeName(tx: Query, limits: NameLimits, request: NameRequest & { name: string }) {
  const { kind, projectId, name, nowMs } = request;
  const namesMax = kind === 'releases' ? limits.releasesMax : limits.environmentsMax;
  // Another transaction may have made this name while this one waited.
  if (!(await reserveName(tx, kind, projectId, namesMax)))
    return nameExists(tx, kind, projectId, name, nowMs);
  const inserted =
    kind === 'releases'
      ? await releases.insert(
          tx,
          { ...blankRelease(projectId, name, nowMs), searchText: foldSearchTexts([name]) },
          { onConflict: 'DO NOTHING' },
        )
      : await environments.insert(
          tx,
          { projectId, name, declared: false, firstSeenMs: nowMs, lastSeenMs: nowMs },
          { onConflict: 'DO NOTHING' },
        );
  if (inserted === 0) await freeNames(tx, kind, projectId, 1);
  return true;
}

async function reserveName(tx: Query, kind: NameKind, projectId: number, namesMax: number): Promise<boolean> {
  if (namesMax < 1) return false;
  const [releases, environments] = kind === 'releases' ? [1, 0] : [0, 1];
  const reserved = await tx.get(
    `INSERT INTO project_usage (project_id, releases, environments, unfinished_bytes) VALUES ($1, $2, $3, 0)
     ON CONFLICT (project_id) DO UPDATE SET ${kind} = project_usage.${kind} + 1
     WHERE project_usage.${kind} < $4 RETURNING project_id`,
    [projectId, releases, environments, namesMax],
  );
  return reserved !== undefined;
}

export async function freeNames(tx: Query, kind: NameKind, projectId: number, count: number): Promise<void> {
  await tx.run(`UPDATE project_usage SET ${kind} = ${kind} - $2 WHERE project_id = $1`, [projectId, count]);
}

/** Reserves a name, else takes that of the release not seen for longest that only events named. False when the release
 * exists. @throws 400 when all names belong to releases that are registered or have deploys. */
export async function ensureReleaseCapacity(
  tx: Query,
  { releasesMax }: Pick<NameLimits, 'releasesMax'>,
  projectId: number,
  version: string,
): Promise<boolean> {
  if (await nameExists(tx, 'releases', projectId, version, 0)) return false;
  if (await reserveName(tx, 'releases', projectId, releasesMax)) return true;
  if (await nameExists(tx, 'releases', projectId, version, 0)) return false;
  const deleted = await tx.run(
    `DELETE FROM releases WHERE id = (
       SELECT id FROM releases WHERE project_id = $1 AND registered_at_ms IS NULL
         AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.release_id = releases.id)
       ORDER BY COALESCE(last_event_at_ms, created_at_ms), id LIMIT 1)`,
    [projectId],
  );
  if (deleted.changes > 0) return true;
  const message = `A project has at most ${releasesMax} releases. Delete some that are no longer needed.`;
  throw createBadRequestError('notifier_too_many_releases', message, { limit: releasesMax });
}

/** Reserves a name, else takes that of the environment not seen for longest that only clients named. Where deploys hold
 * all, nothing changes: the deploy keeps its name, events count as `other`. */
export async function declareEnvironment(
  tx: Query,
  { environmentsMax }: Pick<NameLimits, 'environmentsMax'>,
  projectId: number,
  name: string,
  nowMs: number,
): Promise<void> {
  const known = await tx.run(
    'UPDATE environments SET declared = 1, last_seen_ms = $3 WHERE project_id = $1 AND name = $2',
    [projectId, name, nowMs],
  );
  if (known.changes > 0) return;
  if (!(await reserveName(tx, 'environments', projectId, environmentsMax))) {
    const deleted = await tx.run(
      `DELETE FROM environments WHERE project_id = $1 AND name = (
         SELECT name FROM environments WHERE project_id = $1 AND declared = 0 ORDER BY last_seen_ms, name LIMIT 1)`,
      [projectId],
    );
    if (deleted.changes === 0) return;
  }
  const inserted = await environments.insert(
    tx,
    { projectId, name, declared: true, firstSeenMs: nowMs, lastSeenMs: nowMs },
    { onConflict: 'DO NOTHING' },
  );
  if (inserted === 0) await freeNames(tx, 'environments', projectId, 1);
}
