// `npm run bench -- status`: a status page that five hundred people a second look at, for twenty seconds,
// while events arrive; in turn with the same events alone, and with the same crowd at a bare node:http that
// answers a constant, which says what of it is the machine's. Bars: 99 of 100 looks within 20 ms, and events
// as beside that crowd.
import { join } from 'node:path';
import { table } from '../../../src/cli/command.ts';
import { median, ratios, spreadText } from '../full/bench.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import { type LoadResult, localTarget } from '../load/job.ts';
import { type BenchServer, benchKey, benchSecret, postAsOperator, startServer } from '../servers.ts';

const program = join(import.meta.dirname, '../../../src/server.ts');
const bare = join(import.meta.dirname, '../bare-http.ts');

const looksPerSecond = 500;
const eventsPerSecond = 100;
const crowdMs = 20_000;
const aloneMs = 10_000;
const rounds = 3;
const connections = 64;
const lookMsMax = 20;
/** A p99 of some seconds swings by itself: no more than so much is laid to the page. */
const eventRatioMax = 1.5;

interface Round {
  readonly looks: LoadResult;
  readonly events: LoadResult;
  readonly eventsAlone: LoadResult;
  /** The same crowd at the bare server, and events beside it. */
  readonly bareLooks: LoadResult;
  readonly eventsBeside: LoadResult;
  /** Of the server, in milliseconds for a second. */
  readonly crowdProcessor: number;
  readonly aloneProcessor: number;
}

/** Measures, prints, and answers whether all bars are kept to. */
export async function benchStatus(
  print: (text: string) => void,
  progress: (text: string, seconds?: number) => void,
): Promise<boolean> {
  const server = await startServer(program, { NOTIFIER_SECRET_KEY: benchSecret, DEMO: 'off' });
  const yardstick = await startServer(bare);
  const [lookers, senders] = [startGenerator(), startGenerator()];
  const parts = { server, yardstick, lookers, senders };
  try {
    await makePage(server);
    const found: Round[] = [];
    // What V8 finds worth compiling takes a while to show.
    await both(parts, server, aloneMs / 2);
    for (let round = 1; round <= rounds; round += 1) {
      found.push(await oneRound(parts));
      progress(`round ${round} of ${rounds}`, (aloneMs + 2 * crowdMs) / 1000);
    }
    return tell(found, print);
  } finally {
    lookers.stop();
    senders.stop();
    await yardstick.stop();
    await server.stop();
  }
}

interface Parts {
  readonly server: BenchServer;
  readonly yardstick: BenchServer;
  readonly lookers: Generator;
  readonly senders: Generator;
}

async function oneRound(parts: Parts): Promise<Round> {
  const { server, yardstick, senders } = parts;
  const before = server.processorMs();
  const eventsAlone = await senders.run(eventsJob(server, aloneMs));
  const between = server.processorMs();
  const [looks, events] = await both(parts, server, crowdMs);
  const after = server.processorMs();
  const [bareLooks, eventsBeside] = await both(parts, yardstick, crowdMs);
  return {
    looks,
    events,
    eventsAlone,
    bareLooks,
    eventsBeside,
    aloneProcessor: ((between - before) / aloneMs) * 1000,
    crowdProcessor: ((after - between) / crowdMs) * 1000,
  };
}

/** The crowd looks at `at`, and events arrive at the server. */
function both(
  { server, lookers, senders }: Parts,
  at: BenchServer,
  milliseconds: number,
): Promise<[LoadResult, LoadResult]> {
  const looking = {
    ...eventsJob(at, milliseconds),
    requests: { route: 'store', encoding: 'plain', kilobytes: 2, page: '/status/harbour-pine' },
    connections,
    perSecond: looksPerSecond,
  } as const;
  return Promise.all([lookers.run(looking), senders.run(eventsJob(server, milliseconds))]);
}

function eventsJob({ port }: BenchServer, milliseconds: number) {
  const requests = { route: 'store', encoding: 'plain', kilobytes: 2 } as const;
  return {
    target: localTarget(port, benchKey),
    requests,
    connections: 16,
    milliseconds,
    perSecond: eventsPerSecond,
  };
}

