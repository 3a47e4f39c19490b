// `npm run bench`: what this program makes beside bare Express, and beside another clone of it (`--beside
// FOLDER`), in turn in one run: on a shared machine only ratios can be compared.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { formatTable } from '../../src/cli/print.ts';
import { ingestEvent } from '../../src/core/events/ingest.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { searches } from '../fixtures/search/searches.ts';
import { benchEvent } from '../support/sized-events.ts';
import { type Job, type LoadResult, startGenerator } from './load.ts';

const usage = `npm run bench [-- TOPIC] [OPTIONS]

  store      events a second, slowest hundredth, processor, memory, start (about 2 minutes; the usual topic)
  pages      lists, single pages and searches over many events (about 3 minutes for 100,000)
  overload   what is taken when more comes than can be served (about 12 minutes)

  --beside FOLDER       another clone, measured in turn with this one
  --database URL        PostgreSQL for "store" and "pages"; SQLite unless said. Empty, or filled by "pages"
  --bodies 2,45,200     kilobytes of an event, for "store"
  --connections 64      for "store"
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
  store: benchStore,
  pages: benchPages,
  overload: benchOverload,
};
const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);
const publicKey = 'bench_public_key_0001';
const secretKey = 'bench_secret_key_0001';
const token = 'bench_admin_token_0001';
const repository = join(import.meta.dirname, '../..');
const program = 'src/server.ts';
const bareExpress = [
  '--input-type=module',
  '--eval',
  `import express from 'express';
  const app = express().use(express.json({ limit: '1mb' }));
  const answer = { accepted: true, event_id: '0'.repeat(32), issue_id: 1 };
  app.post('/wp-json/notifier/v1/store', (_request, response) => response.status(201).json(answer));
  const server = app.listen(0, '127.0.0.1', () => console.log('127.0.0.1:' + server.address().port));`,
];

type Server = Awaited<ReturnType<typeof start>>;

/** Starts a server as a process of its own, with a database that is thrown away at the end. */
async function start(name: string, words: readonly string[], env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-'));
  const beganMs = performance.now();
  // As `npm start` starts Node.
  const asStarted = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts.start;
  const nodeOptions = asStarted
    .replace(/^exec node /, '')
    .replace(` ${program}`, '')
    .split(' ');
  const child = spawn(process.execPath, [...nodeOptions, ...words], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
      RATE_LIMITS: 'off',
      // What is turned away would be measured as answered.
      OVERLOAD: 'off',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      NOTIFIER_PUBLIC_KEY: publicKey,
      ...env,
    },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it listened`)));
    child.stdout.on('data', (text: Buffer) => {
      const found = /127\.0\.0\.1:(\d+)/.exec(text.toString())?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const processFile = (file: string): string => {
    try {
      return readFileSync(`/proc/${child.pid}/${file}`, 'latin1');
    } catch {
      return '';
    }
  };
  return {
    name,
    port,
    readyMs: performance.now() - beganMs,
    peakMiB: () => Number(/VmHWM:\s+(\d+) kB/.exec(processFile('status'))?.[1]) / 1024,
    /** User and system time, which Linux counts in hundredths of a second. */
    processorMs: () => {
      const fields = processFile('stat').split(') ')[1]?.split(' ');
      return (Number(fields?.[11]) + Number(fields?.[12])) * 10;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** This program first: the others are compared with it. */
async function startAll(env: Record<string, string>): Promise<Server[]> {
  const own = await start('this clone', [program], env);
  const { beside } = values;
  return beside === undefined ? [own] : [own, await start('beside', [join(beside, program)], env)];
}

async function benchStore(): Promise<boolean> {
  const servers = await startAll(values.database === undefined ? {} : { DATABASE_URL: values.database });
  servers.push(await start('bare Express', bareExpress));
  const generator = startGenerator();
  try {
    for (const kilobytes of values.bodies.split(',').map(Number)) {
      const rows = await measureInTurn(servers, generator.run, kilobytes);
      const headings = ['Server', 'Events/s', 'Of this', 'p99 ms', 'µs an event', 'Peak MiB', 'Ready ms'];
      print(`\nEvents of ${kilobytes} KB to /store over ${values.connections} connections\n`);
      print(formatTable(headings, rows));
    }
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
  }
  return true;
}

/** Medians over the rounds; a ratio is that of two rates of one round. */
async function measureInTurn(
  servers: readonly Server[],
  run: (job: Job) => Promise<LoadResult>,
  kilobytes: number,
): Promise<string[][]> {
  const rounds = servers.map(() => [] as { rate: number; p99Ms: number; micros: number }[]);
  const connections = Number(values.connections);
  const milliseconds = Number(values.seconds) * 1_000;
  // The first round warms them up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    progress(`${kilobytes} KB, round ${round} of ${values.rounds}`);
    for (const [index, { port, processorMs }] of servers.entries()) {
      const usedMs = processorMs();
      const job: Job = {
        port,
        key: publicKey,
        route: 'store',
        encoding: 'plain',
        kilobytes,
        connections,
        milliseconds,
      };
      const { requests, seconds, p99Ms } = await run(job);
      const micros = ((processorMs() - usedMs) * 1_000) / requests;
      if (round > 0) rounds[index]?.push({ rate: requests / seconds, p99Ms, micros });
    }
  }
  return servers.map(({ name, peakMiB, readyMs }, index) => {
    const own = rounds[index] ?? [];
    return [
      name,
      median(own.map(({ rate }) => rate)).toFixed(0),
      median(own.map(({ rate }, round) => rate / (rounds[0]?.[round]?.rate ?? 1))).toFixed(2),
      median(own.map(({ p99Ms }) => p99Ms)).toFixed(1),
      median(own.map(({ micros }) => micros)).toFixed(0),
      peakMiB().toFixed(0),
      readyMs.toFixed(0),
    ];
  });
}

const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length * share)] ?? Number.NaN;
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** Asked as a member, and of the API with a secret key. */
const pages = `/healthz / /issues /issues?state=all /issues?level=fatal /issues?environment=production
  /issues?release=shop%402.4.1 /issues?q=item /issues?q=zzzzqqqq /issues?sort=events /issues/1 /issues/1/events
  /search?q=item /releases /projects /wp-json/notifier/v1/issues?per_page=20
  /wp-json/notifier/v1/issues?per_page=20&page=10 /wp-json/notifier/v1/issues?search=item
  /wp-json/notifier/v1/issues/1`.split(/\s+/);

async function benchPages(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-pages-'));
  const databaseUrl = values.database ?? `sqlite:${join(folder, 'pages.db')}`;
  const env = { DATABASE_URL: databaseUrl, NOTIFIER_ADMIN_TOKEN: token };
  const servers: Server[] = [];
  try {
    await fill(env.DATABASE_URL, Number(values.events));
    servers.push(...(await startAll(env)));
    const cookies = await Promise.all(servers.map(({ port }) => signIn(port)));
    const timesOf = async (paths: readonly string[], turns: number): Promise<number[][][]> => {
      const times: number[][][] = [];
      for (const path of paths) {
        const ofPath: number[][] = servers.map(() => []);
        for (let turn = 0; turn < turns; turn += 1) {
          for (const [index, { port }] of servers.entries()) {
            const headers = {
              cookie: cookies[index] ?? '',
              authorization: `Bearer ${secretKey}`,
              accept: '*/*',
            };
            const beganMs = performance.now();
            const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
            await answer.arrayBuffer();
            if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
            ofPath[index]?.push(performance.now() - beganMs);
          }
        }
        times.push(ofPath);
      }
      return times;
    };
    const cells = (times: readonly number[][]): string[] =>
      times.flatMap((ms) => [median(ms), quantile(ms, 0.95)].map((each) => each.toFixed(1)));
    const headings = servers.flatMap(({ name }) => [`${name}, ms`, 'p95']);
    print(`\n${values.events} events on ${databaseUrl.split(':')[0]}, one client\n`);
    const pageTimes = await timesOf(pages, 60);
    print(
      formatTable(
        ['Asked', ...headings],
        pageTimes.map((times, nth) => [pages[nth] ?? '', ...cells(times)]),
      ),
    );
    // Those that name a member, a tag or a team that this database lacks are refused.
    const queries: string[] = [];
    for (const [query] of searches) if (await isTaken(servers, query)) queries.push(query);
    const byQuery = await timesOf(queries.map(searchPath), 5);
    const medians = byQuery.map((times) => times.map(median));
    const slowest = queries.map((query, nth) => ({
      query,
      times: byQuery[nth] ?? [],
      ms: medians[nth]?.[0] ?? 0,
    }));
    slowest.sort((left, right) => right.ms - left.ms);
    const all = servers.map((_, index) => medians.map((each) => each[index] ?? Number.NaN));
    print(`\n${queries.length} searches, their medians, and the ten slowest\n`);
    print(
      formatTable(
        ['Query', ...headings],
        [['all', ...cells(all)], ...slowest.slice(0, 10).map(({ query, times }) => [query, ...cells(times)])],
      ),
    );
    return true;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const searchPath = (query: string): string =>
  `/wp-json/notifier/v1/issues?query=${encodeURIComponent(query)}`;

async function isTaken(servers: readonly Server[], query: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const answers = servers.map(({ port }) =>
    fetch(`http://127.0.0.1:${port}${searchPath(query)}`, { headers }),
  );
  return (await Promise.all(answers)).every(({ status }) => status === 200);
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
  const settings = { DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' };
  const { deps, close } = await openDeps(settings, { log: silentLog });
  const [filled] = await deps.store.listProjects();
  if (filled !== undefined) return close();
  const spanMs = 90 * 86_400_000;
  const fromMs = Date.now() - spanMs;
  const project = await deps.store.createProject({ name: 'shop', createdAtMs: fromMs });
  await createKey(deps, project.id, 'secret', { imported: secretKey });
  const issues = Math.max(50, Math.floor(count / 100));
  for (let from = 0; from < count; from += 200) {
    if (from % 20_000 === 0) progress(`stored ${from} of ${count} events`);
    await Promise.all(
      Array.from({ length: Math.min(200, count - from) }, (_, nth) => {
        const receivedAtMs = fromMs + Math.floor(((from + nth) / count) * spanMs);
        const sent = JSON.parse(benchEvent(from + nth));
        sent.exception.values[0].type = `Error${(from + nth) % issues}Of`;
        sent.timestamp = receivedAtMs / 1_000;
        Object.assign(sent, searchedFields(from + nth, count));
        const source = { clientAddress: '192.0.2.1', userAgent: 'bench', domain: 'shop.example' };
        return ingestEvent(deps, project, { read: sent }, { receivedAtMs, ...source });
      }),
    );
  }
  await close();
}

/** What the searches of the tests name, some of it often, some of it rarely. */
function searchedFields(serial: number, count: number): object {
  const isRare = serial % 5_003 === 0;
  return {
    release: `shop@1.${Math.floor((serial / count) * 30)}.0`,
    environment: ['production', 'production', 'production', 'staging', 'dev'][serial % 5],
    level: isRare ? 'fatal' : ['error', 'error', 'error', 'warning', 'info'][(serial % 7) % 5],
    platform: isRare ? 'python' : 'javascript',
    server_name: `web-${serial % 9}`,
    tags: {
      section: 'checkout',
      ...(serial % 20 === 0 ? { cart: serial % 40 === 0 ? 'full' : 'empty' } : {}),
      ...(isRare ? { sku_class: 'glass' } : {}),
    },
    contexts: {
      browser: { name: serial % 3 === 0 ? 'Safari' : 'Chrome', version: serial % 3 === 0 ? '17.4' : '141' },
      os: { name: serial % 2 === 0 ? 'Windows' : 'Mac OS X', version: '11' },
    },
    user: isRare
      ? { id: '84213', email: 'mara@shop.example', username: 'mara b' }
      : { id: String(serial % 20_000), email: `buyer-${serial % 20_000}@shop.example` },
  };
}

const loadMs = 5_000;
const takenOf = ({ statuses }: LoadResult): number => (statuses['200'] ?? 0) + (statuses['201'] ?? 0);

/**
 * Closed loop over more and more connections, then open loop at half to eight times the capacity, with
 * another address beside it. Bars: 0.8 of its own best, nothing lost, the other address served.
 */
async function benchOverload(): Promise<boolean> {
  const server = await start('this clone', [program], { OVERLOAD: 'on', TRUST_PROXY: '127.0.0.1' });
  const load = loadWithOther(server.port);
  try {
    await load.measure(2, 'plain', 24);
    const isKept = await benchClosed(load);
    return (await benchOpen(load)) && isKept;
  } finally {
    load.stop();
    await server.stop();
  }
}

function loadWithOther(port: number) {
  const [crowd, other] = [startGenerator(), startGenerator()];
  const job = { port, key: publicKey, milliseconds: loadMs };
  const small = { ...job, route: 'store', encoding: 'plain', kilobytes: 2 } as const;
  return {
    async measure(kilobytes: number, encoding: Job['encoding'], connections: number, perSecond?: number) {
      progress(`${kilobytes} KB ${encoding} over ${connections} connections`);
      const rate = perSecond === undefined ? {} : { perSecond };
      const [result, beside] = await Promise.all([
        crowd.run({ ...job, ...rate, route: 'envelope', kilobytes, encoding, connections }),
        other.run({ ...small, from: '198.51.100.7', connections: 8, perSecond: 4 }),
      ]);
      // What waited is over before the next load.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const taken = takenOf(result);
      const refused = result.statuses['429'] ?? 0;
      const share = takenOf(beside) / beside.requests;
      return {
        takenPerSecond: taken / result.seconds,
        refusedPerSecond: refused / result.seconds,
        lost: result.requests - taken - refused,
        isOtherServed: share >= 0.99 && beside.p99Ms <= 1_500,
        otherP99Ms: beside.p99Ms,
        otherCells: [`${(share * 100).toFixed(0)} %`, `${beside.p99Ms.toFixed(0)} ms`],
      };
    },
    stop: () => [crowd.stop(), other.stop()],
  };
}

type Loaded = ReturnType<typeof loadWithOther>;

/** Each cell is the median of its rounds, which alternate: a server gets faster while its code is compiled. */
async function benchClosed({ measure }: Loaded): Promise<boolean> {
  const rows: string[][] = [];
  const counts = [24, 64, 256, 1_024];
  for (const kilobytes of [2, 60, 200]) {
    for (const encoding of ['plain', 'gzip'] as const) {
      await measure(kilobytes, encoding, 24);
      const measured = counts.map((): Array<Awaited<ReturnType<Loaded['measure']>>> => []);
      for (let round = 0; round < 3; round += 1) {
        for (const [index, cell] of measured.entries()) {
          cell.push(await measure(kilobytes, encoding, counts[index] ?? 0));
        }
      }
      const cells = measured.map((rounds) => ({
        taken: median(rounds.map(({ takenPerSecond }) => takenPerSecond)),
        refused: median(rounds.map(({ refusedPerSecond }) => refusedPerSecond)),
        lost: rounds.reduce((sum, { lost }) => sum + lost, 0),
        other: rounds.reduce((worst, each) => (each.otherP99Ms > worst.otherP99Ms ? each : worst)),
        isOtherServed: rounds.every(({ isOtherServed }) => isOtherServed),
      }));
      const best = Math.max(...cells.map(({ taken }) => taken));
      for (const [index, { taken, refused, lost, other, isOtherServed }] of cells.entries()) {
        // Of 200 KB over 1,024 connections the generator takes a core itself.
        const bar = kilobytes === 200 && counts[index] === 1_024 ? 0.5 : 0.8;
        const isKept = taken / best >= bar && lost === 0 && isOtherServed;
        const rates = [taken.toFixed(0), (taken / best).toFixed(2), refused.toFixed(0), String(lost)];
        const named = [`${kilobytes} KB ${encoding}`, String(counts[index])];
        rows.push([...named, ...rates, ...other.otherCells, isKept ? '' : 'below its bar']);
      }
    }
  }
  print('\nClosed loop, and another address that sends four events of 2 KB a second beside it\n');
  const headings = [
    'Event',
    'Connections',
    'Taken/s',
    'Of the best',
    'Refused/s',
    'Lost',
    'Of the other',
    'Its p99',
    '',
  ];
  print(formatTable(headings, rows));
  return rows.every((row) => row.at(-1) === '');
}

async function benchOpen({ measure }: Loaded): Promise<boolean> {
  const capacity = (await measure(2, 'plain', 24)).takenPerSecond;
  const rows: string[][] = [];
  for (const times of [0.5, 0.8, 1, 1.5, 2, 4, 8]) {
    const { takenPerSecond, isOtherServed, otherCells } = await measure(2, 'plain', 1_024, times * capacity);
    const goodput = takenPerSecond / capacity;
    const isKept = goodput >= 0.8 * Math.min(1, times) && isOtherServed;
    const plot = '█'.repeat(Math.round(goodput * 30));
    rows.push([times.toFixed(1), goodput.toFixed(2), plot, ...otherCells, isKept ? '' : 'below its bar']);
  }
  print(`\nOpen loop, in multiples of ${capacity.toFixed(0)} events of 2 KB a second\n`);
  print(formatTable(['Offered', 'Taken', '', 'Of the other', 'Its p99', ''], rows));
  return rows.every((row) => row.at(-1) === '');
}

const topic = topics[positionals[0] ?? 'store'];
if (topic === undefined || values.help) {
  print(usage);
  process.exitCode = topic === undefined ? 2 : 0;
} else {
  const before = loadNow();
  process.exitCode = (await topic()) ? 0 : 1;
  print(`\nLoad of the machine: ${before} before, ${loadNow()} after`);
}
