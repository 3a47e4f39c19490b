import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { z } from 'zod';
import { notifierRoutes } from '../../routes/index.ts';
import { createCallerFinder } from '../../src/http/api/authenticate.ts';
import { parseParameters } from '../../src/http/api/parse-parameters.ts';
import { toRestRoute } from '../../src/http/api/rest-route.ts';
import { createNotifierRestServer } from '../../src/http/api/rest-server.ts';
import { created, type Handler, type Route } from '../../src/http/api/route.ts';
import { createLimiters } from '../../src/http/limits/rate-limit.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

// What would be a file of schemas:
const heartbeatRequest = z.looseObject({
  monitor: z.string().min(2).max(64).describe('Name of the job.'),
  state: z.enum(['started', 'done', 'failed']).default('done').describe('How it went.'),
  seconds: z.int().min(0).max(86_400).describe('How long it took.').optional(),
});

// What would be a file of routes:
const postHeartbeats: Handler = async (request) => {
  const { monitor, state, seconds } = parseParameters(heartbeatRequest, request);
  return created({ accepted: true, monitor, state, seconds: seconds ?? null });
};

// The line in routes/index.ts:
const line: Route = {
  method: 'POST',
  path: '/heartbeats',
  credential: 'secret',
  scope: 'ci',
  limit: 'server',
  schema: heartbeatRequest,
  handler: postHeartbeats,
};

const api = '/wp-json/notifier/v1';
const described =
  '{"namespace":"notifier\\/v1","methods":["POST"],"endpoints":[{"methods":["POST"],"args":{' +
  '"monitor":{"description":"Name of the job.","type":"string","minLength":2,"maxLength":64,"required":true},' +
  '"state":{"description":"How it went.","type":"string","enum":["started","done","failed"],"default":"done","required":false},' +
  '"seconds":{"description":"How long it took.","type":"integer","minimum":0,"maximum":86400,"required":false}}}],' +
  '"_links":{"self":[{"href":"https:\\/\\/shop.example\\/wp-json\\/notifier\\/v1\\/heartbeats"}]}}';

describe('a new route', () => {
  let app: TestApp;
  let server: Server;
  let agent: ReturnType<typeof supertest>;
  beforeAll(async () => {
    app = await openTestApp();
    const { deps } = app;
    const namespace = createNotifierRestServer(deps, 'https://shop.example');
    const context = {
      findCaller: createCallerFinder(deps),
      limiters: createLimiters(deps.config.rateLimits, deps.now),
      clientAddress: () => '127.0.0.1',
      now: deps.now,
      restUrl: namespace.restUrl,
    };
    for (const route of [...notifierRoutes(deps), line]) namespace.register(toRestRoute(route, context));
    server = createServer((incoming, outgoing) => void namespace.handle(incoming, outgoing));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    agent = supertest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await app.close();
  });

  const post = (body: unknown) =>
    agent
      .post(`${api}/heartbeats`)
      .set('Authorization', `Bearer ${app.secretKey}`)
      .send(body as object);

  it('is described by OPTIONS', async () => {
    const answer = await agent.options(`${api}/heartbeats`).set('Authorization', `Bearer ${app.secretKey}`);
    expect(answer.text).toBe(described);
    expect(answer.headers['allow']).toBe('POST');
  });

  it('is last in the index of the namespace and of the site', async () => {
    for (const path of [api, '/wp-json/']) {
      const index = await agent.get(path);
      const routes = Object.keys(index.body.routes);
      expect(routes.at(-1)).toBe('/notifier/v1/heartbeats');
      expect(index.text).toContain(`"\\/notifier\\/v1\\/heartbeats":${described}`);
    }
  });

  it('checks its credential first', async () => {
    const answer = await agent.post(`${api}/heartbeats`).send('{');
    expect([answer.status, answer.body.code]).toEqual([401, 'rest_forbidden']);
  });

  it('checks and converts its arguments by the schema, and has its defaults', async () => {
    expect((await post({})).body.data.params).toEqual(['monitor']);
    expect((await post({ monitor: 'm', seconds: -1 })).body.data.params).toEqual({
      monitor: 'monitor must be at least 2 characters long.',
      seconds: 'seconds must be between 0 (inclusive) and 86400 (inclusive)',
    });
    const answer = await post({ monitor: 'nightly', seconds: '12' });
    expect([answer.status, answer.text]).toEqual([
      201,
      '{"accepted":true,"monitor":"nightly","state":"done","seconds":12}',
    ]);
  });
});
