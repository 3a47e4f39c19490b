// `npm run bench -- monitors`: a thousand monitors that ask every thirty seconds, beside a hundred events a
// second. A server without monitors stands beside the one that has them and is sent the same events in turn:
// what the monitors cost is the difference. Bars: every check within two seconds of its time, 15 % of a
// processor, 60 MiB, and events as at the other server.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../../src/cli/command.ts';
import { nextPlaceMs } from '../../../src/core/monitors/schedule.ts';
import { median, ratios, spreadText } from '../full/bench.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import { type LoadResult, localTarget } from '../load/job.ts';
import { type BenchServer, benchKey, benchSecret, postAsOperator, startServer } from '../servers.ts';

const program = join(import.meta.dirname, '../../../src/server.ts');
const asked = join(import.meta.dirname, 'asked.ts');

const monitorsCount = 1_000;
const intervalMs = 30_000;
const eventsPerSecond = 100;
const eventsMs = 15_000;
const quietMs = 2 * intervalMs;
const rounds = 3;
const lateMsMax = 2_000;
const firstMsMax = 5_000;
const processorShareMax = 0.15;
const memoryMiBMax = 60;
/** A p99 of some seconds swings by itself: no more than so much is laid to the monitors. */
const eventRatioMax = 1.5;

interface Parts {
  readonly watching: BenchServer;
  readonly plain: BenchServer;
  readonly target: BenchServer;
  readonly senders: Generator;
}

interface Round {
  readonly watching: LoadResult;
  readonly plain: LoadResult;
  /** Of one processor, while nobody sends events. */
  readonly share: number;
}

/** Measures, prints, and answers whether all bars are kept to. */
export async function benchMonitors(
  print: (text: string) => void,
  progress: (text: string, seconds?: number) => void,
): Promise<boolean> {
  const target = await startServer(asked);
  const env = { NOTIFIER_SECRET_KEY: benchSecret, DEMO: 'off', NOTIFIER_FETCH_ALLOW: '127.0.0.1' };
  const [watching, plain] = [await startServer(program, env), await startServer(program, env)];
  const parts = { watching, plain, target, senders: startGenerator() };
  try {
    // What V8 finds worth compiling takes a while to show.
    for (const server of [watching, plain]) await sendEvents(parts, server);
    const made = await makeMonitors(parts);
    const firstLooks = await firstLooksOf(parts, made);
    progress(`${monitorsCount} monitors are asked`, (2 * eventsMs + intervalMs) / 1000);
    const found: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      found.push(await oneRound(parts, round));
      progress(`round ${round} of ${rounds}`, (quietMs + 2 * eventsMs) / 1000);
    }
    const memory = watching.peakMemoryMiB() - plain.peakMemoryMiB();
    return tell({ found, lates: latesOf(await seenAt(target), made), firstLooks, memory }, print);
  } finally {
    parts.senders.stop();
    for (const server of [watching, plain, target]) await server.stop();
  }
}

/** The two servers in turn, the other one first in every other round. */
async function oneRound(parts: Parts, round: number): Promise<Round> {
  const { watching, plain } = parts;
  const before = [watching, plain].map((server) => server.processorMs());
  await sleep(quietMs);
  const [took = 0, tookPlain = 0] = [watching, plain].map(
    (server, index) => server.processorMs() - (before[index] ?? 0),
  );
  const share = (took - tookPlain) / quietMs;
  if (round % 2 === 0) {
    const first = await sendEvents(parts, plain);
    return { share, plain: first, watching: await sendEvents(parts, watching) };
  }
  return { share, watching: await sendEvents(parts, watching), plain: await sendEvents(parts, plain) };
}

function sendEvents({ senders }: Parts, { port }: BenchServer): Promise<LoadResult> {
  return senders.run({
    target: localTarget(port, benchKey),
    requests: { route: 'store', encoding: 'plain', kilobytes: 2 },
    connections: 16,
    milliseconds: eventsMs,
    perSecond: eventsPerSecond,
  });
}

interface Made {
  readonly id: number;
  readonly madeMs: number;
}

