// What monitors are made of in the store, beside what pages look at (monitors.ts): types alone.
import type { AskingMethod, RecordKind } from '../../../../schemas/monitors.ts';
import type { EpochMs } from '../../reading/moments.ts';
import type { CronTerms, JobName, JobRuns } from './cron.ts';
import type { Check, Monitor, MonitorSlice, MonitorState, MonitorSum } from './monitors.ts';

/** What is asked, and what has to come of it. Empty texts ask for nothing. */
export interface MonitorTerms {
  /** Of the web; empty where a host is asked. */
  readonly url: string;
  /** How a page is asked. What its headers and its body say may be a secret, and is shown nowhere. */
  readonly method: AskingMethod;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
  readonly host: string;
  readonly port: number;
  /** The kind of record that a name is asked for; empty where none is. */
  readonly record: RecordKind | '';
  /** What they must be, one a line. */
  readonly answers: string;
  /** Checks one after the other that must say the same before the state changes. */
  readonly confirmations: number;
  /** An answer that takes longer is slow; 0 is no limit. */
  readonly slowMs: number;
  /** Good ones, such as `200-299,401`. */
  readonly status: string;
  readonly contains: string;
  readonly lacks: string;
  readonly jsonPath: string;
  readonly jsonValue: string;
  /** Where the answer has to redirect to; empty: redirects are followed. */
  readonly redirect: string;
  /** A certificate that ends within so many days is near its end; 0 is no limit. */
  readonly certificateDays: number;
  /** Whether going down opens an incident. */
  readonly opensIncidents: boolean;
  /** How late a call may be. */
  readonly graceMs: number;
  /** Of a job on a schedule; null for everything else. */
  readonly cron: CronTerms | null;
}

/** Checks that said otherwise than the state, and are not enough yet to change it. */
export interface Suspicion {
  readonly state: Check['result'];
  readonly count: number;
  /** The first of them. */
  readonly sinceMs: EpochMs;
  /** What said that state; absent of jobs, and where it was kept before there was this. */
  readonly found?: FoundState;
}

/** Why a state is what it is. */
export interface FoundState {
  /** Empty for what is good. */
  readonly reason: string;
  /** Whether it is good but for a certificate that ends soon. */
  readonly isEnding: boolean;
}

/** How a monitor stands between two checks. */
export interface Standing {
  readonly state: MonitorState;
  readonly stateSinceMs: EpochMs;
  readonly reason: string;
  readonly suspicion: Suspicion | null;
  /** Up to here its time was counted as what it was. */
  readonly countedToMs: EpochMs;
}

export interface KeptMonitor extends Monitor, Standing {
  readonly terms: MonitorTerms;
  readonly timeoutMs: number;
  readonly createdBy: string;
  /**
   * Keyed hash of the address whose check-in made it; empty where that is not known, null where no check-in
   * made it.
   */
  readonly sender: string | null;
  /** Grows with each change and each check: who checks writes only what is still asked for. */
  readonly version: number;
  /** When the run of a heartbeat began that has not ended yet; absent or null for none. */
  readonly startedAtMs?: EpochMs | null;
  /** What check-ins call it, and how its runs stand; null for what has none. */
  readonly job: JobName | null;
  readonly runs: JobRuns | null;
}

/** `tokenHash`: of the secret that it is called by; null where it asks. */
export type NewMonitor = { readonly tokenHash: string | null } & Pick<
  KeptMonitor,
  | 'projectId'
  | 'slug'
  | 'name'
  | 'type'
  | 'target'
  | 'expects'
  | 'terms'
  | 'group'
  | 'tags'
  | 'goal'
  | 'intervalMs'
  | 'timeoutMs'
  | 'nextCheckAtMs'
  | 'createdAtMs'
  | 'createdBy'
  | 'sender'
  | 'job'
  | 'runs'
>;

/** All of it is written. */
export type MonitorChange = Pick<
  KeptMonitor,
  | 'name'
  | 'target'
  | 'expects'
  | 'terms'
  | 'group'
  | 'tags'
  | 'goal'
  | 'intervalMs'
  | 'timeoutMs'
  | 'state'
  | 'stateSinceMs'
  | 'stateUntilMs'
  | 'reason'
  | 'suspicion'
  | 'nextCheckAtMs'
  | 'runs'
>;

/** A time, and what the monitor was in it. */
export interface WatchedTime {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly state: Check['result'] | 'maintenance';
}

/** What a monitor's new state means to what was open of it. */
export interface MonitorTurn {
  readonly kind: 'monitor.down' | 'monitor.up' | 'monitor.slow';
  /** Whether rules are told of it too. */
  readonly isNews: boolean;
  /** Since when it is in the new state. */
  readonly sinceMs: EpochMs;
  /** What it is in a line, what is said beside it, and its page. */
  readonly said: { readonly title: string; readonly detail: string; readonly path: string };
}

