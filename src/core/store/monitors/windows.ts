import type { EpochMs } from '../../reading/moments.ts';
import type { IncidentUpdate } from '../incidents/incidents.ts';
import type { KeptMonitor } from './monitoring.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface WeeklyWork {
  readonly weekdays: readonly Weekday[];
  readonly hour: number;
  readonly minute: number;
  readonly lengthMs: number;
  readonly timezone: string;
}

/** A monitor is covered when any of these matches. */
export interface Coverage {
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
  readonly covers: Coverage;
  readonly weekly: WeeklyWork | null;
  /** The current or next occurrence; the last one when none is left. */
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly isUnderWay: boolean;
  readonly dueAtMs: EpochMs | null;
  readonly incidentId: number | null;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  /** Grows with each change. A write is refused when the version is not the one that was read. */
  readonly version: number;
}

export type WindowChange = Pick<
  MaintenanceWindow,
  'title' | 'message' | 'covers' | 'weekly' | 'fromMs' | 'toMs' | 'isUnderWay' | 'dueAtMs'
>;

export type NewWindow = WindowChange & Pick<MaintenanceWindow, 'projectId' | 'createdAtMs' | 'createdBy'>;

/** Changes the incident of an occurrence in the same transaction. */
export type WorkStep =
  /** Plans another occurrence, with its own incident. */
  | { readonly does: 'plan'; readonly atMs: EpochMs; readonly affects: readonly KeptMonitor[] }
  /** The same occurrence has changed. */
  | { readonly does: 'move'; readonly affects: readonly KeptMonitor[] }
  | { readonly does: 'end'; readonly atMs: EpochMs; readonly update: IncidentUpdate }
  | { readonly does: 'drop' };

export interface WindowTurn {
  readonly change: WindowChange;
  readonly steps: readonly WorkStep[];
  /** Monitors to check now; paused ones stay paused. */
  readonly wakes: readonly number[];
  readonly atMs: EpochMs;
}

export interface WindowStore {
  listWindows(projectId: number | null): Promise<readonly MaintenanceWindow[]>;
  findWindow(id: number): Promise<MaintenanceWindow | null>;
  findWindowOf(incidentId: number): Promise<MaintenanceWindow | null>;
  countWindows(projectId: number | null): Promise<number>;
  addWindow(window: NewWindow, affects: readonly KeptMonitor[]): Promise<MaintenanceWindow>;
  turnWindow(window: MaintenanceWindow, turn: WindowTurn): Promise<MaintenanceWindow | null>;
  deleteWindow(
    window: MaintenanceWindow,
    end: Pick<WindowTurn, 'steps' | 'wakes' | 'atMs'>,
  ): Promise<boolean>;
  windowsNow(nowMs: EpochMs): Promise<readonly MaintenanceWindow[]>;
}
