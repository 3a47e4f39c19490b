import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { z } from 'zod';
import type { Deps } from '../../../src/core/deps.ts';
import { createForbiddenError } from '../../../src/core/errors.ts';
import { pageNotFound } from '../../../src/core/page-models/request-context.ts';
import type { CurrentUser } from '../../../src/core/store/members.ts';
import { action, type Declaration, file, page } from '../../../src/http/pages/declarations.ts';
import { createPages } from '../../../src/http/pages/router.ts';
import type { SessionGuard } from '../../../src/http/pages/session-guard.ts';
import { el } from '../../../src/web/el.ts';

const visitors: Readonly<Record<string, CurrentUser>> = {
  ines: { sessionId: null, memberId: 1, name: 'Ines', role: 'member', csrfToken: 'token-ines' },
  mara: { sessionId: null, memberId: 2, name: 'Mara', role: 'admin', csrfToken: 'token-mara' },
  vera: { sessionId: null, memberId: 3, name: 'Vera', role: 'viewer', csrfToken: 'token-vera' },
};

const sessionGuard: Pick<SessionGuard, 'currentUser' | 'requireSameSite'> = {
  currentUser: async ({ headers }: IncomingMessage) => visitors[String(headers['x-visitor'])] ?? null,
  requireSameSite(request, form) {
    const currentUser = visitors[String(request.headers['x-visitor'])];
    if (form.get('csrf_token') !== currentUser?.csrfToken) throw createForbiddenError('foreign_form');
  },
};

const done: unknown[] = [];
const declarations: Declaration[] = [
  page(
    '/things/{id}',
    'viewer',
    async ({ path, project }) => {
      if (path['id'] === 'gone') throw pageNotFound('A thing of this number');
      if (path['id'] === 'broken') throw new Error('secret words of a fault');
      return { id: path['id'], project: project?.name ?? null };
    },
    (model) => ({ title: `Thing ${model.id}`, main: el('h1', null, model.id) }),
  ),
  page(
    '/',
    'viewer',
    async () => ({ home: true }),
    () => ({ title: 'Home', main: 'home' }),
  ),
  page(
    '/only',
    'admin',
    async () => ({}),
    () => ({ title: 'A', main: 'a' }),
  ),
  file({ path: '/things/{id}/bytes', answer: async () => ({ contentType: 'image/png', bytes: 'PNG' }) }),
  action(
    '/things/{id}/change',
    'member',
    z.object({ to: z.string().max(5), ids: z.array(z.string()).optional() }),
    async ({ path }, form) => {
      done.push([path['id'], form]);
      return { back: true, notice: 'nothing-chosen' };
    },
  ),
];

