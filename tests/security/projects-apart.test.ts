import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { sentryApi } from '../../routes/sentry-cli.ts';
import { openTestApp, startOfTests, type TestApp } from '../support/app.ts';
import { required } from '../support/one-of-each.ts';
import { fullOrSome } from '../support/test-level.ts';
import {
  askAs,
  type Keys,
  listPathOf,
  oneOfEverything,
  pathOf,
  readAll,
  type Things,
} from './support/whole-project.ts';

/**
 * `thing`: an id in the path names something of a project. `list`: what a project has. `own`: what is sent is
 * the sender's own. `dsn`: the project stands in the path beside its key. `person`: for no key at all.
 */
type Kind = 'thing' | 'list' | 'own' | 'dsn' | 'person';

const kinds: Readonly<Record<string, Kind>> = {
  'POST /store': 'own',
  'POST /envelope': 'own',
  'POST /feedback': 'own',
  'POST /sdk-verify': 'own',
  'POST /security': 'own',
  'POST /otlp/v1/logs': 'own',
  'POST /otlp/v1/traces': 'own',
  'POST /api/{project:\\d+}/integration/otlp/v1/logs': 'dsn',
  'POST /api/{project:\\d+}/integration/otlp/v1/traces': 'dsn',
  'POST /domain-verifications': 'own',
  'GET /domain-verifications/{id}': 'thing',
  'POST /domain-verifications/{id}/check': 'thing',
  'DELETE /domain-verifications/{id}': 'thing',
  'POST /domain-verifications/{id}/token': 'thing',
  'POST /releases': 'own',
  'POST /deploys': 'own',
  'POST /test-runs': 'own',
  'POST /artifacts': 'own',
  'POST /api/{project:\\d+}/envelope': 'dsn',
  'POST /api/{project:\\d+}/store': 'dsn',
  'POST /api/{project:\\d+}/security': 'dsn',
  'POST /api/{project:\\d+}/csp-report': 'dsn',
  'GET /api/{project:\\d+}/cron/{monitor_slug:[^/]+}': 'dsn',
  'POST /api/{project:\\d+}/cron/{monitor_slug:[^/]+}': 'dsn',
  'GET /api/{project:\\d+}/cron/{monitor_slug:[^/]+}/{sentry_key:\\w+}': 'dsn',
  'POST /api/{project:\\d+}/cron/{monitor_slug:[^/]+}/{sentry_key:\\w+}': 'dsn',
  'GET /issues': 'list',
  'GET /issues/{id}': 'thing',
  'POST /issues/bulk': 'own',
  'POST /issues/{id}': 'thing',
  'DELETE /issues/{id}': 'thing',
  'GET /issues/{id}\\.md': 'thing',
  'GET /issues/{id}/hashes': 'thing',
  'GET /issues/{id}/tags': 'thing',
  'POST /issues/{id}/split': 'thing',
  'GET /issues/{id}/events': 'thing',
  'GET /issues/{id}/users': 'thing',
  'GET /issues/{id}/comments': 'thing',
  'POST /issues/{id}/comments': 'thing',
  'DELETE /issues/{id}/comments/{comment_id}': 'thing',
  'GET /events': 'list',
  'GET /events/{event_id}': 'thing',
  'GET /events/{event_id}\\.md': 'thing',
  'GET /events/{event_id}/attachments/{attachment}': 'thing',
  'GET /feedback': 'list',
  'GET /feedback/{id}': 'thing',
  'DELETE /feedback/{id}': 'thing',
  'POST /feedback/bulk': 'own',
  'POST /feedback/{id}': 'thing',
  'GET /feedback/{id}/screenshots/{place}': 'thing',
  'GET /domains': 'list',
  'POST /domains': 'own',
  'GET /domains/{id}': 'thing',
  'POST /domains/{id}': 'thing',
  'DELETE /domains/{id}': 'thing',
  'GET /releases': 'list',
  'GET /releases/{id}': 'thing',
  'GET /releases/{id}/verdict': 'thing',
  'DELETE /releases/{id}': 'thing',
  'GET /deploys': 'list',
  'GET /deploys/{id}': 'thing',
  'GET /artifacts': 'list',
  'GET /artifacts/{id}': 'thing',
  'DELETE /artifacts/{id}': 'thing',
  'GET /test-runs': 'list',
  'GET /test-runs/{id}': 'thing',
  'GET /test-cases/{id}/runs': 'thing',
  'GET /quarantine': 'list',
  'POST /quarantine': 'own',
  'DELETE /quarantine/{id}': 'thing',
  'GET /outcomes': 'list',
  'GET /alert-channels': 'list',
  'POST /alert-channels': 'own',
  'POST /alert-channels/test': 'own',
  'GET /alert-channels/{id}': 'thing',
  'POST /alert-channels/{id}': 'thing',
  'DELETE /alert-channels/{id}': 'thing',
  'POST /alert-channels/{id}/test': 'thing',
  'POST /alert-channels/{id}/retry': 'thing',
  'GET /ownership': 'own',
  'POST /ownership': 'own',
  'GET /monitors': 'list',
  'POST /monitors': 'own',
  'GET /monitors/{id}': 'thing',
  'POST /monitors/{id}': 'thing',
  'DELETE /monitors/{id}': 'thing',
  'POST /monitors/{id}/check': 'thing',
  'GET /maintenance-windows': 'list',
  'POST /maintenance-windows': 'own',
  'GET /maintenance-windows/{id}': 'thing',
  'POST /maintenance-windows/{id}': 'thing',
  'DELETE /maintenance-windows/{id}': 'thing',
  'GET /incidents': 'list',
  'POST /incidents': 'own',
  'GET /incidents/{id}': 'thing',
  'POST /incidents/{id}': 'thing',
  'DELETE /incidents/{id}': 'thing',
  'GET /reports': 'list',
  'POST /reports': 'own',
  'GET /reports/{id}': 'thing',
  'DELETE /reports/{id}': 'thing',
  'GET /status-pages': 'list',
  'POST /status-pages': 'own',
  'GET /status-pages/{id}': 'thing',
  'POST /status-pages/{id}': 'thing',
  'DELETE /status-pages/{id}': 'thing',
  'GET /status-pages/{id}/subscribers': 'thing',
  'POST /status-pages/{id}/subscribers': 'thing',
  'DELETE /status-pages/{id}/subscribers/{subscriber_id}': 'thing',
  'GET /report-schedules': 'list',
  'POST /report-schedules': 'own',
  'GET /report-schedules/{id}': 'thing',
  'GET /users': 'list',
  'GET /users/{user_hash}': 'thing',
  'GET /users/{user_hash}/export': 'thing',
  'DELETE /users/{user_hash}': 'thing',
  'GET /inbound-filters': 'own',
  'POST /inbound-filters': 'own',
  'POST /report-schedules/{id}': 'thing',
  'DELETE /report-schedules/{id}': 'thing',
  'POST /issues/bulk/{id}/undo': 'person',
  'GET /saved-views': 'person',
  'POST /saved-views': 'person',
  'POST /saved-views/{id}': 'person',
  'DELETE /saved-views/{id}': 'person',
  'GET /members/me': 'person',
  'POST /members/me': 'person',
  'GET /members': 'person',
  'POST /members': 'person',
  'GET /members/{id}': 'person',
  'POST /members/{id}': 'person',
  'DELETE /members/{id}': 'person',
  'POST /members/{id}/invitation': 'person',
  'DELETE /members/{id}/sessions': 'person',
  'GET /members/{id}/sessions': 'person',
  'DELETE /members/{id}/sessions/{session_id}': 'person',
  'GET /members/me/sessions': 'person',
  'DELETE /members/me/sessions': 'person',
  'DELETE /members/me/sessions/{session_id}': 'person',
  'GET /teams': 'person',
  'POST /teams': 'person',
  'GET /teams/{id}': 'person',
  'POST /teams/{id}': 'person',
  'DELETE /teams/{id}': 'person',
  'POST /teams/{id}/members': 'person',
  'DELETE /teams/{id}/members/{member_id}': 'person',
  'GET /projects': 'person',
  'POST /projects': 'person',
  'GET /projects/{id}': 'person',
  'POST /projects/{id}': 'person',
  'DELETE /projects/{id}': 'person',
};

