import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRule } from '../../src/core/alerts/rules.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import type { RestError } from '../../src/core/errors.ts';
import { createTeam } from '../../src/core/members/teams.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { required } from '../support/one-of-each.ts';
import { fullOrShort, rows } from '../support/test-level.ts';
import { verifyDomain } from '../support/verified-domain.ts';
import { askAs, type Keys } from './support/whole-project.ts';

let app: TestApp;
let owner: Keys;
let other: TestApp['project'] & Keys;
beforeEach(async () => {
  app = await openTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1', NOTIFIER_FETCH_ALLOW: '127.0.0.0/8' } });
  owner = app;
  const { project, ...keys } = await app.addProject('other');
  other = { ...project, ...keys };
});
afterEach(() => app.close());

const post = (keys: Keys, path: string, body: object) => askAs(app, keys, { method: 'POST', path, body });

interface Cap {
  readonly max: number;
  readonly path: string;
  readonly body: (nth: number) => object;
}

const port = { type: 'tcp', host: 'db.example', port: 5432 };
const caps: Readonly<Record<string, Cap>> = {
  notifier_too_many_monitors: {
    max: 2_000,
    path: '/monitors',
    body: (nth) => ({ ...port, name: `Port ${nth}` }),
  },
  notifier_too_many_windows: {
    max: 500,
    path: '/maintenance-windows',
    body: () => required['/maintenance-windows'] ?? {},
  },
  notifier_too_many_incidents: { max: 500, path: '/incidents', body: () => ({ title: 'Checkout fails' }) },
  notifier_too_many_status_pages: {
    max: 200,
    path: '/status-pages',
    body: (nth) => ({ name: `Shop ${nth}` }),
  },
  notifier_too_many_alert_channels: {
    max: 100,
    path: '/alert-channels',
    body: () => required['/alert-channels'] ?? {},
  },
  notifier_too_many_domains: {
    max: 1_000,
    path: '/domains',
    body: (nth) => ({ domain: `shop-${nth}.example` }),
  },
  notifier_too_many_domain_verifications: {
    max: 100,
    path: '/domain-verifications',
    body: (nth) => ({ domain: `shop-${nth}.com` }),
  },
};

const few = Object.entries(caps)
  .filter(([, { max }]) => max <= 100)
  .slice(-1);

const others = [
  'notifier_too_many_updates',
  'notifier_too_many_alert_rules',
  'notifier_too_many_subscribers',
  'notifier_too_many_teams',
];

it('the list has every cap', () => {
  const root = join(import.meta.dirname, '../../src/core');
  const codes = globSync('**/*.ts', { cwd: root })
    .filter((path) => !path.startsWith('test-runs/'))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/notifier_too_many_[a-z_]+/g) ?? []);
  expect([...new Set(codes)].sort()).toEqual([...Object.keys(caps), ...others].sort());
});

it('refuses the team after the 200th', async () => {
  const make = (name: string) =>
    createTeam(app.deps, { name, access: { hasAllProjects: true, projectIds: [] } }, commandLineSource);
  const row = { hasAllProjects: true, createdAtMs: app.deps.now(), createdBy: 'a test' };
  for (let nth = 1; nth < 200; nth += 1) await app.deps.store.addTeam({ ...row, name: `team-${nth}` });
  expect(await make('team-200')).toMatchObject({ name: 'team-200' });
  await expect(make('team-201')).rejects.toMatchObject({ code: 'notifier_too_many_teams' });
});

it.each(rows(() => fullOrShort(Object.entries(caps), few)))(
  '%s: a project at its cap does not limit another',
  async (code, { max, path, body }) => {
    for (let nth = 1; nth <= max; nth += 50) {
      const transaction = Array.from({ length: Math.min(50, max - nth + 1) }, (_, at) =>
        post(other, path, body(nth + at)),
      );
      for (const { status, text } of await Promise.all(transaction))
        expect([status, text]).toEqual([201, text]);
    }
    const refused = await post(other, path, body(max + 1));
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, code]);
    expect((await post(owner, path, body(max + 1))).status).toBe(201);
  },
);

