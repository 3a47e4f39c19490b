// The ladder of overload: how much is turned away by how much there is to do. It reads what it is handed and
// decides; who reads the machine is src/program/sight/pressure.ts's affair, who asks is the app's.
import { overloaded, type RestError, unavailable } from '../../core/errors.ts';
import { localSum, type Sum } from '../../core/shared/sum.ts';

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
 * 0 all is served; 1 answers close their connections, those of events apart; 2 of events and bug reports of
 * public keys few are served at once and the rest is turned away; 3 everything is, but what tells how the
 * server is.
 */
export type OverloadLevel = 0 | 1 | 2 | 3;

export interface Overload {
  level(): OverloadLevel;
  /** Reads how things stand; to be called every `lookMs`. */
  look(): void;
  /** Why a request is not served now; null where it is. Costs nothing while all is well. */
  refusal(asked: Asked): RestError | null;
  /**
   * Counts a body that is about to be written against what the disk had free when it was looked at. The
   * refusal where it would reach into the reserve; then it is not counted.
   */
  admitBytes(bytes: number): RestError | null;
}

interface Asked {
  readonly isIngestion: boolean;
  /** Whether something is to be kept: what removes makes room. */
  readonly writes: boolean;
  /** Of those that bring events or bug reports of public keys, and are large or small as this one is. */
  readonly underWay: number;
  readonly isLarge: boolean;
}

