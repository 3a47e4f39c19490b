// Batches of writes one after the other: committed, and answered when they are on the disk.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Meter } from '../../src/core/ports/measures.ts';
import type { LogSync } from './log-sync.ts';
import { type Committed, type committerOf, rejectAll } from './sqlite-commit.ts';
import { foldWholeLog, type SqliteConnections } from './sqlite-connections.ts';
import { namedFailure } from './sqlite-queries.ts';
import type { WaitingJob, WriteQueue } from './write-queue.ts';

interface RoundParts {
  readonly meter?: Meter | undefined;
  readonly log: LogSync;
  readonly restoreTrust: () => Error | null;
  readonly clock: () => number;
  readonly random: () => number;
}

/**
 * One batch of the queue: committed, and answered when it is on the disk. Between two of them the process
 * turns, so that requests are read and gather; while the disk is waited for this thread goes on.
 */
export function roundOf(
  queue: WriteQueue,
  commit: ReturnType<typeof committerOf>,
  { meter, log, restoreTrust, clock, random }: RoundParts,
): () => Promise<void> {
  async function commitInTrust(batch: readonly WaitingJob[]): Promise<Committed> {
    const doubt = restoreTrust();
    if (doubt === null) return commit(batch);
    rejectAll(batch, doubt);
    return { answers: [], left: [], locked: false };
  }
  return async () => {
    await nextTurn();
    const beganAtMs = clock();
    const batch = queue.takeBatch();
    const { answers, left, locked } = await commitInTrust(batch);
    queue.putBack(left);
    if (answers.length > 0) {
      try {
        await log.synced();
        meter?.observe('commitSeconds', [], (clock() - beganAtMs) / 1000);
        for (const answer of answers) answer();
      } catch (error) {
        rejectAll(batch.slice(0, answers.length), error as Error);
      }
    }
    if (locked) await sleep(10 + random() * 40);
  };
}

/**
 * Once the disk has refused its word nothing is written behind what may be lost, for the log is read only as
 * far as it is whole: first all of it has to be in the file. Answers why that cannot be done now, else null.
 */
export function trustIn({ writer, log }: Pick<SqliteConnections, 'writer' | 'log'>): () => Error | null {
  return () => {
    if (!log.isInDoubt()) return null;
    try {
      foldWholeLog(writer);
    } catch (error) {
      return namedFailure(error);
    }
    log.trust();
    return null;
  };
}

/** Resolves when the process has turned once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
