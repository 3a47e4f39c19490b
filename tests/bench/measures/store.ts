// How many events a second, beside bare node:http and bare Express: every body, route and database that is
// asked for. And of plain bodies how long an answer takes at half of what was made.
import { eventOfSize } from '../event.ts';
import { type Bench, median, ratios, type Spread } from '../full/bench.ts';
import type { Options } from '../full/options.ts';
import type { Encoding } from '../load/job.ts';
import type { BenchServer } from '../servers.ts';
import {
  type Contender,
  contenderOf,
  inTurn,
  loadOnce,
  middle,
  ourWarmUpMs,
  type Rounds,
  startProduct,
  startYardstick,
  statusesOf,
  warmUpMs,
} from './contenders.ts';
import { type Dbms, type EmptyDatabase, eventsIn, openDbmses } from './databases.ts';

export interface RateRow {
  readonly kilobytes: number;
  readonly encoding: Encoding;
  readonly name: string;
  readonly perSecond: number;
  readonly toExpress: Spread;
  readonly toHttp: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The longest time without an answer to anybody, of all rounds. */
  readonly longestSilenceMs: number;
  readonly processorMicros: number;
  readonly generatorShare: number;
  readonly statuses: string;
}

interface LatencyRow {
  readonly kilobytes: number;
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of the server's event loop; null for those that do not say. */
  readonly turnP99Ms: number | null;
  readonly longestTurnMs: number | null;
}

export interface KeptRow {
  readonly kilobytes: number;
  readonly database: string;
  readonly events: number;
  readonly sentBytes: number;
  /** For an event; null where there were too few to tell. */
  readonly storedBytes: number | null;
  readonly peakMemoryMiB: number;
}

export interface StoreResults {
  readonly rates: readonly RateRow[];
  readonly latencies: readonly LatencyRow[];
  readonly kept: readonly KeptRow[];
}

interface Product {
  readonly dbms: Dbms;
  readonly database: EmptyDatabase;
  readonly emptyBytes: number;
  readonly server: BenchServer;
}

/** Below that, the first page of each table and index weighs more than what stands in it. */
const grownBytesMin = 8 * 1_048_576;
const peerName = 'peer';
const expressName = 'bare Express';
const httpName = 'bare node:http';

/** Seconds that `measureStore` takes. */
export function storeSeconds(options: Options): number {
  const { bodies, encodings, routes, databases, repeats, seconds, peer } = options;
  const ours = routes.length * databases.length + (peer === null ? 0 : routes.length);
  const loads = bodies.length * encodings.length * (2 + ours);
  const latencies = encodings.includes('plain') ? bodies.length * (1 + databases.length) : 0;
  return (loads + latencies) * repeats * seconds + (loads * ourWarmUpMs) / 1000;
}

/** Each body on servers and databases of its own, so that no body bears what another one left. */
export async function measureStore(bench: Bench): Promise<StoreResults> {
  const all: { rates: RateRow[]; latencies: LatencyRow[]; kept: KeptRow[] } = {
    rates: [],
    latencies: [],
    kept: [],
  };
  const dbmses = await openDbmses(bench.options, bench.progress);
  try {
    for (const kilobytes of bench.options.bodies) {
      for (const encoding of bench.options.encodings) {
        const found = await measureBody(bench, dbmses, kilobytes, encoding);
        all.rates.push(...found.rates);
        all.latencies.push(...found.latencies);
        all.kept.push(...found.kept);
      }
    }
  } finally {
    for (const each of dbmses) await each.end();
  }
  return all;
}

async function measureBody(
  bench: Bench,
  dbmses: readonly Dbms[],
  kilobytes: number,
  encoding: Encoding,
): Promise<StoreResults> {
  const yardsticks: BenchServer[] = [];
  const products: Product[] = [];
  try {
    yardsticks.push(await startYardstick('bare-http.ts'), await startYardstick('bare-express.ts'));
    for (const dbms of dbmses) products.push(await startOn(dbms));
    const contenders = contendersOf(bench.options, yardsticks, products, kilobytes, encoding);
    for (const each of contenders) await warmUp(bench, each);
    const rounds = await inTurn(bench, contenders);
    const rates = rowsOf(rounds);
    const latencies = encoding === 'plain' ? await measureLatency(bench, rounds) : [];
    const memory = products.map(({ server }) => server.peakMemoryMiB());
    for (const { server } of products) await server.stop();
    const kept: KeptRow[] = [];
    if (encoding === 'plain') {
      for (const [index, each] of products.entries()) {
        kept.push(await weigh(each, kilobytes, memory[index] ?? Number.NaN));
      }
    }
    for (const { database } of products) await database.drop();
    return { rates, latencies, kept };
  } finally {
    for (const each of yardsticks) await each.stop();
  }
}

