import type { EpochMs } from '../../reading/moments.ts';
import type { BusyIssue, ProjectMoves, ReportRange } from './figures.ts';

/** A report stays the same after its events are deleted. */
export interface KeptReport {
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

export type KeptReportHead = Omit<KeptReport, 'body'>;

export interface AffectedUsers {
  readonly users: number;
  readonly events: number;
  readonly isCut: boolean;
}

export interface ReportStore {
  /** Projects where nothing happened are absent. */
  projectMoves(projectIds: readonly number[], range: ReportRange): Promise<readonly ProjectMoves[]>;
  /** Most events first, then lowest id. */
  busiestIssues(
    projectIds: readonly number[],
    range: ReportRange,
    limit: number,
  ): Promise<readonly BusyIssue[]>;

  /**
   * Reads every event of the range, so never call it for a page. Calls `goOn` between statements, which may
   * throw to stop it.
   */
  affectedUsers(
    projectId: number,
    range: ReportRange,
    usersMax: number,
    goOn?: () => void,
  ): Promise<AffectedUsers>;
  /** Null when there is a report of that period already. */
  keepReport(report: Omit<KeptReport, 'id'>, projectIds: readonly number[]): Promise<KeptReport | null>;
  listKeptReports(projectId: number | null): Promise<readonly KeptReportHead[]>;
  findKeptReport(id: number): Promise<KeptReport | null>;
  findReportOf(projectId: number | null, period: string): Promise<KeptReport | null>;
  deleteKeptReport(id: number): Promise<boolean>;
}
