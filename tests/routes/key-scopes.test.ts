import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { updateKey } from '../../src/core/projects/change-keys.ts';
import { type CreatedKey, createKey } from '../../src/core/projects/keys.ts';
import type { KeyScope } from '../../src/core/store/projects.ts';
import type { Route } from '../../src/http/api/route.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { fullOrShort, fullOrSome } from '../support/test-level.ts';

const namespace = '/wp-json/notifier/v1';
const scopes = ['ingest', 'ci', 'read', 'admin'] as const satisfies readonly KeyScope[];

let app: TestApp;
const keys = new Map<KeyScope, CreatedKey>();
beforeAll(async () => {
  app = await openTestApp();
  const { deps, project } = app;
  for (const scope of scopes) {
    const kind = scope === 'ingest' ? 'public' : 'secret';
    keys.set(scope, await createKey(deps, project.id, kind, { scopes: [scope] }));
  }
});
afterAll(() => app.close());

const textOf = (scope: KeyScope): string => keys.get(scope)?.text ?? '';
const headersOf = (scope: KeyScope): Record<string, string> =>
  scope === 'ingest' ? { 'X-Notifier-Key': textOf(scope) } : { Authorization: `Bearer ${textOf(scope)}` };

async function ask({ method, path }: Pick<Route, 'method' | 'path'>, scope: KeyScope) {
  const address = path
    .replace(/\{project[^}]*\}/, String(app.project.id))
    .replace('{event_id}', 'e'.repeat(32))
    .replace(/\{sentry_key[^}]*\}/, textOf(scope))
    .replace(/\{\w+[^}]*\}/g, '999')
    .replace('\\.', '.');
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const request = app.agent[verb](namespace + address).set(headersOf(scope));
  const { status, body, headers } = await (verb === 'get'
    ? request
    : request.set('Content-Type', 'application/json').send('{}'));
  return { status, body, headers };
}

