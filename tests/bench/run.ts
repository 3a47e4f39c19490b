// `npm run bench`: our /store beside a bare Express app and beside the same handler without the engine, in
// turn, in one run. Absolute figures mean little on a shared machine; the ratios are what is kept. With
// `-- pages` it measures the pages alone, on a database that it fills once (pages/), with `-- demo` the demo.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { table } from '../../src/cli/command.ts';
import { benchEvent, storeRequestBytes } from './event.ts';
import { heavyTurns, longestTurnMsMax } from './heavy-turns.ts';
import { hostileLimits, hostileMaps } from './hostile-maps.ts';
import { layerCost, layerRatioMin } from './layer.ts';
import { type LoadResult, load } from './load.ts';
import { type BenchServer, startServer } from './servers.ts';

const rounds = 3;
const roundMs = 3_000;
const warmUpMs = 1_500;
const connections = 32;

interface Candidate {
  readonly name: string;
  readonly server: BenchServer;
  readonly results: LoadResult[];
}

const scripts = [
  ['bare express, constant answer', 'tests/bench/bare-express.ts'],
  ['/store handler, bare express', 'tests/bench/bare-store.ts'],
  ['/store, everything on', 'src/server.ts'],
] as const;

if (process.argv[2] === 'pages') {
  const { benchPages } = await import('./pages/pages-bench.ts');
  process.exitCode = (await benchPages(print, progress, process.argv[3])) ? 0 : 1;
} else if (process.argv[2] === 'demo') {
  const { benchDemo } = await import('./demo/demo-bench.ts');
  process.exitCode = (await benchDemo(print)) ? 0 : 1;
} else {
  await benchStore();
  await reportLayer();
  await reportHeavyTurns();
  await reportHostileMaps();
  reportTestReports();
}

async function benchStore(): Promise<void> {
  const candidates: Candidate[] = [];
  try {
    for (const [name, script] of scripts) {
      const server = await startServer(join(import.meta.dirname, '../..', script));
      candidates.push({ name, server, results: [] });
    }
    await compare(candidates);
    report(candidates);
  } finally {
    for (const each of candidates) await each.server.stop();
  }
}

/** Loads the candidates in turn, round by round, so that a slow minute of the machine is everybody's. */
async function compare(all: readonly Candidate[]): Promise<void> {
  let serial = 0;
  const request = (): Buffer => storeRequestBytes(serial++);
  progress(
    `event of ${Buffer.byteLength(benchEvent(0))} bytes, ${connections} connections, ${rounds} rounds of ${roundMs / 1000} s each`,
  );
  for (const each of all) await load(each.server.port, request, { connections, milliseconds: warmUpMs });
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of all) {
      const result = await load(each.server.port, request, { connections, milliseconds: roundMs });
      each.results.push(result);
      const perSecond = result.perSecond.toFixed(0).padStart(6);
      progress(`round ${round} of ${rounds}  ${each.name.padEnd(32)} ${perSecond} requests/s`);
    }
  }
}

function report(all: readonly Candidate[]): void {
  const [bare, handler, product] = all as [Candidate, Candidate, Candidate];
  const headings = ['Server', 'Requests/s', 'p50 ms', 'p99 ms', 'Peak MiB', 'Statuses'];
  print(`\n${table(headings, all.map(row))}\n`);
  print(`/store, everything on : bare express           ${ratios(product, bare)}`);
  print(
    `/store behind the engine : behind bare express  ${ratios(product, handler)}   (wanted: at least 0.9)`,
  );
}

async function reportLayer(): Promise<void> {
  progress('the layer of Express');
  const { rates, processorTimes } = await layerCost(progress);
  const shown = (ratios: readonly number[]): string => median(ratios).toFixed(3);
  print(
    `\n/store as a layer of Express : asked directly    ${shown(rates)}   (wanted: at least ${layerRatioMin})`,
  );
  print(`the same in time of the processor              ${shown(processorTimes)}`);
}

async function reportHeavyTurns(): Promise<void> {
  progress('heavy bodies');
  const rows = await heavyTurns(progress);
  print(`\nHeavy bodies: longest turn of the main thread (wanted: at most ${longestTurnMsMax} ms)\n`);
  const headings = [
    'Route',
    'Bodies',
    'The worst of them',
    'KiB',
    'Longest turn ms',
    'In parses of its size',
  ];
  print(
    table(
      headings,
      rows.map((each) => [
        each.route,
        each.bodies,
        each.worst,
        each.kibibytes,
        each.longestTurnMs,
        each.ratio,
      ]),
    ),
  );
}

async function reportHostileMaps(): Promise<void> {
  progress('hostile maps');
  const rows = await hostileMaps(progress);
  const { memoryUpMiB, longestTurnMs } = hostileLimits;
  print(
    `\nHostile uploads (wanted: memory up by less than ${memoryUpMiB} MiB, no turn of the loop over ${longestTurnMs} ms)\n`,
  );
  const headings = ['Upload', 'Answer', 'Memory up MiB', 'Longest turn ms'];
  print(
    table(
      headings,
      rows.map((each) => [each.name, each.answer, each.memoryUpMiB, each.longestTurnMs]),
    ),
  );
}

/** A process of its own: it forks its server, and its own memory must not count. */
function reportTestReports(): void {
  print('\nTest reports: answer, time, memory up, longest turn of the loop\n');
  spawnSync(process.execPath, [join(import.meta.dirname, 'test-reports.ts')], { stdio: 'inherit' });
}

function row(each: Candidate): Array<string | number> {
  const statuses: Record<string, number> = {};
  for (const result of each.results) {
    for (const [status, count] of Object.entries(result.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
  }
  return [
    each.name,
    Math.round(median(each.results.map((result) => result.perSecond))),
    Number(median(each.results.map((result) => result.p50Ms)).toFixed(2)),
    Number(median(each.results.map((result) => result.p99Ms)).toFixed(2)),
    Math.round(each.server.peakMemoryMiB()),
    Object.entries(statuses)
      .map(([status, count]) => `${status}×${count}`)
      .join(' '),
  ];
}

/** The median of the ratios round by round, with the least and the most. */
function ratios(left: Candidate, right: Candidate): string {
  const all = left.results.map(
    (result, index) => result.perSecond / (right.results[index]?.perSecond ?? Number.NaN),
  );
  return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
