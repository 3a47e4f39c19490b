// How much a project may still be sent before it is over its quota of bytes, as the last round of
// retention found it. Admission charges what comes against it; where half of it is used, a round is asked for
// before its time.
import type { Deps } from '../deps.ts';
import { askedSetting, heldBytesSetting } from '../store/storage/setting-names.ts';

/** Of the quota: what may come on top of it until retention has removed as much. */
const spareShare = 1 / 16;
/** A charge is a word of memory that threads share; by then a round was asked for. */
const roomBytesMax = 4_000_000_000;
const keptMs = 5_000;

/** What one round left of a project's quota. */
export interface ProjectRoom {
  /** Tells the rounds apart: after each one charging begins anew. */
  readonly roundMs: number;
  /** At least 1. */
  readonly bytes: number;
}

export interface ProjectRooms {
  /** The room of a project; null where nothing is enforced. */
  of(projectId: number): Promise<ProjectRoom | null> | ProjectRoom | null;
  /** Asks for a round of retention, once after each. */
  askForRound(): void;
}

/** What projects hold, as a round of retention left it. */
interface HeldBytes {
  readonly roundMs: number;
  readonly projects: Readonly<Record<string, number>>;
}

/** As a round writes it; nothing where none is enforced, because retention may not remove. */
export function heldBytesText(held: HeldBytes | null): string {
  return held === null ? '' : JSON.stringify(held);
}

type Parts = Pick<Deps, 'store' | 'now' | 'config' | 'log'>;

/** The rooms of all projects; null where there is no quota of bytes. */
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
      // Whoever comes meanwhile goes by what was read before.
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

/** Whether a round was asked for since the last one. */
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
