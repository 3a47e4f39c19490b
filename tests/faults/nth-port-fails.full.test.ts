import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { silentLog } from '../../src/app/log.ts';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import { openTestApp, startOfTests, type TestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';
import { writeMigratedFile } from '../support/throw-away-database.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string };
}

/** Asks for something of its own: `step` is the same again only where it is asked again. */
type Asking = (app: TestApp, step: number) => PromiseLike<Answer>;

const nextWeek = new Date(startOfTests + 7 * 86_400_000).toISOString();
const site = 'https://shop.example/';
const api = '/wp-json/notifier/v1';
const made = { proof: '' };

const askings: Readonly<Record<string, Asking>> = {
  'an event': (app, step) => app.post('/store', { message: `boom ${step}`, release: `1.${step}` }),
  'an event that came before': (app) => app.post('/store', { message: 'boom', event_id: 'ab'.repeat(16) }),
  'an envelope': (app, step) =>
    app.agent
      .post(`${api}/envelope`)
      .set('X-Notifier-Key', app.publicKey)
      .set('Content-Type', 'application/x-sentry-envelope')
      .send(`{}\n{"type":"event"}\n{"message":"in an envelope ${step}"}\n`),
  'a bug report': (app, step) =>
    app
      .post('/feedback', { message: `Nothing happens ${step}`, url: site })
      .set('Origin', 'https://shop.example'),
  'a release': (app, step) => app.postSecret('/releases', { version: `2.${step}` }),
  'a deploy': (app, step) => app.postSecret('/deploys', { version: `3.${step}`, environment: 'live' }),
  'an artifact': (app, step) =>
    app.agent
      .post(`${api}/artifacts`)
      .set('Authorization', `Bearer ${app.secretKey}`)
      .field('release', `4.${step}`)
      .attach(
        'file',
        Buffer.from(`{"version":3,"sources":[],"names":["${step}"],"mappings":""}`),
        'a.js.map',
      ),
  'a test run': (app, step) => app.postSecret('/test-runs', { tests: 1, failed: 1, release: `5.${step}` }),
  'a proof': (app, step) => app.postSecret('/domain-verifications', { domain: `d${step}.example.com` }),
  'a look for a proof': (app) => app.postSecret(`/domain-verifications/${made.proof}/check`, {}),
  'a domain': (app, step) => app.postSecret('/domains', { domain: `e${step}.example.com` }),
  'a state of an issue': (app, step) =>
    app.postSecret('/issues/1', { status: step % 2 === 0 ? 'resolved' : 'unresolved' }),
  'a monitor': (app, step) => app.postSecret('/monitors', { type: 'http', name: `m${step}`, url: site }),
  'a change of a monitor': (app, step) => app.postSecret('/monitors/1', { name: `n${step}` }),
  'an incident': (app, step) => app.postSecret('/incidents', { title: `Down ${step}`, monitors: [1] }),
  'what is said of an incident': (app, step) => app.postSecret('/incidents/1', { message: `Now ${step}` }),
  'planned work': (app, step) =>
    app.postSecret('/maintenance-windows', { title: `Disks ${step}`, all: true, ends_at: nextWeek }),
  'a status page': (app, step) => app.postSecret('/status-pages', { name: `Status ${step}` }),
  'an alert channel': (app, step) =>
    app.postSecret('/alert-channels', { type: 'webhook', name: `Hook ${step}`, url: `${site}${step}` }),
};

/** Calls that are counted, one of which may fail. */
class Port {
  calls = 0;
  private nth = 0;

  /** The `nth` call from now on fails; none for 0. */
  arm(nth: number): void {
    this.calls = 0;
    this.nth = nth;
  }

  isFailing(): boolean {
    this.calls += 1;
    return this.calls === this.nth;
  }

  wrap<Given extends unknown[], Result>(
    call: (...given: Given) => Promise<Result>,
    failure: () => Error,
  ): (...given: Given) => Promise<Result> {
    return (...given) => (this.isFailing() ? Promise.reject(failure()) : call(...given));
  }
}

