// Where the router can be mounted, what it answers there, and what stays the host's.
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler, Router } from 'express';
import onHeaders from 'on-headers-old';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { createPersonalToken } from '../../src/core/members/personal-tokens.ts';
import { inFull } from '../support/test-level.ts';
import { closeAll, openOwn, serveHost, shopText } from './foreign-host.ts';

afterEach(closeAll);

const api = '/wp-json/notifier/v1';
const event = { message: 'x', platform: 'php' };

describe('the host’s own', () => {
  it('routes work before and after the router', async () => {
    const { notifier } = await openOwn();
    const host = await serveHost((app) => {
      app.get('/before', (_request, response) => void response.send('before'));
      app.use(notifier.router);
    });
    await host.agent.get('/before').expect(200, 'before');
    await host.agent.get('/shop').expect(200, shopText);
    await host.agent
      .post('/shop/echo')
      .send({ a: [1] })
      .expect(200, { a: [1] });
    await host.agent.get('/healthz').expect(404);
    await host.agent.get('/wp-jsonx/notifier/v1').expect(404);
    await host.agent.get('/api/01').expect(404);
    expect((await host.agent.get('/nowhere')).text).toContain('Cannot GET /nowhere');
  });

  it('header listeners see our headers, also old ones', async () => {
    const { notifier, publicKey } = await openOwn();
    const host = await serveHost((app) => {
      app.use((_request, response, next) => {
        // What compression, morgan and sessions of years ago put between: of lists it knows pairs alone.
        onHeaders(response, () => response.setHeader('X-Seen', String(response.getHeader('Content-Type'))));
        next();
      });
      app.use(notifier.router);
    });
    const answer = await host.agent.post(`${api}/store`).set('X-Notifier-Key', publicKey).send(event);
    expect([answer.status, answer.headers['x-seen']]).toEqual([201, 'application/json; charset=UTF-8']);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
    expect(Object.keys(answer.headers).filter((name) => name.length === 1)).toEqual([]);
  });

  it('requests pass through unchanged', async () => {
    const { notifier } = await openOwn();
    const seen: object[] = [];
    const host = await serveHost((app) => {
      app.use('/blog', notifier.router);
      app.use((request, response) => {
        const { url, originalUrl, baseUrl, readableDidRead } = request;
        seen.push({ url, originalUrl, baseUrl, readableDidRead, isApps: request.app === app });
        response.status(204).end();
      });
    });
    await host.agent.post('/blog/page?a=1').send({ a: 1 }).expect(204);
    const expected = { url: '/blog/page?a=1', originalUrl: '/blog/page?a=1', baseUrl: '' };
    expect(seen).toEqual([{ ...expected, readableDidRead: false, isApps: true }]);
  });

  it('error handler does not get our errors', async () => {
    const { notifier, publicKey } = await openOwn();
    const errors: unknown[] = [];
    const told: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.status(599).end();
    };
    const host = await serveHost((app) => {
      app.use(notifier.router);
      app.use(told);
    });
    await host.agent.post(`${api}/store`).send(event).expect(401);
    await host.agent.post(`${api}/store`).set('X-Notifier-Key', publicKey).send({}).expect(400);
    await host.agent.get('/api/0/organizations/acme/releases/').expect(401);
    await host.agent.get('/api/0/organizations/%E0%A4%A/releases/').expect(400);
    await host.agent.get('/?rest_route[]=x').expect(400);
    expect(errors).toEqual([]);
  });

  it('settings do not change our answers', async () => {
    const { notifier, secretKey } = await openOwn();
    const host = await serveHost((app) => {
      app.set('etag', 'strong');
      app.set('json spaces', 2);
      app.set('query parser', 'extended');
      app.use(notifier.router);
    });
    const tools = await host.agent.get('/api/0/').set('Authorization', `Bearer ${secretKey}`);
    expect([tools.status, tools.headers['etag']]).toEqual([200, undefined]);
    expect(tools.text).toMatch(/^\{"version":"0","user":null,/);
    const list = await host.agent.get(`${api}/issues`).set('Authorization', `Bearer ${secretKey}`);
    expect([list.text, list.headers['etag']]).toEqual(['[]', undefined]);
  });
});

