// `npm run bench -- demo`: how long the demo's world takes to build in a fresh process and what it keeps, and
// how long its pages take at fifty a second, when nobody asked for them before and when somebody did, what
// its live streams hold, and when a browser has painted. The bars are those that the demo has to keep to.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { table } from '../../../src/cli/command.ts';
import { programPath } from '../../support/program-path.ts';
import { startServer } from '../servers.ts';
import { largestPaintMs } from './largest-paint.ts';
import { streamsMiB } from './streams.ts';
import type { Render } from './watch-renders.ts';

const run = promisify(execFile);

const buildMsMax = 150;
const keptMiBMax = 40;
const pageMsMax = 20;
const paintMsMax = 500;
const streamsMiBMax = 20;
const builds = 5;
const asked = 500;
const warmRounds = 3;
/** A busy moment of the machine is one round's, and not the demo's: of each figure the median is told. */
const rounds = 5;

const program = join(import.meta.dirname, '../../../src/server.ts');
const pages = [
  '',
  '/issues',
  '/issues/1061',
  '/issues/1043',
  '/monitors',
  '/monitors/front-page',
  '/incidents',
  '/releases',
  '/test-runs',
  '/artifacts',
  '/audit',
  '/reports',
  '/status/harbour-pine',
  '/alert-channels',
  '/projects',
  '/feedback',
];

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Null where nothing is held. */
  readonly bar: number | null;
}

type Kind = 'uncached' | 'cached';

/** Measures, prints, and answers whether all bars are kept to. */
export async function benchDemo(print: (text: string) => void): Promise<boolean> {
  const rows = [...buildRows(), ...(await pageRows())];
  print('\nThe demo: its world in a fresh process, and its pages at 50 a second\n');
  print(
    table(
      ['What', 'Measured', 'Bar', ''],
      rows.map(({ what, value, unit, bar }) => [
        what,
        `${value.toFixed(1)} ${unit}`,
        bar === null ? '' : `${bar} ${unit}`,
        isOver(value, bar) ? 'over' : '',
      ]),
    ),
  );
  return !rows.some(({ value, bar }) => isOver(value, bar));
}

function isOver(value: number, bar: number | null): boolean {
  return bar !== null && !(value <= bar);
}

function buildRows(): Row[] {
  const times: number[] = [];
  const kept: number[] = [];
  for (let nth = 0; nth < builds; nth += 1) {
    const nowMs = Date.UTC(2026, 10, 21, 0, 5) + nth * 86_400_000;
    const script = join(import.meta.dirname, 'build.ts');
    const said = execFileSync(process.execPath, ['--expose-gc', script, String(nowMs)], { encoding: 'utf8' });
    const { tookMs, keptBytes } = JSON.parse(said) as { tookMs: number; keptBytes: number };
    times.push(tookMs);
    kept.push(keptBytes / 1_048_576);
  }
  return [
    {
      what: `World, built cold, median of ${builds}`,
      value: quantile(times, 0.5),
      unit: 'ms',
      bar: buildMsMax,
    },
    { what: 'World, what it keeps, the most', value: Math.max(...kept), unit: 'MiB', bar: keptMiBMax },
  ];
}

async function pageRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-'));
  const rendersFile = join(folder, 'renders.json');
  const server = await startServer(program, {
    DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
    RATE_LIMITS: 'off',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'watch-renders.ts')}`,
    BENCH_RENDERS_FILE: rendersFile,
  });
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    // The program as it is when it ran a while: what V8 finds worth compiling takes three rounds to show.
    for (let round = 0; round < warmRounds; round += 1) {
      await timed(origin, (nth) => `${pages[nth % pages.length]}?round=${round}&warm=${nth}`);
    }
    const seen: Record<Kind, number[][]> = { uncached: [], cached: [] };
    for (let round = 0; round < rounds; round += 1) {
      const page = (nth: number): string => pages[nth % pages.length] ?? '';
      seen.uncached.push(await timed(origin, (nth) => `${page(nth)}?uncached=${round}&nth=${nth}`));
      await timed(origin, (nth) => `${page(nth)}?cached=${round}`);
      seen.cached.push(await timed(origin, (nth) => `${page(nth)}?cached=${round}`));
    }
    const heldMiB = await streamsMiB(server);
    const paint = await paintRows(origin);
    await server.stop();
    const renders = JSON.parse(readFileSync(rendersFile, 'utf8')) as Render[];
    return [
      ...pageRow('rendered', 'uncached', rendersOf(renders, 'uncached'), [0.99, 0.5]),
      ...pageRow('rendered', 'cached', rendersOf(renders, 'cached'), [0.99]),
      ...pageRow('for a client beside it', 'uncached', seen.uncached, [0.99, 0.5], false),
      ...pageRow('for a client beside it', 'cached', seen.cached, [0.99], false),
      { what: 'Two hundred live streams hold', value: heldMiB, unit: 'MiB', bar: streamsMiBMax },
      ...paint,
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Of each round the times of what was measured: of what is cached, the second asking. */
function rendersOf(renders: readonly Render[], kind: Kind): number[][] {
  return Array.from({ length: rounds }, (_round, round) =>
    renders.flatMap(([path, ms]) => (path.split(/[?&]/)[1] === `${kind}=${round}` ? ms : [])).slice(-asked),
  );
}

/** The median of the rounds. What a client beside the server sees is the client's too, and is told alone. */
function pageRow(
  where: string,
  kind: Kind,
  timesOf: ReadonlyArray<readonly number[]>,
  shares: readonly number[],
  isHeld = true,
): Row[] {
  return shares.map((share) => ({
    what: `Page, ${kind}, ${where}, p${share * 100}, median of ${rounds}`,
    value: quantile(
      timesOf.map((times) => quantile(times, share)),
      0.5,
    ),
    unit: 'ms',
    bar: isHeld ? pageMsMax : null,
  }));
}

async function paintRows(origin: string): Promise<Row[]> {
  const chromium = programPath('chromium');
  if (chromium === null) return [];
  const value = await largestPaintMs(chromium, origin, pages);
  return [{ what: 'Largest paint in Chromium, slowest page', value, unit: 'ms', bar: paintMsMax }];
}

/** Milliseconds of each of so many askings, fifty a second. */
async function timed(origin: string, pathOf: (nth: number) => string): Promise<number[]> {
  const paths = Array.from({ length: asked }, (_path, nth) => pathOf(nth));
  const script = join(import.meta.dirname, 'asker.ts');
  const { stdout } = await run(process.execPath, [script, origin, JSON.stringify(paths)]);
  return JSON.parse(stdout) as number[];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
