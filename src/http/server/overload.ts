// The ladder of overload: how much is turned away by how much there is to do. It reads what it is handed and
// decides; who reads the machine is src/program/sight/pressure.ts's affair, who asks is the app's.
import { overloaded, type RestError, unavailable } from '../../core/errors.ts';

/** How the process stands. Shares are of what may be, 0 to 1. */
export interface Pressure {
  /** How late the event loop turned, the 99th of a hundred, over some five seconds. */
  readonly loopDelayP99Ms: number;
  /** Memory of the process. */
  readonly memoryShare: number;
  /** Writes that wait. */
  readonly queueShare: number;
  /** Null where it cannot be known. */
  readonly diskFreeBytes: number | null;
}

/**
 * 0 all is served; 1 each answer closes its connection; 2 events and bug reports of public keys are turned
 * away; 3 everything but what tells how the server is.
 */
export type OverloadLevel = 0 | 1 | 2 | 3;

export interface Overload {
  level(): OverloadLevel;
  /** Reads how things stand; to be called every `lookMs`. */
  look(): void;
  /** Why a request is not served now; null where it is. Costs nothing while all is well. */
  refusal(asked: { readonly isIngestion: boolean; readonly writes: boolean }): RestError | null;
}

export interface OverloadParts {
  readonly pressure: () => Pressure;
  /** Left free on the disk, so that what makes room can work: with less nothing is taken. 0: not watched. */
  readonly diskReserveBytes: number;
  /** Told when the level changes. */
  readonly told: (level: OverloadLevel, pressure: Pressure) => void;
  /** Where several threads answer: all stand as high as the highest of them. Absent: this one alone does. */
  readonly standing?: Standing | undefined;
}

/** How high threads stand. */
export interface Standing {
  /** Says how high this thread does. */
  say(own: Stand): void;
  /** Of all threads, this one with them. */
  highest(): Stand;
}

interface Stand {
  readonly loaded: OverloadLevel;
  readonly isDiskLow: boolean;
}

export const lookMs = 500;
/** It goes up at once, and down when it has been lower for so many looks: two seconds. */
const calmLooks = 4;

/** From when on each level holds; over any of them is enough. */
const steps: ReadonlyArray<{ level: 1 | 2 | 3; loopMs: number; memory: number; queue: number }> = [
  { level: 3, loopMs: Number.POSITIVE_INFINITY, memory: 0.95, queue: Number.POSITIVE_INFINITY },
  { level: 2, loopMs: 250, memory: 0.85, queue: 0.9 },
  { level: 1, loopMs: 100, memory: 0.7, queue: 0.5 },
];

/** A ladder at level 0. */
export function createOverload(parts: OverloadParts): Overload {
  const { pressure, diskReserveBytes, told, standing } = parts;
  let loaded: OverloadLevel = 0;
  let isDiskLow = false;
  let calm = 0;
  /** The highest of the looks since it was last as high as now. */
  let lately: OverloadLevel = 0;
  const stand = (): Stand => standing?.highest() ?? { loaded, isDiskLow };
  const levelAt = (at: Stand): OverloadLevel => (at.isDiskLow ? 3 : at.loaded);
  const level = (): OverloadLevel => levelAt(stand());
  /** Of this thread: each tells its own steps. */
  const ownLevel = (): OverloadLevel => levelAt({ loaded, isDiskLow });
  return {
    level,
    look() {
      const before = ownLevel();
      const read = pressure();
      const now = levelOf(read);
      if (now >= loaded) {
        loaded = now;
        [calm, lately] = [0, 0];
      } else {
        calm += 1;
        lately = now > lately ? now : lately;
        if (calm >= calmLooks) {
          loaded = lately;
          [calm, lately] = [0, 0];
        }
      }
      isDiskLow = read.diskFreeBytes !== null && read.diskFreeBytes < diskReserveBytes;
      standing?.say({ loaded, isDiskLow });
      if (ownLevel() !== before) told(ownLevel(), read);
    },
    refusal({ isIngestion, writes }) {
      const now = stand();
      if (now.isDiskLow && writes) return unavailable();
      if (now.loaded === 3 || (now.loaded === 2 && isIngestion)) return overloaded();
      return null;
    },
  };
}

function levelOf({ loopDelayP99Ms, memoryShare, queueShare }: Pressure): OverloadLevel {
  const found = steps.find(
    ({ loopMs, memory, queue }) => loopDelayP99Ms > loopMs || memoryShare > memory || queueShare > queue,
  );
  return found?.level ?? 0;
}
