// The threads that answer requests, for the program that starts and ends them: the memory that they share,
// this thread's part, and the crew of the others.
import { Worker } from 'node:worker_threads';
import { workerBeside } from '../http/threads/replies.ts';
import type { AnsweringParts } from './app.ts';
import type { Listening, TakenAddress } from './listen.ts';
import type { OpenedDeps, Setup, ThreadParts } from './open-deps.ts';
import { type Crew, type CrewParts, startCrew } from './threads/crew.ts';
import { openShared, sharedMemory } from './threads/shared.ts';
import { type BusyLook, whenBusy } from './threads/when-busy.ts';

export interface Together {
  /** For `openSetup`, and for what is served, of this thread. */
  readonly thread: ThreadParts;
  readonly answering: AnsweringParts;
  /** Starts the others, over a database that is open and migrated; resolves when all of them listen. */
  start(opened: OpenedDeps): Promise<void>;
  /** The same once this thread is busy; where it cannot be done the log is told, and this one goes on. */
  startWhenBusy(opened: OpenedDeps): void;
  /** Has the others answer, as this thread does by `listening`: those that listen, and those to come. */
  serve(listening: Listening): void;
  /** Resolves with what ended one of the others. */
  readonly failed: Promise<Error>;
  drain(): Promise<void>;
  /** Ends the others where nothing was taken yet. */
  end(): Promise<void>;
}

/** Prepares `threads` threads at an address that this one has taken. */
export function openTogether(setup: Setup, address: TakenAddress, threads: number): Together {
  const memory = sharedMemory();
  const shared = openShared(memory, Date.now);
  const failed = Promise.withResolvers<Error>();
  let crew: Crew | null = null;
  let own: Listening | null = null;
  let looking: BusyLook | null = null;
  let starting: Promise<void> | null = null;
  async function start(opened: OpenedDeps): Promise<void> {
    const { host, port } = address;
    crew = await startCrew(
      { setup, memory, threads, host, port },
      crewParts(opened, () => own),
    );
    void crew.failed.then(failed.resolve);
    if (own !== null) crew.serve();
  }
  return {
    thread: {
      shared,
      threads,
      news: () => crew?.news(),
      flush: async () => crew?.flush(),
    },
    answering: { shared, gather: async () => (await crew?.counts()) ?? [] },
    start,
    startWhenBusy(opened) {
      const { log } = opened.deps;
      looking = whenBusy(() => {
        log.info({ threads }, 'one thread is busy: others are started');
        starting = start(opened).then(
          () => log.info({ threads }, 'the others answer too'),
          (error: Error) =>
            log.error({ fault: error.message }, 'no more threads could be started: one goes on answering'),
        );
      });
    },
    serve(listening) {
      own = listening;
      crew?.serve();
    },
    failed: failed.promise,
    async drain() {
      looking?.stop();
      // Those that are only just starting are told when they listen.
      await starting;
      await crew?.drain();
    },
    end: async () => crew?.end(),
  };
}

/** What was just made may take as much in the others as in this one, by the word that starts it (D-238). */
const heapLimits = { maxYoungGenerationSizeMb: 48 };

/** What this thread does for the others, once it answers itself by `own`. */
function crewParts({ deps, own: ownPart }: OpenedDeps, own: () => Listening | null): CrewParts {
  return {
    log: deps.log,
    begin: (workerData) =>
      new Worker(workerBeside(import.meta.url), { workerData, resourceLimits: heapLimits }),
    ...ownPart,
    add: (counted) => deps.measures?.add(counted),
    async metrics() {
      const exposition = own()?.watched.sight?.exposition;
      if (exposition === undefined) throw new Error('Nobody counts.');
      return exposition.text();
    },
  };
}
