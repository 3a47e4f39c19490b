// The store alone: events of 2 KB that were prepared before, 256 of them under way, from inside the process.
// What HTTP and the rules take is not in it.
import { performance } from 'node:perf_hooks';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { type Bench, median } from '../full/bench.ts';
import type { Options } from '../full/options.ts';
import { type EmptyDatabase, openDbmses } from './databases.ts';
import { openMeasuredStore, preparedEvents } from './prepared.ts';

export interface WriterRow {
  readonly database: string;
  readonly perSecond: number;
  readonly least: number;
  readonly most: number;
  /** Of this process: on SQLite with all of the database in it, on PostgreSQL without. */
  readonly processorMicros: number;
}

interface Measured {
  readonly perSecond: number;
  readonly processorMicros: number;
}

const inFlight = 256;
const kilobytes = 2;
/** Prepared for a round, which ends sooner where the store is slow. */
const eventsOfRound = 4_000;
const roundMsMax = 2_000;
const roundSeconds = 4;

export function writerSeconds({ databases, repeats }: Options): number {
  return databases.length * (repeats + 1) * roundSeconds;
}

/** The databases take turns; the first round makes V8 ready. */
export async function measureWriter(bench: Bench): Promise<WriterRow[]> {
  const dbmses = await openDbmses(bench.options, bench.progress);
  const opened: Array<{
    name: string;
    database: EmptyDatabase;
    store: Store;
    projectId: number;
    rounds: Measured[];
  }> = [];
  try {
    for (const dbms of dbmses) {
      const database = await dbms.create();
      opened.push({ name: dbms.name, database, ...(await openMeasuredStore(database.url)), rounds: [] });
    }
    for (let round = 0; round <= bench.options.repeats; round += 1) {
      for (const { name, store, projectId, rounds } of opened) {
        const measured = await fileAll(store, preparedEvents(projectId, kilobytes, eventsOfRound));
        if (round > 0) rounds.push(measured);
        const rate = measured.perSecond.toFixed(0).padStart(6);
        bench.progress(
          `round ${round} of ${bench.options.repeats}  ${name.padEnd(12)} ${rate} events/s`,
          roundSeconds,
        );
      }
    }
    for (const { store, database } of opened) {
      await store.close();
      await database.drop();
    }
  } finally {
    for (const each of dbmses) await each.end();
  }
  return opened.map(({ name, rounds }) => rowOf(name, rounds));
}

function rowOf(database: string, rounds: readonly Measured[]): WriterRow {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return {
    database,
    perSecond: median(rates),
    least: Math.min(...rates),
    most: Math.max(...rates),
    processorMicros: median(rounds.map(({ processorMicros }) => processorMicros)),
  };
}

async function fileAll(store: Store, events: readonly NewEvent[]): Promise<Measured> {
  let next = 0;
  let filed = 0;
  const startedMs = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - startedMs < roundMsMax) {
      const event = events[next++];
      if (event === undefined) return;
      await store.recordEvent(event);
      filed += 1;
    }
  };
  const usedBefore = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, one));
  const { user, system } = process.cpuUsage(usedBefore);
  const seconds = (performance.now() - startedMs) / 1000;
  return { perSecond: filed / seconds, processorMicros: (user + system) / filed };
}