/** By the path that each asks. */
async function makeMonitors({ watching, target }: Parts): Promise<ReadonlyMap<string, Made>> {
  const made = new Map<string, Made>();
  for (let each = 0; each < monitorsCount; each += 1) {
    const path = `/page-${each}`;
    const { monitor_id: id } = await postAsOperator<{ readonly monitor_id: number }>(watching, '/monitors', {
      type: 'http',
      name: `Page ${each}`,
      url: `http://127.0.0.1:${target.port}${path}`,
      interval: intervalMs / 1000,
    });
    made.set(path, { id, madeMs: Date.now() });
  }
  return made;
}

type Seen = Readonly<Record<string, readonly number[]>>;

async function seenAt({ port }: BenchServer): Promise<Seen> {
  return (await (await fetch(`http://127.0.0.1:${port}/seen`)).json()) as Seen;
}

/** How long after it was made each was asked for the first time, milliseconds. */
async function firstLooksOf({ target }: Parts, made: ReadonlyMap<string, Made>): Promise<number[]> {
  // From the second one on each has its place in its interval.
  await sleep(intervalMs + lateMsMax);
  const seen = await seenAt(target);
  return [...made].map(([path, { madeMs }]) => (seen[path]?.[0] ?? Number.POSITIVE_INFINITY) - madeMs);
}

interface Lates {
  readonly milliseconds: readonly number[];
  /** Checks that did not come one interval after the one before. */
  readonly uneven: number;
}

/** How much later than its place in its interval each check came. */
function latesOf(seen: Seen, made: ReadonlyMap<string, Made>): Lates {
  let uneven = 0;
  const milliseconds = [...made].flatMap(([path, { id }]) => {
    const times = seen[path] ?? [];
    for (const [index, atMs] of times.slice(1).entries()) {
      if (Math.abs(atMs - (times[index] ?? 0) - intervalMs) > lateMsMax) uneven += 1;
    }
    // The place before: what `nextPlaceMs` answers lies between a half and one and a half intervals later.
    return times.map((atMs) => atMs - nextPlaceMs({ id, intervalMs }, atMs - 1.5 * intervalMs + 1));
  });
  return { milliseconds, uneven };
}

interface Result {
  readonly found: readonly Round[];
  readonly lates: Lates;
  readonly firstLooks: readonly number[];
  readonly memory: number;
}

function tell({ found, lates, firstLooks, memory }: Result, print: (text: string) => void): boolean {
  const p99s = (of: 'watching' | 'plain'): number[] => found.map((round) => round[of].p99Ms);
  const toPlain = ratios(p99s('watching'), p99s('plain'));
  const share = median(found.map((round) => round.share));
  const late = Math.max(...lates.milliseconds);
  const first = Math.max(...firstLooks);
  const results = found.flatMap((round) => [round.watching, round.plain]);
  const sent = results.reduce((sum, { requests }) => sum + requests, 0);
  const taken = results.reduce((sum, { statuses }) => sum + (statuses['201'] ?? 0), 0);
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  print(
    `\n${monitorsCount} monitors, each every ${intervalMs / 1000} s, beside ${eventsPerSecond} events a second\n`,
  );
  const rows = [
    ['Checks', String(lates.milliseconds.length), ''],
    ['Later than its time, at most', ms(late), ms(lateMsMax)],
    ['Later than its time, median', ms(median(lates.milliseconds)), ''],
    ['Not an interval after the one before', String(lates.uneven), '0'],
    ['First check after it was made, at most', ms(first), ms(firstMsMax)],
    ['Time of the processor, of one', `${(share * 100).toFixed(1)} %`, `${processorShareMax * 100} %`],
    ['Most memory, more than without', `${memory.toFixed(0)} MiB`, `${memoryMiBMax} MiB`],
    ['Events, p99', ms(median(p99s('watching'))), ''],
    ['Events at a server without monitors, p99', ms(median(p99s('plain'))), ''],
    ['The first by the second, round by round', spreadText(toPlain), `${eventRatioMax}`],
    ['Events, answered 201', `${taken} of ${sent}`, 'all'],
  ];
  print(table(['What', 'Measured', 'Bar'], rows));
  return (
    late <= lateMsMax &&
    lates.uneven === 0 &&
    first <= firstMsMax &&
    share <= processorShareMax &&
    memory <= memoryMiBMax &&
    toPlain.median <= eventRatioMax &&
    taken === sent
  );
}
