// `npm run bench`: what this program makes beside bare Express, and beside another clone of it (`--beside
// FOLDER`), in turn in one run: on a shared machine only ratios can be compared.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/print.ts';
import { ingestEvent } from '../../src/core/events/ingest.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { silentLog } from '../../src/program/log.ts';
import { openDeps } from '../../src/program/open-deps.ts';
import { benchEvent } from './event.ts';
import { type Generator, startGenerator } from './load/generator.ts';
import { type LoadResult, localTarget } from './load/job.ts';
import { benchOverload } from './overload.ts';
import { type BenchServer, benchKey, benchSecret, startServer } from './servers.ts';

const usage = `npm run bench [-- TOPIC] [OPTIONS]

  rates      events a second, slowest hundredth, processor, memory, start (about 2 minutes; the usual topic)
  pages      lists and single pages over many events (about 2 minutes for 100,000)
  overload   what is taken when more comes than can be served (about 4 minutes)

  --beside FOLDER       another clone, measured in turn with this one
  --database URL        PostgreSQL for "rates", an empty database; SQLite unless said
  --bodies 2,45,200     kilobytes of an event
  --connections 64      for "rates"
  --rounds 5            how often each is measured, in turn
  --seconds 2           how long each time
  --events 100000       stored before "pages"`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string' },
    database: { type: 'string' },
    bodies: { type: 'string', default: '2,45,200' },
    connections: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    events: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const progress = (text: string): void => void process.stderr.write(`${text}\n`);

const topics: Record<string, () => Promise<boolean>> = {
  rates: benchRates,
  pages: benchPages,
  overload: () => benchOverload(print, progress),
};
function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

interface Contender {
  readonly name: string;
  readonly server: BenchServer;
  readonly readyMs: number;
}

async function start(name: string, script: string, env: Record<string, string> = {}): Promise<Contender> {
  const beganMs = performance.now();
  const server = await startServer(script, env);
  return { name, server, readyMs: performance.now() - beganMs };
}

/** This program first: the others are compared with it. */
async function startAll(env: Record<string, string>): Promise<Contender[]> {
  const own = await start('this clone', join(import.meta.dirname, '../../src/server.ts'), env);
  const { beside } = values;
  const other = beside === undefined ? [] : [await start('beside', join(beside, 'src/server.ts'), env)];
  return [own, ...other];
}

async function benchRates(): Promise<boolean> {
  const env = values.database === undefined ? {} : { DATABASE_URL: values.database };
  const contenders = await startAll({ ...env, DEMO: 'off' });
  contenders.push(await start('bare Express', join(import.meta.dirname, 'bare-express.ts')));
  const generator = startGenerator();
  try {
    for (const kilobytes of values.bodies.split(',').map(Number)) {
      const rows = await measureInTurn(contenders, generator, kilobytes);
      const headings = ['Server', 'Events/s', 'Of this', 'p99 ms', 'µs an event', 'Peak MiB', 'Ready ms'];
      print(`\nEvents of ${kilobytes} KB to /store over ${values.connections} connections\n`);
      print(table(headings, rows));
    }
  } finally {
    generator.stop();
    for (const { server } of contenders) await server.stop();
  }
  return true;
}

