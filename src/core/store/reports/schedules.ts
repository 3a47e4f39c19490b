import type { EpochMs } from '../../parsing/timestamps.ts';

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
