// Input of `doctor`, collected without changing anything.
import type { EpochMs } from '../parsing/timestamps.ts';

export interface DatabaseState {
  readonly dbms: 'sqlite' | 'postgres';
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly schema: {
    readonly applied: number;
    readonly missing: readonly string[];
    /** Why the program cannot use this schema; null if it can. */
    readonly reason: string | null;
  };
  /** Result of a full check; null if it was not done. */
  readonly faults: readonly string[] | null;
  /** Null if the schema cannot be read. */
  readonly content: ContentFacts | null;
}

export interface PayloadCheck {
  readonly checked: number;
  readonly damaged: number;
  readonly named: readonly string[];
}

export interface ContentFacts {
  readonly newestEventAtMs: EpochMs | null;
  readonly bodies: PayloadCheck;
  readonly lastStartAtMs: EpochMs | null;
  readonly backupMadeAt: string | null;
  readonly retention: {
    readonly state: string | null;
    readonly keepsAll: boolean;
  };
  readonly projects: readonly ProjectFacts[];
}

export interface ProjectFacts {
  readonly id: number;
  readonly name: string;
  readonly keys: readonly KeyFacts[];
  readonly sdks: ReadonlyArray<{
    readonly name: string;
    readonly events: number;
    readonly lastSeenMs: EpochMs;
  }>;
  readonly outcomesOfDay: Readonly<Record<string, number>>;
  readonly awaitingMaps: ReadonlyArray<{
    readonly release: string;
    readonly events: number;
    readonly artifacts: number;
  }>;
}

export interface KeyFacts {
  readonly id: number;
  readonly kind: 'public' | 'secret';
  readonly label: string;
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
  readonly revokedAtMs: EpochMs | null;
  readonly lastUsedAtMs: EpochMs | null;
}

export interface FileInfo {
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly uid: number;
  readonly modifiedAtMs: EpochMs;
}

export interface DatabaseFiles {
  readonly file: FileInfo | null;
  readonly sidecarFiles: readonly FileInfo[];
  readonly folder: FileInfo | null;
  /** Copies made by upgrades, and unfinished backups. */
  readonly leftovers: readonly FileInfo[];
  readonly disk: DiskInfo | null;
}

export interface DiskInfo {
  readonly path: string;
  readonly freeBytes: number;
  readonly allBytes: number;
  /** Free inodes; null if the file system has no limit. */
  readonly freeFilesShare: number | null;
  /** File system type (`statfs`). */
  readonly type: number;
}

export interface NetworkState {
  /** Null without BASE_URL. `failed` is the DNS error code. */
  readonly baseHost: {
    readonly host: string;
    readonly addresses: number;
    readonly failed: string | null;
  } | null;
  readonly resolvers: ReadonlyArray<{ readonly server: string; readonly failed: string | null }>;
  readonly redisFault: string | null;
  readonly hostIsHere: boolean;
  readonly local: HttpProbeResult;
  /** The answer at BASE_URL, through any proxy; null without BASE_URL. */
  readonly public: HttpProbeResult | null;
}

export interface HttpProbeResult {
  readonly address: string;
  readonly isOurs: boolean;
  readonly detail: string;
  readonly dateMs: EpochMs | null;
}

/** `problem`: data is lost, exposed, or something will fail. `notice`: worth a look. */
export type FindingLevel = 'ok' | 'notice' | 'problem';

export interface Finding {
  readonly area: string;
  readonly level: FindingLevel;
  readonly what: string;
  /** Empty if nothing needs to be done. */
  readonly todo: string;
}

export type Findings = ReturnType<typeof createFindings>;

/** Collects what is wrong in one area. */
export function createFindings(area: string) {
  const found: Finding[] = [];
  const add = (level: FindingLevel, what: string, todo: string): void =>
    void found.push({ area, level, what, todo });
  return {
    found,
    notice: (what: string, todo: string) => add('notice', what, todo),
    problem: (what: string, todo: string) => add('problem', what, todo),
    /** What was found, or one `ok` line. */
    orOk(fine: string): Finding[] {
      if (found.length === 0) add('ok', fine, '');
      return found;
    },
  };
}

export function formatPlural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
