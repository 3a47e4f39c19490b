// `npm run bench -- pages [sqlite|postgresql]`: how long pages take on a million events, what they weigh and
// ask for. The bars are those of people: nineteen of twenty answers within 50 ms, 60 KB, four requests. On a
// machine that others use too, the time of the processor says more than the clock; it is that of the server,
// without PostgreSQL's own.
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { table } from '../../../src/cli/command.ts';
import { startServer } from '../servers.ts';
import { casesOf, type Known } from './cases.ts';
import { type KeptDatabase, keptDatabases } from './kept-databases.ts';
import { type Client, clientOf, type Measured, signIn } from './measure.ts';
import { adminToken, million, projectNames, secretKey } from './scale.ts';

const barMs = 50;
/** Of a page in gzip; its style sheet, script and icon are kept by the browser. */
const barBytes = 60_000;
const barRequests = 4;
const program = join(import.meta.dirname, '../../../src/server.ts');

/** Fills where nothing is filled, measures, prints; answers whether all that is there keeps to the bar. */
export async function benchPages(
  print: (text: string) => void,
  progress: (text: string) => void,
  only: string | undefined,
): Promise<boolean> {
  const databases = await keptDatabases(progress, { scale: million, only });
  const columns: Measured[][] = [];
  try {
    for (const database of databases) columns.push(await measureOn(database, progress));
  } finally {
    for (const database of databases) await database.end();
  }
  const [first = []] = columns;
  const headings = databases.flatMap(({ name }) => [`${name} p50`, 'p95', 'p99', 'CPU ms']);
  const rows = first.map(({ name, gzipBytes, requests }, row) => [
    name,
    ...columns.flatMap((column) => cellsOf(column[row])),
    gzipBytes === null ? '' : (gzipBytes / 1000).toFixed(1),
    requests === null ? '' : String(requests),
    columns.some((column) => isOver(column[row])) ? 'over' : '',
  ]);
  const bars = `p95 at most ${barMs} ms, ${barBytes / 1000} KB in gzip, ${barRequests} requests`;
  print(`\nPages on 1,000,000 events in 10,000 issues, one client; ${bars}`);
  print(
    `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`,
  );
  print(table(['Asked', ...headings, 'KB', 'Requests', 'Bars'], rows));
  return columns.flat().every((each) => !isOver(each));
}

function cellsOf(measured: Measured | undefined): string[] {
  if (measured === undefined) return ['', '', '', ''];
  const { problem, p50Ms, p95Ms, p99Ms, processorMs } = measured;
  if (problem !== null) return [problem, '', '', ''];
  return [p50Ms, p95Ms, p99Ms, processorMs].map((ms) => ms.toFixed(1));
}

function isOver(measured: Measured | undefined): boolean {
  if (measured === undefined) return false;
  const { problem, p95Ms, gzipBytes, requests } = measured;
  return problem !== null || p95Ms > barMs || (gzipBytes ?? 0) > barBytes || (requests ?? 0) > barRequests;
}

async function measureOn(database: KeptDatabase, progress: (text: string) => void): Promise<Measured[]> {
  progress(`${database.name}: starting`);
  const server = await startServer(program, {
    DATABASE_URL: database.url,
    NOTIFIER_ADMIN_TOKEN: adminToken,
    NOTIFIER_PUBLIC_KEY: '',
  });
  const client = clientOf(server, await signIn(server.port, adminToken), secretKey);
  try {
    const measured: Measured[] = [];
    for (const asked of casesOf(await knownTo(client))) {
      const one = await client.measure(asked);
      measured.push(one);
      progress(`${database.name}  ${asked.name.padEnd(26)} ${cellsOf(one).join('  ')}`);
    }
    return measured;
  } finally {
    client.close();
    await server.stop();
  }
}

/** Issues with the most events and with few, and an event of each, as the API answers them. */
async function knownTo(client: Client): Promise<Known> {
  const listed = async (query: string): Promise<readonly Record<string, unknown>[]> => {
    const { status, text } = await client.get(`/wp-json/notifier/v1/issues${query}`);
    if (status !== 200) throw new Error(`The list of issues was answered ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  const projects = JSON.parse((await client.get('/projects.json')).text) as {
    readonly projects: ReadonlyArray<{ readonly project_id: number; readonly name: string }>;
  };
  const projectId = projects.projects.find(({ name }) => name === projectNames[0])?.project_id ?? 0;
  const most = await listed('?orderby=events&per_page=3');
  const some = await listed('?per_page=3');
  const issueIds = [...most, ...some].map((issue) => Number(issue['issue_id']));
  const events = await Promise.all(
    issueIds.map(async (issueId) => {
      const { text } = await client.get(`/wp-json/notifier/v1/issues/${issueId}/events?per_page=1`);
      const [event] = JSON.parse(text) as readonly Record<string, unknown>[];
      return { issueId, eventId: String(event?.['event_id']) };
    }),
  );
  return { projectId, issueIds, events };
}