async function startOn(dbms: Dbms): Promise<Product> {
  const database = await dbms.create();
  return { dbms, database, emptyBytes: await database.bytes(), server: await startProduct(database.url) };
}

function contendersOf(
  { routes, peer }: Options,
  [http, express]: readonly BenchServer[],
  products: readonly Product[],
  kilobytes: number,
  encoding: Encoding,
): Contender[] {
  const contenders: Contender[] = [];
  const plain = { route: 'store', encoding, kilobytes } as const;
  if (http !== undefined) contenders.push(contenderOf(httpName, http, plain));
  if (express !== undefined) contenders.push(contenderOf(expressName, express, plain));
  for (const route of routes) {
    const requests = { route, encoding, kilobytes } as const;
    for (const { dbms, server } of products) {
      contenders.push(contenderOf(`/${route}, ${dbms.name}`, server, requests));
    }
    if (peer !== null) {
      contenders.push({ name: `/${route}, ${peerName}`, target: peer, requests, server: null });
    }
  }
  return contenders;
}

async function warmUp(bench: Bench, contender: Contender): Promise<void> {
  const isYardstick = [httpName, expressName].includes(contender.name);
  const milliseconds = isYardstick ? warmUpMs : ourWarmUpMs;
  await loadOnce(bench, contender, milliseconds);
  bench.progress(`warmed up  ${contender.name}`, ourWarmUpMs / 1000);
}

function rowsOf(rounds: readonly Rounds[]): RateRow[] {
  const ratesOf = (name: string): number[] =>
    rounds.find(({ contender }) => contender.name === name)?.results.map(({ perSecond }) => perSecond) ?? [];
  const [http, express] = [ratesOf(httpName), ratesOf(expressName)];
  return rounds.map((each) => {
    const own = each.results.map(({ perSecond }) => perSecond);
    return {
      kilobytes: each.contender.requests.kilobytes,
      encoding: each.contender.requests.encoding,
      name: each.contender.name,
      perSecond: middle(each, ({ perSecond }) => perSecond),
      toExpress: ratios(own, express),
      toHttp: ratios(own, http),
      p50Ms: middle(each, ({ p50Ms }) => p50Ms),
      p99Ms: middle(each, ({ p99Ms }) => p99Ms),
      longestSilenceMs: Math.max(...each.results.map(({ longestSilenceMs }) => longestSilenceMs)),
      processorMicros: median(each.processorMicros),
      generatorShare: middle(each, ({ generatorShare }) => generatorShare),
      statuses: statusesOf(each),
    };
  });
}

/** At half of what each made of plain events; bare Express says what the machine itself adds. */
async function measureLatency(bench: Bench, rounds: readonly Rounds[]): Promise<LatencyRow[]> {
  const asked = rounds
    .map(({ contender }) => contender)
    .filter(({ name, requests }) => name !== httpName && requests.route === 'store');
  const halves = new Map(
    rounds.map((each) => [each.contender, middle(each, ({ perSecond }) => perSecond) / 2]),
  );
  const loads = await inTurn(bench, asked, (contender) => halves.get(contender) ?? 1);
  return loads.map((each) => ({
    kilobytes: each.contender.requests.kilobytes,
    name: each.contender.name,
    perSecond: halves.get(each.contender) ?? Number.NaN,
    p50Ms: middle(each, ({ p50Ms }) => p50Ms),
    p99Ms: middle(each, ({ p99Ms }) => p99Ms),
    maxMs: Math.max(...each.results.map(({ maxMs }) => maxMs)),
    turnP99Ms: each.turns.length === 0 ? null : median(each.turns.map(({ p99Ms }) => p99Ms)),
    longestTurnMs: each.turns.length === 0 ? null : Math.max(...each.turns.map(({ longestMs }) => longestMs)),
  }));
}

/** What is on the disk once the server has ended, without what an empty database takes. */
async function weigh(
  { dbms, database, emptyBytes }: Product,
  kilobytes: number,
  peakMemoryMiB: number,
): Promise<KeptRow> {
  const events = await eventsIn(database.url);
  const grownBytes = (await database.bytes()) - emptyBytes;
  return {
    kilobytes,
    database: dbms.name,
    events,
    sentBytes: Buffer.byteLength(eventOfSize(kilobytes, 0)),
    storedBytes: grownBytes < grownBytesMin ? null : Math.round(grownBytes / events),
    peakMemoryMiB,
  };
}
