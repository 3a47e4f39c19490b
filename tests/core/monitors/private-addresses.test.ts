import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import type { TestApp } from '../../support/app.ts';
import { nextChecks } from '../../support/monitored.ts';
import { itForAll } from '../../support/shared.ts';
import { openEmptyWorkspace, type TestGuests } from '../../support/workspace.ts';

const hourMs = 3_600_000;
const sentence = (field: string): string =>
  `${field} resolves to a private address that is not in NOTIFIER_FETCH_ALLOW.`;

let workspace: TestGuests;
let app: TestApp;
let monitoring: PeriodicJob;
const open = async (allow: string): Promise<void> => {
  workspace = await openEmptyWorkspace({ env: { NOTIFIER_FETCH_ALLOW: allow } });
  app = workspace.app;
  monitoring = startMonitorLoop(app.deps, { everyMs: hourMs });
};
afterEach(async () => {
  await monitoring.stop();
  await workspace.close();
});

describe('a private address in a form', () => {
  beforeEach(() => open('10.1.0.0/16,wiki'));

  itForAll(
    [
      ['/monitors', { type: 'http', url: 'http://127.0.0.1:8080/health' }, 'url'],
      ['/monitors', { type: 'keyword', url: 'http://192.168.0.7/', contains: 'up' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://[::1]:9/' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://[::ffff:10.0.0.1]/' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://2130706433/' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://0x7f.1/' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://localhost:3000/' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://shop.localhost./' }, 'url'],
      ['/monitors', { type: 'http', url: 'http://169.254.169.254/latest' }, 'url'],
      ['/monitors', { type: 'tcp', host: '10.0.0.1:5432' }, 'host'],
      ['/monitors', { type: 'tcp', host: '[fd00::1]:5432' }, 'host'],
      ['/monitors', { type: 'tls', host: 'localhost' }, 'host'],
      ['/alert-channels', { type: 'webhook', url: 'https://10.0.0.1/hook' }, 'url'],
      ['/alert-channels', { type: 'ntfy', url: 'http://localhost/on-call' }, 'url'],
    ],
    'is refused with the setting in the sentence',
    async (path, sent, field) => {
      const refused = await app.postSecret(path, { name: 'Inside', ...sent });
      expect([refused.status, refused.body.code, refused.body.data.params]).toEqual([
        400,
        'rest_invalid_param',
        { [field]: sentence(field) },
      ]);
      expect((await app.get(path)).body).toEqual([]);
    },
  );

  itForAll(
    [
      ['/monitors', { type: 'http', url: 'http://10.1.2.3/' }],
      ['/monitors', { type: 'http', url: 'http://wiki/' }],
      ['/monitors', { type: 'http', url: 'https://93.184.216.34/' }],
      ['/monitors', { type: 'tcp', host: '10.1.0.1:5432' }],
      ['/monitors', { type: 'dns', host: 'localhost', record: 'A' }],
      ['/monitors', { type: 'heartbeat' }],
      ['/alert-channels', { type: 'webhook', url: 'https://10.1.0.1/hook' }],
    ],
    'is taken: it is public, named, or nothing is asked there',
    async (path, sent) => {
      expect(await app.postSecret(path, { name: 'Inside', ...sent })).toHaveStatus(201);
    },
  );

  it('is refused alike by all forms, before a check and a test too', async () => {
    const said = sentence('url').replace(/^url/, 'URL');
    const form = { name: 'Inside', type: 'http', url: 'http://10.0.0.1/', interval: '60' };
    for (const wanted of ['create', 'check']) {
      const monitor = await workspace.member.post('/monitors', { ...form, do: wanted });
      expect([monitor.status, monitor.text]).toEqual([400, expect.stringContaining(said)]);
    }
    const hook = { name: 'Inside', url: 'http://10.0.0.1/' };
    for (const wanted of ['save', 'test']) {
      const channel = await workspace.admin.post('/alert-channels/new/webhook', { ...hook, do: wanted });
      expect([channel.status, channel.text]).toEqual([400, expect.stringContaining(`Webhook ${said}`)]);
    }
    const tried = await app.postSecret('/alert-channels/test', { type: 'webhook', url: hook.url });
    expect([tried.status, tried.body.data.params]).toEqual([400, { url: sentence('url') }]);
  });

  it('is refused in a change too', async () => {
    expect(
      await app.postSecret('/monitors', { type: 'http', name: 'Page', url: 'https://shop.example/' }),
    ).toHaveStatus(201);
    const refused = await app.postSecret('/monitors/1', { url: 'http://127.0.0.1/' });
    expect([refused.status, refused.body.data.params]).toEqual([400, { url: sentence('url') }]);
    expect((await app.get('/monitors/1')).body.target).toBe('https://shop.example/');
  });
});

describe('an existing monitor of a private address', () => {
  const reason = 'not checked: a private address that is not in NOTIFIER_FETCH_ALLOW';
  const page = { type: 'http', name: 'Wiki', url: 'http://127.0.0.1:9/', interval: 30, confirmations: 1 };

  beforeEach(async () => {
    await open('127.0.0.1');
    for (const sent of [page, { type: 'tcp', name: 'Port', host: '127.0.0.1:9', confirmations: 1 }]) {
      expect(await app.postSecret('/monitors', sent)).toHaveStatus(201);
    }
    await monitoring.stop();
    // The setting is taken away: from now on nothing private may be asked.
    const { parseAllowedTargets: allowedOf } = await import('../../../src/net/ssrf-guard.ts');
    const { createChecker } = await import('../../../src/net/checker.ts');
    const way = {
      resolve: async () => [],
      records: async () => [],
      allowed: allowedOf([]),
      userAgent: 'test',
    };
    const deps = { ...app.deps, reach: way.allowed, checker: createChecker(way) };
    monitoring = startMonitorLoop(deps, { everyMs: hourMs });
  });

  it('is not checked: not down, no incident, no notification', async () => {
    const hook = {
      type: 'webhook',
      name: 'Team',
      url: 'https://hook.example/',
      rules: [{ on: 'monitor.down' }],
    };
    expect(await app.postSecret('/alert-channels', hook)).toHaveStatus(201);
    await monitoring.runNow();
    await nextChecks(app, monitoring, 3);
    for (const monitor of (await app.get('/monitors')).body) {
      expect(monitor).toMatchObject({ state: 'pending', reason, last_check: null });
      expect(Date.parse(monitor.next_check_at)).toBeGreaterThan(app.deps.now());
    }
    expect((await app.get('/incidents')).body).toEqual([]);
    expect(
      await app.deps.store.claimDeliveries(app.deps.now() + hourMs, { untilMs: 0, perChannel: 9, limit: 9 }),
    ).toEqual([]);
    const { store } = app.deps;
    const sums = await store.monitorSums([1], { fromMs: 0, toMs: app.deps.now() + hourMs });
    expect(sums.get(1)?.watchedMs ?? 0).toBe(0);
    expect((await workspace.member.get('/monitors')).text).toContain(reason);
    expect((await workspace.member.get('/monitors/wiki')).text).toContain('Not checked: a private address');
  });

  it('can be renamed, and is checked once the address is allowed', async () => {
    await monitoring.runNow();
    expect(await app.postSecret('/monitors/1', { name: 'The wiki' })).toHaveStatus(200);
    await monitoring.stop();
    monitoring = startMonitorLoop(app.deps, { everyMs: hourMs });
    await nextChecks(app, monitoring, 1);
    expect((await app.get('/monitors/1')).body).toMatchObject({ state: 'down', reason: 'cannot be reached' });
  });
});
