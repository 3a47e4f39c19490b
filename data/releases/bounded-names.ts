// Names that clients invent, release and environment: the first so many of a project have a place, the rest
// share one name. What has a place is remembered for a while, so that the usual event asks nothing.

import { badRequest } from '../../src/core/errors.ts';
import { foldedTexts } from '../../src/core/reading/fold-text.ts';
import { hourMs, minuteMs } from '../../src/core/reading/spans.ts';
import { otherName, type ProjectBounds } from '../../src/core/store/bounds.ts';
import type { Query } from '../db.ts';
import { blankRelease, environments, releases } from './rows.ts';

export type NameLimits = Pick<ProjectBounds, 'releasesMax' | 'environmentsMax'>;
type NameKind = 'releases' | 'environments';

/** What an event or a session says of where it comes from. */
interface Named {
  readonly release: string | null;
  readonly environment: string | null;
}

/** The names as they are to be counted, and what is to be remembered once the transaction is committed. */
export interface Admitted extends Named {
  readonly learned: readonly string[];
}

export interface NameRoom {
  /**
   * Answers each name, or `other` where it has no place and there is none left. Takes places in this
   * transaction. `learned` are names that were admitted in this transaction before.
   */
  admit(tx: Query, projectId: number, named: Named, nowMs: number, learned?: Set<string>): Promise<Admitted>;
  /** The names as they are to be counted where both are remembered or `learned`; null where one is not. */
  recall(projectId: number, named: Named, nowMs: number, learned: Set<string>): Named | null;
  /** Remembers what was admitted; to be called after the commit. */
  remember(admitted: Admitted): void;
  /** Makes a release anew that was deleted while it was remembered, where there is a place. */
  restoreRelease(tx: Query, projectId: number, version: string, nowMs: number): Promise<void>;
}

/** Names remembered in all, and how long: an environment's last sight is true to this. */
const rememberedMax = 50_000;
const rememberedMs = hourMs;
/** A project without places is asked again after this: some may have been freed. */
const fullMs = minuteMs;

/** Names that have a place, and projects without one, as far as they are remembered. */
function nameMemory() {
  const known = new Set<string>();
  const fullUntilMs = new Map<string, number>();
  let sinceMs = 0;
  return {
    known,
    fullUntilMs,
    /** Forgets what is old, `learned` with it. */
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

/** The memory of one store. */
export function nameRoom(limits: NameLimits): NameRoom {
  const { known, fullUntilMs, forgetOld, isKnown } = nameMemory();

  async function admitOne(
    tx: Query,
    asked: Asked & { readonly before: ReadonlySet<string> | undefined },
    learned: string[],
  ): Promise<string | null> {
    const { kind, projectId, name, nowMs, before } = asked;
    if (name === null || isKnown(kind, projectId, name, before ?? none)) return name;
    const key = keyOf(kind, projectId, name);
    if (!(await isThere(tx, kind, projectId, name, nowMs))) {
      const project = `${kind} ${projectId}`;
      if ((fullUntilMs.get(project) ?? 0) > nowMs) return otherName;
      if (!(await makeName(tx, limits, { ...asked, name }))) {
        fullUntilMs.set(project, nowMs + fullMs);
        return otherName;
      }
    }
    learned.push(key);
    return name;
  }

  return {
    async admit(tx, projectId, named, nowMs, before) {
      forgetOld(nowMs, before);
      const learned: string[] = [];
      // One order for everybody: two transactions that take places wait for each other and never in a circle.
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

/** No name, or the one that all share: neither takes a place. */
function isPlaceless(name: string): boolean {
  return name === '' || name === otherName;
}

function keyOf(kind: NameKind, projectId: number, name: string): string {
  return `${kind} ${projectId} ${name}`;
}

interface Asked {
  readonly kind: NameKind;
  readonly projectId: number;
  readonly name: string | null;
  readonly nowMs: number;
}

/** An environment notes that it was seen; a release has that noted by its event. */
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

/** True when the name has a place now, taken by us or by another at this very moment. */
async function makeName(tx: Query, limits: NameLimits, asked: Asked & { name: string }): Promise<boolean> {
  const { kind, projectId, name, nowMs } = asked;
  const placesMax = kind === 'releases' ? limits.releasesMax : limits.environmentsMax;
  // While we waited for the place, another may have made this very name.
  if (!(await takePlace(tx, kind, projectId, placesMax))) return isThere(tx, kind, projectId, name, nowMs);
  const made =
    kind === 'releases'
      ? await releases.insert(
          tx,
          { ...blankRelease(projectId, name, nowMs), folded: foldedTexts([name]) },
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

/** Takes one of a project's places; false when all `placesMax` are taken. */
async function takePlace(tx: Query, kind: NameKind, projectId: number, placesMax: number): Promise<boolean> {
  if (placesMax < 1) return false;
  const [releases, environments] = kind === 'releases' ? [1, 0] : [0, 1];
  const taken = await tx.get(
    `INSERT INTO project_bounds (project_id, releases, environments, unfinished_bytes) VALUES ($1, $2, $3, 0)
     ON CONFLICT (project_id) DO UPDATE SET ${kind} = project_bounds.${kind} + 1
     WHERE project_bounds.${kind} < $4 RETURNING project_id`,
    [projectId, releases, environments, placesMax],
  );
  return taken !== undefined;
}

/** Gives places back. */
export async function freePlaces(
  tx: Query,
  kind: NameKind,
  projectId: number,
  places: number,
): Promise<void> {
  await tx.run(`UPDATE project_bounds SET ${kind} = ${kind} - $2 WHERE project_id = $1`, [projectId, places]);
}

/**
 * Makes room for a release that a caller with the secret key names: a free place, else that of a release
 * which only events and sessions have named, the one not seen for longest. True when a place was taken, false
 * when the release is there already. @throws 400 when every place is held by a release that was created, or
 * that has deploys.
 */
export async function makeRoomForRelease(
  tx: Query,
  { releasesMax }: Pick<NameLimits, 'releasesMax'>,
  projectId: number,
  version: string,
): Promise<boolean> {
  if (await isThere(tx, 'releases', projectId, version, 0)) return false;
  if (await takePlace(tx, 'releases', projectId, releasesMax)) return true;
  // While we waited for the place, another may have made this very release.
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
  throw badRequest('notifier_too_many_releases', message, { limit: releasesMax });
}

/**
 * Gives an environment that a deploy names its place: a free one, else that of one which only clients have
 * named, the one not seen for longest. Where all are held by deploys nothing changes: the deploy keeps its
 * word, events count as `other`.
 */
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