const changes: Readonly<Record<string, object>> = {
  '/issues/{id}': { status: 'resolved' },
  '/issues/{id}/comments': { text: 'Taken' },
  '/issues/{id}/split': { hashes: ['a'.repeat(64)] },
  '/feedback/{id}': { state: 'spam' },
  '/domains/{id}': { bug_reports: false, sampling: 0 },
  '/alert-channels/{id}': { to: 'thief@evil.example', rules: [] },
  '/monitors/{id}': { paused: true },
  '/maintenance-windows/{id}': { title: 'Taken' },
  '/incidents/{id}': { message: 'All is well.', state: 'resolved', public: true },
  '/status-pages/{id}': { name: 'Taken', published: false },
  '/status-pages/{id}/subscribers': { url: 'https://taken.example/hook' },
  '/report-schedules/{id}': { at: '03:00' },
};

const weekMs = 7 * 86_400_000;

let app: TestApp;
let owner: Keys;
let things: Things;
let other: TestApp['project'] & Keys;
let theirs: Things;
const reads = () =>
  fullOrSome(
    Object.keys(kinds)
      .filter((route) => route.startsWith('GET ') && !['dsn', 'person'].includes(kinds[route] ?? ''))
      .map((route) => route.slice('GET '.length)),
    4,
  );
