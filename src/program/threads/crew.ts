// The threads that answer requests beside this one, as this one sees them: started, told, asked, and ended
// with the program. One that ends by itself ends the program: what it had answered is kept, its connections
// are gone, and whoever starts programs starts this one anew.
import { getCompileCacheDir } from 'node:module';
import type { Worker } from 'node:worker_threads';
import type { Log } from '../../core/ports/log.ts';
import type { Counted } from '../../core/ports/measures.ts';
import { type Answers, type Link, openLink, type Word } from './link.ts';
import type { ThreadData } from './thread-data.ts';

/** What this thread does for the others. */
export interface CrewParts {
  readonly log: Log;
  /** Starts a thread of the program that answers. */
  begin(data: ThreadData): Worker;
  /** A thread stored an event. */
  news(): void;
  /** What a thread has counted. */
  add(counted: Counted): void;
  /** Writes down what this thread has counted of outcomes. */
  flush(): Promise<void>;
  metrics(): Promise<Answers['metrics']>;
}

export interface Crew {
  /** Has all of them answer from now on. */
  serve(): void;
  /** Tells all that an event was stored. */
  news(): void;
  /** Has all write down what they have counted of outcomes. */
  flush(): Promise<void>;
  /** Has all hand over what they counted; answers what each has under way. */
  counts(): Promise<ReadonlyArray<Answers['counts']>>;
  /** Resolves with what ended one of them, if something does before the program is told to end. */
  readonly failed: Promise<Error>;
  /** Has all take no more, finish and end. */
  drain(): Promise<void>;
  /** Ends all at once, where nothing was taken yet. */
  end(): Promise<void>;
}

interface Member {
  readonly worker: Worker;
  readonly link: Link;
  readonly listens: Promise<void>;
  /** Resolves when it has finished, or is gone. */
  readonly ended: Promise<void>;
}

/** Starts the threads 1 to `data.threads` - 1. Rejects, with all of them ended, where one cannot listen. */
export async function startCrew(
  data: Omit<ThreadData, 'index' | 'compileCache'>,
  parts: CrewParts,
): Promise<Crew> {
  const failed = Promise.withResolvers<Error>();
  let isEnding = false;
  const fail = (error: Error): void => {
    if (!isEnding) failed.resolve(error);
  };
  const others: Member[] = [];
  const crew: Crew = {
    failed: failed.promise,
    serve: () => tellAll(others, { say: 'serve' }),
    news: () => tellAll(others, { say: 'news' }),
    flush: async () => void (await askAll(others, 'flush')),
    counts: () => askAll(others, 'counts'),
    async drain() {
      isEnding = true;
      tellAll(others, { say: 'drain' });
      await Promise.all(others.map(({ ended }) => ended));
    },
    async end() {
      isEnding = true;
      await Promise.all(others.map(({ worker }) => worker.terminate()));
    },
  };
  for (let index = 1; index < data.threads; index += 1) {
    others.push(startMember({ ...data, index }, parts, others, fail));
  }
  try {
    const all = Promise.all(others.map(({ listens }) => listens));
    await Promise.race([all, failed.promise.then((error) => Promise.reject(error))]);
    return crew;
  } catch (error) {
    await crew.end();
    throw error;
  }
}

function startMember(
  data: Omit<ThreadData, 'compileCache'>,
  parts: CrewParts,
  all: readonly Member[],
  fail: (error: Error) => void,
): Member {
  const worker = parts.begin({ ...data, compileCache: getCompileCacheDir() });
  const listens = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const others = (): Member[] => all.filter((member) => member.worker !== worker);
  const link = openLink(worker, {
    hear(word) {
      if (word.say === 'listening') listens.resolve();
      if (word.say === 'ended') ended.resolve();
      if (word.say === 'counted') parts.add(word.counted);
      if (word.say === 'log') parts.log[word.line[0]](word.line[1], word.line[2]);
      if (word.say === 'fault') {
        fail(Object.assign(new Error(word.fault.message), { stack: word.fault.stack }));
      }
      if (word.say !== 'news') return;
      parts.news();
      tellAll(others(), word);
    },
    async answer(what) {
      if (what === 'metrics') return parts.metrics();
      if (what === 'flush') await Promise.all([parts.flush(), askAll(others(), 'flush')]);
      return null;
    },
  });
  worker.on('error', (error) => fail(error as Error));
  worker.on('exit', () => {
    fail(new Error('a thread that answers requests has ended'));
    ended.resolve();
  });
  return { worker, link, listens: listens.promise, ended: ended.promise };
}

function tellAll(members: readonly Member[], word: Word): void {
  for (const { link } of members) link.tell(word);
}

async function askAll<Asked extends keyof Answers>(
  members: readonly Member[],
  what: Asked,
): Promise<Array<NonNullable<Answers[Asked]>>> {
  const answers = await Promise.all(members.map(({ link }) => link.ask(what)));
  return answers.flatMap((answer) => (answer === null ? [] : [answer as NonNullable<Answers[Asked]>]));
}