describe('a route', () => {
  it('has its scope in the table, each that the index names', async () => {
    const routes = notifierRoutes(app.deps);
    const { body } = await app.agent.get(namespace);
    const named = Object.entries<{ methods: string[] }>(body.routes).flatMap(([pattern, { methods }]) =>
      methods.map((method) => `${method} ${pattern.replace('/notifier/v1', '')}`),
    );
    const listed = routes
      .filter(({ hidden }) => hidden !== true)
      .map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, '(?P<$1>[\\w-]+)')}`);
    expect(named.filter((each) => each !== 'GET ').sort()).toEqual(listed.sort());
    for (const { scope } of routes) expect(scopes).toContain(scope);
  });

  it.each(scopes)(
    'is opened by a key for %s where that is one of its scopes, and by no other',
    async (scope) => {
      const answers: unknown[] = [];
      const expected: unknown[] = [];
      for (const route of fullOrSome(notifierRoutes(app.deps), 4)) {
        const { status, body } = await ask(route, scope);
        const isOfBearers = route.credential === 'secret' || route.credential === 'personal';
        const isItsKind = isOfBearers === (scope !== 'ingest');
        const place = `${route.method} ${route.path}`;
        const isForKeys = route.credential !== 'personal';
        const isItsScope = isForKeys && (route.scope === scope || route.alsoScope === scope);
        if (!isItsKind || !isItsScope) answers.push([place, status, body]);
        else answers.push([place, status === 401 || body?.data?.reason === 'scope']);
        const words = { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.' };
        const scopeData = isForKeys
          ? { status: 403, reason: 'scope', scope: route.scope }
          : { status: 403, reason: 'personal_token' };
        if (!isItsKind) expected.push([place, 401, { ...words, data: { status: 401 } }]);
        else if (isItsScope) expected.push([place, false]);
        else expected.push([place, 403, { ...words, data: scopeData }]);
      }
      expect(answers.length).toBeGreaterThan(fullOrShort(30, 10));
      expect(answers).toEqual(expected);
    },
  );

  it('lists in Allow the methods that the key may use', async () => {
    const issue = async (scope: KeyScope) =>
      (await ask({ method: 'GET', path: '/issues/1' }, scope)).headers['allow'];
    expect([await issue('read'), await issue('admin'), await issue('ci')]).toEqual([
      'GET',
      'POST, DELETE',
      undefined,
    ]);
  });

  it('changed nothing when it refused', async () => {
    const { store } = app.deps;
    const body = JSON.stringify({ version: 'shop@1.2.3' });
    const { status } = await app.agent
      .post(`${namespace}/releases`)
      .set(headersOf('read'))
      .set('Content-Type', 'application/json')
      .send(body);
    const filter = { limit: 9, offset: 0, orderBy: 'date_created', descending: true } as const;
    const { rows } = await store.listReleases(app.project.id, filter);
    expect([status, rows.map(({ version }) => version)]).toEqual([403, []]);
  });
});

describe('the tools of Sentry', () => {
  const base = '/api/0/organizations/any';
  const forbidden = 'Sorry, you are not allowed to do that.';
  const statusOf = async (verb: 'get' | 'post' | 'put' | 'delete', path: string, scope: KeyScope) => {
    const answer = await app.agent[verb](path.startsWith('/api/') ? path : base + path)
      .set(headersOf(scope))
      .send();
    return [answer.status, answer.body.detail];
  };

  it.each([
    ['get', '/releases/'],
    ['post', '/releases/'],
    ['put', '/releases/shop@1/'],
    ['get', '/releases/shop@1/deploys/'],
    ['post', '/releases/shop@1/deploys/'],
    ['get', '/chunk-upload/'],
    ['post', '/chunk-upload/'],
    ['post', '/artifactbundle/assemble/'],
  ] as const)('work with a build key: %s %s', async (verb, path) => {
    expect((await statusOf(verb, path, 'ci'))[0]).not.toBe(403);
    for (const scope of ['read', 'admin'] as const) {
      expect([scope, ...(await statusOf(verb, path, scope))]).toEqual([scope, 403, forbidden]);
    }
  });

  it('delete a release with a key for admin', async () => {
    expect(await statusOf('delete', '/releases/gone@1/', 'ci')).toEqual([403, forbidden]);
    expect((await statusOf('delete', '/releases/gone@1/', 'admin'))[0]).toBe(404);
  });

  it.each([
    ['get', '/api/0/organizations/', ['read']],
    ['get', '/projects/', ['read']],
    ['get', '/monitors/', ['read']],
    ['get', '/api/0/projects/any/test/issues/', ['read']],
    ['get', '/api/0/projects/any/test/events/', ['read']],
    ['put', '/api/0/projects/any/test/issues/', ['admin']],
    ['get', '/api/0/', ['ci', 'read']],
  ] as const)('need for %s %s one of %j', async (verb, path, needed) => {
    for (const scope of ['ci', 'read', 'admin'] as const) {
      const [status] = await statusOf(verb, path, scope);
      expect([scope, status === 403]).toEqual([scope, !needed.some((each) => each === scope)]);
    }
  });
});

describe('a key whose scopes were changed', () => {
  it('is refused from the next request on', async () => {
    const { deps, project } = app;
    const { key, text } = await createKey(deps, project.id, 'secret');
    const statusOf = async (): Promise<number> =>
      (await app.agent.get(`${namespace}/issues`).set('Authorization', `Bearer ${text}`)).status;
    expect(key.scopes).toEqual(['ci', 'read', 'admin']);
    expect(await statusOf()).toBe(200);
    await updateKey(deps, key, { scopes: ['ci'] }, commandLineSource);
    expect(await statusOf()).toBe(403);
    await updateKey(deps, key, { scopes: ['read'], expiresAtMs: deps.now() + 60_000 }, commandLineSource);
    expect(await statusOf()).toBe(200);
    app.advance(60_000);
    expect(await statusOf()).toBe(401);
    await expect(
      updateKey(deps, { ...key, expiresAtMs: deps.now() }, { expiresAtMs: null }, commandLineSource),
    ).rejects.toThrow('is already expired');
  });
});

describe('refused keys', () => {
  it('count against their address, not the key', async () => {
    const limited = await openTestApp({
      env: {
        RATE_LIMITS: 'on',
        RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '2',
        RATE_LIMIT_SERVER_PER_MINUTE: '2',
      },
    });
    try {
      const { text } = await createKey(limited.deps, limited.project.id, 'secret', { scopes: ['read'] });
      const post = () =>
        limited.agent.post(`${namespace}/releases`).set('Authorization', `Bearer ${text}`).send();
      const statuses = [];
      for (let nth = 0; nth < 3; nth += 1) statuses.push((await post()).status);
      expect(statuses).toEqual([403, 403, 429]);
      const read = await limited.agent.get(`${namespace}/issues`).set('Authorization', `Bearer ${text}`);
      expect(read).toHaveStatus(200);
    } finally {
      await limited.close();
    }
  });
});
