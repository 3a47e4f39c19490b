// What more HTTP threads bring (WEB_CONCURRENCY), as far as the server offers them.
import { availableParallelism } from 'node:os';
import { howManyThreads } from '../../../src/program/threads/how-many.ts';
import { type Bench, median, ratios, type Spread } from '../full/bench.ts';
import type { Options } from '../full/options.ts';
import type { BenchServer } from '../servers.ts';
import { contenderOf, inTurn, loadOnce, middle, ourWarmUpMs, startProduct } from './contenders.ts';
import { openDbmses } from './databases.ts';

interface ThreadsRow {
  readonly database: string;
  readonly threads: number;
  readonly perSecond: number;
  /** By one thread, round by round. */
  readonly toOne: Spread;
  /** Of all its threads, for a request. */
  readonly processorMicros: number;
  readonly p99Ms: number;
  readonly peakMemoryMiB: number;
}

export interface ThreadsResults {
  readonly rows: readonly ThreadsRow[];
  /** What was asked for and is not there. */
  readonly notOffered: readonly number[];
}

const requests = { route: 'store', encoding: 'plain', kilobytes: 2 } as const;

/** Whether so many answer on this machine. */
function isOffered(threads: number): boolean {
  const asked = { webConcurrency: threads, databaseUrl: 'sqlite:bench.db' };
  const machine = { platform: process.platform, cores: availableParallelism(), isHanded: false };
  return howManyThreads(asked, machine).threads === threads;
}

export function threadsSeconds({ threads, databases, repeats, seconds }: Options): number {
  return databases.length * threads.filter(isOffered).length * (repeats * seconds + ourWarmUpMs / 1000 + 1);
}

export async function measureThreads(bench: Bench): Promise<ThreadsResults> {
  const offered = bench.options.threads.filter(isOffered);
  const notOffered = bench.options.threads.filter((threads) => !isOffered(threads));
  const rows: ThreadsRow[] = [];
  const dbmses = await openDbmses(bench.options, bench.progress);
  try {
    for (const dbms of dbmses) {
      const databases = await Promise.all(offered.map(() => dbms.create()));
      rows.push(...(await measureOn(bench, dbms.name, offered, databases)));
      for (const each of databases) await each.drop();
    }
  } finally {
    for (const each of dbmses) await each.end();
  }
  return { rows, notOffered };
}

async function measureOn(
  bench: Bench,
  database: string,
  offered: readonly number[],
  databases: ReadonlyArray<{ readonly url: string }>,
): Promise<ThreadsRow[]> {
  const servers: BenchServer[] = [];
  try {
    for (const [index, threads] of offered.entries()) {
      servers.push(await startProduct(databases[index]?.url ?? '', { WEB_CONCURRENCY: String(threads) }));
    }
    const contenders = servers.map((server, index) =>
      contenderOf(`${offered[index]} threads`, server, requests),
    );
    for (const each of contenders) {
      await loadOnce(bench, each, ourWarmUpMs);
      bench.progress(`warmed up  ${each.name}`, ourWarmUpMs / 1000);
    }
    const rounds = await inTurn(bench, contenders);
    const first = rounds[0]?.results.map(({ perSecond }) => perSecond) ?? [];
    return rounds.map((each, index) => ({
      database,
      threads: offered[index] ?? 1,
      perSecond: middle(each, ({ perSecond }) => perSecond),
      toOne: ratios(
        each.results.map(({ perSecond }) => perSecond),
        first,
      ),
      processorMicros: median(each.processorMicros),
      p99Ms: middle(each, ({ p99Ms }) => p99Ms),
      peakMemoryMiB: servers[index]?.peakMemoryMiB() ?? Number.NaN,
    }));
  } finally {
    for (const each of servers) await each.stop();
  }
}
