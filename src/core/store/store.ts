// The interface of the database for the rest of the program, without SQL. Joins the parts of each noun.

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

export type SettlingStore = ProjectStore & KeyStore & DomainStore & SettingStore;

export interface StoreHealth {
  readonly writable: boolean;
  readonly reason: string | null;
}

export interface StoreLoad {
  readonly waitingItems: number;
  readonly waitingBytes: number;
  /** Share of the limit, 0 to 1. */
  readonly share: number;
}

/** Null where unknown: PostgreSQL's are on its own server. */
export interface StoreFigures {
  readonly sqliteVersion: string | null;
  readonly freeBytes: number | null;
  readonly mainBytes: number | null;
  readonly walBytes: number | null;
}

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
   * Commits before it resolves, rolls back when it throws. Await only calls of `store` inside. A nested call
   * joins the transaction.
   */
  together<T>(job: (store: Store) => Promise<T>): Promise<T>;
  /** Does a test write; never throws. */
  health(): Promise<StoreHealth>;
  /** Synchronous: does not query the database. */
  load(): StoreLoad;
  figures(): Promise<StoreFigures>;
  close(): Promise<void>;
}

export type StoreParts = Omit<Store, 'together' | 'health' | 'load' | 'figures' | 'close'>;
