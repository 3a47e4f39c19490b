// `npm run bench -- overload`: what a server takes when more comes than it can serve, and what another
// address feels of it. Closed loop: so many connections, each of which asks again as soon as it is answered;
// open loop: requests are due at half to eight times what it can do. Bars: 0.8 of its own best in that run,
// nothing lost, and 99 of 100 events of another address taken.
import { join } from 'node:path';
import { table } from '../../src/cli/print.ts';
import { type Generator, startGenerator } from './load/generator.ts';
import { type Encoding, type LoadResult, localTarget } from './load/job.ts';
import { type BenchServer, benchKey, startServer } from './servers.ts';

const program = join(import.meta.dirname, '../../src/server.ts');

const kinds: ReadonlyArray<readonly [kilobytes: number, encoding: Encoding]> = [
  [2, 'plain'],
  [2, 'gzip'],
  [60, 'plain'],
  [60, 'gzip'],
  [200, 'plain'],
  [200, 'gzip'],
];
const connections = [24, 64, 256, 1_024] as const;
const times = [0.5, 0.8, 1, 1.5, 2, 4, 8] as const;
const milliseconds = 5_000;
const warmMs = 5_000;
/** Between two loads: what waited is over. */
const restMs = 2_500;
const otherPerSecond = 4;
const shareMin = 0.8;
/** Of 200 KB over 1,024 connections, where the generator takes a core itself. */
const shareMinLargest = 0.5;
const otherShareMin = 0.99;
const otherMsMax = 1_500;

export const overloadSeconds =
  (warmMs + (kinds.length * connections.length + 1 + times.length) * (milliseconds + restMs)) / 1_000;

interface Parts {
  readonly server: BenchServer;
  readonly crowd: Generator;
  readonly other: Generator;
}

interface Measured {
  readonly crowd: LoadResult;
  readonly other: LoadResult;
}

/** Measures, prints, and answers whether all bars are kept to. */
export async function benchOverload(
  print: (text: string) => void,
  progress: (text: string, seconds?: number) => void,
): Promise<boolean> {
  const server = await startServer(program, { OVERLOAD: 'on', TRUST_PROXY: '127.0.0.1', DEMO: 'off' });
  const parts = { server, crowd: startGenerator(), other: startGenerator() };
  try {
    await closed(parts, [2, 'plain'], 24, warmMs);
    const isWithin = await benchClosed(parts, print, progress);
    return (await benchOpen(parts, print, progress)) && isWithin;
  } finally {
    parts.crowd.stop();
    parts.other.stop();
    await server.stop();
  }
}

async function benchClosed(
  parts: Parts,
  print: (text: string) => void,
  progress: (text: string, seconds?: number) => void,
): Promise<boolean> {
  const rows: string[][] = [];
  let isWithin = true;
  for (const kind of kinds) {
    const measured: Measured[] = [];
    for (const count of connections) {
      measured.push(await closed(parts, kind, count));
      progress(`${kind.join(' KB ')} over ${count} connections`, (milliseconds + restMs) / 1_000);
    }
    const best = Math.max(...measured.map(({ crowd }) => takenPerSecond(crowd)));
    for (const [index, { crowd, other }] of measured.entries()) {
      const count = connections[index] as number;
      const share = takenPerSecond(crowd) / best;
      const bar = kind[0] === 200 && count === 1_024 ? shareMinLargest : shareMin;
      const isKept = share >= bar && lost(crowd) === 0 && isServed(other);
      isWithin &&= isKept;
      rows.push([
        `${kind[0]} KB ${kind[1]}`,
        String(count),
        perSecond(takenPerSecond(crowd)),
        share.toFixed(2),
        perSecond((crowd.statuses['429'] ?? 0) / crowd.seconds),
        String(lost(crowd)),
        shown(takenShare(other)),
        `${other.p99Ms.toFixed(0)} ms`,
        isKept ? '' : 'below its bar',
      ]);
    }
  }
  print('\nClosed loop, and another address that sends four events of 2 KB a second beside it\n');
  print(
    table(
      ['Event', 'Connections', 'Taken/s', 'Of the best', 'Refused/s', 'Lost', 'Of the other', 'Its p99', ''],
      rows,
    ),
  );
  return isWithin;
}

async function benchOpen(
  parts: Parts,
  print: (text: string) => void,
  progress: (text: string, seconds?: number) => void,
): Promise<boolean> {
  const capacity = takenPerSecond((await closed(parts, [2, 'plain'], 24)).crowd);
  const rows: string[][] = [];
  let isWithin = true;
  for (const each of times) {
    const { crowd, other } = await beside(parts, [2, 'plain'], 1_024, each * capacity);
    progress(`${each} times the capacity`, (milliseconds + restMs) / 1_000);
    // In an open loop the last answers come after the last request was due.
    const goodput = taken(crowd) / (milliseconds / 1_000) / capacity;
    const isKept = goodput >= shareMin * Math.min(1, each) && isServed(other);
    isWithin &&= isKept;
    rows.push([
      each.toFixed(1),
      goodput.toFixed(2),
      '█'.repeat(Math.round(goodput * 30)),
      shown(takenShare(other)),
      `${other.p99Ms.toFixed(0)} ms`,
      isKept ? '' : 'below its bar',
    ]);
  }
  print(`\nOpen loop, in multiples of ${perSecond(capacity)} events of 2 KB a second\n`);
  print(table(['Offered', 'Taken', '', 'Of the other', 'Its p99', ''], rows));
  return isWithin;
}

const closed = (parts: Parts, kind: (typeof kinds)[number], count: number, forMs?: number) =>
  beside(parts, kind, count, undefined, forMs);

/** The crowd, and beside it another address. */
async function beside(
  { server, crowd, other }: Parts,
  [kilobytes, encoding]: (typeof kinds)[number],
  count: number,
  rate?: number,
  forMs = milliseconds,
): Promise<Measured> {
  const target = localTarget(server.port, benchKey);
  const job = { target, milliseconds: forMs };
  const [ofCrowd, ofOther] = await Promise.all([
    crowd.run({
      ...job,
      requests: { route: 'envelope', encoding, kilobytes },
      connections: count,
      ...(rate === undefined ? {} : { perSecond: rate }),
    }),
    other.run({
      ...job,
      requests: { route: 'store', encoding: 'plain', kilobytes: 2, from: '198.51.100.7' },
      connections: 8,
      perSecond: otherPerSecond,
    }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  return { crowd: ofCrowd, other: ofOther };
}

const taken = ({ statuses }: LoadResult): number => (statuses['200'] ?? 0) + (statuses['201'] ?? 0);
const takenPerSecond = (result: LoadResult): number => taken(result) / result.seconds;
const takenShare = (result: LoadResult): number => taken(result) / result.requests;
const lost = (result: LoadResult): number => result.requests - taken(result) - (result.statuses['429'] ?? 0);
const isServed = (result: LoadResult): boolean =>
  takenShare(result) >= otherShareMin && result.p99Ms <= otherMsMax;
const perSecond = (value: number): string => value.toFixed(0);
const shown = (share: number): string => `${(share * 100).toFixed(0)} %`;
