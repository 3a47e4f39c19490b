// What `doctor` is told of an installation before it judges: plain facts, gathered without changing anything.
import type { EpochMs } from '../reading/moments.ts';

/** What was found in the database. */
export interface DatabaseFacts {
  readonly dbms: 'sqlite' | 'postgres';
  readonly version: string;
  /** What the database itself says of how it keeps its word: `journal_mode`, `fsync` … */
  readonly settings: Readonly<Record<string, string>>;
  readonly schema: {
    readonly applied: number;
    readonly missing: readonly string[];
    /** Why it is none for this program, as a sentence; null where it is one. */
    readonly why: string | null;
  };
  /** What a check of the whole file complains of; null where it was not checked. */
  readonly faults: readonly string[] | null;
  /** Null where the schema is not ours to read. */
  readonly content: ContentFacts | null;
}

/** Bodies of events that were held against the hashes beside them. */
export interface BodyFacts {
  readonly checked: number;
  readonly damaged: number;
  /** Some of the damaged ones, by the ids of their events. */
  readonly named: readonly string[];
}

/** What the database holds. */
export interface ContentFacts {
  readonly newestEventAtMs: EpochMs | null;
  readonly bodies: BodyFacts;
  readonly lastStartAtMs: EpochMs | null;
  readonly backupMadeAt: string | null;
  readonly retention: {
    /** As the settings of the database have it; see core/retention/state.ts. */
    readonly state: string | null;
    readonly keepsAll: boolean;
  };
  readonly projects: readonly ProjectFacts[];
}

/** One project. */
export interface ProjectFacts {
  readonly id: number;
  readonly name: string;
  readonly keys: readonly KeyFacts[];
  /** Kits that sent an event or asked to be verified, the last seen first. */
  readonly sdks: ReadonlyArray<{
    readonly name: string;
    readonly events: number;
    readonly lastSeenMs: EpochMs;
  }>;
  /** What became of what was sent within a day, by outcome. */
  readonly outcomesOfDay: Readonly<Record<string, number>>;
  /** Releases whose newest stacks wait for maps, those with the most first. */
  readonly awaitingMaps: ReadonlyArray<{
    readonly release: string;
    readonly events: number;
    readonly artifacts: number;
  }>;
}

/** A key, as it may be shown. */
export interface KeyFacts {
  readonly id: number;
  readonly kind: 'public' | 'secret';
  readonly label: string;
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
  readonly revokedAtMs: EpochMs | null;
  readonly lastUsedAtMs: EpochMs | null;
}

/** A file or folder that the program uses. */
export interface PathFacts {
  readonly path: string;
  readonly bytes: number;
  /** The permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly modifiedAtMs: EpochMs;
}

/** Where a SQLite file lies. */
export interface FileFacts {
  readonly file: PathFacts | null;
  /** `-wal` and `-shm`, where they are. */
  readonly beside: readonly PathFacts[];
  readonly folder: PathFacts | null;
  /** Copies and parts that were left behind. */
  readonly leftovers: readonly PathFacts[];
  readonly disk: DiskFacts | null;
}

/** A file system. */
export interface DiskFacts {
  readonly path: string;
  readonly freeBytes: number;
  readonly allBytes: number;
  /** Null where it counts none. */
  readonly freeFilesShare: number | null;
  /** The kind of file system, as the system numbers them. */
  readonly type: number;
}

/** What was asked of the network: names, the port that is listened at, the public address. */
export interface NetworkFacts {
  /** Of BASE_URL; null where none is set. `failed` is the resolver's code. */
  readonly baseHost: {
    readonly host: string;
    readonly addresses: number;
    readonly failed: string | null;
  } | null;
  readonly resolvers: ReadonlyArray<{ readonly server: string; readonly failed: string | null }>;
  /** Why Redis does not count limits; null where it does, or none is named. */
  readonly redisFault: string | null;
  /** Whether HOST is an address of this machine. */
  readonly hostIsHere: boolean;
  /** Whether a server answers at HOST and PORT, and whether it is one of ours. */
  readonly local: Answer;
  /** The same at BASE_URL, through whatever stands in front; null where none is set. */
  readonly public: Answer | null;
}

/** How an address answered when it was asked for the API's index. */
export interface Answer {
  readonly address: string;
  readonly isOurs: boolean;
  /** The status, or why nothing came. */
  readonly said: string;
  /** By the clock of who answered. */
  readonly dateMs: EpochMs | null;
}
