import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { toEnvironment } from '../../src/core/config/options.ts';
import { settingNames } from '../../src/core/config/settings.ts';
import { bodyTimeouts } from '../../src/http/bodies/body-timeouts.ts';
import { uploadFolderPrefix } from '../../src/http/bodies/upload-sweep.ts';
import { createNotifier, type NotifierOptions } from '../../src/index.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { closeAll, openOwn, serveHost } from './foreign-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'notifier-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(closeAll);

const api = '/wp-json/notifier/v1';
const event = { message: 'x', platform: 'php' };
const memory = { databaseUrl: 'sqlite::memory:', logLevel: 'silent' } as const;

function camelCase(name: string): string {
  return name.toLowerCase().replaceAll(/_./g, (found) => found.slice(1).toUpperCase());
}

describe('the options', () => {
  const example = readFileSync(resolve(import.meta.dirname, '../../.env.example'), 'utf8');
  // A name that is set, or that is shown behind a # without a blank. NOTIFIER_URL is its clients'.
  const names = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
  const ours = names.filter((name) => name !== 'NOTIFIER_URL');

  it('are every setting of .env.example in camel case', () => {
    expect(ours.length).toBeGreaterThan(25);
    expect([...settingNames].sort()).toEqual([...ours].sort());
    for (const name of ours) expect(toEnvironment({ [camelCase(name)]: 'x' })).toEqual({ [name]: 'x' });
  });

  it('mean the same as the environment variables', () => {
    const set = parseEnv(example);
    const options = Object.fromEntries(
      Object.entries(set).map(([name, value]) => [camelCase(name), value]),
    ) as NotifierOptions;
    expect(toEnvironment(options)).toEqual(set);
    expect(
      toEnvironment({ port: 80, rateLimits: false, trustProxy: ['::1', '10.0.0.0/8'], baseUrl: undefined }),
    ).toEqual({ PORT: '80', RATE_LIMITS: 'off', TRUST_PROXY: '::1,10.0.0.0/8' });
  });

  const wrong: ReadonlyArray<[object, string]> = [
    [{ port: 70_000 }, 'port must be a whole number from 0 to 65535, not "70000".'],
    [{ port: 1.5 }, 'port must be a whole number from 0 to 65535, not "1.5".'],
    [{ rateLimits: 1 }, 'rateLimits must be true or false, not a value of type number.'],
    [
      { trustProxy: ['nope'] },
      'trustProxy must be a comma-separated list of IP addresses or CIDR blocks; "nope" is neither.',
    ],
    [{ trustProxy: [1] }, 'trustProxy must be a list of strings, not this list.'],
    [{ baseUrl: null }, 'baseUrl must be a text, not null.'],
    [{ wpPath: 'blog' }, 'wpPath must be a path, for example /blog, not "blog".'],
    [
      { baseUrl: 'https://a.example/b' },
      'without a path (set that in wpPath), for example https://shop.example, not "https://a.example/b".',
    ],
    [{ logLevel: 'loud' }, 'logLevel must be one of debug, info, warn, error, silent, not "loud".'],
    [{ notifierPublicKey: 'short' }, 'notifierPublicKey must be 8 to 128 characters'],
    [{ publicKey: 'pk_12345678' }, 'publicKey is not an option. Did you mean notifierPublicKey?'],
    [{ databaseUrll: 'x' }, 'databaseUrll is not an option. Did you mean databaseUrl?'],
    [{ databaseUrl: 'mysql://x' }, 'databaseUrl is "mysql://x": it must start with sqlite:'],
    [{ databaseUrlFile: '/nowhere' }, 'databaseUrl and databaseUrlFile are both set. Remove one of them.'],
    [{ notifierDialect: '/nowhere' }, 'notifierDialect: there is no such file. The file is "/nowhere"'],
    [
      { notifierProject: 'x', notifierDomains: ['a b'] },
      'notifierDomains must be a comma-separated list of host',
    ],
  ];
  it.each(wrong)('%j throws an Error that names the option', async (options, sentence) => {
    const failure = await createNotifier({ ...memory, ...options } as NotifierOptions).catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(failure.message).toContain(sentence);
  });

  inFull(it)('are all that is read; the environment is ignored', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      WP_PATH: 'no path',
      PORT: 'none',
      NOTIFIER_DOMAIN: 'x',
      DATABASE_URL: 'no',
    });
    try {
      const notifier = await createNotifier(memory);
      await notifier.close();
      expect(notifier.firstKeys).not.toBeNull();
    } finally {
      process.env = before;
    }
  });
});

