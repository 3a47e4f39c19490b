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
  /** Answers each name, or `other` where no place is left. `learned`: names admitted earlier in this transaction. */
  admit(tx: Query, projectId: number, named: Named, nowMs: number, learned?: Set<string>): Promise<Admitted>;
  /** From the cache or `learned`; null where one is unknown. */
  recall(projectId: number, named: Named, nowMs: number, learned: Set<string>): Named | null;
  /** Call it after the commit. */
  remember(admitted: Admitted): void;
  restoreRelease(tx: Query, projectId: number, version: string, nowMs: number): Promise<void>;
}

/** Cached names, and for how long: last_seen_ms of environments is exact to this. */
const rememberedMax = 50_000;
const rememberedMs = hourMs;
/** A full project is checked again after this. */
const fullMs = minuteMs;

function nameMemory() {
  const known = new Set<string>();
  const fullUntilMs = new Map<string, number>();
  let sinceMs = 0;
  return {
    known,
    fullUntilMs,
    /** Drops expired names, from `learned` too. */
    forgetOld(nowMs: number, learned: Set<string> | undefined): void {
      if (known.size < rememberedMax && Math.abs(nowMs - sinceMs) < rememberedMs) return;
      known.clear();
      learned?.clear();
      fullUntilMs.clear();
      sinceMs = nowMs;
    },
    isKnown(kind: NameKind, projectId: number, name: string | null, learned: ReadonlySet<string>): boolean {
      if (name === null || isPlaceless(name)) return true;
      const key = keyOf(kind, projectId, name);
      return known.has(key) || learned.has(key);
    },
  };
}

const none: ReadonlySet<string> = new Set();

export function createNameCache(limits: NameLimits): NameCache {
  const { known, fullUntilMs, forgetOld, isKnown } = nameMemory();

  async function admitOne(
    tx: Query,
    wanted: NameRequest & { readonly before: ReadonlySet<string> | undefined },
    learned: string[],
  ): Promise<string | null> {
    const { kind, projectId, name, nowMs, before } = wanted;
    if (name === null || isKnown(kind, projectId, name, before ?? none)) return name;
    const key = keyOf(kind, projectId, name);
    if (!(await isThere(tx, kind, projectId, name, nowMs))) {
      const project = `${kind} ${projectId}`;
      if ((fullUntilMs.get(project) ?? 0) > nowMs) return overLimitName;
      if (!(await makeName(tx, limits, { ...wanted, name }))) {
        fullUntilMs.set(project, nowMs + fullMs);
        return overLimitName;
      }
    }
    learned.push(key);
    return name;
  }

  return {
    async admit(tx, projectId, named, nowMs, before) {
      forgetOld(nowMs, before);
      const learned: string[] = [];
      // Release first, then environment: two transactions that take places cannot deadlock.
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
    recall(projectId, { release, environment }, nowMs, learned) {
      forgetOld(nowMs, learned);
      const isHere = isKnown('releases', projectId, release, learned);
      return isHere && isKnown('environments', projectId, environment, learned)
        ? { release, environment }
        : null;
    },
    remember(admitted) {
      for (const key of admitted.learned) known.add(key);
    },
    async restoreRelease(tx, projectId, version, nowMs) {
      await makeName(tx, limits, { kind: 'releases', projectId, name: version, nowMs });
    },
  };
}

function isPlaceless(name: string): boolean {
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
async function isThere(
  tx: Query,
  kind: NameKind,
  projectId: number,
  name: string,
  nowMs: number,
): Promise<boolean> {
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
async function makeName(
  tx: Query,
  limits: NameLimits,
  wanted: NameRequest & { name: string },
): Promise<boolean> {
  const { kind, projectId, name, nowMs } = wanted;
  const placesMax = kind === 'releases' ? limits.releasesMax : limits.environmentsMax;
  // Another transaction may have made this name while this one waited.
  if (!(await takePlace(tx, kind, projectId, placesMax))) return isThere(tx, kind, projectId, name, nowMs);
  const made =
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
  if (made === 0) await freePlaces(tx, kind, projectId, 1);
  return true;
}

async function takePlace(tx: Query, kind: NameKind, projectId: number, placesMax: number): Promise<boolean> {
  if (placesMax < 1) return false;
  const [releases, environments] = kind === 'releases' ? [1, 0] : [0, 1];
  const taken = await tx.get(
    `INSERT INTO project_usage (project_id, releases, environments, unfinished_bytes) VALUES ($1, $2, $3, 0)
     ON CONFLICT (project_id) DO UPDATE SET ${kind} = project_usage.${kind} + 1
     WHERE project_usage.${kind} < $4 RETURNING project_id`,
    [projectId, releases, environments, placesMax],
  );
  return taken !== undefined;
}

export async function freePlaces(
  tx: Query,
  kind: NameKind,
  projectId: number,
  places: number,
): Promise<void> {
  await tx.run(`UPDATE project_usage SET ${kind} = ${kind} - $2 WHERE project_id = $1`, [projectId, places]);
}

/** Takes a free place, else that of the release not seen for longest that only events named. False when the release
 * exists. @throws 400 when all places belong to releases that are registered or have deploys. */
export async function makeRoomForRelease(
  tx: Query,
  { releasesMax }: Pick<NameLimits, 'releasesMax'>,
  projectId: number,
  version: string,
): Promise<boolean> {
  if (await isThere(tx, 'releases', projectId, version, 0)) return false;
  if (await takePlace(tx, 'releases', projectId, releasesMax)) return true;
  if (await isThere(tx, 'releases', projectId, version, 0)) return false;
  const given = await tx.run(
    `DELETE FROM releases WHERE id = (
       SELECT id FROM releases WHERE project_id = $1 AND registered_at_ms IS NULL
         AND NOT EXISTS (SELECT 1 FROM deploys WHERE deploys.release_id = releases.id)
       ORDER BY COALESCE(last_event_at_ms, created_at_ms), id LIMIT 1)`,
    [projectId],
  );
  if (given.changes > 0) return true;
  const message = `A project has at most ${releasesMax} releases. Delete some that are no longer needed.`;
  throw createBadRequestError('notifier_too_many_releases', message, { limit: releasesMax });
}

/** Takes a free place, else that of the environment not seen for longest that only clients named. Where deploys hold
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
  if (!(await takePlace(tx, 'environments', projectId, environmentsMax))) {
    const given = await tx.run(
      `DELETE FROM environments WHERE project_id = $1 AND name = (
         SELECT name FROM environments WHERE project_id = $1 AND declared = 0 ORDER BY last_seen_ms, name LIMIT 1)`,
      [projectId],
    );
    if (given.changes === 0) return;
  }
  const made = await environments.insert(
    tx,
    { projectId, name, declared: true, firstSeenMs: nowMs, lastSeenMs: nowMs },
    { onConflict: 'DO NOTHING' },
  );
  if (made === 0) await freePlaces(tx, 'environments', projectId, 1);
}