/** As large as that of the demo: eleven components in four groups, two incidents under way, and past ones. */
async function makePage(server: BenchServer): Promise<void> {
  const post = (path: string, body: object): Promise<{ readonly [name: string]: number }> =>
    postAsOperator(server, path, body);
  const monitors: number[] = [];
  for (let each = 0; each < 11; each += 1) {
    // Nobody is asked: it waits to be called.
    const { monitor_id: id = 0 } = await post('/monitors', { type: 'heartbeat', name: `Job ${each}` });
    monitors.push(id);
  }
  const components = monitors.map((id, each) => ({
    name: `Component ${each}`,
    group: `Group ${each % 4}`,
    monitors: [id],
  }));
  await post('/status-pages', { name: 'Harbour & Pine', published: true, components });
  for (let each = 0; each < 12; each += 1) {
    const message = 'Card payments fail with an error. No card is charged twice. '.repeat(4);
    const { incident_id: id } = await post('/incidents', {
      title: `Incident ${each}`,
      message,
      public: true,
      monitors: [monitors[each % monitors.length]],
    });
    if (each > 1) await post(`/incidents/${id}`, { state: 'resolved', message: 'Over.', public: true });
  }
}

function tell(found: readonly Round[], print: (text: string) => void): boolean {
  const p99 = (of: (round: Round) => LoadResult): number => median(found.map((round) => of(round).p99Ms));
  const p99s = (of: (round: Round) => LoadResult): number[] => found.map((round) => of(round).p99Ms);
  const toBare = ratios(
    p99s((round) => round.looks),
    p99s((round) => round.bareLooks),
  );
  const toBeside = ratios(
    p99s((round) => round.events),
    p99s((round) => round.eventsBeside),
  );
  const micros = found.map(
    ({ crowdProcessor, aloneProcessor }) => ((crowdProcessor - aloneProcessor) * 1000) / looksPerSecond,
  );
  const answered = (results: readonly LoadResult[], status: string): string => {
    const all = results.reduce((sum, { requests }) => sum + requests, 0);
    const well = results.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
    const others = results
      .flatMap(({ statuses }) => Object.entries(statuses))
      .filter(([each]) => each !== status);
    return [`${well} of ${all}`, ...others.map(([each, count]) => `${each}: ${count}`)].join(', ');
  };
  const looks = found.map((round) => round.looks);
  const events = found.flatMap((round) => [round.events, round.eventsAlone, round.eventsBeside]);
  print(
    `\nA status page under ${looksPerSecond} looks a second, beside ${eventsPerSecond} events a second\n`,
  );
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const rows = [
    ['Looks, p99', ms(p99((round) => round.looks)), `${lookMsMax} ms`],
    ['Looks at a bare server, p99', ms(p99((round) => round.bareLooks)), ''],
    ['The first by the second, round by round', spreadText(toBare), ''],
    ['Looks, answered 200', answered(looks, '200'), 'all'],
    ['A look, time of the processor', `${median(micros).toFixed(0)} µs`, ''],
    ['Events alone, p99', ms(p99((round) => round.eventsAlone)), ''],
    ['Events beside looks, p99', ms(p99((round) => round.events)), ''],
    ['Events beside looks at a bare server, p99', ms(p99((round) => round.eventsBeside)), ''],
    ['The first by the second, round by round', spreadText(toBeside), `${eventRatioMax}`],
    ['Events, answered 201', answered(events, '201'), 'all'],
  ];
  print(table(['What', 'Measured', 'Bar'], rows));
  const isWhole = (results: readonly LoadResult[], status: string): boolean =>
    results.every(({ requests, statuses }) => statuses[status] === requests);
  return (
    p99((round) => round.looks) <= lookMsMax &&
    toBeside.median <= eventRatioMax &&
    isWhole(looks, '200') &&
    isWhole(events, '201')
  );
}