describe('what the router serves', () => {
  it('is the namespace, the Sentry protocol endpoints, and the API of Sentry tools', async () => {
    const { notifier, publicKey, secretKey } = await openOwn();
    const host = await serveHost((app) => app.use(notifier.router));
    const { agent } = host;
    const line = `{"dsn":"http://${publicKey}@h.example/1"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
    const door = agent.post(`${api}/api/1/envelope/`).set('Content-Type', 'application/x-sentry-envelope');
    const asked = agent.post('/?rest_route=/notifier/v1/store').set('X-Notifier-Key', publicKey);
    const answers = [
      await agent.get('/wp-json/'),
      await agent.get('/wp-json/wp/v2/posts'),
      await asked.send(event),
      await door.send(line),
      await agent.get('/api/0/').set('Authorization', `Bearer ${secretKey}`),
      await agent.get('/api/0/nothing/'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 201, 200, 200, 404]);
    expect(answers[1]?.body.code).toBe('rest_no_route');
    expect(answers[5]?.body.detail).toBe('The requested resource does not exist.');
  });

  it('is /mcp with our own API tokens, at the root and in a folder', async () => {
    const { notifier, databaseUrl } = await openOwn();
    const { deps, close } = await openDeps({ DATABASE_URL: databaseUrl }, { log: silentLog });
    const fields = { name: 'Ada', role: 'viewer', email: null } as const;
    const member = await createMember(deps, fields, commandLineSource);
    const asked = { name: 'agent', scopes: ['read'], expiresAtMs: deps.now() + 60_000 } as const;
    const { text } = await createPersonalToken(deps, member, asked, commandLineSource);
    await close();
    const { agent } = await serveHost((app) => {
      app.use('/blog', notifier.router);
      app.use(notifier.router);
      app.all(/\/mcp/, (_request, response) => void response.send('of the host'));
    });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_projects', arguments: {} },
    };
    const ask = (path: string, token: string) =>
      agent
        .post(path)
        .set({ Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' })
        .send(call);
    for (const path of ['/mcp', '/blog/mcp']) {
      const { status, body } = await ask(path, text);
      expect([path, status, JSON.stringify(body)]).toEqual([path, 200, expect.stringContaining('test')]);
    }
    expect(await ask('/mcp', `${text}x`)).toHaveStatus(401);
    for (const [path, token] of [
      ['/mcp', 'theirs'],
      ['/mcpx', text],
      ['/mcp/', text],
    ] as const) {
      expect([path, (await ask(path, token)).text]).toEqual([path, 'of the host']);
    }
    await notifier.close();
    expect(await ask('/mcp', text)).toHaveStatus(503);
  });

  it.each([
    ['/blog', '/blog'],
    ['/sites/blog', '/sites/blog'],
  ])('below %s has its address in links and in Location', async (mount, folder) => {
    const { notifier, secretKey } = await openOwn({ baseUrl: 'https://shop.example' });
    const host = await serveHost((app) => app.use(mount, notifier.router));
    const made = await host.agent
      .post(`${folder}${api}/releases`)
      .set('Authorization', `Bearer ${secretKey}`)
      .send({ version: '1.0' });
    expect(made).toHaveStatus(201);
    const root = `https://shop.example${folder}/wp-json/`;
    expect(made.headers['link']).toBe(`<${root}>; rel="https://api.w.org/"`);
    const index = await host.agent.get(`${folder}/wp-json/notifier/v1`);
    expect(index.text.replaceAll('\\/', '/')).toContain(`"href":"${root}notifier/v1/store"`);
    // Sentry's tools take no address with a folder.
    await host.agent
      .get(`${folder}/api/0/`)
      .set('Authorization', `Bearer ${secretKey}`)
      .expect(404, /Cannot GET/);
    await host.agent.get('/api/0/').expect(404, /Cannot GET/);
    await host.agent.get(`${api}/issues`).expect(404, /Cannot GET/);
  });

  it('has the bound address if baseUrl is not set', async () => {
    const { notifier } = await openOwn({ port: 0 });
    const host = await serveHost((app) => app.use(notifier.router));
    const { headers } = await host.agent.get('/wp-json/');
    expect(headers['link']).toBe(`<http://127.0.0.1:${host.port}/wp-json/>; rel="https://api.w.org/"`);
    const said = await openOwn({ port: 3000 });
    const other = await serveHost((app) => app.use(said.notifier.router));
    expect((await other.agent.get('/wp-json/')).headers['link']).toContain(
      '<http://127.0.0.1:3000/wp-json/>',
    );
  });

  inFull(it)('is the same at many mount paths, few of which are cached', async () => {
    const { notifier, secretKey } = await openOwn({ baseUrl: 'https://shop.example' });
    const host = await serveHost((app) => app.use('/:site', notifier.router));
    for (let round = 0; round < 2; round += 1) {
      for (let site = 0; site < 10; site += 1) {
        const answer = await host.agent
          .get(`/site-${site}${api}/issues`)
          .set('Authorization', `Bearer ${secretKey}`);
        expect([answer.status, answer.headers['link']]).toEqual([
          200,
          `<https://shop.example/site-${site}/wp-json/>; rel="https://api.w.org/"`,
        ]);
      }
    }
  });

  it('is the same in a mounted Router or app', async () => {
    const { notifier } = await openOwn({ baseUrl: 'https://shop.example' });
    const host = await serveHost((app) => {
      app.use('/a', Router().use('/b', notifier.router));
      app.use('/c', express().use('/d', notifier.router));
    });
    for (const folder of ['/a/b', '/c/d']) {
      const { status, headers } = await host.agent.get(`${folder}/wp-json/`);
      expect([status, headers['link']]).toEqual([
        200,
        `<https://shop.example${folder}/wp-json/>; rel="https://api.w.org/"`,
      ]);
    }
  });
});

describe('a router mounted where it cannot work', () => {
  it.each([
    [
      'another folder than wpPath',
      '/blog',
      '/shop',
      'wpPath is "/blog", and the router is mounted at "/shop".',
    ],
    [
      'a folder below wpPath',
      '/blog',
      '/blog/x',
      'wpPath is "/blog", and the router is mounted at "/blog/x".',
    ],
    [
      'a folder, and wpPath says the root',
      '/',
      '/shop',
      'wpPath is "/", and the router is mounted at "/shop".',
    ],
    [
      'what is no folder',
      undefined,
      '/a%20b',
      'The router is mounted at "/a%20b", which is not a folder of a site.',
    ],
  ])('at %s says so, and passes on requests outside the API', async (_what, wpPath, mount, sentence) => {
    const { notifier } = await openOwn({ wpPath });
    const host = await serveHost((app) => app.use(mount, notifier.router));
    const answer = await host.agent.get(`${mount}${api}/issues`);
    expect([answer.status, answer.body.code]).toEqual([500, 'notifier_wrong_mount']);
    expect(answer.body.message).toContain(sentence);
    await host.agent.get(`${mount}/page`).expect(404, /Cannot GET/);
  });

  it('treats another letter case of wpPath as another address', async () => {
    const { notifier } = await openOwn({ wpPath: '/blog' });
    const host = await serveHost((app) => app.use('/blog', notifier.router));
    const answers = [await host.agent.get('/Blog/wp-json/'), await host.agent.get('/blog/wp-json/')];
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });
});
