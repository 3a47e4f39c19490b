// Reports that were made and are kept, and when they are sent: types alone.
import type { EpochMs } from '../../reading/moments.ts';
import type { BusyIssue, ProjectMoves, ReportRange } from './figures.ts';

/** A report as it was made: what it says stays when the events that it was computed of are gone. */
export interface KeptReport {
  readonly id: number;
  /** The project whose key made it; null for one over all projects. */
  readonly projectId: number | null;
  /** The name of its period: `2026-W47`, `2026-11`. */
  readonly period: string;
  readonly madeAtMs: EpochMs;
  readonly madeBy: string;
  /** What it counts, as JSON. */
  readonly sums: string;
  /** All that it says, as JSON; issues and channels by their numbers alone. */
  readonly body: string;
}

export type KeptReportHead = Omit<KeptReport, 'body'>;

/** Who met an error of a project in a time, as its stored events say it. */
export interface AffectedUsers {
  /** Different users of those events. */
  readonly users: number;
  /** The events that were looked at, with a user or without. */
  readonly events: number;
  /** Whether there were more users than are counted. */
  readonly isCut: boolean;
}

export interface ReportStore {
  /** A row for each project in which something happened; the events are what `listLevelHours` sums up. */
  projectMoves(projectIds: readonly number[], range: ReportRange): Promise<readonly ProjectMoves[]>;
  /**
   * The issues with the most events in a range, the most first; of two alike the lower number, of those alike
   * at the end some.
   */
  busiestIssues(
    projectIds: readonly number[],
    range: ReportRange,
    limit: number,
  ): Promise<readonly BusyIssue[]>;

  /**
   * Reads every event of the range: for a report that is made, not for a page. Counts up to `usersMax`. Asks
   * `goOn` between two statements, and ends with what it throws.
   */
  affectedUsers(
    projectId: number,
    range: ReportRange,
    usersMax: number,
    goOn?: () => void,
  ): Promise<AffectedUsers>;
  /**
   * Keeps a report that speaks of some projects; where there is one of that period already, it stays, and
   * null is answered.
   */
  keepReport(report: Omit<KeptReport, 'id'>, projectIds: readonly number[]): Promise<KeptReport | null>;
  /** Those of a project, or those over all where it is null: of each year the weeks, then the months. */
  listKeptReports(projectId: number | null): Promise<readonly KeptReportHead[]>;
  findKeptReport(id: number): Promise<KeptReport | null>;
  findReportOf(projectId: number | null, period: string): Promise<KeptReport | null>;
  deleteKeptReport(id: number): Promise<boolean>;
}