const leftOut = /^(sqlite_|issue_|outcomes$|alert_signals$|meta$|audit_|domain_checks$)/;

function rowCounter(path: string): { counts(): Record<string, number>; close(): void } {
  const database = new Database(path, { readonly: true });
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all() as string[];
  const countings = names
    .filter((name) => !leftOut.test(name))
    .map((name) => [name, database.prepare(`SELECT COUNT(*) FROM "${name}"`).pluck()] as const);
  return {
    counts: () => Object.fromEntries(countings.map(([name, counting]) => [name, counting.get() as number])),
    close: () => void database.close(),
  };
}

function grown(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const more = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

inFull(describe)('a call that fails', () => {
  const ports = { store: new Port(), clock: new Port(), outside: new Port() };
  let folder: ReturnType<typeof temporaryFolder>;
  let app: TestApp;
  let rows: ReturnType<typeof rowCounter>;
  let nowMs = startOfTests;
  let step = 0;
  let failed = 0;

  beforeAll(async () => {
    folder = temporaryFolder();
    const path = join(folder.path, 'notifier.db');
    await writeMigratedFile(path);
    const away = () => new Error('Nobody answers.');
    app = await openTestApp({
      env: { DATABASE_URL: `sqlite:${path}` },
      domains: ['shop.example'],
      deps: {
        log: silentLog,
        now() {
          if (ports.clock.isFailing()) throw new Error('The clock stands still.');
          return nowMs;
        },
        domainCheckClient: {
          texts: ports.outside.wrap(async () => ({ ok: false, code: 'nxdomain' }) as const, away),
          aliases: ports.outside.wrap(async () => ({ ok: false, code: 'no_record' }) as const, away),
          page: ports.outside.wrap(async () => ({ ok: false, code: 'unreachable' }) as const, away),
        },
      },
    });
    const store = app.deps.store as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const [name, call] of Object.entries(store)) {
      store[name] = ports.store.wrap(call, () => new StoreUnavailableError('Away.'));
    }
    rows = rowCounter(path);
    made.proof = (await app.postSecret('/domain-verifications', { domain: 'example.org' })).body.id;
    for (const ask of Object.values(askings)) await asked(ask);
  });
  afterAll(async () => {
    process.stderr.write(`F18: ${failed} calls failed, each was done once when it was asked again\n`);
    rows.close();
    await app.close();
    folder.remove();
  });

  async function asked(ask: Asking): Promise<Answer> {
    nowMs += 61_000;
    const { status, body } = await ask(app, step);
    return { status, body };
  }

  const cases = Object.entries(askings).flatMap(([name, ask]) => {
    const used = name === 'a look for a proof' ? ports : { store: ports.store, clock: ports.clock };
    return Object.entries(used).map(([of, port]) => [of, name, ask, port] as const);
  });

  it.each(cases)(
    'of the %s in %s: is answered, and asked again it is done once',
    async (of, _name, ask, port) => {
      step += 2;
      const before = rows.counts();
      const clean = await asked(ask);
      expect(clean.status).toBeLessThan(300);
      const once = grown(before, rows.counts());
      let nth = 1;
      for (; ; nth += 1) {
        step += 2;
        const start = rows.counts();
        port.arm(nth);
        const answer = await asked(ask);
        const { calls } = port;
        port.arm(0);
        const told = `${of} ${nth} of ${calls}: ${answer.status} ${answer.body.code}`;
        if (answer.status >= 400) {
          expect([told, answer.status >= 500, typeof answer.body.code]).toEqual([told, true, 'string']);
          const again = await asked(ask);
          expect([told, again.status < 300]).toEqual([told, true]);
        }
        if (of !== 'clock') expect([told, grown(start, rows.counts())]).toEqual([told, once]);
        if (calls < nth) break;
        failed += 1;
      }
      expect(nth).toBeGreaterThan(1);
    },
  );
});