export interface OverloadParts {
  readonly pressure: () => Pressure;
  /** Left free on the disk, so that what makes room can work: with less nothing is taken. 0: not watched. */
  readonly diskReserveBytes: number;
  /** Told when the level changes. */
  readonly told: (level: OverloadLevel, pressure: Pressure) => void;
  /** Where several threads answer: all stand as high as the highest of them. Absent: this one alone does. */
  readonly standing?: Standing | undefined;
  /** Kibibytes that were admitted to the disk, of all threads. Absent: of this one alone. */
  readonly admitted?: Sum | undefined;
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
/** What was admitted since so many looks may not be on the disk that was looked at: two seconds. */
const unwrittenLooks = 4;
/** SQLite writes each page to its log and then to its file. */
const copiesWritten = 2;
/** Rows and pages of indexes of a body, however small it is. */
const bytesBesideBody = 4096;
/** It goes up at once, and down when it has been lower for so many looks: two seconds. */
const calmLooks = 4;

/** How many small and large bodies of public keys are answered at once. */
interface Places {
  readonly small: number;
  readonly large: number;
}

/**
 * As long as all is well; one more, and it is level 2. What these take together are some tenths of a second
 * of a small machine, which is the wait of who comes last.
 */
const placesMax: Places = { small: 256, large: 32 };
/**
 * And at level 2: enough to keep threads and disk busy, few enough that those who have one are answered soon.
 * How long the others wait to be told is not theirs to say: that is a turn of the loop (D-228).
 */
const placesMaxLoaded: Places = { small: 64, large: 1 };
/** Where memory or the queue of writes is what lacks. */
const noPlaces: Places = { small: 0, large: 0 };

/** From when on each level holds; over any of them is enough. */
const steps: ReadonlyArray<{ level: 1 | 2 | 3; loopMs: number; memory: number; queue: number }> = [
  { level: 3, loopMs: Number.POSITIVE_INFINITY, memory: 0.95, queue: Number.POSITIVE_INFINITY },
  { level: 2, loopMs: 250, memory: 0.85, queue: 0.9 },
  { level: 1, loopMs: 100, memory: 0.7, queue: 0.5 },
];

/** A ladder at level 0. */
export function createOverload(parts: OverloadParts): Overload {
  const { pressure, diskReserveBytes, told, standing } = parts;
  const load = createSlope();
  const disk = createDiskRoom(diskReserveBytes, parts.admitted);
  let isDiskLow = false;
  let places = placesMaxLoaded;
  /** Whether somebody found no place since the last look: more comes than is served. */
  let isCrowded = false;
  const own = (): Stand => ({ loaded: load.level(), isDiskLow });
  const stand = (): Stand => standing?.highest() ?? own();
  const look = (): void => {
    const before = levelAt(own());
    const read = pressure();
    load.now(isCrowded ? atLeast(2, levelOf(read)) : levelOf(read));
    isCrowded = false;
    places = levelOf({ ...read, loopDelayP99Ms: 0 }) < 2 ? placesMaxLoaded : noPlaces;
    disk.looked(read.diskFreeBytes);
    isDiskLow = disk.isLow(0);
    standing?.say(own());
    // Of this thread: each tells its own steps.
    const level = levelAt(own());
    if (level !== before) told(level, read);
  };
  return {
    level: () => levelAt(stand()),
    look,
    refusal({ isIngestion, writes, underWay, isLarge }) {
      const now = stand();
      if (writes && (now.isDiskLow || disk.isLow(0))) return unavailable();
      if (now.loaded === 3) return later();
      const { small, large } = now.loaded === 2 ? places : placesMax;
      if (!isIngestion || underWay < (isLarge ? large : small)) return null;
      isCrowded = true;
      // At once, and not when it is looked at next: more than there are places for comes within a turn.
      if (now.loaded < 2) look();
      return later();
    },
    admitBytes(bytes) {
      const written = copiesWritten * bytes + bytesBesideBody;
      if (disk.isLow(written)) return unavailable();
      disk.take(written);
      return null;
    },
  };
}

/** What the disk has free, less what was admitted since and may not be written yet. */
function createDiskRoom(reserveBytes: number, admitted: Sum = localSum()) {
  let free: number | null = null;
  /** What was admitted in all at each of the last looks. */
  const marks = [admitted.value()];
  // In shared memory it is a word that begins anew.
  const unwritten = (): number => 1024 * ((admitted.value() - (marks[0] ?? 0)) | 0);
  return {
    looked(freeBytes: number | null): void {
      free = freeBytes;
      marks.push(admitted.value());
      if (marks.length > unwrittenLooks) marks.shift();
    },
    isLow: (more: number): boolean => free !== null && free - unwritten() - more < reserveBytes,
    take: (bytes: number): void => void admitted.add(Math.ceil(bytes / 1024)),
  };
}

function levelAt({ loaded, isDiskLow }: Stand): OverloadLevel {
  return isDiskLow ? 3 : loaded;
}

interface Slope {
  level(): OverloadLevel;
  /** Says how high it is just now. */
  now(level: OverloadLevel): void;
}

/** Up at once, down when it has been lower for some looks. */
function createSlope(): Slope {
  let loaded: OverloadLevel = 0;
  let calm = 0;
  /** The highest of the looks since it was last as high as now. */
  let lately: OverloadLevel = 0;
  const settle = (level: OverloadLevel): void => {
    loaded = level;
    [calm, lately] = [0, 0];
  };
  return {
    level: () => loaded,
    now(level) {
      if (level >= loaded) return settle(level);
      calm += 1;
      lately = atLeast(level, lately);
      if (calm >= calmLooks) settle(lately);
    },
  };
}

/**
 * Made once: an error that is made anew looks at where it is made, which is a good part of what it costs to
 * turn somebody away.
 */
const refusals = Array.from({ length: 32 }, (_, index) => overloaded(() => index / 32));

function later(): RestError {
  return refusals[Math.floor(Math.random() * refusals.length)] as RestError;
}

function atLeast(one: OverloadLevel, other: OverloadLevel): OverloadLevel {
  return one > other ? one : other;
}

function levelOf({ loopDelayP99Ms, memoryShare, queueShare }: Pressure): OverloadLevel {
  const found = steps.find(
    ({ loopMs, memory, queue }) => loopDelayP99Ms > loopMs || memoryShare > memory || queueShare > queue,
  );
  return found?.level ?? 0;
}