/** Medians over the rounds; a ratio is that of two rates of one round. */
async function measureInTurn(
  contenders: readonly Contender[],
  generator: Generator,
  kilobytes: number,
): Promise<string[][]> {
  const rounds = contenders.map(() => [] as Array<LoadResult & { readonly processorMicros: number }>);
  // The first round warms them up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    progress(`${kilobytes} KB, round ${round} of ${values.rounds}`);
    for (const [index, { server }] of contenders.entries()) {
      const usedMs = server.processorMs();
      const result = await generator.run({
        target: localTarget(server.port, benchKey),
        requests: { route: 'store', encoding: 'plain', kilobytes },
        connections: Number(values.connections),
        milliseconds: Number(values.seconds) * 1_000,
      });
      const processorMicros = ((server.processorMs() - usedMs) * 1_000) / result.requests;
      if (round > 0) rounds[index]?.push({ ...result, processorMicros });
    }
  }
  return contenders.map(({ name, server, readyMs }, index) => {
    const own = rounds[index] ?? [];
    const ratios = own.map(({ perSecond }, round) => perSecond / (rounds[0]?.[round]?.perSecond ?? 1));
    return [
      name,
      median(own.map(({ perSecond }) => perSecond)).toFixed(0),
      median(ratios).toFixed(2),
      median(own.map(({ p99Ms }) => p99Ms)).toFixed(1),
      median(own.map(({ processorMicros }) => processorMicros)).toFixed(0),
      server.peakMemoryMiB().toFixed(0),
      readyMs.toFixed(0),
    ];
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const token = 'bench_admin_token_0001';
const askedTimes = 60;

/** Pages as a member sees them, and the API with a secret key. */
const pages = [
  '/healthz',
  '/',
  '/issues',
  '/issues?state=all',
  '/issues?level=fatal',
  '/issues?environment=production',
  '/issues?release=shop%402.4.1',
  '/issues?q=item',
  '/issues?q=zzzzqqqq',
  '/issues?sort=events',
  '/issues/1',
  '/issues/1/events',
  '/search?q=item',
  '/releases',
  '/projects',
  '/wp-json/notifier/v1/issues?per_page=20',
  '/wp-json/notifier/v1/issues?per_page=20&page=10',
  '/wp-json/notifier/v1/issues?search=item',
  '/wp-json/notifier/v1/issues/1',
];

async function benchPages(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-pages-'));
  const env = { DATABASE_URL: `sqlite:${join(folder, 'pages.db')}`, NOTIFIER_ADMIN_TOKEN: token };
  const contenders: Contender[] = [];
  try {
    await fill(env.DATABASE_URL, Number(values.events));
    contenders.push(...(await startAll({ ...env, DEMO: 'off' })));
    const cookies = await Promise.all(contenders.map(({ server }) => signIn(server.port)));
    const rows: string[][] = [];
    let isAnswered = true;
    for (const path of pages) {
      const times: number[][] = contenders.map(() => []);
      for (let turn = 0; turn < askedTimes; turn += 1) {
        for (const [index, { server }] of contenders.entries()) {
          const beganMs = performance.now();
          const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
            headers: { cookie: cookies[index] ?? '', authorization: `Bearer ${benchSecret}`, accept: '*/*' },
          });
          await answer.arrayBuffer();
          isAnswered &&= answer.status === 200;
          times[index]?.push(performance.now() - beganMs);
        }
      }
      rows.push([path, ...times.flatMap((each) => [median(each), p95(each)].map((ms) => ms.toFixed(1)))]);
    }
    const headings = contenders.flatMap(({ name }) => [`${name}, ms`, 'p95']);
    print(`\n${values.events} events on SQLite, one client\n`);
    print(table(['Asked', ...headings], rows));
    return isAnswered;
  } finally {
    for (const { server } of contenders) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function p95(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length * 0.95)] ?? Number.NaN;
}

async function signIn(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`Signing in was answered ${answer.status} without a cookie.`);
  return cookie;
}

/** Events of 90 days in one issue for each hundred of them, stored by the rules' own way. */
async function fill(databaseUrl: string, count: number): Promise<void> {
  const { deps, close } = await openDeps(
    { DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' },
    { log: silentLog },
  );
  const spanMs = 90 * 86_400_000;
  const fromMs = Date.now() - spanMs;
  const project = await deps.store.createProject({ name: 'shop', createdAtMs: fromMs });
  await createKey(deps, project.id, 'secret', { imported: benchSecret });
  const issues = Math.max(50, Math.floor(count / 100));
  const atOnce = 200;
  for (let from = 0; from < count; from += atOnce) {
    if (from % 20_000 === 0) progress(`stored ${from} of ${count} events`);
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - from) }, (_, nth) => {
        const receivedAtMs = fromMs + Math.floor(((from + nth) / count) * spanMs);
        const sent = JSON.parse(benchEvent(from + nth));
        sent.exception.values[0].type = `Error${(from + nth) % issues}Of`;
        sent.timestamp = receivedAtMs / 1_000;
        return ingestEvent(
          deps,
          project,
          { read: sent },
          { receivedAtMs, clientAddress: '192.0.2.1', userAgent: 'bench', domain: 'shop.example' },
        );
      }),
    );
  }
  await close();
}

const topic = topics[positionals[0] ?? 'rates'];
if (topic === undefined || values.help) {
  print(usage);
  process.exitCode = topic === undefined ? 2 : 0;
} else {
  const before = loadNow();
  process.exitCode = (await topic()) ? 0 : 1;
  print(`\nLoad of the machine: ${before} before, ${loadNow()} after`);
}