describe('the keys of a first start', () => {
  it('are returned once, and work', async () => {
    const databaseUrl = `sqlite:${join(folder, 'first.db')}`;
    const first = await createNotifier({ ...memory, databaseUrl });
    const { publicKey = '', secretKey = '' } = first.firstKeys ?? {};
    const host = await serveHost((app) => app.use(first.router));
    const sent = await host.agent.post(`${api}/store`).set('X-Notifier-Key', String(publicKey)).send(event);
    const read = await host.agent.get(`${api}/issues`).set('Authorization', `Bearer ${secretKey}`);
    expect([sent.status, read.status, read.body.length]).toEqual([201, 200, 1]);
    await first.close();
    const second = await createNotifier({ ...memory, databaseUrl });
    expect(second.firstKeys).toBeNull();
    await second.close();
  });

  it('are those of the options if given', async () => {
    const given = { notifierPublicKey: 'pk_given_0001', notifierSecretKey: 'sk_given_0001' };
    const notifier = await createNotifier({
      ...memory,
      ...given,
      notifierAdminToken: 'token-of-the-options',
    });
    expect(notifier.firstKeys).toEqual({ publicKey: 'pk_given_0001', secretKey: null, adminToken: null });
    await notifier.close();
  });
});

describe('two instances in one process', () => {
  it('are independent', async () => {
    const [shop, blog] = [await openOwn(), await openOwn()];
    const host = await serveHost((app) => {
      app.use('/blog', blog.notifier.router);
      app.use(shop.notifier.router);
    });
    const send = (at: string, key: string, message: string) =>
      host.agent
        .post(`${at}${api}/store`)
        .set('X-Notifier-Key', key)
        .send({ ...event, message });
    const titles = async (at: string, key: string): Promise<unknown> => {
      const { status, body } = await host.agent
        .get(`${at}${api}/issues`)
        .set('Authorization', `Bearer ${key}`);
      return status === 200 ? body.map(({ title }: { title: string }) => title) : status;
    };
    const sent = [
      await send('', shop.publicKey, 'of the shop'),
      await send('/blog', blog.publicKey, 'of the blog'),
      await send('', blog.publicKey, 'astray'),
    ];
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 401]);
    expect(await titles('', shop.secretKey)).toEqual(['of the shop']);
    expect(await titles('/blog', blog.secretKey)).toEqual(['of the blog']);
    expect(await titles('/blog', shop.secretKey)).toBe(401);
    await blog.notifier.close();
    expect(await titles('', shop.secretKey)).toEqual(['of the shop']);
  });

  it('count limits separately', async () => {
    const limits = { rateLimits: true, rateLimitServerPerMinute: 1 };
    const [one, other] = [await openOwn(limits), await openOwn(limits)];
    const host = await serveHost((app) => {
      app.use('/one', one.notifier.router);
      app.use('/other', other.notifier.router);
    });
    const statuses: number[] = [];
    for (const [at, { secretKey }] of [
      ['/one', one],
      ['/one', one],
      ['/other', other],
    ] as const) {
      const answer = await host.agent.get(`${at}${api}/issues`).set('Authorization', `Bearer ${secretKey}`);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 429, 200]);
  });
});

function held(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return { timers: counts['Timeout'] ?? 0, threads: counts['MessagePort'] ?? 0 };
}

function uploadFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(uploadFolderPrefix()));
}

