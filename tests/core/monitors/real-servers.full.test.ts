import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import { createChecker } from '../../../src/net/checker.ts';
import { createResolver } from '../../../src/net/dns-resolver.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { type RunningPostgres, runPostgres } from '../../data/support/postgres.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { type Authority, createAuthority } from '../../support/certificates.ts';
import { addressRecord, type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { freePort } from '../../support/free-port.ts';
import { nextChecks } from '../../support/monitored.ts';
import { describeWithPrograms } from '../../support/needs.ts';
import { inFull } from '../../support/test-level.ts';
import { type RunningProcess, startProcess } from '../../wordpress/record/processes.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const on = ['monitor.down', 'monitor.up', 'monitor.slow', 'expiry.ends_within'] as const;

interface Site {
  readonly url: string;
  readonly secureUrl: string;
  serve(page: { readonly location: string; readonly days?: number }): Promise<void>;
  stop(): Promise<void>;
}

function nginxSite(nginx: string, folder: string, ports: { plain: number; secure: number }): Site {
  const authority = authorityOfTests;
  const { plain, secure } = ports;
  let running: RunningProcess | null = null;
  mkdirSync(join(folder, 'pages'), { recursive: true });
  // A kilobyte a second makes it slow on any machine.
  writeFileSync(join(folder, 'pages/long.html'), `<h1>Shop</h1>${' '.repeat(6_000)}`);
  const config = join(folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return {
    url: `http://127.0.0.1:${plain}/`,
    secureUrl: `https://localhost:${secure}/`,
    async serve({ location, days = 60 }) {
      await running?.stop();
      const validity = {
        notBefore: new Date(Date.now() - dayMs),
        notAfter: new Date(Date.now() + days * dayMs),
      };
      const { cert, key } = authority.issue(['localhost'], validity);
      writeFileSync(join(folder, 'cert.pem'), cert);
      writeFileSync(join(folder, 'key.pem'), key);
      writeFileSync(
        config,
        `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
         events { worker_connections 64; }
         http { access_log off; default_type text/html; ${places.join(' ')}
           server {
             listen 127.0.0.1:${plain};
             listen 127.0.0.1:${secure} ssl;
             ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
             root ${folder}/pages;
             location / { ${location} }
           } }`,
      );
      const command = [nginx, '-e', 'stderr', '-p', folder, '-c', config] as const;
      running = await startProcess(command, { port: plain });
    },
    async stop() {
      await running?.stop();
      running = null;
    },
  };
}

const authorityOfTests: Authority = createAuthority();

describeWithPrograms('monitors of real servers', ['nginx', 'initdb', 'postgres'], (programs) => {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-watched-'));
  const { nginx = '', initdb = '', postgres = '' } = programs;
  let app: TestApp;
  let dns: DnsServer;
  let monitoring: PeriodicJob;
  let alerting: PeriodicJob;
  let sent: WebhookMessage[];
  const ends: Array<() => Promise<void>> = [];
  beforeEach(async () => {
    sent = [];
    dns = await startDnsServer();
    const resolver = createResolver({ servers: [dns.address], allowPrivate: true });
    const checker = createChecker({
      resolve: resolver.addresses,
      records: resolver.records,
      allowed: parseAllowedTargets(['localhost', '127.0.0.0/8', '203.0.113.0/24']),
      userAgent: 'Notifier/test (monitor)',
      ca: authorityOfTests.cert,
    });
    const deps = { checker, notificationSender: recordingMessenger(sent) };
    // Certificates are of today, whatever day that is.
    app = await openTestApp({ nowMs: Date.now(), deps, env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } });
    monitoring = startMonitorLoop(app.deps, { everyMs: hourMs });
    alerting = startAlerting(app.deps, { pagesUrl: null, everyMs: hourMs });
    const rules = on.map((each) => ({
      on: each,
      fold_over: 50,
      ...(each === 'expiry.ends_within' ? { limit: { count: 7, unit: 'days' } } : {}),
    }));
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules };
    await createChannel(app.deps, null, asked as never, commandLineSource);
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await alerting.stop();
    await monitoring.stop();
    await app.close();
    await dns.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const make = async (body: object): Promise<number> => {
    const made = await app.postSecret('/monitors', { interval: 30, ...body });
    expect(made).toHaveStatus(201);
    return made.body.monitor_id;
  };
  const read = async (id: number) => (await app.get(`/monitors/${id}`)).body;
  const check = (id: number): Promise<void> => nextChecks(app, monitoring, 1, id);
  const told = async (): Promise<string[]> => {
    app.advance(61_000);
    await alerting.runNow();
    return sent.splice(0).map(({ body }) => JSON.parse(body).type);
  };
  const openIncidents = async (): Promise<string[]> =>
    (await app.get('/incidents')).body
      .filter(({ resolved_at: over }: { resolved_at: string | null }) => over === null)
      .map(({ title }: { title: string }) => title);
  const stands = async (id: number) => {
    await check(id);
    await check(id);
    const { state, reason } = await read(id);
    return [state, reason, await openIncidents(), await told()];
  };

  const serving = 'return 200 "<h1>Shop</h1>";';
  const slow = 'rewrite .* /long.html break; limit_rate 1k;';
  const wrong = 'return 200 "<h1>Database error</h1>";';
  const loop = 'return 302 /again;';

  inFull(it)('an nginx that goes down, slows, serves the wrong text and redirects in a loop', async () => {
    const site = nginxSite(nginx, join(folder, 'site'), {
      plain: await freePort(),
      secure: await freePort(),
    });
    ends.push(() => site.stop());
    await site.serve({ location: serving });
    const asked = { type: 'http', name: 'Shop', url: site.url, contains: 'Shop', slow_ms: 3_000 };
    const id = await make(asked);
    expect(await stands(id)).toEqual(['up', '', [], []]);
    // One answer that is lost is no news.
    await site.serve({ location: 'return 444;' });
    await check(id);
    expect((await read(id)).last_check.result).toBe('down');
    await site.serve({ location: serving });
    expect(await stands(id)).toEqual(['up', '', [], []]);
    const down = ['Shop is down'];
    const table: ReadonlyArray<readonly [string | null, ...unknown[]]> = [
      [null, 'down', 'cannot be reached', down, ['monitor.down']],
      [serving, 'up', '', [], ['monitor.up']],
      [slow, 'degraded', 'took longer than 3000 ms', [], ['monitor.slow']],
      [serving, 'up', '', [], []],
      [wrong, 'down', 'does not contain “Shop”', down, ['monitor.down']],
      [slow, 'degraded', 'took longer than 3000 ms', [], ['monitor.up', 'monitor.slow']],
      [loop, 'down', 'redirects too often, or from https to http', down, ['monitor.down']],
      [serving, 'up', '', [], ['monitor.up']],
    ];
    for (const [location, ...expected] of table) {
      if (location === null) await site.stop();
      else await site.serve({ location });
      expect([location, ...(await stands(id))]).toEqual([location, ...expected]);
    }
  });

  inFull(it)('a certificate that expires in six days, and is renewed', async () => {
    const site = nginxSite(nginx, join(folder, 'secure'), {
      plain: await freePort(),
      secure: await freePort(),
    });
    ends.push(() => site.stop());
    await site.serve({ location: serving });
    const id = await make({ type: 'http', name: 'Till', url: site.secureUrl });
    expect(await stands(id)).toEqual(['up', '', [], []]);
    await site.serve({ location: serving, days: 6 });
    const endsSoon = /^its certificate expires in [56] days$/;
    expect(await stands(id)).toEqual([
      'degraded',
      expect.stringMatching(endsSoon),
      [],
      ['expiry.ends_within'],
    ]);
    await site.serve({ location: serving, days: 90 });
    expect(await stands(id)).toEqual(['up', '', [], []]);
  });

  inFull(it)('the port of a PostgreSQL', async () => {
    const port = await freePort();
    const place = mkdtempSync(join(tmpdir(), 'notifier-watched-pg-'));
    const run = (): Promise<RunningPostgres> => runPostgres({ initdb, postgres, folder: place, port });
    let server: RunningPostgres | null = null;
    ends.push(async () => {
      await server?.end();
      rmSync(place, { recursive: true, force: true });
    });
    server = await run();
    const id = await make({ type: 'tcp', name: 'Books', host: `127.0.0.1:${port}` });
    expect(await stands(id)).toEqual(['up', '', [], []]);
    await server.end();
    server = null;
    const away = ['down', 'cannot be reached', ['Books is down'], ['monitor.down']];
    expect(await stands(id)).toEqual(away);
    server = await run();
    expect(await stands(id)).toEqual(['up', '', [], ['monitor.up']]);
  });

  it('a hostname that resolves elsewhere, disappears and comes back', async () => {
    const is = (...addresses: string[]) =>
      dns.answer(() => ({ records: addresses.map((each) => addressRecord('shop.test', each)) }));
    is('203.0.113.7');
    const id = await make({
      type: 'dns',
      name: 'Name',
      host: 'shop.test',
      record: 'A',
      answers: '203.0.113.7',
    });
    expect(await stands(id)).toEqual(['up', '', [], []]);
    is('203.0.113.66');
    const elsewhere = 'does not have the expected records';
    expect(await stands(id)).toEqual(['down', elsewhere, ['Name is down'], ['monitor.down']]);
    dns.answer(() => ({ rcode: 'NXDOMAIN' }));
    expect(await stands(id)).toEqual(['down', 'the name does not exist', ['Name is down'], []]);
    is('203.0.113.7');
    expect(await stands(id)).toEqual(['up', '', [], ['monitor.up']]);
  });
});
