// When reports are sent, and to whom: types alone.
import type { EpochMs } from '../../reading/moments.ts';

/** A channel that is sent the report of each week, or of each month. */
export interface ReportSchedule {
  readonly id: number;
  /** The project that its channel belongs to, and that its reports are of; null for all. */
  readonly projectId: number | null;
  readonly channelId: number;
  readonly kind: 'week' | 'month';
  /** Minutes of the first day after the period, by the clocks of `zone`. */
  readonly atMinute: number;
  readonly zone: string;
  /** The next time. */
  readonly dueAtMs: EpochMs;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
}

export interface ReportScheduleStore {
  /** Null where the channel is sent reports of that kind already. */
  addReportSchedule(schedule: Omit<ReportSchedule, 'id'>): Promise<ReportSchedule | null>;
  /** Those of a project, or all where it is null, as they were made. */
  listReportSchedules(projectId: number | null): Promise<readonly ReportSchedule[]>;
  findReportSchedule(id: number): Promise<ReportSchedule | null>;
  changeReportSchedule(
    id: number,
    change: Pick<ReportSchedule, 'atMinute' | 'zone' | 'dueAtMs'>,
  ): Promise<ReportSchedule | null>;
  deleteReportSchedule(id: number): Promise<boolean>;
  listDueSchedules(nowMs: EpochMs): Promise<readonly ReportSchedule[]>;
  /** Puts off to the next time; false where somebody else did, or it is gone. */
  putOffSchedule(schedule: Pick<ReportSchedule, 'id' | 'dueAtMs'>, nextMs: EpochMs): Promise<boolean>;
}
