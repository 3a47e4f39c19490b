import type { EpochMs } from '../../parsing/timestamps.ts';

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
