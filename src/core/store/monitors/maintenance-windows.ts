import type { EpochMs } from '../../parsing/timestamps.ts';
import type { IncidentUpdate } from '../incidents/incidents.ts';
import type { MonitorRecord } from './monitor-records.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface WeeklySchedule {
  readonly weekdays: readonly Weekday[];
  readonly hour: number;
  readonly minute: number;
  readonly lengthMs: number;
  readonly timezone: string;
}

/** A monitor is covered when any of these matches. */
export interface MonitorSelection {
  readonly all: boolean;
  readonly monitorIds: readonly number[];
  readonly group: string;
  readonly tag: string;
}

export interface MaintenanceWindow {
  readonly id: number;
  readonly projectId: number | null;
  readonly title: string;
  readonly message: string;
  readonly covers: MonitorSelection;
  readonly weekly: WeeklySchedule | null;
  /** The current or next occurrence; the last one when none is left. */
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly isInProgress: boolean;
  readonly dueAtMs: EpochMs | null;
  readonly incidentId: number | null;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  /** Grows with each change. A write is refused when the version is not the one that was read. */
  readonly version: number;
}

export type WindowChange = Pick<
  MaintenanceWindow,
  'title' | 'message' | 'covers' | 'weekly' | 'fromMs' | 'toMs' | 'isInProgress' | 'dueAtMs'
>;

export type NewWindow = WindowChange & Pick<MaintenanceWindow, 'projectId' | 'createdAtMs' | 'createdBy'>;

export type IncidentStep =
  /** Plans another occurrence, with its own incident. */
  | { readonly does: 'plan'; readonly atMs: EpochMs; readonly affects: readonly MonitorRecord[] }
  /** The same occurrence has changed. */
  | { readonly does: 'move'; readonly affects: readonly MonitorRecord[] }
  | { readonly does: 'end'; readonly atMs: EpochMs; readonly update: IncidentUpdate };

export interface WindowTransition {
  readonly change: WindowChange;
  readonly steps: readonly IncidentStep[];
  /** Monitors to check now; paused ones stay paused. */
  readonly wakes: readonly number[];
  readonly atMs: EpochMs;
}

export interface MaintenanceWindowStore {
  listWindows(projectId: number | null): Promise<readonly MaintenanceWindow[]>;
  findWindow(id: number): Promise<MaintenanceWindow | null>;
  findWindowOf(incidentId: number): Promise<MaintenanceWindow | null>;
  countWindows(projectId: number | null): Promise<number>;
  addWindow(window: NewWindow, affects: readonly MonitorRecord[]): Promise<MaintenanceWindow>;
  applyWindowTransition(window: MaintenanceWindow, turn: WindowTransition): Promise<MaintenanceWindow | null>;
  deleteWindow(
    window: MaintenanceWindow,
    end: Pick<WindowTransition, 'steps' | 'wakes' | 'atMs'>,
  ): Promise<boolean>;
  windowsNow(nowMs: EpochMs): Promise<readonly MaintenanceWindow[]>;
}
