import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Project } from '../store/projects.ts';
import type { SymbolicationState } from './prepared-data.ts';
import type { SymbolicationWorkers } from './symbolication-workers.ts';

/** Takes at most 250 ms and never rejects: on timeout or error the event is unchanged, with `needsMapping: true`, and
 * is symbolicated later. The sent stacks are kept in `raw_stacktrace`. */
export type SymbolicateEvent = (
  project: Project,
  event: NormalizedEvent,
) => Promise<{ readonly event: NormalizedEvent } & SymbolicationState>;

export interface Symbolicator {
  readonly mapEvent: SymbolicateEvent;
  /** To be called after an upload; symbolicates the events it may help in the background. */
  artifactsArrived(projectId: number, arrival: UploadedArtifacts): void;
  /** Starts the threads, resumes unfinished work, and retries failed work every hour. Never rejects. */
  start(): Promise<void>;
  /** Starts the threads only, if the project data may need them. Never rejects. */
  warm(): Promise<void>;
  readonly workers: SymbolicationWorkers;
  /** Does delayed work at once, and resolves when no background run is active. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface UploadedArtifacts {
  readonly release: string | null;
  readonly debugIds: readonly string[];
}
