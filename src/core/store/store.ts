// The Store: everything the rules may ask of a database, in the rules' own words, and the types they share.
// Each noun's part of the interface stands beside its rules; this file joins them. No SQL words here.
import type { EventError, Level } from '../../../schemas/event.ts';
import type { DomainVerificationStore } from '../domains/verifications.ts';
import type { PackedPayload } from '../events/pack.ts';
import type { FeedbackStore } from '../feedback/feedback.ts';
import type { OutcomeStore } from '../outcomes/sums.ts';
import type { ProjectDeletionStore } from '../projects/deletion.ts';
import type { SweepStore } from '../projects/housekeeping.ts';
import type { DeployStore } from '../releases/deploys.ts';
import type { ReleaseStore } from '../releases/releases.ts';
import type { ArtifactStore } from '../source-maps/artifacts.ts';
import type { MappingStore } from '../source-maps/late-events.ts';
import type { TestRunStore } from '../test-runs/test-runs.ts';
import type { EventReadStore, IssueStore } from './issues.ts';
import type { SdkStatisticsStore } from './sdk-statistics.ts';
import type { SessionStore } from './sessions.ts';

/** Milliseconds since 1970, an integer. */
export type EpochMs = number;

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

export interface Domain {
  readonly id: number;
  readonly projectId: number;
  /** Exact host in lower-case ASCII, or `*.example.com`. */
  readonly host: string;
  readonly bugReports: boolean;
  readonly errors: boolean;
  /** Share of events kept, 0 to 1. */
  readonly sampling: number;
  readonly allowedOrigins: readonly string[];
  readonly verificationId: string | null;
  readonly createdAtMs: EpochMs;
}

export type DomainChange = Partial<
  Pick<Domain, 'bugReports' | 'errors' | 'sampling' | 'allowedOrigins' | 'verificationId'>
>;

/** How an event's issue was found: written into the issue and shown with the event. */
export interface Grouping {
  readonly algorithm: string;
  readonly source: string;
  readonly parts: readonly string[];
  readonly notes: readonly string[];
  /** sha256, 64 hex. */
  readonly hash: string;
}

/** What lists show of an event and searches look at, beside the issue it belongs to. */
export interface EventColumns {
  /** 32 lower-case hex. */
  readonly eventId: string;
  readonly receivedAtMs: EpochMs;
  readonly timestampMs: EpochMs;
  readonly level: Level;
  readonly platform: string;
  readonly title: string;
  readonly culprit: string;
  readonly release: string | null;
  readonly dist: string | null;
  readonly environment: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
  /** Host the event came from, when the request said one. */
  readonly domain: string | null;
  readonly scrubbedCount: number;
  /** True where frames await a source map that was not there (or not in time). */
  readonly needsMapping: boolean;
}

export interface NewEvent extends EventColumns {
  readonly projectId: number;
  readonly grouping: Grouping;
  /** The hash of an older grouping version, looked up when the new one is not known. */
  readonly olderHash?: string;
  /** The normalised and scrubbed event as JSON text, packed where it was made in a thread. */
  readonly payload: string | PackedPayload;
  readonly errors: readonly EventError[];
  /** Keyed hash of the user, or null: for counting users, never for naming them. */
  readonly userHash: string | null;
  /** Where it needs mapping: debug ids whose maps are missing, and `time` where only the time was short. */
  readonly awaits?: readonly string[];
  /** Bytes of attachments that came with the event. */
  readonly attachments: readonly NewAttachment[];
}

export interface NewAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly attachmentType: string;
  readonly bytes: Uint8Array;
}

export type IssueStatus = 'unresolved' | 'resolved' | 'ignored';
export type IssueSubstatus = 'new' | 'ongoing' | 'regressed';

export interface RecordedEvent {
  readonly eventId: string;
  readonly issueId: number;
  /** True when the id was there before: nothing was stored or counted. */
  readonly duplicate: boolean;
  readonly isNew: boolean;
  readonly isRegression: boolean;
  readonly issueStatus: IssueStatus;
}

/** The path of an event: one call, one transaction. */
export interface EventStore {
  /**
   * Files an event: finds or makes its issue, counts it, moves the issue's state, makes its release.
   * Resolves after the commit that holds all of it. A known event id changes nothing and answers the first issue.
   */
  recordEvent(event: NewEvent): Promise<RecordedEvent>;
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

export interface DomainStore {
  /** Adds a host to a project, or answers the one that is there with `created: false`. */
  addDomain(domain: {
    projectId: number;
    host: string;
    bugReports: boolean;
    createdAtMs: EpochMs;
  }): Promise<{ domain: Domain; created: boolean }>;
  listDomains(projectId: number): Promise<Domain[]>;
  findDomain(projectId: number, domainId: number): Promise<Domain | null>;
  changeDomain(projectId: number, domainId: number, change: DomainChange): Promise<Domain | null>;
  /** Removes a host and answers what it was; null for an id that names none of the project. */
  deleteDomain(projectId: number, domainId: number): Promise<Domain | null>;
}

/** A few named values of the whole installation, such as the digest of the workspace token. */
export interface SettingStore {
  getSetting(name: string): Promise<string | null>;
  /** Writes a value; with `onlyIfAbsent` the first value stays. Answers the value that stands after. */
  setSetting(name: string, value: string, options?: { onlyIfAbsent?: boolean }): Promise<string>;
}

/** What a start sees to. */
export type SettlingStore = ProjectStore & KeyStore & DomainStore & SettingStore;

export interface StoreHealth {
  readonly writable: boolean;
  readonly queueLength: number;
  readonly reason: string | null;
}

/** All that the rules may ask. Every other noun adds its own interface here when it comes. */
export interface Store
  extends ProjectStore,
    ProjectDeletionStore,
    KeyStore,
    DomainStore,
    EventStore,
    EventReadStore,
    IssueStore,
    OutcomeStore,
    SessionStore,
    SdkStatisticsStore,
    SettingStore,
    ReleaseStore,
    ArtifactStore,
    MappingStore,
    DeployStore,
    DomainVerificationStore,
    FeedbackStore,
    SweepStore,
    TestRunStore {
  /**
   * Runs `job` in one transaction and resolves after its commit; when it throws, nothing of it is kept.
   * Inside, only the calls of `parts` may be awaited.
   */
  together<T>(job: (parts: SettlingStore) => Promise<T>): Promise<T>;
  /** Writes something that needs room, reads it and gives the room back; never throws. */
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** The queue of waiting writes is full: answer 429 with Retry-After (D-12). */
export class StoreBusy extends Error {}

/** The database cannot write (disk full, gone, read-only): answer 503 (D-12). */
export class StoreUnavailable extends Error {}
