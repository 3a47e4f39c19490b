// Personal tokens on every route that takes a secret key: never more than the role and the projects of the member.
import { beforeAll, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember, deleteMember, updateMemberRole } from '../../src/core/members/members.ts';
import { createPersonalToken } from '../../src/core/members/personal-tokens.ts';
import { type Member, type Role, type TokenScope, tokenScopes } from '../../src/core/store/members.ts';
import { tokenNeeds } from '../../src/http/api/guard.ts';
import { openTestApp, startOfTests, type TestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';
import { allOrSome, fullOrShort } from '../support/test-level.ts';
import { oneOfEverything, pathOf, type Things } from './support/whole-project.ts';

const dayMs = 86_400_000;

let things: Things;
let own: Awaited<ReturnType<TestApp['addProject']>>;
let people = 0;

const app = sharedApp({
  nowMs: startOfTests - 7 * dayMs,
  env: { SMTP_URL: 'smtp://127.0.0.1:1' },
});
beforeAll(async () => {
  app.advance(7 * dayMs);
  const { store } = app.deps;
  await store.addDomain({
    ...{ projectId: app.project.id, host: 'shop.example', bugReports: true },
    createdAtMs: app.deps.now(),
  });
  things = await oneOfEverything(app, app);
  own = await app.addProject('own');
});

async function person(role: Role, projectIds?: readonly number[]): Promise<Member> {
  people += 1;
  const fields = { name: `Person ${people}`, role, email: null };
  const member = await createMember(app.deps, fields, commandLineSource);
  if (projectIds !== undefined) {
    await app.deps.store.setAccess({ memberId: member.id }, { hasAllProjects: false, projectIds });
  }
  return member;
}

async function tokenOf(member: Member, scopes: readonly TokenScope[] = tokenScopes): Promise<string> {
  const expiresAtMs = app.deps.now() + 90 * dayMs;
  const fields = { name: 'a test', scopes, expiresAtMs };
  return (await createPersonalToken(app.deps, member, fields, commandLineSource)).text;
}

async function ask(token: string, path: string, method = 'GET', project?: string, body?: object) {
  const answer = await fetch(app.api + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(project === undefined ? {} : { 'X-Notifier-Project': project }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  const text = await answer.text();
  const read = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  return { status: answer.status, body: read };
}

const routes = () =>
  notifierRoutes(app.deps).filter(({ credential }) => ['secret', 'personal'].includes(credential));
const projectRoutes = () => routes().filter(({ credential }) => credential === 'secret');
/** In the short form, one route of each method and what it needs. */
const kindsOfRoutes = () =>
  fullOrShort(routes(), [
    ...new Map(routes().map((route) => [JSON.stringify([route.method, tokenNeeds(route)]), route])).values(),
  ]);
const ofPersons = /^\/(saved-views|members|teams|projects)|^\/issues\/bulk\//;
/** A person has no thing of a project: 999 is nobody's. */
const pathIn = (path: string): string => {
  if (ofPersons.test(path)) return path.replaceAll(/\{\w+\}/g, '999');
  return path.includes('{') ? pathOf(path, things) : path;
};

it('a member of one project reaches nothing of another, on any route', async () => {
  const token = await tokenOf(await person('member', [own.project.id]));
  const issues = async () => (await app.get('/issues')).body;
  const before = await issues();
  for (const [index, { method, path }] of allOrSome(projectRoutes(), 4).entries()) {
    // In the short form the next route is asked by the next of the words.
    const words = [String(app.project.id), 'test'];
    for (const word of fullOrShort(words, words.slice(index % 2).slice(0, 1))) {
      const { status, body } = await ask(token, pathIn(path), method, word);
      expect([method, path, status, body.code]).toEqual([method, path, 404, 'notifier_project_invalid_id']);
    }
    if (!path.includes('{')) continue;
    const { status } = await ask(token, pathIn(path), method);
    expect([method, path, [400, 403, 404].includes(status)]).toEqual([method, path, true]);
  }
  expect(await issues()).toEqual(before);
  expect(await ask(token, '/issues')).toEqual({ status: 200, body: [] });
});

it.each([
  ['viewer', 'member'],
  ['member', 'admin'],
] as const)('a %s token may do no more than its role on the pages', async (role, above) => {
  const token = await tokenOf(await person(role));
  for (const route of kindsOfRoutes()) {
    const { status, body } = await ask(token, pathIn(route.path), route.method, 'own');
    const needs = tokenNeeds(route).role;
    const isRefused = needs === 'admin' || (needs === 'member' && role === 'viewer');
    const reason = body.data?.reason ?? null;
    expect([route.method, route.path, status === 403, reason]).toEqual([
      ...[route.method, route.path, isRefused],
      isRefused ? 'role' : reason === 'role' ? 'not role' : reason,
    ]);
  }
  expect(routes().some((route) => tokenNeeds(route).role === above)).toBe(true);
});

it('a changing route without a listed role is for admins', () => {
  const route = { method: 'POST', path: '/anything-new', scope: 'admin' } as const;
  expect(tokenNeeds(route)).toEqual({ scopes: ['admin'], role: 'admin' });
});

it.each(tokenScopes)('the scope %s allows its routes only', async (scope) => {
  const token = await tokenOf(await person('admin'), [scope]);
  for (const route of kindsOfRoutes()) {
    const { status, body } = await ask(token, pathIn(route.path), route.method, 'own');
    const isRefused = !tokenNeeds(route).scopes.includes(scope);
    expect([route.path, status === 403 && body.data.reason === 'scope']).toEqual([route.path, isRefused]);
  }
});

it('the project is the only one, or the one that the request names', async () => {
  const one = await tokenOf(await person('member', [own.project.id]));
  expect((await ask(one, '/issues')).status).toBe(200);
  const all = await tokenOf(await person('member'));
  const unnamed = await ask(all, '/issues');
  expect([unnamed.status, unnamed.body.code]).toEqual([400, 'notifier_project_missing']);
  for (const word of [String(app.project.id), 'test']) {
    const { status, body } = await ask(all, '/issues', 'GET', word);
    expect([status, body.length > 0]).toEqual([200, true]);
  }
  const none = await tokenOf(await person('member', []));
  expect((await ask(none, '/issues')).status).toBe(400);
  expect((await ask(none, '/issues', 'GET', 'own')).status).toBe(404);
});

it('acts as the member, in the audit log and the activity, and records its last use', async () => {
  const member = await person('member');
  const token = await tokenOf(member);
  const path = pathIn('/issues/{id}');
  const answered = await ask(token, path, 'POST', 'test', { status: 'resolved' });
  expect(answered.status).toBe(200);
  const filter = {
    actorKind: 'member',
    actorName: null,
    action: 'issue',
    objectKind: null,
    objectId: null,
  } as const;
  const whole = { ...filter, projectId: null, requestId: null, fromMs: null, toMs: null };
  const [entry] = await app.deps.store.listAudit(whole, { limit: 1 });
  expect(entry).toMatchObject({
    actor: { kind: 'member', id: member.id, name: member.name },
    action: 'issue.resolved',
  });
  const [kept] = await app.deps.store.listPersonalTokens(member.id);
  expect(kept?.lastUsedAtMs).toBe(app.deps.now());
});

it('ends with its expiry, with its member, and when it is revoked; a role applies at once', async () => {
  const member = await person('member');
  const [first, second] = [await tokenOf(member), await tokenOf(member)];
  await updateMemberRole(app.deps, member, 'viewer', commandLineSource);
  const change = await ask(first, pathIn('/issues/{id}'), 'POST', 'test', { status: 'resolved' });
  expect([change.status, change.body.data.reason]).toEqual([403, 'role']);
  const [{ id = 0 } = {}] = await app.deps.store.listPersonalTokens(member.id);
  await app.deps.store.removePersonalToken(member.id, id);
  expect((await ask(first, '/issues', 'GET', 'test')).status).toBe(401);
  expect((await ask(second, '/issues', 'GET', 'test')).status).toBe(200);
  await deleteMember(app.deps, member, commandLineSource);
  expect((await ask(second, '/issues', 'GET', 'test')).status).toBe(401);
  const later = await tokenOf(await person('viewer'));
  app.advance(90 * dayMs);
  expect((await ask(later, '/issues', 'GET', 'test')).status).toBe(401);
});

it('is taken by sentry-cli, with the project of the path, else of the header', async () => {
  const token = await tokenOf(await person('member', [own.project.id]), ['ci']);
  const at = async (path: string, headers = {}) => {
    const answer = await fetch(`${app.origin}/api/0${path}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    return [answer.status, ((await answer.json()) as { detail?: string }).detail];
  };
  expect((await at('/organizations/any/releases/'))[0]).toBe(200);
  expect((await at('/projects/any/own/releases/'))[0]).toBe(200);
  expect(await at('/projects/any/test/releases/')).toEqual([404, 'There is no project with this number.']);
  const ofTest = { 'X-Notifier-Project': 'test' };
  expect((await at('/organizations/any/releases/', ofTest))[0]).toBe(404);
  expect((await at('/projects/any/own/releases/', ofTest))[0]).toBe(200);
  expect((await at('/projects/any/test/releases/', { 'X-Notifier-Project': 'own' }))[0]).toBe(404);
});

it('lists for sentry-cli what its member sees, and changes issues with their role', async () => {
  const at = async (token: string, path: string, method = 'GET', headers = {}) => {
    const answer = await fetch(`${app.origin}/api/0${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(method === 'GET' ? {} : { body: '{"status":"unresolved"}' }),
    });
    return { status: answer.status, body: (await answer.json()) as Array<{ slug: string }> };
  };
  const lists = ['/organizations/any/projects/', '/organizations/any/monitors/', '/organizations/'];
  const slugsOf = async (token: string, headers = {}) => {
    const answers = await Promise.all(lists.slice(0, 2).map((path) => at(token, path, 'GET', headers)));
    return answers.map(({ body }) => body.map(({ slug }) => slug));
  };
  const checkIn = `/api/${app.project.id}/cron/nightly/${app.publicKey}/?status=ok`;
  const config = { monitor_config: { schedule: { type: 'crontab', value: '0 2 * * *' } } };
  expect(await app.agent.post(checkIn).send(config)).toHaveStatus(200);
  const all = await slugsOf(await tokenOf(await person('viewer'), ['read']));
  expect(all).toEqual([['test', 'own'], ['nightly']]);
  const token = await tokenOf(await person('member', [own.project.id]));
  expect(await slugsOf(token)).toEqual([['own'], []]);
  expect(await slugsOf(await tokenOf(await person('admin')), { 'X-Notifier-Project': 'own' })).toEqual([
    ['own'],
    [],
  ]);
  const nobody = await tokenOf(await person('member', []));
  for (const path of lists) expect([path, (await at(nobody, path)).status]).toEqual([path, 400]);
  const [theirs, others] = ['/projects/any/own/issues/', '/projects/any/test/issues/'];
  const issues = [theirs, others].map(async (path) => (await at(token, path)).status);
  expect(await Promise.all(issues)).toEqual([200, 404]);
  const change = async (each: string, path: string) => (await at(each, path, 'PUT')).status;
  expect([await change(token, theirs), await change(token, others)]).toEqual([200, 404]);
  const [reads, views] = [await person('member'), await person('viewer')];
  expect(await change(await tokenOf(reads, ['read']), theirs)).toBe(403);
  expect(await change(await tokenOf(views), theirs)).toBe(403);
  expect(await change(await tokenOf(reads, ['issues']), theirs)).toBe(200);
});

it('is no public key, and invalid once a character is wrong', async () => {
  const token = await tokenOf(await person('admin'));
  const sent = await app.post('/store', { message: 'x' }, { 'X-Notifier-Key': token });
  expect(sent.status).toBe(401);
  expect((await ask(`${token.slice(0, -1)}!`, '/issues', 'GET', 'test')).status).toBe(401);
  expect((await ask(`${token}x`, '/issues', 'GET', 'test')).status).toBe(401);
});

it('all tokens of a member share one limit', async () => {
  const limited = await openTestApp({
    env: { RATE_LIMITS: 'on', RATE_LIMIT_SERVER_PER_MINUTE: '3' },
  });
  try {
    const { deps } = limited;
    const fields = { name: 'Often', role: 'viewer', email: null } as const;
    const member = await createMember(deps, fields, commandLineSource);
    const made = { name: 'a', scopes: ['read'] as const, expiresAtMs: deps.now() + dayMs };
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { text } = await createPersonalToken(deps, member, made, commandLineSource);
      const headers = { Authorization: `Bearer ${text}` };
      statuses.push((await fetch(`${limited.api}/issues`, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  } finally {
    await limited.close();
  }
});

it('the audit log names member and token', async () => {
  const member = await person('admin', [own.project.id]);
  const { status } = await ask(await tokenOf(member), '/domains', 'POST', 'own', { domain: 'token.example' });
  expect(status).toBe(201);
  const entries = await app.deps.store.walkAudit((await app.deps.store.auditHead()).entries - 1, 1);
  const actor = { kind: 'member', id: member.id, name: member.name };
  expect(entries).toMatchObject([{ action: 'domain.added', actor, tokenName: 'a test' }]);
});
