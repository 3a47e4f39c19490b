// How many bytes a project may send before it exceeds its quota. At half of it, ingestion requests a run.
import type { Deps } from '../deps.ts';
import { askedSetting, heldBytesSetting } from '../store/storage/setting-names.ts';

/** Share by which the quota may be exceeded until retention has caught up. */
const spareShare = 1 / 16;
/** The count is a 32-bit value in memory shared by threads. */
const roomBytesMax = 4_000_000_000;
const keptMs = 5_000;

export interface ProjectRoom {
  /** Time of the run; counting starts again after each. */
  readonly roundMs: number;
  readonly bytes: number;
}

export interface ProjectRooms {
  /** Null without an enforced quota. */
  of(projectId: number): Promise<ProjectRoom | null> | ProjectRoom | null;
  /** Requests a retention run, once after each. */
  askForRound(): void;
}

/** Bytes stored by each project, from the last retention run. */
interface HeldBytes {
  readonly roundMs: number;
  readonly projects: Readonly<Record<string, number>>;
}

export function heldBytesText(held: HeldBytes | null): string {
  return held === null ? '' : JSON.stringify(held);
}

type Parts = Pick<Deps, 'store' | 'now' | 'config' | 'log'>;

export function createProjectRooms({ store, now, config, log }: Parts): ProjectRooms | null {
  const quota = config.retention.bytes;
  if (quota === 0) return null;
  const spare = Math.ceil(quota * spareShare);
  let held: HeldBytes | null = null;
  let readMs: number | null = null;
  let reading: Promise<void> | null = null;
  let askedMs: number | null = null;
  async function read(): Promise<void> {
    try {
      held = parseHeld(await store.findSetting(heldBytesSetting));
    } catch (error) {
      log.warn({ error: String(error) }, 'the storage used by projects could not be read');
    }
    reading = null;
  }
  const roomOf = (projectId: number): ProjectRoom | null => {
    if (held === null) return null;
    const left = Math.max(0, quota - (held.projects[projectId] ?? 0)) + spare;
    return { roundMs: held.roundMs, bytes: Math.min(roomBytesMax, Math.max(1, left)) };
  };
  return {
    of(projectId) {
      const nowMs = now();
      const isFirst = readMs === null;
      if (readMs === null || Math.abs(nowMs - readMs) >= keptMs) {
        readMs = nowMs;
        reading ??= read();
      }
      return isFirst && reading !== null ? reading.then(() => roomOf(projectId)) : roomOf(projectId);
    },
    askForRound() {
      if (held === null || askedMs === held.roundMs) return;
      askedMs = held.roundMs;
      store.setSetting(askedSetting, String(askedMs)).catch(() => {
        askedMs = null;
      });
    },
  };
}

export async function isRoundAsked(store: Pick<Deps['store'], 'findSetting'>): Promise<boolean> {
  const asked = await store.findSetting(askedSetting);
  if (asked === null) return false;
  return parseHeld(await store.findSetting(heldBytesSetting))?.roundMs === Number(asked);
}

function parseHeld(text: string | null): HeldBytes | null {
  if (text === null || text === '') return null;
  try {
    const held = JSON.parse(text) as HeldBytes | null;
    return typeof held?.roundMs === 'number' && typeof held.projects === 'object' ? held : null;
  } catch {
    return null;
  }
}
