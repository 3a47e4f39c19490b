// What it costs that much is stored already: the rate of 2 KB events and the time until the server listens,
// on nothing, on 100,000 and on 1,000,000 events, in turn. Each run writes to copies of what is kept.
import { performance } from 'node:perf_hooks';
import { type Bench, median, ratios, type Spread } from '../full/bench.ts';
import type { DatabaseName, Options } from '../full/options.ts';
import { keptDatabases } from '../pages/kept-databases.ts';
import { hundredThousand, million } from '../pages/scale.ts';
import type { BenchServer } from '../servers.ts';
import { contenderOf, inTurn, loadOnce, middle, ourWarmUpMs, startProduct } from './contenders.ts';
import { openDbmses } from './databases.ts';

export interface StoredRow {
  readonly database: string;
  readonly events: number;
  readonly perSecond: number;
  /** By the first of the table, round by round: the emptiest. */
  readonly toFirst: Spread;
  readonly readyMs: number;
  /** How much later it is ready than on the first. */
  readonly readyLaterMs: number;
}

interface Filled {
  readonly events: number;
  readonly url: string;
  end(): Promise<void>;
}

/** A filled database has several projects and its own keys, the benchmark's among them. */
const settingsOn = (events: number): Record<string, string> =>
  events === 0 ? {} : { NOTIFIER_PUBLIC_KEY: '' };
const startSeconds = 1.2;
const copySeconds = 10;
const requests = { route: 'store', encoding: 'plain', kilobytes: 2 } as const;

/** Seconds that `measureStored` takes, filling aside: that is done once, in some ten minutes. */
export function storedSeconds({ databases, events, repeats, seconds }: Options): number {
  const each = repeats * (seconds + startSeconds) + ourWarmUpMs / 1000 + copySeconds;
  return databases.length * events.length * each;
}

export async function measureStored(bench: Bench): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (const database of bench.options.databases) rows.push(...(await measureOn(bench, database)));
  return rows;
}

async function measureOn(bench: Bench, database: DatabaseName): Promise<StoredRow[]> {
  const filled: Filled[] = [];
  try {
    for (const events of bench.options.events) {
      filled.push(...(await filledWith(bench, events, database)));
      bench.progress(`${database}: ${events.toLocaleString('en')} events are there`, copySeconds);
    }
    const ready = await measureStarts(bench, filled);
    const rates = await measureRates(bench, filled);
    const first = rates[0]?.results.map(({ perSecond }) => perSecond) ?? [];
    return filled.map(({ events }, index) => {
      const rounds = rates[index];
      const own = rounds?.results.map(({ perSecond }) => perSecond) ?? [];
      return {
        database: database === 'sqlite' ? 'SQLite' : 'PostgreSQL',
        events,
        perSecond: rounds === undefined ? Number.NaN : middle(rounds, ({ perSecond }) => perSecond),
        toFirst: ratios(own, first),
        readyMs: ready[index] ?? Number.NaN,
        readyLaterMs: (ready[index] ?? Number.NaN) - (ready[0] ?? Number.NaN),
      };
    });
  } finally {
    for (const each of filled) await each.end();
  }
}

/** One database with so many events, to be written to; none where there is no PostgreSQL. */
async function filledWith(bench: Bench, events: number, only: DatabaseName): Promise<Filled[]> {
  if (events === 0) {
    const dbmses = await openDbmses({ ...bench.options, databases: [only] }, bench.progress);
    return Promise.all(
      dbmses.map(async (dbms) => {
        const database = await dbms.create();
        const end = async (): Promise<void> => {
          await database.drop();
          await dbms.end();
        };
        return { events, url: database.url, end };
      }),
    );
  }
  const scale = events === hundredThousand.eventsCount ? hundredThousand : million;
  const kept = await keptDatabases(bench.progress, { scale, only, isDurable: true });
  return Promise.all(
    kept.map(async (database) => {
      const copy = await database.copy();
      const end = async (): Promise<void> => {
        await copy.drop();
        await database.end();
      };
      return { events, url: copy.url, end };
    }),
  );
}

/** Medians of the time from the start of the process until it listens. */
async function measureStarts(bench: Bench, filled: readonly Filled[]): Promise<number[]> {
  const times = filled.map((): number[] => []);
  for (let round = 0; round < bench.options.repeats; round += 1) {
    for (const [index, { url, events }] of filled.entries()) {
      const beganMs = performance.now();
      const server = await startProduct(url, settingsOn(events));
      const tookMs = performance.now() - beganMs;
      times[index]?.push(tookMs);
      await server.stop();
      bench.progress(
        `ready on ${events.toLocaleString('en')} events after ${tookMs.toFixed(0)} ms`,
        startSeconds,
      );
    }
  }
  return times.map(median);
}

async function measureRates(bench: Bench, filled: readonly Filled[]) {
  const servers: BenchServer[] = [];
  try {
    for (const { url, events } of filled) servers.push(await startProduct(url, settingsOn(events)));
    const contenders = filled.map(({ events }, index) =>
      contenderOf(`${events.toLocaleString('en')} events`, servers[index] as BenchServer, requests),
    );
    for (const each of contenders) {
      await loadOnce(bench, each, ourWarmUpMs);
      bench.progress(`warmed up  ${each.name}`, ourWarmUpMs / 1000);
    }
    return await inTurn(bench, contenders);
  } finally {
    for (const each of servers) await each.stop();
  }
}
