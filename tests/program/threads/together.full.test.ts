// Several threads that answer are one server: what one counts all count, what one is told all know. Whoever
// asks over many connections asks all of them: the system spreads connections by their addresses.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databases } from '../../data/support/databases.ts';
import { adminToken, browserAt } from '../../support/pages.ts';
import {
  metricsHeaders,
  metricsSettings,
  type RunningProgram,
  runCommand,
  startProgram,
} from '../../support/program.ts';
import { nightlyOrFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

const publicKey = 'together-public-1';
const secretKey = 'together-secret-1';
const eventsMax = 40;
const pagesMax = 30;
const api = '/wp-json/notifier/v1';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Ask {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One request on a connection of its own. */
function ask(origin: string, { path, method = 'GET', headers = {}, body = '' }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(
      `${origin}${path}`,
      { agent: false, method, headers: { ...headers, ...length, 'Content-Type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    sent.once('error', reject).end(body);
  });
}

/**
 * The same many times at once; answers how often each status came. A busy machine may be a reason for 503,
 * after which everybody asks again when it says so; more than one for each request is no busy machine.
 */
async function statuses(origin: string, times: number, asked: Ask): Promise<Record<number, number>> {
  let refusals = 0;
  const answered = async (): ReturnType<typeof ask> => {
    const answer = await ask(origin, asked);
    if (answer.status !== 503) return answer;
    refusals += 1;
    expect(refusals).toBeLessThanOrEqual(times);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    await sleep(Number(answer.headers['retry-after']) * 1_000);
    return answered();
  };
  const answers = await Promise.all(Array.from({ length: times }, answered));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const store = (key: string, message = 'together'): Ask => ({
  path: `${api}/store`,
  method: 'POST',
  headers: { 'X-Notifier-Key': key },
  body: JSON.stringify({ message }),
});

/** Opens a stream of the demo's live tail; answers its status once its head is there. */
function openStream(origin: string): Promise<{ status: number; end(): void }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/demo/live/stream`, { agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, end: () => sent.destroy() });
    });
    // Ended by us.
    sent.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error));
    sent.end();
  });
}

afterAll(() => Promise.all(databases.map((database) => database.end())));

describe.each(databases)('threads that answer, on $name', (database) => {
  describe.each(nightlyOrFull([2, 4], [2]))('%i of them', (threads) => {
    let program: RunningProgram;
    let env: Record<string, string>;
    beforeAll(async () => {
      env = {
        DATABASE_URL: await database.createMigrated(),
        WEB_CONCURRENCY: String(threads),
        ...metricsSettings,
        NOTIFIER_PUBLIC_KEY: publicKey,
        NOTIFIER_SECRET_KEY: secretKey,
        RATE_LIMIT_EVENTS_PER_MINUTE: String(eventsMax),
        RATE_LIMIT_PAGES_PER_MINUTE: String(pagesMax),
        RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '20',
        RATE_LIMIT_SERVER_PER_MINUTE: '1000',
        LOG_LEVEL: 'error',
      };
      program = await startProgram(env);
    });
    afterAll(async () => {
      await program.end();
    });

    it('take as many events as the limit says, and tell of all they refused', async () => {
      expect(await statuses(program.origin, eventsMax + 60, store(publicKey))).toEqual({
        201: eventsMax,
        429: 60,
      });
      const outcomes = { path: `${api}/outcomes?hours=2`, headers: { Authorization: `Bearer ${secretKey}` } };
      const seen = await Promise.all(Array.from({ length: 12 }, () => ask(program.origin, outcomes)));
      for (const { status, body } of seen) {
        const hours = JSON.parse(body) as Array<{ outcomes: Array<{ outcome: string; quantity: number }> }>;
        const of = (name: string): number =>
          hours
            .flatMap((hour) => hour.outcomes)
            .filter(({ outcome }) => outcome === name)
            .reduce((sum, { quantity }) => sum + quantity, 0);
        expect([status, of('accepted'), of('rate_limited')]).toEqual([200, eventsMax, 60]);
      }
    });

    it('have one set of metrics, whichever of them is asked', async () => {
      const texts = await Promise.all(
        Array.from({ length: 8 }, () => ask(program.origin, { path: '/metrics', headers: metricsHeaders })),
      );
      for (const { status, body } of texts) {
        expect(status).toBe(200);
        expect(body).toMatch(
          new RegExp(`route="/notifier/v1/store",method="POST",status="201"} ${eventsMax}\n`),
        );
        expect(body).toMatch(/route="\/notifier\/v1\/store",method="POST",status="429"} 60\n/);
      }
    });

    it('count pages, and failed credentials, of an address together', async () => {
      expect(await statuses(program.origin, pagesMax + 20, { path: '/sign-in' })).toEqual({
        200: pagesMax,
        429: 20,
      });
      const wrong = { ...store('nobody-has-this-key') };
      expect(await statuses(program.origin, 50, wrong)).toEqual({ 401: 20, 429: 30 });
    });

    it('know at once of a key that was revoked', async () => {
      const made = runCommand(['key', 'create', 'secret'], env).out;
      const [, id = '', key = ''] = /^Key (\d+) \(secret\): (\S+)/.exec(made) ?? [];
      const outcomes = { path: `${api}/outcomes`, headers: { Authorization: `Bearer ${key}` } };
      expect(await statuses(program.origin, 12, outcomes)).toEqual({ 200: 12 });
      expect(runCommand(['key', 'revoke', id], env)).toMatchObject({ code: 0 });
      // Failed credentials have their limit, which the test before has reached.
      expect(Object.keys(await statuses(program.origin, 12, outcomes))).not.toContain('200');
    });
  });
});

describe('threads that answer', () => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram({
      DATABASE_URL: await (databases[0] as (typeof databases)[number]).createMigrated(),
      WEB_CONCURRENCY: '4',
      NOTIFIER_PUBLIC_KEY: publicKey,
      NOTIFIER_ADMIN_TOKEN: adminToken,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    });
  });
  afterAll(async () => {
    await program.end();
  });

  it('let one follow as many streams as one thread would, and give a place back', async () => {
    const open = await Promise.all(Array.from({ length: 3 }, () => openStream(program.origin)));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
    const more = await Promise.all(Array.from({ length: 12 }, () => openStream(program.origin)));
    expect(more.every(({ status }) => status === 429)).toBe(true);
    open[0]?.end();
    let again = await openStream(program.origin);
    await until(async () => {
      if (again.status !== 200) again = await openStream(program.origin);
      return again.status === 200;
    });
    for (const stream of [...open, again]) stream.end();
  });

  it('tell a follower of the live tail of events that any of them took', async () => {
    const browser = browserAt(program.origin);
    expect(await browser.post('/sign-in', { token: adminToken })).toHaveStatus(303);
    let told = '';
    const following = Promise.withResolvers<number | undefined>();
    const stream = request(
      `${program.origin}/live/stream`,
      { agent: false, headers: { Cookie: browser.cookie ?? '' } },
      (response) => {
        following.resolve(response.statusCode);
        response.setEncoding('utf8').on('data', (chunk) => {
          told += chunk;
        });
        // Ended by us.
        response.on('error', () => {});
      },
    );
    stream.on('error', following.reject).end();
    expect(await following.promise).toBe(200);
    // From then on it tells what is new: its first words are this hour's figures.
    await until(() => told.includes('event: refused'));
    const messages = Array.from({ length: 24 }, (_, index) => `told of ${'abcdefghijklmnopqrstuvwx'[index]}`);
    await Promise.all(messages.map((message) => ask(program.origin, store(publicKey, message))));
    await until(() => messages.every((message) => told.includes(message)));
    stream.destroy();
  });

  it('file what all of them took, each event once', async () => {
    const accepted = async (): Promise<number> => {
      const { body } = await ask(program.origin, { path: '/metrics', headers: metricsHeaders });
      return Number(/^notifier_events_total\{outcome="accepted"[^}]*\} (\d+)$/m.exec(body)?.[1] ?? 0);
    };
    const before = await accepted();
    const messages = Array.from({ length: 200 }, (_, index) => `event of ${index % 10}`);
    const answers = await Promise.all(
      messages.map((message) => ask(program.origin, store(publicKey, message))),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const issues = new Set(answers.map(({ body }) => (JSON.parse(body) as { issue_id: number }).issue_id));
    const ids = new Set(answers.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id));
    expect(ids.size).toBe(200);
    expect((await accepted()) - before).toBe(200);
    expect(issues.size).toBeLessThanOrEqual(10);
  });
});
