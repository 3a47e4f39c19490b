// What umbrella reports ask beside what pages ask already: types alone.
import type { Level } from '../../../../schemas/event.ts';
import type { EpochMs } from '../../reading/moments.ts';

/** From the first moment of a period up to, not including, the first one after it; whole hours. */
export interface ReportRange {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** What happened to the issues and events of a project in a range. */
export interface ProjectMoves {
  readonly projectId: number;
  readonly events: number;
  /** Issues that were first seen in it. */
  readonly newIssues: number;
  /** Issues that were resolved in it, and issues that came back, each counted once. */
  readonly resolvedIssues: number;
  readonly regressedIssues: number;
  /** What visitors wrote, spam aside. */
  readonly feedback: number;
  readonly sessions: number;
  readonly crashedSessions: number;
  /** Whatever reached us, and what of it was kept. */
  readonly sent: number;
  readonly kept: number;
  readonly releases: number;
  readonly deploys: number;
  readonly failedDeploys: number;
  readonly testRuns: number;
  readonly failedRuns: number;
  /** Cases that ran, and those of them that passed. */
  readonly tests: number;
  readonly passedTests: number;
}

/** An issue with its events of a range, those merged into it included. */
export interface BusyIssue {
  readonly id: number;
  readonly projectId: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: Level;
  readonly events: number;
}
