import type { EpochMs } from '../parsing/timestamps.ts';

export interface QuarantinedCase {
  readonly id: number;
  readonly projectId: number;
  readonly caseId: string;
  readonly name: string;
  /** JSON list, as in `TestResult`. */
  readonly suite: string;
  readonly file: string | null;
  readonly reason: string;
  readonly issueId: number | null;
  readonly untilMs: EpochMs;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
}

export interface QuarantineStore {
  /** Those that have not ended at `nowMs`, the next to end first, at most `quarantinedCasesMax`. */
  listQuarantinedCases(projectId: number, nowMs: EpochMs): Promise<QuarantinedCase[]>;
  /** Null for one that has ended. */
  findQuarantinedCase(projectId: number, caseId: string, nowMs: EpochMs): Promise<QuarantinedCase | null>;
  /** Replaces an entry of the same case. */
  putQuarantinedCase(entry: Omit<QuarantinedCase, 'id'>): Promise<QuarantinedCase>;
  removeQuarantinedCase(projectId: number, id: number): Promise<QuarantinedCase | null>;
  removeEndedQuarantine(projectId: number, nowMs: EpochMs): Promise<void>;
}

export const quarantinedCasesMax = 500;
