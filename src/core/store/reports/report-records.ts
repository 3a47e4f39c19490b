import type { EpochMs } from '../../parsing/timestamps.ts';
import type { ProjectReportFigures, ReportRange, TopIssue } from './report-figures.ts';

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

  /** Reads every event of the range: never for a page. Calls `goOn` between statements, which may throw to stop it. */
  affectedUsers(
    projectId: number,
    range: ReportRange,
    usersMax: number,
    goOn?: () => void,
  ): Promise<AffectedUsers>;
  /** Null when there is a report of that period already. */
  saveReport(report: Omit<SavedReport, 'id'>, projectIds: readonly number[]): Promise<SavedReport | null>;
  listSavedReports(projectId: number | null): Promise<readonly SavedReportSummary[]>;
  findSavedReport(id: number): Promise<SavedReport | null>;
  findReportOf(projectId: number | null, period: string): Promise<SavedReport | null>;
  deleteSavedReport(id: number): Promise<boolean>;
}
