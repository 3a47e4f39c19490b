// The interface of the database for the rest of the program, without SQL. Joins the parts of each noun.

import type { AlertStore } from './alert-records.ts';
import type { ArtifactStore, SymbolicationStore } from './artifacts.ts';
import type { AuditStore } from './audit.ts';
import type { OutcomeStore, SdkStatisticsStore, SessionStore } from './counts.ts';
import type { DomainStore, DomainVerificationStore } from './domains.ts';
import type { EventReadStore, EventStore } from './events.ts';
import type { FeedbackStore } from './feedback.ts';
import type { IncidentStore } from './incidents.ts';
import type { IssueDeletionStore, IssueListStore, IssuePageStore, IssueSplitStore } from './issue-queries.ts';
import type { BulkActionStore, ImportStore, IssueActivityStore, IssueStore } from './issues.ts';
import type { MemberStore, PersonalTokenStore, SignInStore, TeamStore } from './members.ts';
import type { MaintenanceWindowStore, MonitorStore } from './monitors.ts';
import type { LiveStore, OverviewStore, SearchStore, WorkspaceStore } from './page-queries.ts';
import type { CleanupStore, KeyStore, ProjectDeletionStore, ProjectStore, SettingStore } from './projects.ts';
import type { PendingRegroupingStore, RegroupStore } from './regroup.ts';
import type { DeployStore, ReleaseStore } from './releases.ts';
import type { ReportScheduleStore, ReportStore } from './reports.ts';
import type { RetentionStore } from './retention.ts';
import type { SavedViewStore } from './saved-views.ts';
import type { SearchNameStore } from './search-terms.ts';
import type { StatusPageStore, StatusSubscriberStore } from './status-pages.ts';
import type { TestRunStore } from './test-runs.ts';
import type { TriageStore } from './triage.ts';
import type { UserErasureStore, UserStore } from './users.ts';

export type StartupStore = ProjectStore & KeyStore & DomainStore & SettingStore;

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
export interface StoreSizes {
  readonly sqliteVersion: string | null;
  readonly freeBytes: number | null;
  readonly mainBytes: number | null;
  readonly walBytes: number | null;
}

export interface Store
  extends AlertStore,
    IssueActivityStore,
    ProjectStore,
    ProjectDeletionStore,
    KeyStore,
    DomainStore,
    EventStore,
    EventReadStore,
    IssueStore,
    IssueListStore,
    IssuePageStore,
    ImportStore,
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
    SymbolicationStore,
    PendingRegroupingStore,
    LiveStore,
    OverviewStore,
    SearchStore,
    SearchNameStore,
    MemberStore,
    SignInStore,
    PersonalTokenStore,
    SavedViewStore,
    TeamStore,
    TriageStore,
    BulkActionStore,
    AuditStore,
    MonitorStore,
    MaintenanceWindowStore,
    IncidentStore,
    StatusPageStore,
    StatusSubscriberStore,
    RegroupStore,
    RetentionStore,
    DeployStore,
    DomainVerificationStore,
    FeedbackStore,
    CleanupStore,
    TestRunStore,
    UserStore,
    UserErasureStore,
    WorkspaceStore {
  /** Commits before it resolves, rolls back when it throws. Await only calls of `store`. A nested call joins. */
  transaction<T>(job: (store: Store) => Promise<T>): Promise<T>;
  /** Does a test write; never throws. */
  health(): Promise<StoreHealth>;
  /** Synchronous: does not query the database. */
  load(): StoreLoad;
  figures(): Promise<StoreSizes>;
  close(): Promise<void>;
}

export type StoreParts = Omit<Store, 'transaction' | 'health' | 'load' | 'figures' | 'close'>;