let server: Server;
let origin: string;
const logged: unknown[] = [];
beforeEach(async () => {
  done.length = 0;
  logged.length = 0;
  const deps = {
    now: () => 1_795_000_000_000,
    log: { error: (...words: unknown[]) => logged.push(words) },
    store: {
      listProjects: async () => [{ id: 7, name: 'shop' }],
      listAccess: async ([id = 0]: readonly number[]) =>
        new Map([[id, { hasAllProjects: true, projectIds: [] }]]),
      findPageSettings: async () => null,
    },
  } as unknown as Deps;
  const app = express();
  app.use(
    createPages({
      deps,
      declarations,
      sessionGuard: sessionGuard as SessionGuard,
      address: { base: '/errors', answers: () => true, originOf: () => 'http://pages.example' } as never,
      assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
      version: '1',
      apiUrl: 'http://x.example/wp-json/notifier/v1',
      clientAddress: () => '127.0.0.1',
      counts: async () => ({}),
    }),
  );
  app.use((_request, response) => void response.status(404).send('next'));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function ask(path: string, currentUser: string | null, options: RequestInit = {}) {
  const headers = new Headers({ accept: 'text/html', ...(options.headers as Record<string, string>) });
  if (currentUser !== null) headers.set('x-visitor', currentUser);
  const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...options, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const post = (path: string, currentUser: string | null, form: string[][]) =>
  ask(path, currentUser, { method: 'POST', body: new URLSearchParams(form) });

describe('the router of pages', () => {
  it('a page and its JSON have the same content, and links keep the project', async () => {
    const html = await ask('/errors/things/3?project=7', 'vera');
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.text).toContain('<h1>3</h1>');
    expect(html.headers.get('cache-control')).toBe('private, no-cache');
    const twin = await ask('/errors/things/3.json?project=7', 'vera');
    expect(JSON.parse(twin.text)).toEqual({ id: '3', project: 'shop' });
    expect(JSON.parse((await ask('/errors/overview.json', 'vera')).text)).toEqual({ home: true });
    expect((await ask('/errors', 'vera')).text).toContain('home');
  });

  it('a signed-out browser is sent to sign-in and back, a program gets 401', async () => {
    const page = await ask('/errors/things/3?q=a', null);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '/errors/sign-in?next=%2Fthings%2F3%3Fq%3Da',
    ]);
    const twin = await ask('/errors/things/3.json', null);
    expect([twin.status, JSON.parse(twin.text).data]).toEqual([401, { status: 401 }]);
    expect(await post('/errors/things/3/change', null, [['to', 'x']])).toHaveStatus(401);
    expect(done).toEqual([]);
  });

  it('a missing role is 403 with navigation, and changes nothing', async () => {
    expect(await ask('/errors/only', 'ines')).toHaveStatus(403);
    expect(await ask('/errors/only', 'mara')).toHaveStatus(200);
    const refused = await post('/errors/things/3/change', 'vera', [
      ['to', 'x'],
      ['csrf_token', 'token-vera'],
    ]);
    expect([refused.status, refused.text.includes('Not allowed')]).toEqual([403, true]);
    expect(done).toEqual([]);
  });

  it('an action with its token runs once, redirects, and accepts lists', async () => {
    const answered = await post('/errors/things/3/change', 'ines', [
      ['csrf_token', 'token-ines'],
      ['to', 'x'],
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['back', '/things/3?q=a'],
    ]);
    expect([answered.status, answered.headers.get('location')]).toEqual([
      303,
      '/errors/things/3?q=a&notice=nothing-chosen',
    ]);
    expect(done).toEqual([['3', { to: 'x', ids: ['1', '2'] }]]);
  });

  it('a foreign form, an invalid field and another content type are refused', async () => {
    expect(await post('/errors/things/3/change', 'ines', [['to', 'x']])).toHaveStatus(403);
    const long = [
      ['csrf_token', 'token-ines'],
      ['to', 'too long'],
    ];
    const answered = await post('/errors/things/3/change', 'ines', long);
    expect([answered.status, answered.text.includes('to: ')]).toEqual([400, true]);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect(await ask('/errors/things/3/change', 'ines', json)).toHaveStatus(415);
    expect(done).toEqual([]);
  });

  it('an unknown address is 404, a wrong method 405, an unknown project 404', async () => {
    const gone = await ask('/errors/things/gone', 'vera');
    expect([gone.status, gone.text.includes('A thing of this number was not found')]).toEqual([404, true]);
    expect(await ask('/errors/nothing', 'vera')).toHaveStatus(404);
    expect(await ask('/errors/things/3/change', 'vera')).toHaveStatus(405);
    expect(await ask('/errors/things/3', 'ines', { method: 'DELETE' })).toHaveStatus(405);
    expect(await ask('/errors/things/3?project=8', 'vera')).toHaveStatus(404);
    expect(await ask('/errors/things/%E0%A4', 'vera')).toHaveStatus(404);
  });

  it('a 500 shows only a number, and the log has the error', async () => {
    const { status, text } = await ask('/errors/things/broken', 'vera');
    expect([status, text.includes('secret words')]).toEqual([500, false]);
    const requestId = /<code id="request">([0-9a-f]{16})<\/code>/.exec(text)?.[1];
    expect(JSON.stringify(logged)).toContain(String(requestId));
    expect(JSON.stringify(logged)).toContain('secret words');
  });

  it('other paths and programs that want no HTML go to the next handler', async () => {
    expect((await ask('/elsewhere', 'vera')).text).toBe('next');
    expect((await ask('/errorsome', 'vera')).text).toBe('next');
    expect((await ask('/errors/nothing', null, { headers: { accept: '*/*' } })).text).toBe('next');
  });

  it('files keep their content type, and HEAD has no body', async () => {
    const bytes = await ask('/errors/things/3/bytes', 'vera');
    expect([
      bytes.text,
      bytes.headers.get('content-type'),
      bytes.headers.get('x-content-type-options'),
    ]).toEqual(['PNG', 'image/png', 'nosniff']);
    const head = await ask('/errors/things/3', 'vera', { method: 'HEAD' });
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 0]).toEqual([200, '', true]);
  });
});
