// `npm run bench`: what the machine and this program make, beside yardsticks, in turn in one run. Absolute
// figures mean little on a shared machine; the ratios are what is kept. docs/performance.md says what is
// measured and how; full/options.ts what it can be asked for.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { table } from '../../src/cli/command.ts';
import { engineSeconds, reportEngine } from './engine.ts';
import { type Bench, median } from './full/bench.ts';
import { type Options, OptionsError, readOptions, usage } from './full/options.ts';
import { minutesText, planOf } from './full/planned.ts';
import { heavyTurns, ratioMax } from './heavy-turns.ts';
import { hostileLimits, hostileMaps } from './hostile-maps.ts';
import { layerCost, layerRatioMin } from './layer.ts';
import { startGenerator } from './load/generator.ts';
import { measureStages, stagesSeconds } from './measures/stages.ts';
import { measureStore, storeSeconds } from './measures/store.ts';
import { measureStored, storedSeconds } from './measures/stored.ts';
import { measureWriter, writerSeconds } from './measures/writer.ts';
import { benchOverload, overloadSeconds } from './overload.ts';
import { publish } from './results/publish.ts';
import { circumstances, type Found, loadNow, type SectionName, type Sections } from './results/sections.ts';
import { tablesOf } from './results/tables.ts';

/** What is kept as a section: how long it takes, and how it is measured. */
const sections: {
  readonly [Name in SectionName]-?: readonly [
    (options: Options) => number,
    (bench: Bench) => Promise<Found[Name]>,
  ];
} = {
  store: [storeSeconds, measureStore],
  stored: [storedSeconds, measureStored],
  writer: [writerSeconds, measureWriter],
  stages: [stagesSeconds, measureStages],
};

/** What is loaded and measured only when it is named: its seconds, and whether its bars were kept to. */
const others: Readonly<
  Record<string, readonly [seconds: number, measure: (bench: Bench) => Promise<boolean>]>
> = {
  pages: [
    300,
    async ({ options, progress }) =>
      (await import('./pages/pages-bench.ts')).benchPages(print, progress, options.rest[0]),
  ],
  turns: [300, judgeHeavyTurns],
  scrub: [60, async () => (await import('./scrub-times.ts')).benchScrubbing(print)],
  demo: [270, async () => (await import('./demo/demo-bench.ts')).benchDemo(print)],
  status: [
    160,
    async ({ progress }) => (await import('./status/status-bench.ts')).benchStatus(print, progress),
  ],
  overload: [overloadSeconds, async ({ progress }) => benchOverload(print, progress)],
  monitors: [
    335,
    async ({ progress }) => (await import('./monitors/monitors-bench.ts')).benchMonitors(print, progress),
  ],
};

/** What is printed alone. */
const reports: Readonly<
  Record<string, readonly [(options: Options) => number, (bench: Bench) => Promise<void>]>
> = {
  engine: [engineSeconds, reportEngine],
  layer: [() => 60, reportLayer],
  maps: [() => 60, reportHostileMaps],
  reports: [() => 60, async () => reportTestReports()],
};

try {
  process.exitCode = (await run(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}\n`);
  process.exitCode = 2;
}

/** Whether everything with a bar of its own kept to it. */
async function run(options: Options): Promise<boolean> {
  const secondsOf = (topic: string): number =>
    (sections[topic as SectionName] ?? reports[topic])?.[0](options) ?? others[topic]?.[0] ?? 0;
  const seconds = options.topics.reduce((sum, topic) => sum + secondsOf(topic), 0);
  write(
    `${options.topics.join(', ')}: about ${minutesText(seconds)} on an idle machine; its load is ${loadNow()}`,
  );
  const plan = planOf(seconds, write);
  const generator = startGenerator();
  const bench: Bench = { options, generator, print, progress: (text, done) => plan.progress(text, done) };
  try {
    return await measureAll(bench);
  } finally {
    generator.stop();
  }
}

async function measureAll(bench: Bench): Promise<boolean> {
  const { options } = bench;
  const found: Record<string, unknown> = {};
  let isWithin = true;
  for (const topic of options.topics) {
    const loadBefore = loadNow();
    if (Object.hasOwn(sections, topic)) {
      const section = { [topic]: await sections[topic as SectionName][1](bench) } as Found;
      for (const each of tablesOf(section)) print(`\n${each.title}\n\n${table(each.headings, each.rows)}`);
      found[topic] = {
        circumstances: circumstances(options, loadBefore),
        found: section[topic as SectionName],
      };
      // Section by section: an hour is not lost by what fails last.
      if (options.docs !== null) publish(options.docs, found as Sections);
      print(`\nLoad of the machine: ${loadBefore} before, ${loadNow()} after`);
    } else if (reports[topic] !== undefined) {
      await reports[topic][1](bench);
    } else if (others[topic] !== undefined) {
      isWithin = (await others[topic][1](bench)) && isWithin;
    } else {
      publish(options.docs ?? 'docs', {});
    }
  }
  return isWithin;
}

async function reportLayer({ progress }: Bench): Promise<void> {
  const { rates, processorTimes } = await layerCost(progress);
  const shown = (values: readonly number[]): string => median(values).toFixed(3);
  print(
    `\n/store as a layer of Express : asked directly    ${shown(rates)}   (wanted: at least ${layerRatioMin})`,
  );
  print(`the same in time of the processor              ${shown(processorTimes)}`);
}

async function judgeHeavyTurns({ progress }: Bench): Promise<boolean> {
  const rows = await heavyTurns(progress);
  print(
    `\nHeavy bodies: longest turn of the main thread (wanted: at most ${ratioMax} times what a benign megabyte takes)\n`,
  );
  const headings = [
    'Route',
    'Bodies',
    'The worst of them',
    'KiB',
    'Longest turn ms',
    'In parses of its size, a megabyte at least',
  ];
  const cells = rows.map((row) => [
    row.route,
    row.bodies,
    row.worst,
    row.kibibytes,
    row.longestTurnMs,
    row.ratio,
  ]);
  print(table(headings, cells));
  return rows.every(({ ratio }) => ratio <= ratioMax);
}

async function reportHostileMaps({ progress }: Bench): Promise<void> {
  const rows = await hostileMaps(progress);
  const { memoryUpMiB, longestTurnMs } = hostileLimits;
  const wanted = `memory up by less than ${memoryUpMiB} MiB, no turn of the loop over ${longestTurnMs} ms`;
  print(`\nHostile uploads (wanted: ${wanted})\n`);
  const cells = rows.map((row) => [row.name, row.answer, row.memoryUpMiB, row.longestTurnMs]);
  print(table(['Upload', 'Answer', 'Memory up MiB', 'Longest turn ms'], cells));
}

/** A process of its own: it forks its server, and its own memory must not count. */
function reportTestReports(): void {
  print('\nTest reports: answer, time, memory up, longest turn of the loop\n');
  spawnSync(process.execPath, [join(import.meta.dirname, 'test-reports.ts')], { stdio: 'inherit' });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function write(text: string): void {
  process.stderr.write(`${text}\n`);
}
