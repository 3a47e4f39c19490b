// Mapping of stacks, as the rules are handed it: types alone.

import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Project } from '../store/projects.ts';
import type { MapWorkers } from './map-workers.ts';
import type { Mapping } from './readings.ts';

/**
 * Maps the frames of an event. Holds itself to 250 ms and never rejects: out of time or in trouble it answers
 * the event as it was with `needsMapping: true`, and maps it later (D-30). Mapped stacks stand in
 * `stacktrace`, those sent in `raw_stacktrace`.
 */
export type MapEvent = (
  project: Project,
  event: NormalizedEvent,
) => Promise<{ readonly event: NormalizedEvent } & Mapping>;

export interface EventMapping {
  /** What `ingestEvent` is handed to map frames with, for at most 250 ms (D-30). */
  readonly mapEvent: MapEvent;
  /** Says that artifacts were filed: the events that they may help are mapped in the background. */
  artifactsArrived(projectId: number, arrival: Arrival): void;
  /**
   * For a server that starts: readies the threads, takes up what an earlier process left undone, and from
   * hour to hour what failed. Never rejects.
   */
  start(): Promise<void>;
  /** Readies the threads where an event may need them, and nothing else. Never rejects. */
  warm(): Promise<void>;
  /** The workers, for reading uploads. */
  readonly workers: MapWorkers;
  /** Does at once what waits for its time, and resolves when no background run is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What an upload may help: events of its release, and those that wait for one of its debug ids. */
export interface Arrival {
  readonly release: string | null;
  readonly debugIds: readonly string[];
}
