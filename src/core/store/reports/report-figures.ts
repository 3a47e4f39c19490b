import type { Level } from '../../../../schemas/event.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';

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

export interface TopIssue {
  readonly id: number;
  readonly projectId: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly events: number;
}
