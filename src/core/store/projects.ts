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
}

export type KeyKind = 'public' | 'secret';

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
  readonly createdAtMs: EpochMs;
}

export interface ProjectStore {
  createProject(project: { name: string; createdAtMs: EpochMs }): Promise<Project>;
  listProjects(): Promise<Project[]>;
  findProject(id: number): Promise<Project | null>;
  findProjectByName(name: string): Promise<Project | null>;
  changeProject(
    id: number,
    change: {
      name?: string;
      scrubFields?: readonly string[];
      storeIpAddresses?: boolean;
      groupingVersion?: string;
    },
  ): Promise<Project | null>;
}

export interface KeyStore {
  createKey(key: NewKey): Promise<ProjectKey>;
  /** Adds a key, or answers the one of the same text, whosever it is, with `created: false`. */
  addKey(key: NewKey): Promise<{ key: ProjectKey; created: boolean }>;
  /** Grows with every change of any key or project, by this process or another: what a cache of keys must watch. */
  keysVersion(): Promise<number>;
  /** Looks a key up by the sha256 of its whole text; revoked and expired keys are found too. */
  findKeyByHash(hash: string): Promise<{ key: ProjectKey; project: Project } | null>;
  listKeys(projectId: number): Promise<ProjectKey[]>;
  revokeKey(projectId: number, keyId: number, nowMs: EpochMs): Promise<ProjectKey | null>;
  expireKey(projectId: number, keyId: number, expiresAtMs: EpochMs): Promise<ProjectKey | null>;
  touchKey(keyId: number, usedAtMs: EpochMs): Promise<void>;
}

/** A few named values of the whole installation, such as the digest of the workspace token. */
export interface SettingStore {
  getSetting(name: string): Promise<string | null>;
  /** Writes a value; with `onlyIfAbsent` the first value stays. Answers the value that stands after. */
  setSetting(name: string, value: string, options?: { onlyIfAbsent?: boolean }): Promise<string>;
}
