import type { DnsRecordType, RequestMethod } from '../../../schemas/monitors.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { IncidentUpdate } from './incidents.ts';

/** What is checked. Empty text means no such check. */
export interface MonitorSettings {
  readonly url: string;
  /** Headers and body may hold secrets and are never shown. */
  readonly method: RequestMethod;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
  readonly host: string;
  readonly port: number;
  readonly record: DnsRecordType | '';
  readonly answers: string;
  /** Checks in a row with another result before the state changes. */
  readonly confirmations: number;
  /** Slower responses are degraded; 0 is no limit. */
  readonly slowMs: number;
  readonly status: string;
  readonly contains: string;
  readonly lacks: string;
  readonly jsonPath: string;
  readonly jsonValue: string;
  /** Expected redirect target; when empty, redirects are followed. */
  readonly redirect: string;
  /** Degraded when a certificate expires within this many days; 0 is no limit. */
  readonly certificateDays: number;
  readonly opensIncidents: boolean;
  /** How late a heartbeat may be. */
  readonly graceMs: number;
  readonly cron: CronSettings | null;
}

/** A new state that has not been confirmed by enough checks. */
export interface PendingTransition {
  readonly state: Check['result'];
  readonly count: number;
  readonly sinceMs: EpochMs;
  /** Absent for cron jobs, and in rows of older versions. */
  readonly found?: FoundState;
}

export interface FoundState {
  readonly reason: string;
  /** Whether the only fault is a certificate that expires soon. */
  readonly isEnding: boolean;
}

export interface MonitorStatus extends Pick<Monitor, 'state' | 'stateSinceMs' | 'reason'> {
  readonly pendingTransition: PendingTransition | null;
  readonly countedToMs: EpochMs;
}

export interface MonitorRecord extends Monitor, MonitorStatus {
  readonly settings: MonitorSettings;
  readonly timeoutMs: number;
  readonly createdBy: string;
  /** Keyed hash of the check-in's client address. Empty: unknown; null: not created by a check-in. */
  readonly sender: string | null;
  /** Grows with each change and check. A write is refused when the version is not the one that was read. */
  readonly version: number;
  readonly startedAtMs?: EpochMs | null;
  readonly job: CronJobName | null;
  readonly runs: CronJobRuns | null;
}

type MonitorFields = Pick<
  MonitorRecord,
  | 'name'
  | 'target'
  | 'expects'
  | 'settings'
  | 'group'
  | 'tags'
  | 'goal'
  | 'intervalMs'
  | 'timeoutMs'
  | 'nextCheckAtMs'
  | 'runs'
>;

/** `hashHeartbeatToken`: of the secret in a push URL; null for other types. */
export type NewMonitor = { readonly tokenHash: string | null } & MonitorFields &
  Pick<MonitorRecord, 'projectId' | 'slug' | 'type' | 'createdAtMs' | 'createdBy' | 'sender' | 'job'>;

/** All members are written. */
export type MonitorChange = MonitorFields &
  Pick<MonitorRecord, 'state' | 'stateSinceMs' | 'stateUntilMs' | 'reason' | 'pendingTransition'>;

export interface UptimeInterval {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly state: Check['result'] | 'maintenance';
}

export interface MonitorTransition {
  readonly kind: 'monitor.down' | 'monitor.up' | 'monitor.slow';
  readonly isNews: boolean;
  readonly sinceMs: EpochMs;
  readonly summary: { readonly title: string; readonly detail: string; readonly path: string };
}

export interface CheckOutcome {
  readonly monitor: MonitorRecord;
  readonly check: Check | null;
  readonly status: MonitorStatus;
  readonly times: readonly UptimeInterval[];
  readonly turns: readonly MonitorTransition[];
  readonly certificateEndsAtMs: EpochMs | null;
  readonly nextCheckAtMs: EpochMs | null;
  readonly runs: CronJobRuns | null;
  readonly stateUntilMs?: EpochMs;
  readonly startedAtMs?: EpochMs | null;
}

export interface MonitorHistory {
  readonly slices: ReadonlyArray<MonitorTotals & { readonly durations: readonly number[] }>;
  readonly days: readonly MonitorInterval[];
  readonly checks: readonly Check[];
}

