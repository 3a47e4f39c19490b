// The Store: everything the rules may ask of a database, in the rules' own words, and the types they share.
// Each noun's part of the interface stands beside its rules; this file joins them. No SQL words here.

import type { AlertStore } from './alerting.ts';
import type { ArtifactStore, MappingStore } from './artifacts.ts';
import type { AuditStore } from './audit.ts';
import type { SdkStatisticsStore } from './counts/sdk-statistics.ts';
import type { SeenStore } from './counts/seen.ts';
import type { SessionStore } from './counts/sessions.ts';
import type { DomainStore, DomainVerificationStore } from './domains.ts';
import type { EventReadStore, EventStore } from './events.ts';
import type { FeedbackStore } from './feedback.ts';
import type { IncidentStore } from './incidents/keeping.ts';
import type { IssueDeletionStore, IssueListStore, IssuePageStore, IssueSplitStore } from './issue-pages.ts';
import type { IssueStore, TakingOverStore } from './issues.ts';
import type { LateGroupingStore } from './late-groupings.ts';
import type { MemberStore } from './members.ts';
import type { MonitorStore } from './monitors/monitoring.ts';
import type { WindowStore } from './monitors/windows.ts';
import type { OutcomeStore } from './outcomes.ts';
import type { KeyStore, ProjectDeletionStore, ProjectStore, SettingStore, SweepStore } from './projects.ts';
import type { RegroupStore } from './regroup.ts';
import type { DeployStore, ReleaseStore } from './releases.ts';
import type { ReportStore } from './reports/kept.ts';
import type { ReportScheduleStore } from './reports/schedules.ts';
import type { StatusPageStore } from './status-pages/keeping.ts';
import type { RetentionStore } from './storage/retention.ts';
import type { TestRunStore } from './test-runs.ts';
import type { LiveStore, OverviewStore, SearchStore, WorkspaceStore } from './workspace.ts';

/** What a start sees to. */
export type SettlingStore = ProjectStore & KeyStore & DomainStore & SettingStore;

export interface StoreHealth {
  readonly writable: boolean;
  readonly reason: string | null;
}

/** What waits to be written now. */
export interface StoreLoad {
  readonly waitingItems: number;
  readonly waitingBytes: number;
  /** Of what may wait, 0 to 1. */
  readonly share: number;
}

/** Sizes, each null where it cannot be known: those of PostgreSQL are on its own machine. */
export interface StoreFigures {
  readonly sqliteVersion: string | null;
  /** Left on the disk that the file is on. */
  readonly freeBytes: number | null;
  readonly mainBytes: number | null;
  readonly walBytes: number | null;
}

/** All that the rules may ask. Every other noun adds its own interface here when it comes. */
export interface Store
  extends AlertStore,
    SeenStore,
    ProjectStore,
    ProjectDeletionStore,
    KeyStore,
    DomainStore,
    EventStore,
    EventReadStore,
    IssueStore,
    IssueListStore,
    IssuePageStore,
    TakingOverStore,
    IssueDeletionStore,
    IssueSplitStore,
    OutcomeStore,
    SessionStore,
    SdkStatisticsStore,
    SettingStore,
    ReleaseStore,
    ReportStore,
    ReportScheduleStore,
    ArtifactStore,
    MappingStore,
    LateGroupingStore,
    LiveStore,
    OverviewStore,
    SearchStore,
    MemberStore,
    AuditStore,
    MonitorStore,
    WindowStore,
    IncidentStore,
    StatusPageStore,
    RegroupStore,
    RetentionStore,
    DeployStore,
    DomainVerificationStore,
    FeedbackStore,
    SweepStore,
    TestRunStore,
    WorkspaceStore {
  /**
   * Runs `job` in one transaction and resolves after its commit; when it throws, nothing of it is kept.
   * Inside, only the calls of `store` may be awaited; its own `together` takes part.
   */
  together<T>(job: (store: Store) => Promise<T>): Promise<T>;
  /** Writes something that needs room, reads it and gives the room back; never throws. */
  health(): Promise<StoreHealth>;
  /** What waits to be written now; asks nobody. */
  load(): StoreLoad;
  figures(): Promise<StoreFigures>;
  close(): Promise<void>;
}

/** What a store can be asked, without its own life. */
export type StoreParts = Omit<Store, 'together' | 'health' | 'load' | 'figures' | 'close'>;