describe('the workspace', () => {
  const rule = {
    kind: 'issue.is_new',
    name: 'New',
    limit: null,
    filters: [],
    groupThreshold: 5,
    opensIncident: null,
  } as const;
  const channel = required['/alert-channels'] ?? {};

  it('has its own cap of rules, however many a project has', async () => {
    const rules = Array.from({ length: 20 }, () => ({ on: 'issue.is_new' }));
    let made = '';
    for (let nth = 1; nth <= 11; nth += 1) {
      const answer = await post(other, '/alert-channels', { ...channel, rules });
      expect(answer.status).toBe(201);
      made = answer.text;
    }
    const channelIds = [JSON.parse(made).alert_channel_id];
    const { id } = await createRule(app.deps, { ...rule, channelIds });
    // The project may change its channel, but not what the workspace is told of by it.
    const path = `/alert-channels/${channelIds[0]}`;
    expect((await post(other, path, { rules: [] })).status).toBe(200);
    expect(await app.deps.store.findRuleRecord(id)).toMatchObject({ id, channelIds });
    const own = (await app.deps.store.findChannelRecord(channelIds[0]))?.rules.map((each) => each.id);
    expect(own).toEqual([id]);
  });

  it('has a cap as well', async () => {
    const answer = await post(owner, '/alert-channels', channel);
    const channelIds = [JSON.parse(answer.text).alert_channel_id];
    for (let nth = 1; nth <= 200; nth += 1) await createRule(app.deps, { ...rule, channelIds });
    const refusal = await createRule(app.deps, { ...rule, channelIds }).catch(
      (error: RestError) => error.status,
    );
    expect(refusal).toBe(400);
  });
});

describe('a host of a status page', () => {
  const page = (keys: Keys, hosts: readonly string[]) =>
    askAs(app, keys, { method: 'POST', path: '/status-pages', body: { name: 'Status', hosts } });

  it('needs a verified domain of that very project', async () => {
    await verifyDomain(app, 'harbour.com');
    await verifyDomain({ deps: app.deps, project: other }, 'exact.com', 'host');
    for (const host of ['status.harbour.com', 'harbour.com', 'status.exact.com', 'xharbour.com']) {
      const { status, text } = await page(other, [host]);
      expect([host, status, JSON.parse(text).data]).toEqual([
        host,
        403,
        { status: 403, reason: 'unverified_domain' },
      ]);
    }
    // Listing a domain proves nothing.
    await askAs(app, other, { method: 'POST', path: '/domains', body: { domain: 'status.harbour.com' } });
    expect((await page(other, ['exact.com', 'status.harbour.com'])).status).toBe(403);
    expect((await page(other, ['exact.com'])).status).toBe(201);
    expect((await page(owner, ['status.harbour.com'])).status).toBe(201);
  });

  it('never replaces the API or the workspace, whoever listed it and whenever', async () => {
    await app.close();
    app = await openTestApp({
      env: { BASE_URL: 'https://api.harbour.com', PAGES_URL: 'https://errors.harbour.com' },
    });
    await verifyDomain(app, 'harbour.com');
    const hosts = ['api.harbour.com', 'errors.harbour.com', 'status.harbour.com'];
    for (const host of hosts.slice(0, 2)) {
      expect([host, (await page(app, [host])).status]).toEqual([host, 400]);
    }
    // Listed before the server was told that it is there itself.
    const { components: _none, ...kept } = await app.deps.store.addStatusPage({
      ...{ projectId: app.project.id, slug: 'status', isSlugFree: true, name: 'Status', description: '' },
      ...{
        isPublic: true,
        hosts,
        shows: [],
        language: 'en',
        accent: null,
        newImages: {},
        components: [],
        createdAtMs: app.deps.now(),
        createdBy: 'test',
      },
    });
    expect(kept.hosts).toEqual(hosts);
    app.advance(60_000);
    const at = async (host: string) => (await app.agent.get('/wp-json/notifier/v1').set('Host', host)).status;
    await app.agent.get('/status/status').set('Host', 'errors.harbour.com');
    expect([await at('status.harbour.com'), await at('api.harbour.com')]).toEqual([404, 200]);
    expect(await at('errors.harbour.com:443')).toBe(200);
  });
});