export interface MonitorStore {
  findMonitor(slug: string): Promise<MonitorRecord | null>;
  /** UTC days, oldest first, by monitor id; days before it was created are absent. */
  monitorDays(
    monitorIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
  ): Promise<ReadonlyMap<number, readonly MonitorInterval[]>>;
  /** Whole five minutes; monitors without checks are absent. */
  monitorSums(
    monitorIds: readonly number[],
    range: { readonly fromMs: EpochMs; readonly toMs: EpochMs },
  ): Promise<ReadonlyMap<number, MonitorTotals>>;
  /** Steps of whole five minutes, oldest first; the last one is still running. */
  monitorSlices(
    monitorId: number,
    range: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepMs: number },
  ): Promise<readonly MonitorInterval[]>;
  /** Newest first, at most 50. */
  lastChecks(monitorId: number, limit: number): Promise<readonly Check[]>;

  /** A slug that is taken gets the first free number appended. Returns the existing monitor of a cron job. */
  addMonitor(monitor: NewMonitor): Promise<MonitorRecord>;
  countMonitors(projectId: number | null): Promise<number>;
  /** Null lists those of all projects. */
  listMonitors(projectId: number | null): Promise<readonly MonitorRecord[]>;
  findMonitorRecord(id: number): Promise<MonitorRecord | null>;
  findMonitorByToken(tokenHash: string): Promise<MonitorRecord | null>;
  findJob(projectId: number, job: CronJobName): Promise<MonitorRecord | null>;
  /** Monitors that check-ins created: all, and those of one client address. */
  countJobs(
    projectId: number,
    sender: string | null,
  ): Promise<{ readonly all: number; readonly ofSender: number }>;
  changeMonitor(monitor: MonitorRecord, change: MonitorChange): Promise<MonitorRecord | null>;
  changeMonitorToken(id: number, tokenHash: string): Promise<void>;
  deleteMonitor(id: number): Promise<MonitorRecord | null>;

  monitorsDue(nowMs: EpochMs): Promise<boolean>;
  /** No other process checks them until their timeout and `graceMs` are over. Ends pauses that are over. */
  claimMonitors(
    nowMs: EpochMs,
    lease: { readonly graceMs: number; readonly limit: number },
  ): Promise<readonly MonitorRecord[]>;
  /** Returns how many were saved. Monitors changed or deleted meanwhile are skipped. */
  saveChecks(outcomes: readonly CheckOutcome[]): Promise<number>;
  addMonitorHistory(monitorId: number, history: MonitorHistory): Promise<void>;
}

export const intervalUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export type CronSchedule =
  | { readonly type: 'crontab'; readonly value: string }
  | { readonly type: 'interval'; readonly value: number; readonly unit: (typeof intervalUnits)[number] };

export interface CronSettings {
  readonly schedule: CronSchedule;
  readonly timezone: string;
  /** How late a run may start. */
  readonly marginMs: number;
  readonly runtimeMs: number;
  /** Failed runs in a row before it is down, and successful ones before it is up again. */
  readonly failures: number;
  readonly recoveries: number;
}

/** Environments of one job are separate monitors. */
export interface CronJobName {
  readonly slug: string;
  readonly environment: string;
}

interface JobRun {
  readonly id: string | null;
  readonly beganAtMs: EpochMs;
}

