// Projects, keys and settings as the store keeps them: types alone.
import type { EpochMs } from '../reading/moments.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAtMs: EpochMs;
  readonly groupingVersion: string;
  /** Extra field names whose values are filtered before anything is stored (D-21). */
  readonly scrubFields: readonly string[];
  /** Whether addresses are stored, cut to /24 and /48 (D-21); off unless switched on. */
  readonly storeIpAddresses: boolean;
  /** Whether bug reports are taken that name neither a page nor an error of one (D-23). */
  readonly bugReports: boolean;
}

export type KeyKind = 'public' | 'secret';

/**
 * What a key may do: `ingest` sends events and reports, `ci` tells of releases, deploys, artifacts and test
 * runs, `read` reads, `admin` changes and deletes.
 */
export type KeyScope = 'ingest' | (typeof secretScopes)[number];

/** Scopes of a secret key, in the order in which they are shown. */
export const secretScopes = ['ci', 'read', 'admin'] as const;

export interface ProjectKey {
  readonly id: number;
  readonly projectId: number;
  readonly kind: KeyKind;
  /** What may be shown: the first and last characters. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly imported: boolean;
  readonly label: string;
  /** Whole public keys are kept to be printed again; a secret never is. */
  readonly publicKey: string | null;
  readonly scopes: readonly KeyScope[];
  /** Of a public key: whence browsers may use it. Empty is from everywhere. */
  readonly allowedOrigins: readonly string[];
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
  readonly revokedAtMs: EpochMs | null;
  readonly lastUsedAtMs: EpochMs | null;
}

export interface NewKey {
  readonly projectId: number;
  readonly kind: KeyKind;
  /** sha256 of the whole key, 64 hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly imported: boolean;
  readonly label: string;
  readonly publicKey: string | null;
  readonly scopes: readonly KeyScope[];
  readonly allowedOrigins: readonly string[];
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
}

/** What of a key can be changed; what is absent stays. */
export type KeyChange = Partial<Pick<ProjectKey, 'label' | 'scopes' | 'allowedOrigins' | 'expiresAtMs'>>;

export interface ProjectStore {
  /** Takes bug reports of apps unless `bugReports` says otherwise. */
  createProject(project: { name: string; createdAtMs: EpochMs; bugReports?: boolean }): Promise<Project>;
  listProjects(): Promise<Project[]>;
  findProject(id: number): Promise<Project | null>;
  findProjectByName(name: string): Promise<Project | null>;
  changeProject(
    id: number,
    change: {
      name?: string | undefined;
      scrubFields?: readonly string[] | undefined;
      storeIpAddresses?: boolean | undefined;
      bugReports?: boolean | undefined;
    },
  ): Promise<Project | null>;
}

/** A key that ends. */
export interface EndingKey extends Pick<ProjectKey, 'id' | 'prefix' | 'lastFour'> {
  readonly projectId: number;
  readonly endsAtMs: EpochMs;
}

export interface KeyStore {
  createKey(key: NewKey): Promise<ProjectKey>;
  /** Adds a key, or answers the one of the same text, whosever it is, with `created: false`. */
  addKey(key: NewKey): Promise<{ key: ProjectKey; created: boolean }>;
  /**
   * Grows with every change of any key or project, by this process or another: what a cache of keys must
   * watch.
   */
  keysVersion(): Promise<number>;
  /** Looks a key up by the sha256 of its whole text; revoked and expired keys are found too. */
  findKeyByHash(hash: string): Promise<{ key: ProjectKey; project: Project } | null>;
  listKeys(projectId: number): Promise<ProjectKey[]>;
  /** Keys of some projects that end after one moment and before another, the next first. */
  listEndingKeys(
    projectIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
    limit: number,
  ): Promise<EndingKey[]>;
  revokeKey(projectId: number, keyId: number, nowMs: EpochMs): Promise<ProjectKey | null>;
  changeKey(projectId: number, keyId: number, change: KeyChange): Promise<ProjectKey | null>;
  /** Has a key end at a moment; one that ends before keeps its end. */
  expireKey(projectId: number, keyId: number, expiresAtMs: EpochMs): Promise<ProjectKey | null>;
  touchKey(keyId: number, usedAtMs: EpochMs): Promise<void>;
}

/** A few named values of the whole installation, such as the digest of the workspace token. */
export interface SettingStore {
  findSetting(name: string): Promise<string | null>;
  /** Writes a value; with `onlyIfAbsent` the first value stays. Answers the value that stands after. */
  setSetting(name: string, value: string, options?: { onlyIfAbsent?: boolean }): Promise<string>;
}

/** A project whose deletion began and did not end. */
export interface EndingProject {
  readonly id: number;
  /** The name it had; another project may have it by now. */
  readonly name: string;
}

export interface ProjectDeletionStore {
  /**
   * Takes a project out of sight in one commit: it is neither listed nor found any more, its keys are gone,
   * its name is free. Null for an id that names none.
   */
  endProject(projectId: number, nowMs: EpochMs): Promise<EndingProject | null>;
  listEndingProjects(): Promise<EndingProject[]>;
  /**
   * Removes a slice of what belongs to an ended project, and with the last one the project itself; `done`
   * then. One short transaction. Throws for a project that was not ended.
   */
  removeProjectSlice(projectId: number): Promise<{ readonly removed: number; readonly done: boolean }>;
}

export interface SweepStore {
  /**
   * Removes from the store what nobody asks for any more, in slices, and answers how many rows went: chunks
   * and contents of unfinished uploads, test reports that were never finished, marks and counts whose time is
   * over, names that clients said once where places are short. `isOver` is asked between its steps.
   */
  sweep(nowMs: EpochMs, isOver?: () => boolean): Promise<number>;
}

/** What of a project decides how its texts are scrubbed. */
export type ScrubbedProject = Pick<Project, 'scrubFields' | 'storeIpAddresses'>;
