// Jobs on a schedule, whose runs check in, as the store keeps them: types alone.
import type { EpochMs } from '../../reading/moments.ts';

export const intervalUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export type CronSchedule =
  | { readonly type: 'crontab'; readonly value: string }
  | { readonly type: 'interval'; readonly value: number; readonly unit: (typeof intervalUnits)[number] };

/** When a job is to run, and what is to be said of that. */
export interface CronTerms {
  readonly schedule: CronSchedule;
  readonly timezone: string;
  /** How late a run may begin. */
  readonly marginMs: number;
  /** How long it may take. */
  readonly runtimeMs: number;
  /** Bad runs one after the other that make it down, and good ones that end that. */
  readonly failures: number;
  readonly recoveries: number;
}

/** What its check-ins call it; several environments of one job stand each by themselves. */
export interface JobName {
  readonly slug: string;
  readonly environment: string;
}

/** A run that was said to have begun, and not yet to have ended. */
interface JobRun {
  readonly id: string | null;
  readonly beganAtMs: EpochMs;
}

export interface JobRuns {
  /** When the next is to begin; null before the first check-in, and where none comes any more. */
  readonly expectedAtMs: EpochMs | null;
  /** Oldest first. */
  readonly underWay: readonly JobRun[];
  /** The last that ended: what is sent again changes nothing. */
  readonly endedIds: readonly string[];
}
