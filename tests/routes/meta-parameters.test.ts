// Parameters that speak to the engine and not to a route: whatever their form, no request is answered as a
// fault of ours, and none lets a page that can only load scripts and pictures write.
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrShort, isNightly } from '../support/test-level.ts';
import { type Answer, type Exchange, type Header, send } from '../wordpress/exchanges.ts';

const app = sharedApp();

const api = '/wp-json/notifier/v1';

function ask(
  method: string,
  path: string,
  headers: readonly Header[] = [],
  body?: string,
  on = app,
): Promise<Answer> {
  const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
  const exchange: Exchange = { id: `${method} ${path}`, request, response: { status: 0, headers: [] } };
  return send((on.server.address() as AddressInfo).port, exchange);
}

function json({ body }: Answer): { code?: string; message?: string; data?: Record<string, unknown> } {
  return JSON.parse(body.toString('utf8'));
}

async function eventsKept(): Promise<number> {
  const { body } = await app.get('/issues');
  return body.reduce((sum: number, issue: { events: number }) => sum + issue.events, 0);
}

describe('WordPress meta parameters, in any form', () => {
  const all = [
    '_method',
    '_jsonp',
    '_fields',
    '_envelope',
    '_embed',
    '_pretty',
    '_locale',
    '_wpnonce',
    'rest_route',
    'namespace',
    'context',
    'sentry_key',
    'sentry_version',
    'page',
  ];
  const names = fullOrShort(all, ['_method', '_jsonp', '_fields', 'rest_route', 'sentry_key']);
  const forms = fullOrShort(['', '=x', '[]=x', '[a][b]=x', '=%ff', '[__proto__]=x'], ['[]=x', '=%ff']);
  const queries = names.flatMap((name) => forms.map((form) => `?${name}${form}`));
  const oddHeaders: readonly Header[] = [
    ['X-HTTP-Method-Override', ''],
    ['X-HTTP-Method-Override', '[]'],
    ['X-HTTP-Method-Override', '\u00ff\u0001x'],
    ['X-HTTP-Method-Override', '__proto__'],
    ['X-WP-Nonce', '[]'],
    ['Origin', 'http://[::1'],
    ['Referer', 'http://['],
    ['Content-Type', '[]'],
    ['Authorization', 'Bearer'],
    ['X-Sentry-Auth', 'Sentry ='],
    ['If-None-Match', '"'],
  ];

  const shares = fullOrShort(12, 24);

  /** Nightly all of them for each address; else they are dealt out, each address getting one share. */
  function dealt<T>(all: readonly T[], index: number): readonly T[] {
    return isNightly ? all : all.filter((_each, at) => at % shares === index % shares);
  }

  async function addresses(on: TestApp): Promise<string[]> {
    const eventId = 'e'.repeat(32);
    const parts = ['{}', '{"type":"event"}', `{"event_id":"${eventId}","message":"x"}`];
    const file = ['{"type":"attachment","filename":"a.txt","length":1}', 'x'];
    const envelope = on.agent.post(`${api}/envelope`).set('X-Notifier-Key', on.publicKey);
    expect(await envelope.send([...parts, ...file].join('\n'))).toHaveStatus(201);
    expect(await on.postSecret('/releases', { version: '1.0.0' })).toHaveStatus(201);
    const filled = notifierRoutes(on.deps).map(({ path }) =>
      path
        .replace(/\{project[^}]*\}/, String(on.project.id))
        .replace(/\{event_id[^}]*\}/, eventId)
        .replace(/\{[^}]*\}+/g, '1'),
    );
    return [
      '/wp-json/',
      api,
      `${api}/nothing`,
      '/wp-json/batch/v1',
      ...new Set(filled.map((path) => api + path)),
    ];
  }

  it.each(['GET', 'OPTIONS', 'POST', 'DELETE'])('%s is never a 500', async (method) => {
    const on = await openTestApp();
    const keys: readonly Header[] = [
      ['Authorization', `Bearer ${on.secretKey}`],
      ['X-Notifier-Key', on.publicKey],
      ['If-None-Match', '*'],
    ];
    const body = method === 'POST' ? '{}' : undefined;
    const faults: string[] = [];
    const tried = async (path: string, headers: readonly Header[], what: string): Promise<void> => {
      const { status } = await ask(
        method,
        path,
        [...headers, ['Content-Type', 'application/json']],
        body,
        on,
      );
      if (status >= 500) faults.push(`${status} ${method} ${path} ${what}`);
    };
    const all = await addresses(on);
    for (const [index, path] of all.entries()) {
      await Promise.all([
        ...dealt(queries, index).map((query) => tried(path + query, keys, 'with keys')),
        ...dealt(oddHeaders, index).map((header) => tried(path, [...keys, header], header.join(': '))),
      ]);
    }
    for (const path of all.slice(0, 6)) {
      await Promise.all(queries.map((query) => tried(path + query, [], 'without a key')));
    }
    await on.close();
    expect(faults).toEqual([]);
  });

  it.each([
    ['GET', `${api}/deploys?_method[]=x`, '_method'],
    ['POST', `${api}/store?_method[]=POST`, '_method'],
    ['GET', `/?rest_route=/notifier/v1&_method[a][b]=x`, '_method'],
    ['GET', `${api}?namespace[]=x`, 'namespace'],
  ])('%s %s is 400 with the message of WordPress', async (method, path, name) => {
    const answer = await ask(method, path);
    expect(answer).toHaveStatus(400);
    expect(json(answer)).toEqual({
      code: 'rest_invalid_param',
      message: `Invalid parameter(s): ${name}`,
      data: {
        status: 400,
        params: { [name]: `${name} is not of type string.` },
        details: {
          [name]: {
            code: 'rest_invalid_type',
            message: `${name} is not of type string.`,
            data: { param: name },
          },
        },
      },
    });
  });
});

