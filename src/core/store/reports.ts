import type { EpochMs } from '../parsing/timestamps.ts';
import type { Issue } from './issues.ts';

/** A report stays the same after its events are deleted. */
export interface SavedReport {
  readonly id: number;
  readonly projectId: number | null;
  /** Such as `2026-W47` or `2026-11`. */
  readonly period: string;
  readonly madeAtMs: EpochMs;
  readonly madeBy: string;
  readonly sums: string;
  /** Refers to issues and channels by id. */
  readonly body: string;
}

export type SavedReportSummary = Omit<SavedReport, 'body'>;

export interface AffectedUsers {
  readonly users: number;
  readonly events: number;
  readonly isCut: boolean;
}

export interface ReportStore {
  /** Projects where nothing happened are absent. */
  projectMoves(projectIds: readonly number[], range: ReportRange): Promise<readonly ProjectReportFigures[]>;
  /** Most events first, then lowest id. */
  busiestIssues(
    projectIds: readonly number[],
    range: ReportRange,
    limit: number,
  ): Promise<readonly TopIssue[]>;

  /** Reads every event of the range: never for a page. Calls `throwIfCancelled` between statements, which may throw to stop it. */
  affectedUsers(
    projectId: number,
    range: ReportRange,
    usersMax: number,
    throwIfCancelled?: () => void,
  ): Promise<AffectedUsers>;
  /** Null when there is a report of that period already. */
  saveReport(report: Omit<SavedReport, 'id'>, projectIds: readonly number[]): Promise<SavedReport | null>;
  listSavedReports(projectId: number | null): Promise<readonly SavedReportSummary[]>;
  findSavedReport(id: number): Promise<SavedReport | null>;
  findReportOf(projectId: number | null, period: string): Promise<SavedReport | null>;
  deleteSavedReport(id: number): Promise<boolean>;
}

/** Whole hours; `toMs` is exclusive. */
export interface ReportRange {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

export interface ProjectReportFigures {
  readonly projectId: number;
  readonly events: number;
  readonly newIssues: number;
  /** Each issue counts once. */
  readonly resolvedIssues: number;
  readonly regressedIssues: number;
  readonly feedback: number;
  readonly sessions: number;
  readonly crashedSessions: number;
  readonly sent: number;
  readonly kept: number;
  readonly releases: number;
  readonly deploys: number;
  readonly failedDeploys: number;
  readonly testRuns: number;
  readonly failedRuns: number;
  readonly tests: number;
  readonly passedTests: number;
}

export interface TopIssue extends Pick<Issue, 'id' | 'projectId' | 'title' | 'culprit' | 'level'> {
  readonly events: number;
}

export interface ReportSchedule {
  readonly id: number;
  readonly projectId: number | null;
  readonly channelId: number;
  readonly kind: 'week' | 'month';
  /** Minutes after midnight of the day after the period, in `zone`. */
  readonly atMinute: number;
  readonly zone: string;
  readonly dueAtMs: EpochMs;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
}

export interface ReportScheduleStore {
  addReportSchedule(schedule: Omit<ReportSchedule, 'id'>): Promise<ReportSchedule | null>;
  listReportSchedules(projectId: number | null): Promise<readonly ReportSchedule[]>;
  findReportSchedule(id: number): Promise<ReportSchedule | null>;
  changeReportSchedule(
    id: number,
    change: Pick<ReportSchedule, 'atMinute' | 'zone' | 'dueAtMs'>,
  ): Promise<ReportSchedule | null>;
  deleteReportSchedule(id: number): Promise<boolean>;
  listDueSchedules(nowMs: EpochMs): Promise<readonly ReportSchedule[]>;
  postponeSchedule(schedule: Pick<ReportSchedule, 'id' | 'dueAtMs'>, nextMs: EpochMs): Promise<boolean>;
}
