// Monitors and their checks as the store keeps them: types alone.
import type { EpochMs } from '../../reading/moments.ts';

/** What a monitor asks: a page, a word on it, a port, a name, a certificate, or that something reports. */
export const monitorTypes = ['http', 'keyword', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;
/** Those that ask nothing, and wait for what somebody says. */
export const calledTypes: ReadonlyArray<(typeof monitorTypes)[number]> = ['heartbeat', 'cron'];
export type MonitorType = (typeof monitorTypes)[number];

/** Those that need a look first. */
export const monitorStates = ['down', 'degraded', 'maintenance', 'pending', 'paused', 'up'] as const;
export type MonitorState = (typeof monitorStates)[number];

export interface Monitor {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly type: MonitorType;
  /** What is asked: an address, `host:port`, `name TYPE`, or the interval of a heartbeat in words. */
  readonly target: string;
  /** What it must answer, in words: `200 within 3 s`. */
  readonly expects: string;
  /** Null where it watches what belongs to no one project. */
  readonly projectId: number | null;
  readonly group: string;
  readonly tags: readonly string[];
  readonly intervalMs: number;
  /** What a page of 30 days should reach, from 0 to 1. */
  readonly goal: number;
  readonly state: MonitorState;
  readonly stateSinceMs: EpochMs;
  /** Why it is in that state, without a full stop: `answers 502`; empty where there is nothing to say. */
  readonly reason: string;
  readonly createdAtMs: EpochMs;
  readonly lastCheck: Check | null;
  /** Null where it is paused, or waits to be called; of a job when it is to begin. */
  readonly nextCheckAtMs: EpochMs | null;
  /** When the certificate that it saw ends; null where it saw none. */
  readonly certificateEndsAtMs: EpochMs | null;
  /** Until when the state holds, where that is known: the end of planned work, of a pause. */
  readonly stateUntilMs: EpochMs | null;
  /** Median and 95th percentile of the answers of 24 hours; null without any. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export interface Check {
  readonly atMs: EpochMs;
  readonly result: 'up' | 'degraded' | 'down';
  /** A status, an error of the network, or nothing. */
  readonly code: string;
  readonly durationMs: number | null;
  /** Where it was asked from. */
  readonly from: string;
  /** What was wrong; empty for a good one. */
  readonly message: string;
  /** What a call of a heartbeat brought; absent where it brought nothing. */
  readonly body?: string;
}

/** One slice of a monitor's time: what it was most, and for how long it was what. */
export interface MonitorSlice {
  /** Where the slice begins. */
  readonly atMs: EpochMs;
  /** Milliseconds watched, and of those in trouble; planned work is not watched. */
  readonly watchedMs: number;
  readonly downMs: number;
  readonly degradedMs: number;
  readonly maintenanceMs: number;
  readonly checks: number;
  /** Null where nothing answered. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** Slices added up: what answers took cannot be. */
export type MonitorSum = Omit<MonitorSlice, 'medianMs' | 'p95Ms'>;