export interface CronJobRuns {
  /** Null before the first check-in, and where no run is left. */
  readonly expectedAtMs: EpochMs | null;
  readonly inProgress: readonly JobRun[];
  /** The last runs that ended: repeated check-ins of these are ignored. */
  readonly endedIds: readonly string[];
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface WeeklySchedule {
  readonly weekdays: readonly Weekday[];
  readonly hour: number;
  readonly minute: number;
  readonly lengthMs: number;
  readonly timezone: string;
}

/** A monitor is covered when any of these matches. */
export interface MonitorSelection {
  readonly all: boolean;
  readonly monitorIds: readonly number[];
  readonly group: string;
  readonly tag: string;
}

export interface MaintenanceWindow {
  readonly id: number;
  readonly projectId: number | null;
  readonly title: string;
  readonly message: string;
  readonly covers: MonitorSelection;
  readonly weekly: WeeklySchedule | null;
  /** The current or next occurrence; the last one when none is left. */
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly isInProgress: boolean;
  readonly dueAtMs: EpochMs | null;
  readonly incidentId: number | null;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  /** Grows with each change. A write is refused when the version is not the one that was read. */
  readonly version: number;
}

export type WindowChange = Pick<
  MaintenanceWindow,
  'title' | 'message' | 'covers' | 'weekly' | 'fromMs' | 'toMs' | 'isInProgress' | 'dueAtMs'
>;

type NewWindow = WindowChange & Pick<MaintenanceWindow, 'projectId' | 'createdAtMs' | 'createdBy'>;

export type IncidentStep =
  /** Plans another occurrence, with its own incident. */
  | { readonly does: 'plan'; readonly atMs: EpochMs; readonly affects: readonly MonitorRecord[] }
  /** The same occurrence has changed. */
  | { readonly does: 'move'; readonly affects: readonly MonitorRecord[] }
  | { readonly does: 'end'; readonly atMs: EpochMs; readonly update: IncidentUpdate };

export interface WindowTransition {
  readonly change: WindowChange;
  readonly steps: readonly IncidentStep[];
  /** Monitors to check now; paused ones stay paused. */
  readonly wakes: readonly number[];
  readonly atMs: EpochMs;
}

export interface MaintenanceWindowStore {
  listWindows(projectId: number | null): Promise<readonly MaintenanceWindow[]>;
  findWindow(id: number): Promise<MaintenanceWindow | null>;
  findWindowOf(incidentId: number): Promise<MaintenanceWindow | null>;
  countWindows(projectId: number | null): Promise<number>;
  addWindow(window: NewWindow, affects: readonly MonitorRecord[]): Promise<MaintenanceWindow>;
  applyWindowTransition(window: MaintenanceWindow, turn: WindowTransition): Promise<MaintenanceWindow | null>;
  deleteWindow(
    window: MaintenanceWindow,
    end: Pick<WindowTransition, 'steps' | 'wakes' | 'atMs'>,
  ): Promise<boolean>;
  windowsNow(nowMs: EpochMs): Promise<readonly MaintenanceWindow[]>;
}

export const monitorTypes = ['http', 'keyword', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;
/** Types that wait for a push or check-in instead of making requests. */
export const passiveMonitorTypes: ReadonlyArray<(typeof monitorTypes)[number]> = ['heartbeat', 'cron'];
export type MonitorType = (typeof monitorTypes)[number];

/** The most urgent first. */
export const monitorStates = ['down', 'degraded', 'maintenance', 'pending', 'paused', 'up'] as const;
export type MonitorState = (typeof monitorStates)[number];

export interface Monitor {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly type: MonitorType;
  readonly target: string;
  readonly expects: string;
  readonly projectId: number | null;
  readonly group: string;
  readonly tags: readonly string[];
  readonly intervalMs: number;
  /** SLO target for 30 days, from 0 to 1. */
  readonly goal: number;
  readonly state: MonitorState;
  readonly stateSinceMs: EpochMs;
  readonly reason: string;
  readonly createdAtMs: EpochMs;
  readonly lastCheck: Check | null;
  /** Null where it is paused or waits for a push. For a cron job: the next expected start. */
  readonly nextCheckAtMs: EpochMs | null;
  readonly certificateEndsAtMs: EpochMs | null;
  /** End of planned maintenance or of a pause. */
  readonly stateUntilMs: EpochMs | null;
  /** Over 24 hours; null without responses. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export interface Check {
  readonly atMs: EpochMs;
  readonly result: 'up' | 'degraded' | 'down';
  /** HTTP status, network error code, or empty. */
  readonly code: string;
  readonly durationMs: number | null;
  readonly from: string;
  readonly message: string;
  readonly body?: string;
}

export interface MonitorInterval {
  readonly atMs: EpochMs;
  /** In milliseconds. Planned maintenance does not count as watched. */
  readonly watchedMs: number;
  readonly downMs: number;
  readonly degradedMs: number;
  readonly maintenanceMs: number;
  readonly checks: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** Percentiles of several slices cannot be added up. */
export type MonitorTotals = Omit<MonitorInterval, 'medianMs' | 'p95Ms'>;
