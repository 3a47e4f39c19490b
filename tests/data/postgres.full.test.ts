import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Db, Query } from '../../data/db.ts';
import { openPostgres } from '../../data/drivers/postgres.ts';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { postgresDatabase } from './support/postgres.ts';

describeWithPrograms('the PostgreSQL driver', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  let url = '';
  let db: Db;

  beforeEach(async () => {
    url = await database.create();
    db = openPostgres(url);
    await db.run('CREATE TABLE words (word TEXT PRIMARY KEY, hits BIGINT NOT NULL)');
    await db.run("INSERT INTO words (word, hits) VALUES ('a', 0), ('b', 0)");
  });
  afterEach(() => db.close());
  afterAll(() => database.end());

  const hit = (tx: Query, word: string) => tx.run('UPDATE words SET hits = hits + 1 WHERE word = $1', [word]);
  const hits = async () =>
    (await db.all<{ hits: number }>('SELECT hits FROM words ORDER BY word')).map((row) => row.hits);

  it('retries a job after a deadlock', async () => {
    let bothHaveOne: () => void = () => {};
    const oneEach = new Promise<void>((resolve) => {
      bothHaveOne = resolve;
    });
    let tries = 0;
    let first = 0;
    const crosswise = (one: string, other: string) => async (tx: Query) => {
      tries += 1;
      await hit(tx, one);
      first += 1;
      if (first === 2) bothHaveOne();
      await oneEach;
      await hit(tx, other);
    };
    await Promise.all([db.write(crosswise('a', 'b')), db.write(crosswise('b', 'a'))]);
    expect(tries).toBeGreaterThan(2);
    expect(await hits()).toEqual([2, 2]);
  });

  it('retries a job after a concurrent write of its row', async () => {
    const bothLooked = Promise.withResolvers<void>();
    let looked = 0;
    const take = () =>
      db.write(async (tx) => {
        const known = await tx.get("SELECT 1 FROM words WHERE word = 'c'");
        looked += 1;
        if (looked === 2) bothLooked.resolve();
        await bothLooked.promise;
        if (known !== undefined) return 'taken';
        await tx.run("INSERT INTO words (word, hits) VALUES ('c', 0)");
        return 'made';
      });
    expect((await Promise.all([take(), take()])).sort()).toEqual(['made', 'taken']);
  });

  it('reports a duplicate key after three tries', async () => {
    let tries = 0;
    const twice = db.write((tx) => {
      tries += 1;
      return tx.run("INSERT INTO words (word, hits) VALUES ('a', 0)");
    });
    await expect(twice).rejects.toThrow(/duplicate key/);
    expect(tries).toBe(3);
  });

  it('keeps every count of many writers', async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => db.write((tx) => hit(tx, index % 2 === 0 ? 'a' : 'b'))),
    );
    expect(await hits()).toEqual([100, 100]);
  });

  it('rolls back a job that throws, and one whose statement fails', async () => {
    const throws = async (tx: Query): Promise<void> => {
      await hit(tx, 'a');
      throw new Error('no');
    };
    await expect(db.write(throws)).rejects.toThrow('no');
    await expect(db.write((tx) => tx.run("INSERT INTO words VALUES ('a', 0)"))).rejects.toThrow('duplicate');
    expect(await hits()).toEqual([0, 0]);
  });

  it('sends one query at a time on a connection, also where a job starts several', async () => {
    const query: (this: pg.Client, config: pg.QueryConfig) => Promise<unknown> = pg.Client.prototype.query;
    const running = new Map<unknown, number>();
    let runningMax = 0;
    const countRunning: typeof query = async function (config) {
      running.set(this, (running.get(this) ?? 0) + 1);
      runningMax = Math.max(runningMax, running.get(this) ?? 0);
      try {
        return await query.call(this, config);
      } finally {
        running.set(this, (running.get(this) ?? 0) - 1);
      }
    };
    Object.assign(pg.Client.prototype, { query: countRunning });
    try {
      await db.write((tx) => Promise.all([hit(tx, 'a'), hit(tx, 'b'), hit(tx, 'a')]));
      const throws = db.write(async (tx) => {
        void hit(tx, 'a').catch(() => {});
        await tx.all('SELECT 1');
        void hit(tx, 'b').catch(() => {});
        throw new Error('no');
      });
      await expect(throws).rejects.toThrow('no');
    } finally {
      Object.assign(pg.Client.prototype, { query });
    }
    expect(runningMax).toBe(1);
    expect(await hits()).toEqual([2, 1]);
  });

  it('refuses jobs beyond the queue limit', async () => {
    await db.close();
    db = openPostgres(url, { limits: { waitingJobsMax: 2 } });
    const results = await Promise.allSettled(
      Array.from({ length: 13 }, () => db.write((tx) => hit(tx, 'a'))),
    );
    expect(results.filter((result) => result.status === 'rejected')).toMatchObject([
      { reason: expect.any(StoreBusyError) },
    ]);
    expect(await hits()).toEqual([12, 0]);
  });

  it('queues writes while all connections are busy, and refuses reads', async () => {
    await db.close();
    const poolWaitsMsMax = { read: 0.5, write: 6_000 };
    db = openPostgres(url, { connectionsMax: 1, timeoutFactor: 100, poolWaitsMsMax });
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query('BEGIN; LOCK TABLE words');
    // The one connection is at work for as long as the lock is held.
    const held = async (): Promise<unknown> => db.all('SELECT hits FROM words').catch(held);
    const first = held();
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'words'::regclass";
    await until(async () => (await admin.query(waiting)).rows.length > 0);
    const write = db.write((tx) => hit(tx, 'b'));
    await expect(db.all('SELECT 1')).rejects.toThrow('No database connection became free in time.');
    await admin.query('COMMIT');
    await admin.end();
    await Promise.all([first, write]);
    expect(await held()).toEqual(expect.arrayContaining([{ hits: 1 }]));
  });

  it('waits for a connection too where other servers use all of the database', async () => {
    await db.close();
    const role = `few_${process.pid}`;
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 1; GRANT ALL ON words TO ${role}`,
    );
    const theirs = Object.assign(new URL(url), { username: role, password: 'few' }).href;
    const other = new pg.Client({ connectionString: theirs });
    await other.connect();
    db = openPostgres(theirs, { timeoutFactor: 100, poolWaitsMsMax: { read: 0.5, write: 6_000 } });
    const write = db.write((tx) => hit(tx, 'a'));
    await expect(db.all('SELECT 1')).rejects.toThrow('No database connection became free in time.');
    await other.end();
    await write;
    expect(await hits()).toEqual([1, 0]);
    await db.close();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
  });

  it('fails a write that waits for a connection once the server does not respond', async () => {
    await throughProxy(url, async (proxy) => {
      await db.close();
      db = openPostgres(proxy.url, {
        connectionsMax: 1,
        checkIntervalMs: 20,
        poolWaitsMsMax: { read: 600_000, write: 600_000 },
      });
      await db.all('SELECT 1');
      proxy.shut();
      const all = [db.write((tx) => hit(tx, 'a')), db.all('SELECT 1'), db.all('SELECT 1')];
      const told = await Promise.allSettled(all);
      for (const each of told) expect(each).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    });
  });

  it('reports unavailable when a connection is cut, and goes on with the next', async () => {
    const cut = db.write(async (tx) => {
      await hit(tx, 'a');
      const row = await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      await admin.query('SELECT pg_terminate_backend($1)', [row?.pid]);
      await admin.end();
      await hit(tx, 'a');
    });
    await expect(cut).rejects.toBeInstanceOf(StoreUnavailableError);
    await db.write((tx) => hit(tx, 'b'));
    expect(await hits()).toEqual([0, 1]);
  });

  it('reports unavailable where there is no server, or a read-only one', async () => {
    const nowhere = openPostgres(url.replace(/:\d+\//, ':1/'));
    await expect(nowhere.write((tx) => hit(tx, 'a'))).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(nowhere.get('SELECT 1')).rejects.toBeInstanceOf(StoreUnavailableError);
    await nowhere.close();
    const readOnly = openPostgres(`${url}?options=-c%20default_transaction_read_only%3Don`);
    await expect(readOnly.write((tx) => hit(tx, 'a'))).rejects.toBeInstanceOf(StoreUnavailableError);
    await readOnly.close();
  });

  it('reports unavailable when the server does not respond, and goes on with the next one', async () => {
    await throughProxy(url, async (proxy) => {
      await db.close();
      // Whoever looks for silence is switched off: one answer that does not come is noticed by itself.
      const limits = { waitingJobsMax: 20 };
      db = openPostgres(proxy.url, { limits, answerMsMax: 300, checkIntervalMs: 600_000 });
      const silent = db.write(async (tx) => {
        await hit(tx, 'a');
        proxy.shut();
        await hit(tx, 'b');
      });
      await expect(silent).rejects.toThrow(StoreUnavailableError);
      await expect(db.all('SELECT hits FROM words')).rejects.toThrow(StoreUnavailableError);
      proxy.open();
      // The server holds the row until it notices that nobody is behind the first connection any more.
      await db.write((tx) => tx.run("INSERT INTO words VALUES ('c', 0)"));
      expect(await hits()).toEqual([0, 0, 0]);
    });
  });

  it('notices an unresponsive server early, and refuses at once until it responds', async () => {
    await throughProxy(url, async (proxy) => {
      await db.close();
      db = openPostgres(proxy.url, { checkIntervalMs: 20 });
      await db.all('SELECT 1');
      proxy.shut();
      await expect(db.all('SELECT hits FROM words')).rejects.toThrow(StoreUnavailableError);
      await expect(db.run('SELECT 1')).rejects.toThrow('The database does not respond.');
      proxy.open();
      await until(() =>
        db.run("INSERT INTO words VALUES ('c', 0)").then(
          () => true,
          () => false,
        ),
      );
    });
  });

  it('stores text with NUL and any bytes, and returns numbers as numbers', async () => {
    await db.run('CREATE TABLE things (word TEXT, bytes BYTEA, big BIGINT)');
    await db.run('INSERT INTO things VALUES ($1, $2, $3)', ['a\0b\ud800', new Uint8Array([0, 255]), 2 ** 52]);
    const row = await db.get<{ word: string; bytes: Uint8Array; big: number; sum: number }>(
      'SELECT word, bytes, big, (SELECT SUM(big) FROM things) AS sum FROM things',
    );
    expect(row).toMatchObject({ word: 'a\ufffdb\ufffd', big: 2 ** 52, sum: 2 ** 52 });
    expect([...(row?.bytes ?? [])]).toEqual([0, 255]);
  });

  it('accepts nothing after it was closed', async () => {
    await db.close();
    await expect(db.write((tx) => hit(tx, 'a'))).rejects.toBeInstanceOf(StoreUnavailableError);
    db = openPostgres(url);
  });
});

interface Proxy {
  readonly url: string;
  shut(): void;
  open(): void;
}

/** Runs `job` with a proxy between it and the database. */
async function throughProxy(url: string, job: (proxy: Proxy) => Promise<void>): Promise<void> {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  let isShut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => {}));
    return socket;
  };
  const server = createServer((front) => {
    keep(front);
    if (isShut) return;
    const back = keep(connect(Number(behind.port), behind.hostname));
    front.pipe(back).pipe(front);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  const shut = (): void => {
    isShut = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  const open = (): void => {
    isShut = false;
  };
  try {
    await job({ url: Object.assign(new URL(url), { port: String(address.port) }).href, shut, open });
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}