describe('writes need their own HTTP method', () => {
  const event = JSON.stringify({ message: 'from a picture' });
  const key = (): Header => ['X-Notifier-Key', app.publicKey];
  const type: Header = ['Content-Type', 'application/json'];
  const noRoute = {
    code: 'rest_no_route',
    message: 'No route was found matching the URL and request method.',
    data: { status: 404 },
  };

  it.each(['POST', 'post', 'PUT', 'PATCH', 'DELETE'])('a GET that names %s finds no route', async (named) => {
    const before = await eventsKept();
    for (const path of [
      `${api}/store?_method=${named}`,
      `/?rest_route=/notifier/v1/store&_method=${named}`,
    ]) {
      const answer = await ask('GET', path, [key(), type], event);
      expect([answer.status, json(answer)]).toEqual([404, noRoute]);
    }
    const byHeader = await ask(
      'GET',
      `${api}/store`,
      [key(), type, ['X-HTTP-Method-Override', named]],
      event,
    );
    expect([byHeader.status, json(byHeader)]).toEqual([404, noRoute]);
    expect(await eventsKept()).toBe(before);
  });

  it('a key and an event in the address alone write nothing', async () => {
    const before = await eventsKept();
    const query = `_method=POST&sentry_key=${app.publicKey}&message=from+a+script&_jsonp=show`;
    for (const path of ['/store', '/envelope', `/api/${app.project.id}/store/`]) {
      const answer = await ask('GET', `${api}${path}?${query}`);
      expect([answer.status, answer.body.toString()]).toEqual([404, `/**/show(${JSON.stringify(noRoute)})`]);
    }
    expect(await eventsKept()).toBe(before);
  });

  it('an OPTIONS, which a browser sends by itself, writes nothing either', async () => {
    const before = await eventsKept();
    const path = `${api}/store?_method=POST&sentry_key=${app.publicKey}&message=from+a+preflight`;
    const answer = await ask('OPTIONS', path, [['Origin', 'https://shop.example']]);
    expect([answer.status, json(answer)]).toEqual([404, noRoute]);
    expect(await eventsKept()).toBe(before);
  });

  it('a HEAD that names POST finds no route either', async () => {
    const before = await eventsKept();
    expect(await ask('HEAD', `${api}/store?_method=POST`, [key(), type])).toHaveStatus(404);
    expect(
      (await ask('HEAD', `${api}/store`, [key(), type, ['X-HTTP-Method-Override', 'POST']])).status,
    ).toBe(404);
    expect(await eventsKept()).toBe(before);
  });

  it('a POST may still name another method, and a GET one that reads', async () => {
    const secret: Header = ['Authorization', `Bearer ${app.secretKey}`];
    expect(await ask('POST', `${api}/releases/99?_method=DELETE`, [secret])).toHaveStatus(404);
    expect(json(await ask('POST', `${api}/releases/99?_method=DELETE`, [secret])).code).toBe(
      'notifier_release_invalid_id',
    );
    expect(await ask('POST', `${api}/deploys?_method=GET`, [secret])).toHaveStatus(200);
    expect(await ask('GET', `${api}/store?_method=OPTIONS`)).toHaveStatus(200);
    expect(await ask('GET', `${api}/deploys?_method=HEAD`, [secret])).toHaveStatus(200);
    expect(await ask('GET', `${api}/deploys?_method=GET`, [secret])).toHaveStatus(200);
  });

  it.each([
    ['POST', '/store'],
    ['POST', '/envelope'],
    ['POST', '/feedback'],
    ['POST', '/releases'],
    ['DELETE', '/releases/99'],
  ])('%s %s has no JSONP, whoever asks', async (method, path) => {
    const before = await eventsKept();
    const secret: Header = ['Authorization', `Bearer ${app.secretKey}`];
    for (const headers of [[type], [type, key(), secret]]) {
      const answer = await ask(method, `${api}${path}?_jsonp=show`, headers, event);
      expect([answer.status, json(answer)]).toEqual([
        400,
        {
          code: 'rest_callback_disabled',
          message: 'JSONP support is disabled on this site.',
          data: { status: 400 },
        },
      ]);
      expect(answer.headers).toContainEqual(['Content-Type', 'application/json; charset=UTF-8']);
    }
    expect(await eventsKept()).toBe(before);
  });

  it('reads keep JSONP, and so do refusals without a route', async () => {
    const secret: Header = ['Authorization', `Bearer ${app.secretKey}`];
    const read = await ask('GET', `${api}/deploys?_jsonp=show`, [secret]);
    expect([read.status, read.body.toString()]).toEqual([200, '/**/show([])']);
    expect((await ask('OPTIONS', `${api}/store?_jsonp=show`)).body.toString()).toMatch(/^\/\*\*\/show\(/);
    expect((await ask('POST', `${api}/nothing?_jsonp=show`)).body.toString()).toMatch(/^\/\*\*\/show\(/);
    expect(await ask('POST', `${api}/store?_jsonp=`, [key(), type], event)).toHaveStatus(201);
  });
});

it('POST /batch/v1 refuses each request on its own, and names the failed validation where it is required', async () => {
  const requests = [{ path: '/wp/v2/nothing' }, { path: '/notifier/v1/feedback' }, { path: '///' }];
  const codes = ['rest_no_route', 'rest_batch_not_allowed', 'parse_path_failed'];
  const batch = async (validation: string) => {
    const body = JSON.stringify({ validation, requests });
    const answer = await ask('POST', '/wp-json/batch/v1', [['Content-Type', 'application/json']], body);
    const { failed, responses } = JSON.parse(answer.body.toString('utf8'));
    return [answer.status, failed, responses.map((each: { body: { code: string } }) => each.body.code)];
  };
  expect(await batch('normal')).toEqual([207, undefined, codes]);
  expect(await batch('require-all-validate')).toEqual([207, 'validation', codes]);
});