const readOwner = () => readAll(app, owner, reads(), things);

beforeAll(async () => {
  app = await openTestApp({ nowMs: startOfTests - weekMs, env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  app.advance(weekMs);
  owner = app;
  await app.deps.store.addDomain({
    projectId: app.project.id,
    host: 'shop.example',
    bugReports: true,
    createdAtMs: app.deps.now(),
  });
  things = await oneOfEverything(app, owner);
  const { project, ...keys } = await app.addProject('other');
  other = { ...project, ...keys };
});
afterAll(() => app.close());

it('knows every route that there is', () => {
  const there = notifierRoutes(app.deps).map(({ method, path }) => `${method} ${path}`);
  expect(there.sort()).toEqual(Object.keys(kinds).sort());
});

it('finds nothing of another project in any list', async () => {
  for (const [route, kind] of Object.entries(kinds)) {
    if (kind !== 'list') continue;
    const path = listPathOf(route.slice('GET '.length));
    const own = JSON.parse((await askAs(app, owner, { method: 'GET', path })).text);
    const seen = await askAs(app, other, { method: 'GET', path });
    const found = JSON.parse(seen.text);
    // Outcomes are sums, and the owner has sent something.
    if (path === '/outcomes') expect([seen.status, seen.text.includes('"quantity":1')]).toEqual([200, false]);
    else expect([path, own.length > 0, seen.status, found]).toEqual([path, true, 200, []]);
  }
});

it('answers whatever another project has as what does not exist, and changes nothing of it', async () => {
  const before = await readOwner();
  const unknownThings = new Map(
    [...things].map(([route, id]) => [route, id.replaceAll(/\w{20,}|\b\d+\b/g, '987654')]),
  );
  for (const [route, answer] of Object.entries(before)) {
    expect([route, answer.status]).toEqual([route, 200]);
  }
  for (const [route, kind] of Object.entries(kinds)) {
    if (kind !== 'thing') continue;
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'POST' ? (changes[path] ?? {}) : undefined;
    const asked = { method, path: pathOf(path, things), ...(body === undefined ? {} : { body }) };
    const { status, text } = await askAs(app, other, asked);
    expect([route, status, text.includes('_invalid_id')]).toEqual([route, 404, true]);
    const unknown = await askAs(app, other, { ...asked, path: pathOf(path, unknownThings) });
    expect([route, unknown.text]).toEqual([route, text]);
  }
  expect(await readOwner()).toEqual(before);
});

it('refuses keys for what belongs to members', async () => {
  for (const [route, kind] of Object.entries(kinds)) {
    if (kind !== 'person') continue;
    const [method = '', path = ''] = route.split(' ');
    const asked = {
      method,
      path: path.replaceAll(/\{\w+\}/g, '1'),
      ...(method === 'POST' ? { body: {} } : {}),
    };
    const { status, text } = await askAs(app, owner, asked);
    expect([route, status, JSON.parse(text).code]).toEqual([route, 403, 'rest_forbidden']);
  }
});

it('refuses a key whose project is not the one in the path', async () => {
  const before = await readOwner();
  for (const [route, kind] of Object.entries(kinds)) {
    if (kind !== 'dsn') continue;
    const [method = '', template = ''] = route.split(' ');
    const path = template
      .replace('{project:\\d+}', String(app.project.id))
      .replace('{monitor_slug:[^/]+}', 'nightly')
      .replace('{sentry_key:\\w+}', other.publicKey);
    const body = path.endsWith('envelope')
      ? '{}\n{"type":"event"}\n{"message":"forged"}\n'
      : { message: 'forged', status: 'error' };
    const asked = { method, path, isPublic: true, ...(method === 'GET' ? {} : { body }) };
    expect([route, (await askAs(app, other, asked)).status]).toEqual([route, 401]);
  }
  expect(await readOwner()).toEqual(before);
});

describe('what another project sends and creates', () => {
  beforeAll(async () => {
    await app.deps.store.addDomain({
      projectId: other.id,
      host: 'shop.example',
      bugReports: true,
      createdAtMs: app.deps.now(),
    });
  });

  it('belongs to it, also with the same ids, names and versions', async () => {
    const before = await readOwner();
    theirs = await oneOfEverything(app, other);
    const all = { title: 'All of it', ends_at: '2026-11-22T00:00:00Z', all: true };
    for (const [path, body] of [
      ['/maintenance-windows', all],
      ['/maintenance-windows', { ...all, all: false, group: 'Shop' }],
      ['/maintenance-windows', { ...all, all: false, tag: 'shop' }],
      ['/feedback/bulk', { ids: [Number(things.get('/feedback/{id}'))], state: 'spam' }],
      ['/ownership', { auto_assignment: true, repository: 'https://github.com/evil/shop' }],
      ['/inbound-filters', { localhost: true, releases: ['2.*'] }],
      ['/releases', { version: '1.0', url: 'https://evil.example/' }],
      ['/sdk-verify', required['/sdk-verify'] ?? {}],
    ] as const) {
      const isPublic = path === '/sdk-verify';
      const { status, text } = await askAs(app, other, { method: 'POST', path, body, isPublic });
      expect([path, status < 300, text]).toEqual([path, true, expect.anything()]);
    }
    expect(await readOwner()).toEqual(before);
  });

  it('cannot refer to objects of the owner', async () => {
    const before = await readOwner();
    const id = (route: string, of = things) => Number(of.get(route));
    const monitors = [id('/monitors/{id}')];
    const incident = pathOf('/incidents/{id}', theirs);
    const causes = [
      ['deploy', '/deploys/{id}'],
      ['release', '/releases/{id}'],
      ['test_run', '/test-runs/{id}'],
      ['issue', '/issues/{id}'],
    ] as const;
    const naming: ReadonlyArray<readonly [path: string, body: object]> = [
      ['/status-pages', { name: 'Theirs', components: [{ name: 'a', monitors }] }],
      [pathOf('/status-pages/{id}', theirs), { components: [{ component_id: id('component'), name: 'a' }] }],
      ['/incidents', { title: 'Theirs', monitors }],
      ['/incidents', { title: 'Theirs', components: [id('component')] }],
      ...causes.flatMap(([kind, route]) => [
        [incident, { link: { kind, id: id(route) } }] as const,
        [incident, { dismiss: { kind, id: id(route) } }] as const,
      ]),
      ['/maintenance-windows', { ...required['/maintenance-windows'], all: false, monitors }],
      [pathOf('/maintenance-windows/{id}', theirs), { monitors }],
      ['/report-schedules', { alert_channel_id: id('/alert-channels/{id}'), kind: 'month' }],
      [pathOf('/issues/{id}', theirs), { merge: [id('/issues/{id}')] }],
    ];
    for (const [path, body] of naming) {
      const { status } = await askAs(app, other, { method: 'POST', path, body });
      expect([path, body, [400, 404].includes(status)]).toEqual([path, body, true]);
    }
    expect(await readOwner()).toEqual(before);
  });

  it('at the routes of build tools belongs to it, whatever project they name', async () => {
    const before = await readOwner();
    const router = sentryApi(app.deps, {} as never, app.origin);
    const known = router.stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : [route.path as unknown as string | string[]].flat().map((path) => ({ route, path })),
    );
    expect(known.length).toBeGreaterThan(15);
    const statuses: number[] = [];
    for (const { route, path } of known) {
      for (const { method } of route.stack.slice(0, 1)) {
        const address = path
          .replace(':organisation', String(app.project.id))
          .replace(':project', app.project.name)
          .replace(':version', '1.0');
        const answer = await fetch(`${app.origin}/api/0${address}`, {
          method: (method ?? 'get').toUpperCase(),
          headers: { Authorization: `Bearer ${other.secretKey}`, 'Content-Type': 'application/json' },
          ...(method === 'get' ? {} : { body: '{"version":"1.0","url":"https://evil.example/"}' }),
        });
        expect([method, path, answer.status < 500]).toEqual([method, path, true]);
        statuses.push(answer.status);
      }
    }
    // They were asked, and what they did was done to the project of the key.
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(10);
    expect(await readOwner()).toEqual(before);
  });
});
