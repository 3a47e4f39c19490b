import { afterAll, expect, it } from '@jest/globals';
import { type RedisDoor, type RunningRedis, redisDoor, runRedis } from '../redis/support/redis-server.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { nightlyOrFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'redis_public_key_1';
const clients = 8;
const cycles = nightlyOrFull(3, 1);
const calm = nightlyOrFull(1_500, 150);

interface Load {
  /** Milliseconds that each event waited since it was last asked for. */
  takeWaits(): number[];
  readonly statuses: Record<string, number>;
  stop(): Promise<void>;
}

function load(servers: readonly RunningProgram[]): Load {
  let waits: number[] = [];
  const statuses: Record<string, number> = {};
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    const { origin } = servers[number % servers.length] as RunningProgram;
    while (!isOver) {
      const beganAt = performance.now();
      const status = await statusOf(origin, '/store', { message: `kind ${number % 5}` });
      waits.push(performance.now() - beganAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_each, number) => client(number)));
  return {
    takeWaits: () => waits.splice(0),
    statuses,
    async stop() {
      isOver = true;
      await all;
      waits = [];
    },
  };
}

async function statusOf(origin: string, route: string, body: object): Promise<number> {
  const answer = await fetch(`${origin}/wp-json/notifier/v1${route}`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // Whoever waits for Redis for ever is cut off here, and fails.
    signal: AbortSignal.timeout(30_000),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function p99(waits: readonly number[]): number {
  return [...waits].sort((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0;
}

describeWithPrograms('Redis under load', ['redis-server'], ({ 'redis-server': program = '' }) => {
  const folder = temporaryFolder();
  const running: RunningProgram[] = [];
  let redis: RunningRedis;
  let door: RedisDoor;
  afterAll(async () => {
    for (const each of running) await each.end('SIGKILL');
    await door?.end();
    await redis?.end();
    folder.remove();
  });

  const start = async (name: string, url: string): Promise<RunningProgram> => {
    const started = await startProgram({
      DATABASE_URL: `sqlite:${folder.path}/${name}.db`,
      NOTIFIER_PUBLIC_KEY: key,
      REDIS_URL: url,
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      // Reached by nobody here: what is limited is told by what a limit is asked for.
      RATE_LIMIT_EVENTS_PER_MINUTE: '1000000',
      RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1000000',
      RATE_LIMIT_VERIFY_PER_ADDRESS_PER_MINUTE: '1000000',
    });
    running.push(started);
    return started;
  };
  const isAlone = (server: RunningProgram): boolean => {
    const told = server.errors();
    return told.lastIndexOf('rate limits are counted in Redis') <= told.lastIndexOf('by this server only');
  };

  it('goes away in every way and comes back: events are taken, nobody waits, and visitors’ questions are told to wait', async () => {
    redis = await runRedis(program);
    door = await redisDoor(redis.port);
    const servers = [await start('one', door.url), await start('other', door.url)];
    await until(() => !servers.some(isAlone));
    const traffic = load(servers);
    const collect = async (count: number): Promise<number[]> => {
      const waits: number[] = [];
      await until(() => waits.push(...traffic.takeWaits()) >= count);
      return waits;
    };
    const verify = (): Promise<number[]> =>
      Promise.all(servers.map(({ origin }) => statusOf(origin, '/sdk-verify', {})));
    await collect(calm);
    const before = await collect(calm);
    const passing = (pass: RedisDoor['pass']) => async (): Promise<void> => {
      door.pass = pass;
    };
    const faults = [
      { what: 'killed', make: () => redis.kill(), mend: () => redis.start() },
      { what: 'silent', make: passing('nothing'), mend: passing(0) },
      { what: 'slow', make: passing(150), mend: passing(0) },
    ];
    const told: string[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      for (const { what, make, mend } of faults) {
        // On a machine with other work it may be slow by itself.
        await until(async () => (await verify()).every((status) => status !== 429));
        traffic.takeWaits();
        const madeAt = performance.now();
        await make();
        await until(() => servers.every(isAlone));
        const noticedMs = performance.now() - madeAt;
        // What was on its way when it was noticed.
        await collect(2 * clients);
        const takes = door.takes();
        const beside = await collect(calm);
        // Nobody asks it before it is known to be well.
        expect(door.takes()).toBe(takes);
        expect(await verify()).toEqual([429, 429]);
        const mendedAt = performance.now();
        await mend();
        await until(() => !servers.some(isAlone));
        told.push(
          `${what}: noticed after ${noticedMs.toFixed(0)} ms, p99 ${p99(beside).toFixed(0)} ms, back after ` +
            `${(performance.now() - mendedAt).toFixed(0)} ms`,
        );
      }
    }
    await traffic.stop();
    expect(Object.keys(traffic.statuses)).toEqual(['201']);
    for (const each of servers) expect(await each.end()).toBe(0);
    process.stderr.write(
      `F6: ${traffic.statuses[201]} events taken, p99 ${p99(before).toFixed(0)} ms before; ${told.join('; ')}\n`,
    );
  });
});
