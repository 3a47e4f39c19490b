// `npm run bench -- pages [sqlite|postgresql]`: how long pages take on a million events. The bar is that of
// people: nineteen of twenty answers within 50 ms. On a machine that others use too, the time of the
// processor says more than the clock; it is that of the server, without PostgreSQL's own.
import { join } from 'node:path';
import { table } from '../../../src/cli/command.ts';
import { startServer } from '../servers.ts';
import { casesOf, type Known } from './cases.ts';
import { type KeptDatabase, keptDatabases } from './kept-databases.ts';
import { type Client, clientOf, type Measured, signIn } from './measure.ts';
import { adminToken, secretKey } from './scale.ts';

const barMs = 50;
const program = join(import.meta.dirname, '../../../src/server.ts');

/** Fills where nothing is filled, measures, prints; answers whether all that is there keeps to the bar. */
export async function benchPages(
  print: (text: string) => void,
  progress: (text: string) => void,
  only: string | undefined,
): Promise<boolean> {
  const databases = await keptDatabases(progress, only);
  const columns: Measured[][] = [];
  try {
    for (const database of databases) columns.push(await measureOn(database, progress));
  } finally {
    for (const database of databases) await database.end();
  }
  const [first = []] = columns;
  const headings = databases.flatMap(({ name }) => [`${name} p50`, 'p95', 'p99', 'CPU ms']);
  const rows = first.map(({ name, kibibytes }, row) => [
    name,
    ...columns.flatMap((column) => cellsOf(column[row])),
    kibibytes.toFixed(0),
    columns.some((column) => isOver(column[row])) ? 'over' : '',
  ]);
  print(`\nPages on 1,000,000 events in 10,000 issues, one client; p95 at most ${barMs} ms\n`);
  print(table(['Asked', ...headings, 'KiB', `${barMs} ms`], rows));
  return columns.flat().every((each) => !isOver(each));
}

function cellsOf(measured: Measured | undefined): string[] {
  if (measured === undefined) return ['', '', '', ''];
  const { problem, p50Ms, p95Ms, p99Ms, processorMs } = measured;
  if (problem !== null) return [problem === 404 ? 'not there yet' : `answered ${problem}`, '', '', ''];
  return [p50Ms, p95Ms, p99Ms, processorMs].map((ms) => ms.toFixed(1));
}

function isOver(measured: Measured | undefined): boolean {
  return (
    measured !== undefined && (measured.problem === null ? measured.p95Ms > barMs : measured.problem !== 404)
  );
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
  return { issueIds, events };
}
