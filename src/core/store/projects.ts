import type { InboundFilters } from '../../../schemas/inbound-filters.ts';
import { dayMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAtMs: EpochMs;
  readonly groupingVersion: string;
  readonly scrubFields: readonly string[];
  /** Off by default. Addresses are stored cut to /24 (IPv4) and /48 (IPv6). */
  readonly storeIpAddresses: boolean;
  /** Whether bug reports without a URL and without an event of a page are accepted. */
  readonly bugReports: boolean;
  /** Null where all are off. */
  readonly inboundFilters: InboundFilters | null;
}

export type KeyKind = 'public' | 'secret';

/** `ingest` sends events and feedback; `ci` releases, deploys, artifacts and test runs; `admin` changes and deletes. */
export type KeyScope = 'ingest' | (typeof secretScopes)[number];

export const secretScopes = ['ci', 'read', 'admin'] as const;

export interface ProjectKey {
  readonly id: number;
  readonly projectId: number;
  readonly kind: KeyKind;
  readonly prefix: string;
  readonly lastFour: string;
  readonly imported: boolean;
  readonly label: string;
  /** Public keys are stored in full to be shown again; secret keys never are. */
  readonly publicKey: string | null;
  readonly scopes: readonly KeyScope[];
  /** Origins of browsers that may use a public key; empty for all. */
  readonly allowedOrigins: readonly string[];
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
  readonly revokedAtMs: EpochMs | null;
  readonly lastUsedAtMs: EpochMs | null;
}

export interface NewKey extends Omit<ProjectKey, 'id' | 'revokedAtMs' | 'lastUsedAtMs'> {
  /** SHA-256 of the whole key, 64 hex. */
  readonly hash: string;
}

export type KeyChange = Partial<Pick<ProjectKey, 'label' | 'scopes' | 'allowedOrigins' | 'expiresAtMs'>>;

export interface ProjectStore {
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
      inboundFilters?: InboundFilters | null | undefined;
    },
  ): Promise<Project | null>;
}

export interface ExpiringKey extends Pick<ProjectKey, 'id' | 'prefix' | 'lastFour'> {
  readonly projectId: number;
  readonly endsAtMs: EpochMs;
}

export interface KeyStore {
  createKey(key: NewKey): Promise<ProjectKey>;
  /** An existing key of the same text is returned with `created: false`, whatever its project. */
  addKey(key: NewKey): Promise<{ key: ProjectKey; created: boolean }>;
  /** Grows with every change of a key or project in any process. Caches of keys compare it. */
  keysVersion(): Promise<number>;
  /** By the SHA-256 of the key. Includes revoked and expired keys. */
  findKeyByHash(hash: string): Promise<{ key: ProjectKey; project: Project } | null>;
  listKeys(projectId: number): Promise<ProjectKey[]>;
  listEndingKeys(
    projectIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
    limit: number,
  ): Promise<ExpiringKey[]>;
  revokeKey(projectId: number, keyId: number, nowMs: EpochMs): Promise<ProjectKey | null>;
  changeKey(projectId: number, keyId: number, change: KeyChange): Promise<ProjectKey | null>;
  /** Only shortens: an earlier expiry stays. */
  expireKey(projectId: number, keyId: number, expiresAtMs: EpochMs): Promise<ProjectKey | null>;
  touchKey(keyId: number, usedAtMs: EpochMs): Promise<void>;
}

/** Settings of the whole installation that are kept in the database. */
export interface SettingStore {
  findSetting(name: string): Promise<string | null>;
  /** With `onlyIfAbsent` an existing value stays. Returns the value that is set afterwards. */
  setSetting(name: string, value: string, options?: { onlyIfAbsent?: boolean }): Promise<string>;
}

export interface DeletingProject {
  readonly id: number;
  /** Its former name, which another project may have by now. */
  readonly name: string;
}

export interface ProjectDeletionStore {
  /** Hides the project, deletes its keys and frees its name, in one commit. */
  endProject(projectId: number, nowMs: EpochMs): Promise<DeletingProject | null>;
  listEndingProjects(): Promise<DeletingProject[]>;
  /** One batch in one short transaction; `done` when the project itself is deleted. */
  removeProjectSlice(projectId: number): Promise<{ readonly removed: number; readonly done: boolean }>;
}

export interface CleanupStore {
  /** Deletes unfinished uploads and test reports, old counters, and unseen names above a limit. */
  sweep(nowMs: EpochMs, isOver?: () => boolean): Promise<number>;
}

export type ProjectScrubSettings = Pick<Project, 'scrubFields' | 'storeIpAddresses'>;

// Limits per project for what clients can invent, such as release names. Further names count as `other`.

export interface ProjectLimits {
  /** Creating a release by the API beyond it is refused. */
  readonly releasesMax: number;
  readonly environmentsMax: number;
  /** Pairs of release and environment of one issue. */
  readonly issuePlacesMax: number;
  /** Pairs of release and environment with sessions in one hour. */
  readonly healthRowsPerHourMax: number;
  /** Sessions whose last status is known; the oldest are forgotten. */
  readonly recentSessionsMax: number;
  /** Bytes of unfinished uploads: chunks, and contents without an artifact. */
  readonly unfinishedBytesMax: number;
}

export const projectLimits: ProjectLimits = {
  releasesMax: 10_000,
  environmentsMax: 200,
  issuePlacesMax: 1_000,
  healthRowsPerHourMax: 500,
  recentSessionsMax: 300_000,
  unfinishedBytesMax: 5 * 1024 ** 3,
};

/** Name used for all names beyond a limit. Does not count towards the limit itself. */
export const overLimitName = 'other';

/** A name that was only seen in events is removed after this time when the limit is reached. */
export const unusedNameExpiryMs = 30 * dayMs;
