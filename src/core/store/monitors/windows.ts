// Planned work: windows in which monitors are at rest. Types alone.
import type { EpochMs } from '../../reading/moments.ts';
import type { IncidentUpdate } from '../incidents/incidents.ts';
import type { KeptMonitor } from './monitoring.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Work that comes again each week, by the clock of a zone. */
export interface WeeklyWork {
  readonly weekdays: readonly Weekday[];
  readonly hour: number;
  readonly minute: number;
  readonly lengthMs: number;
  readonly timezone: string;
}

/** Which monitors it is about: any of these says so. */
export interface Coverage {
  readonly all: boolean;
  readonly monitorIds: readonly number[];
  /** Empty for none. */
  readonly group: string;
  readonly tag: string;
}

export interface MaintenanceWindow {
  readonly id: number;
  /** Null for the workspace: monitors of all projects. */
  readonly projectId: number | null;
  readonly title: string;
  /** What everybody may read of it. */
  readonly message: string;
  readonly covers: Coverage;
  /** Null where it comes once. */
  readonly weekly: WeeklyWork | null;
  /** The work that is under way, or comes next; the last, where none comes any more. */
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly isUnderWay: boolean;
  /** When it begins or ends next; null where none comes any more. */
  readonly dueAtMs: EpochMs | null;
  /** What pages show of that work. */
  readonly incidentId: number | null;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  /** Grows with each change. */
  readonly version: number;
}

/** All of it is written. */
export type WindowChange = Pick<
  MaintenanceWindow,
  'title' | 'message' | 'covers' | 'weekly' | 'fromMs' | 'toMs' | 'isUnderWay' | 'dueAtMs'
>;

export type NewWindow = WindowChange & Pick<MaintenanceWindow, 'projectId' | 'createdAtMs' | 'createdBy'>;

/** What becomes of the incident of its work, in the transaction of its change. */
export type WorkStep =
  /** Another work is planned, with an incident of its own. */
  | { readonly does: 'plan'; readonly atMs: EpochMs; readonly affects: readonly KeptMonitor[] }
  /** The same work is otherwise than it was. */
  | { readonly does: 'move'; readonly affects: readonly KeptMonitor[] }
  | { readonly does: 'end'; readonly atMs: EpochMs; readonly update: IncidentUpdate }
  /** It never came. */
  | { readonly does: 'drop' };

export interface WindowTurn {
  readonly change: WindowChange;
  readonly steps: readonly WorkStep[];
  /** Monitors that are to be looked at now; paused ones stay so. */
  readonly wakes: readonly number[];
  readonly atMs: EpochMs;
}

export interface WindowStore {
  /** Those of a project, or of all where it is null, as they were made. */
  listWindows(projectId: number | null): Promise<readonly MaintenanceWindow[]>;
  findWindow(id: number): Promise<MaintenanceWindow | null>;
  /** The one whose work under way, or next, an incident tells of. */
  findWindowOf(incidentId: number): Promise<MaintenanceWindow | null>;
  /** Those that are under way, or to come. */
  countWindows(projectId: number | null): Promise<number>;
  addWindow(window: NewWindow, affects: readonly KeptMonitor[]): Promise<MaintenanceWindow>;
  /** Null where it is gone, or was changed since it was read. */
  turnWindow(window: MaintenanceWindow, turn: WindowTurn): Promise<MaintenanceWindow | null>;
  /** False where it is gone, or was changed since it was read. */
  deleteWindow(
    window: MaintenanceWindow,
    end: Pick<WindowTurn, 'steps' | 'wakes' | 'atMs'>,
  ): Promise<boolean>;
  /** Those whose work is under way, and those that begin now. */
  windowsNow(nowMs: EpochMs): Promise<readonly MaintenanceWindow[]>;
}
