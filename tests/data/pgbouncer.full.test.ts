import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Db } from '../../data/db.ts';
import { openPostgres, type PostgresOptions } from '../../data/drivers/postgres.ts';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { openTestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { startProgram } from '../support/program.ts';
import { openWorkspace } from '../support/workspace.ts';
import { startMs } from './support/events.ts';
import { type RunningPgBouncer, runPgBouncer } from './support/pgbouncer.ts';
import { postgresDatabase } from './support/postgres.ts';

const key = 'pooled-public-1';

describeWithPrograms('PgBouncer in transaction mode', ['initdb', 'postgres', 'pgbouncer'], (paths) => {
  const database = postgresDatabase();
  let pooler: RunningPgBouncer;
  beforeAll(async () => {
    pooler = await runPgBouncer(paths['pgbouncer'] ?? '', await database.create());
  });
  afterAll(async () => {
    await pooler.end();
    await database.end();
  });

  const pooled = async (): Promise<string> => pooler.addressOf(await database.create());

  it('answers no event with an error, and all are stored after a restart', async () => {
    const env = {
      DATABASE_URL: await pooled(),
      NOTIFIER_PUBLIC_KEY: key,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    };
    const first = await startProgram(env);
    expect(await sendEvents(first.origin, 300)).toEqual({ 201: 300 });
    expect(await first.end()).toBe(0);
    const second = await startProgram(env);
    expect(await sendEvents(second.origin, 300)).toEqual({ 200: 300 });
    expect(await second.end()).toBe(0);
    expect(first.errors() + second.errors()).not.toMatch(/prepared|"level":"error"/);
  });

  it('accepts reports, artifacts, feedback and deploys, and shows every page', async () => {
    const env = { DATABASE_URL: await pooled() };
    const workspace = await openWorkspace({ env });
    const { world, app, admin } = workspace;
    // Each twice: a text is prepared when it is asked for again.
    for (const _time of [1, 2]) {
      for (const page of [
        '/',
        '/issues',
        `/issues/${world.issueIds.basket}`,
        '/releases',
        `/releases/${world.releaseIds.new}`,
        '/test-runs',
        `/test-runs/${world.testRunId}`,
        '/feedback',
        '/projects',
        '/live',
        '/search?q=basket',
        '/audit',
      ]) {
        expect({ page, status: (await admin.get(page)).status }).toEqual({ page, status: 200 });
      }
    }
    const before = (await app.get('/issues').expect(200)).body;
    await workspace.close();
    const again = await openTestApp({ env, projectName: 'again' });
    const { store } = again.deps;
    const [project] = (await store.listProjects()).filter(({ name }) => name === 'test');
    expect(before.length).toBeGreaterThan(0);
    expect((await store.findEvent(project?.id ?? 0, world.eventIds[0] ?? ''))?.issueId).toBe(
      world.issueIds.basket,
    );
    await again.close();
  });

  it('is migrated by two processes that start together', async () => {
    const url = await pooled();
    const open = () => openStore(url, { now: () => startMs, log: silentLog, timeoutFactor: 30 });
    const [one, other] = await Promise.all([open(), open()]);
    await one.createProject({ name: 'shop', createdAtMs: startMs });
    expect((await other.listProjects()).map(({ name }) => name)).toEqual(['shop']);
    await one.close();
    await other.close();
  });

  it('has no more connections than DATABASE_POOL_MAX says', async () => {
    const url = await database.create();
    const app = await openTestApp({ env: { DATABASE_URL: url, DATABASE_POOL_MAX: '3' } });
    await Promise.all(
      Array.from({ length: 40 }, (_, nth) => app.post('/store', { message: `kind ${nth}` }).expect(201)),
    );
    await Promise.all(Array.from({ length: 40 }, () => app.deps.store.listProjects()));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'notifier'",
    );
    await client.end();
    await app.close();
    expect(rows).toEqual([{ count: '3' }]);
  });

  describe('a connection', () => {
    let db: Db;
    afterEach(() => db.close());
    const open = (url: string, options: PostgresOptions = {}): void => {
      db = openPostgres(url, options);
    };
    const limits = `SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')
      || ' ' || current_setting('idle_in_transaction_session_timeout') AS limits`;
    const ours = { limits: '10s 3s 10s' };

    it('has its timeouts in each transaction and query, and leaves none to the next', async () => {
      const url = await database.create();
      open(pooler.addressOf(url));
      for (let nth = 0; nth < 8; nth += 1) {
        expect(await db.get(limits)).toEqual(ours);
        expect(await db.write((tx) => tx.get(limits))).toEqual(ours);
      }
      const left = await db.all('SELECT name FROM pg_prepared_statements');
      await db.close();
      // Another client's transaction, on the connections that ours had.
      open(pooler.addressOf(url), { statements: 'named' });
      expect(left).toEqual([]);
      expect(await db.get('SELECT 1 AS one')).toEqual({ one: 1 });
    });

    it('without a pooler has them too, and named statements', async () => {
      open(await database.create());
      for (let nth = 0; nth < 3; nth += 1) expect(await db.get(limits)).toEqual(ours);
      expect(await db.all('SELECT statement FROM pg_prepared_statements')).toEqual([{ statement: limits }]);
    });

    it('has no named statements and no state where DATABASE_STATEMENTS says so', async () => {
      open(await database.create(), { statements: 'unnamed', connectionsMax: 1 });
      for (let nth = 0; nth < 3; nth += 1) expect(await db.get(limits)).toEqual(ours);
      expect(await db.all('SELECT statement FROM pg_prepared_statements')).toEqual([]);
      const rows = await db.all<{ source: string }>(
        "SELECT reset_val AS source FROM pg_settings WHERE name = 'statement_timeout'",
      );
      expect(rows).toEqual([{ source: '0' }]);
    });
  });
});

async function sendEvents(origin: string, count: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const ids = Array.from({ length: count }, (_, nth) => (nth + 1).toString(16).padStart(32, '0'));
  const client = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const kind = Number.parseInt(id.slice(-3), 16) % 11;
      const { status } = await fetch(`${origin}/wp-json/notifier/v1/store`, {
        method: 'POST',
        headers: { 'X-Notifier-Key': key },
        body: JSON.stringify({ event_id: id, message: `kind ${'abcdefghijk'[kind]}`, release: 'shop@1' }),
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, client));
  return statuses;
}