describe('close', () => {
  inFull(it)('releases database, workers, timers and folders, and may be called twice', async () => {
    const before = held();
    const own = await openOwn();
    const host = await serveHost((app) => app.use(own.notifier.router));
    const bearer = `Bearer ${own.secretKey}`;
    // A bundle and a report, so that threads and folders are there.
    const file = Buffer.from(JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: 'AAAA' }));
    const bundle = host.agent.post(`${api}/artifacts`).set('Authorization', bearer);
    expect(await bundle.field('release', '1').attach('file', file, '~/a.js.map')).toHaveStatus(201);
    await Promise.all([own.notifier.close(), own.notifier.close()]);
    await own.notifier.close();
    const databaseFile = own.databaseUrl.slice('sqlite:'.length);
    // Whoever closes an SQLite file last takes its journal away.
    expect([existsSync(databaseFile), existsSync(`${databaseFile}-wal`)]).toEqual([true, false]);
    expect(uploadFolders()).toEqual([]);
    await closeAll();
    await until(
      () => held().threads === before['threads'] && (held()['timers'] ?? 0) <= (before['timers'] ?? 0),
    );
  });

  it('answers 503 afterwards, and passes on requests of the host', async () => {
    const { notifier, publicKey, secretKey } = await openOwn();
    const host = await serveHost((app) => app.use(notifier.router));
    await notifier.close();
    const refused = await host.agent.post(`${api}/store`).set('X-Notifier-Key', publicKey).send(event);
    const tools = await host.agent.get('/api/0/').set('Authorization', `Bearer ${secretKey}`);
    expect([refused.status, tools.status, (await host.agent.get('/shop')).status]).toEqual([503, 503, 200]);
  });

  inFull(it)('waits for requests in progress', async () => {
    const { notifier, publicKey } = await openOwn();
    let begun = (): void => {};
    const began = new Promise<void>((done) => {
      begun = done;
    });
    const host = await serveHost((app) => {
      app.use((request, response, next) => {
        notifier.router(request, response, next);
        begun();
      });
    });
    const body = JSON.stringify(event);
    const head = `POST ${api}/store HTTP/1.1\r\nHost: a\r\nX-Notifier-Key: ${publicKey}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(host.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    const ended = new Promise((done) => socket.once('close', done));
    socket.write(head + body.slice(0, 5));
    await began;
    let isClosed = false;
    const closed = notifier.close().then(() => {
      isClosed = true;
    });
    // Another one is opened and closed in the time.
    await (await createNotifier(memory)).close();
    expect(isClosed).toBe(false);
    socket.write(body.slice(5));
    await Promise.all([ended, closed]);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('a body on the server of a host application', () => {
  const headOf = (path: string, key: string, length: number): string =>
    `POST ${api}${path} HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Type: application/zip\r\nContent-Length: ${length}\r\n\r\n`;

  it('that breaks off removes its folder', async () => {
    const { notifier, secretKey } = await openOwn();
    const host = await serveHost((app) => app.use(notifier.router));
    const socket = connect(host.port, '127.0.0.1');
    socket.write(`${headOf('/artifacts', `Authorization: Bearer ${secretKey}`, 1_000_000)}PK`);
    await until(() => uploadFolders().length === 1);
    socket.destroy();
    await until(() => uploadFolders().length === 0);
    await notifier.close();
    expect(uploadFolders()).toEqual([]);
  });

  it('that stops coming is answered 400, and its connection closes', async () => {
    const never = { graceMs: 50, longestMs: 100, rateMin: 1_000_000 };
    const { notifier, publicKey } = await openOwn(
      {},
      { timeouts: { ...bodyTimeouts, memory: never, disk: { ...never, restMs: 50 } }, checkIntervalMs: 20 },
    );
    const host = await serveHost((app) => app.use(notifier.router));
    const socket = connect(host.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    socket.write(`${headOf('/store', `X-Notifier-Key: ${publicKey}`, 1_000)}{`);
    await new Promise((done) => socket.once('close', done));
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*rest_bad_request/);
  });
});
