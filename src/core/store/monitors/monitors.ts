import type { EpochMs } from '../../parsing/timestamps.ts';

export const monitorTypes = ['http', 'keyword', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;
/** Types that wait for a push or check-in instead of making requests. */
export const passiveMonitorTypes: ReadonlyArray<(typeof monitorTypes)[number]> = ['heartbeat', 'cron'];
export type MonitorType = (typeof monitorTypes)[number];

/** The most urgent first. */
export const monitorStates = ['down', 'degraded', 'maintenance', 'pending', 'paused', 'up'] as const;
export type MonitorState = (typeof monitorStates)[number];

export interface Monitor {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly type: MonitorType;
  readonly target: string;
  readonly expects: string;
  readonly projectId: number | null;
  readonly group: string;
  readonly tags: readonly string[];
  readonly intervalMs: number;
  /** SLO target for 30 days, from 0 to 1. */
  readonly goal: number;
  readonly state: MonitorState;
  readonly stateSinceMs: EpochMs;
  readonly reason: string;
  readonly createdAtMs: EpochMs;
  readonly lastCheck: Check | null;
  /** Null where it is paused or waits for a push. For a cron job: the next expected start. */
  readonly nextCheckAtMs: EpochMs | null;
  readonly certificateEndsAtMs: EpochMs | null;
  /** End of planned maintenance or of a pause. */
  readonly stateUntilMs: EpochMs | null;
  /** Over 24 hours; null without responses. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export interface Check {
  readonly atMs: EpochMs;
  readonly result: 'up' | 'degraded' | 'down';
  /** HTTP status, network error code, or empty. */
  readonly code: string;
  readonly durationMs: number | null;
  readonly from: string;
  readonly message: string;
  readonly body?: string;
}

export interface MonitorInterval {
  readonly atMs: EpochMs;
  /** In milliseconds. Planned maintenance does not count as watched. */
  readonly watchedMs: number;
  readonly downMs: number;
  readonly degradedMs: number;
  readonly maintenanceMs: number;
  readonly checks: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** Percentiles of several slices cannot be added up. */
export type MonitorTotals = Omit<MonitorInterval, 'medianMs' | 'p95Ms'>;