/** What a check changes. */
export interface CheckOutcome {
  /** The monitor as it was claimed. */
  readonly monitor: KeptMonitor;
  /** Null where it only waits on. */
  readonly check: Check | null;
  readonly standing: Standing;
  readonly times: readonly WatchedTime[];
  /** Written with the state that they tell of. */
  readonly turns: readonly MonitorTurn[];
  readonly certificateEndsAtMs: EpochMs | null;
  /** Null: it waits to be called. */
  readonly nextCheckAtMs: EpochMs | null;
  readonly runs: JobRuns | null;
  /** Until when the state holds, where that is known. */
  readonly stateUntilMs?: EpochMs;
  /** When a run began that goes on; absent: none does. */
  readonly startedAtMs?: EpochMs | null;
}

/** What a monitor measured over a long time, as it is kept. */
export interface MonitorHistory {
  /** Each with the milliseconds of its good answers. */
  readonly slices: ReadonlyArray<MonitorSum & { readonly durations: readonly number[] }>;
  readonly days: readonly MonitorSlice[];
  readonly checks: readonly Check[];
}

export interface MonitorStore {
  /** All of them, in the order in which they were made. */
  listMonitors(): Promise<readonly Monitor[]>;
  findMonitor(slug: string): Promise<Monitor | null>;
  /**
   * The days (UTC) of some monitors from the day of `fromMs` on, oldest first, by the id of the monitor; days
   * before it was made are absent.
   */
  monitorDays(
    monitorIds: readonly number[],
    fromMs: EpochMs,
    toMs: EpochMs,
  ): Promise<ReadonlyMap<number, readonly MonitorSlice[]>>;
  /**
   * One slice over a whole range of whole five minutes for some monitors, by the id of the monitor; those
   * that were not watched in it are absent.
   */
  monitorSums(
    monitorIds: readonly number[],
    range: { readonly fromMs: EpochMs; readonly toMs: EpochMs },
  ): Promise<ReadonlyMap<number, MonitorSum>>;
  /** Slices of a range, in steps of whole five minutes, oldest first; the running one is the last. */
  monitorSlices(
    monitorId: number,
    range: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepMs: number },
  ): Promise<readonly MonitorSlice[]>;
  /** The newest checks, newest first, at most 50. */
  lastChecks(monitorId: number, limit: number): Promise<readonly Check[]>;

  /**
   * Where its slug is taken, with the first number behind it that is free; where its job has one already,
   * that one.
   */
  addMonitor(monitor: NewMonitor): Promise<KeptMonitor>;
  countMonitors(projectId: number | null): Promise<number>;
  /** Those of a project, or of all where it is null, as they were made. */
  listKeptMonitors(projectId: number | null): Promise<readonly KeptMonitor[]>;
  findKeptMonitor(id: number): Promise<KeptMonitor | null>;
  /** By the hash of the secret that it is called by. */
  findMonitorByToken(tokenHash: string): Promise<KeptMonitor | null>;
  /** By what a project's check-ins call it. */
  findJob(projectId: number, job: JobName): Promise<KeptMonitor | null>;
  /** Those of a project that check-ins made: all, and those of one sender. */
  countJobs(
    projectId: number,
    sender: string | null,
  ): Promise<{ readonly all: number; readonly ofSender: number }>;
  /** Null where it is gone, or was changed since it was read. */
  changeMonitor(monitor: KeptMonitor, change: MonitorChange): Promise<KeptMonitor | null>;
  /** From now on it is called by another secret. */
  changeMonitorToken(id: number, tokenHash: string): Promise<void>;
  /** What it measured is swept up later. */
  deleteMonitor(id: number): Promise<KeptMonitor | null>;

  /** Whether one is due. Writes nothing. */
  monitorsDue(nowMs: EpochMs): Promise<boolean>;
  /**
   * Takes monitors that are due, those first that waited longest; nobody else asks them until their time and
   * `graceMs` are over. Pauses that end are over.
   */
  claimMonitors(
    nowMs: EpochMs,
    lease: { readonly graceMs: number; readonly limit: number },
  ): Promise<readonly KeptMonitor[]>;
  /** Writes checks down; answers how many. What was changed or deleted meanwhile is left as it is. */
  saveChecks(outcomes: readonly CheckOutcome[]): Promise<number>;
  /** Writes what it measured in the place of what is there. */
  addMonitorHistory(monitorId: number, history: MonitorHistory): Promise<void>;
}
