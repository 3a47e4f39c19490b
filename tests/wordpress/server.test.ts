import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toPhpArray, toPlain } from '../../src/wordpress/php/values.ts';
import { argsFromZod } from '../../src/wordpress/request/args-from-zod.ts';
import type { HandlerDefinition } from '../../src/wordpress/request/rest-request.ts';
import { RestResponse } from '../../src/wordpress/response/rest-response.ts';
import { WpError } from '../../src/wordpress/response/wp-error.ts';
import { createClientErrorHandler } from '../../src/wordpress/rest/client-error.ts';
import type { RestServerOptions } from '../../src/wordpress/rest/options.ts';
import { createRestServer } from '../../src/wordpress/rest/server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(
  handler: Partial<HandlerDefinition>,
  options: Partial<RestServerOptions> = {},
): Promise<string> {
  const rest = createRestServer({
    baseUrl: 'https://notes.example',
    order: 'permission-first',
    checkNonce: false,
    ...options,
  });
  const callback = (request: { merged(): Map<string, never> }) => ({ params: toPhpArray(request.merged()) });
  const definition = { methods: ['POST'], callback, ...handler } as HandlerDefinition;
  const namespace = 'notes/v1';
  rest.register({ namespace, path: '/notes', handlers: [definition], allowBatch: { v1: true } });
  rest.register({ namespace, path: '/drafts', handlers: [definition], allowBatch: { v1: false } });
  rest.register({
    namespace,
    path: '/notes/{id:\\d+}',
    handlers: [{ ...definition, methods: ['GET'] }],
  });
  const server = createServer((incoming, outgoing) => {
    void rest
      .handle(incoming, outgoing)
      .then((handled) => handled || outgoing.writeHead(404).end('elsewhere'));
  });
  server.on('clientError', createClientErrorHandler(rest));
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(
  site: string,
  body: string,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<{ status: number; body: string; headers: Headers }> {
  const response = await fetch(`${site}/wp-json/notes/v1/notes`, { method: 'POST', body, headers });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers by path, and says what is not there.
async function jsonOf(response: Response): Promise<Record<string, any>> {
  return (await response.json()) as Record<string, never>;
}

function sendRaw(site: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(site).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('end', () => {
      socket.end();
      resolve(answer);
    });
    socket.on('error', reject);
  });
}

it('POST /batch/v1 answers requests to the routes that allow it, and to no other', async () => {
  const site = await serve({});
  const requests = [{ path: '/notes/v1/notes', body: { text: 'one' } }, { path: '/notes/v1/drafts' }];
  const answer = await fetch(`${site}/wp-json/batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests }),
  });
  const { responses } = (await answer.json()) as { responses: unknown };
  expect([answer.status, responses]).toEqual([
    207,
    [
      { body: { params: { text: 'one' } }, status: 200, headers: expect.anything() },
      {
        body: expect.objectContaining({ code: 'rest_batch_not_allowed' }),
        status: 400,
        headers: { Allow: 'POST' },
      },
    ],
  ]);
});

describe('with the permission checked first', () => {
  it('refuses before it looks at malformed JSON or missing arguments', async () => {
    const site = await serve({ args: { text: { type: 'string', required: true } }, permission: () => false });
    for (const body of ['{', '{}', '{"text":5}']) {
      const answer = await post(site, body);
      expect(answer).toHaveStatus(401);
      expect(answer.body).toBe(
        '{"code":"rest_forbidden","message":"Sorry, you are not allowed to do that.","data":{"status":401}}',
      );
      expect(answer.headers.get('allow')).toBeNull();
    }
  });

  it('still answers 404 before 401', async () => {
    const site = await serve({ permission: () => false });
    const response = await fetch(`${site}/wp-json/notes/v1/notes`);
    expect([response.status, (await jsonOf(response))['code']]).toEqual([404, 'rest_no_route']);
  });

  it('checks a permission once a request, though Allow needs it again', async () => {
    let asked = 0;
    const site = await serve({ permission: () => ++asked > 0 });
    const answer = await post(site, '{}');
    expect([answer.status, answer.headers.get('allow'), asked]).toEqual([200, 'POST', 1]);
  });

  it('calls a guard before it reads the body, and sends its headers and refusals', async () => {
    const site = await serve({
      permission: () => true,
      guard: async (request) => {
        request.responseHeaders.push(['RateLimit', '"notes";r=0;t=9']);
        throw new WpError('rest_too_many_requests', 'Later.', { status: 429, retry_after: 9 });
      },
    });
    const answer = await post(site, '{');
    expect(answer.body).toBe(
      '{"code":"rest_too_many_requests","message":"Later.","data":{"status":429,"retry_after":9}}',
    );
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([429, '"notes";r=0;t=9']);
  });
});

describe('in the order of WordPress', () => {
  it('checks arguments before the permission', async () => {
    const site = await serve(
      { args: { text: { type: 'string', required: true } }, permission: () => false },
      { order: 'wordpress' },
    );
    expect((await post(site, '{}')).body).toContain('rest_missing_callback_param');
    expect((await post(site, '{')).body).toContain('rest_invalid_json');
    expect((await post(site, '{"text":"x"}')).body).toContain('rest_forbidden');
  });
});

describe('bodies', () => {
  const anyType: Partial<HandlerDefinition> = {
    body: 'bytes',
    callback: (request) => ({ bytes: request.body.length, params: toPhpArray(request.merged()) }),
  };

  it.each(['text/plain', 'application/x-sentry-envelope', 'application/x-www-form-urlencoded'])(
    'read as bytes, JSON counts whatever %s says',
    async (type) => {
      const site = await serve(anyType);
      expect((await post(site, '{"a":[1]}', { 'Content-Type': type })).body).toBe(
        '{"bytes":9,"params":{"a":[1]}}',
      );
    },
  );

  it('read as bytes, a form that begins like no JSON is a form', async () => {
    const site = await serve(anyType);
    const type = 'application/x-www-form-urlencoded';
    expect((await post(site, 'a[]=1&b=2', { 'Content-Type': type })).body).toBe(
      '{"bytes":9,"params":{"a":["1"],"b":"2"}}',
    );
  });

  it('left to the handler, are not read', async () => {
    const site = await serve({
      body: 'stream',
      callback: async (request) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request.incoming ?? []) chunks.push(chunk as Buffer);
        return { own: Buffer.concat(chunks).toString(), engine: request.body.length };
      },
    });
    expect((await post(site, '{not json')).body).toBe('{"own":"{not json","engine":0}');
  });

  it('past their limit are refused, declared or not', async () => {
    const site = await serve({ bodyBytesMax: 10 });
    const refused = await post(site, `"${'x'.repeat(10)}"`);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([413, 'rest_payload_too_large']);
    const chunked = await sendRaw(
      site,
      'POST /wp-json/notes/v1/notes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
        'ff\r\n'.concat('x'.repeat(255), '\r\n0\r\n\r\n'),
    );
    expect(chunked).toContain('rest_payload_too_large');
  });

  it('may not nest deeper than the option says', async () => {
    const site = await serve({}, { jsonDepth: 3 });
    expect(await post(site, '[[[1]]]')).toHaveStatus(200);
    expect((await post(site, '[[[[1]]]]')).body).toContain('"json_error_code":1');
  });
});

describe('errors', () => {
  const faulty: Partial<HandlerDefinition> = {
    callback: () => {
      throw new Error('the password is hunter2');
    },
  };

  it('are passed to the program, and hidden from the client', async () => {
    const told: unknown[] = [];
    const site = await serve(faulty, { onFault: (error) => told.push(error), faultMessage: 'It broke.' });
    const answer = await post(site, '{}', {
      'Content-Type': 'application/json',
      Origin: 'https://a.example',
    });
    expect(answer.body).toBe('{"code":"internal_server_error","message":"It broke.","data":{"status":500}}');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      500,
      'https://a.example',
    ]);
    expect(String(told)).toBe('Error: the password is hunter2');
  });

  it('that the program maps to refusals are refusals, headers included', async () => {
    const site = await serve(faulty, {
      toWpError: () => {
        const error = new WpError('rest_unavailable', 'Not now.', { status: 503 });
        error.headers.push(['Retry-After', '5']);
        return error;
      },
    });
    const answer = await post(site, '{}');
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('allow')]).toEqual([
      503,
      '5',
      'POST',
    ]);
  });

  it('do not come from a client that goes away in the middle of a body', async () => {
    const told: unknown[] = [];
    const site = await serve({}, { onFault: (error) => told.push(error) });
    const head = 'POST /wp-json/notes/v1/notes HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"a"';
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(site).port), '127.0.0.1', () => {
        socket.write(head, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect(await post(site, '{}')).toHaveStatus(200);
    expect(told).toEqual([]);
  });
});

describe('headers', () => {
  it('of the program come last, after those of WordPress and of the route', async () => {
    const site = await serve(
      { callback: () => new RestResponse({ ok: true }, 201, [['Location', 'https://notes.example/1']]) },
      {
        exposedHeaders: ['Retry-After'],
        allowedHeaders: ['X-Key'],
        allowCredentials: false,
        trailingHeaders: (method) => [['X-Last', method]],
      },
    );
    const answer = await sendRaw(
      site,
      'POST /wp-json/notes/v1/notes HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\nConnection: close\r\n\r\n',
    );
    const names = answer
      .split('\r\n\r\n')[0]
      ?.split('\r\n')
      .slice(1)
      .map((line) => line.split(':')[0]);
    expect(names?.filter((name) => !['Date', 'Connection', 'Content-Length'].includes(name ?? ''))).toEqual([
      'Content-Type',
      'X-Robots-Tag',
      'Link',
      'X-Content-Type-Options',
      'Access-Control-Expose-Headers',
      'Access-Control-Allow-Headers',
      'Location',
      'Allow',
      'Access-Control-Allow-Origin',
      'Access-Control-Allow-Methods',
      'Vary',
      'X-Last',
    ]);
    expect(answer).toContain(
      'Access-Control-Expose-Headers: X-WP-Total, X-WP-TotalPages, Link, Retry-After\r\n',
    );
  });

  it('never contain header injection from Origin', async () => {
    const site = await serve({});
    const answer = await sendRaw(
      site,
      'POST /wp-json/notes/v1/notes HTTP/1.1\r\nHost: a\r\nOrigin: https://a%0d%0aX-Evil: 1\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain('Access-Control-Allow-Origin: https://aX-Evil:%201\r\n');
  });

  it('a raw body is sent with its own type', async () => {
    const site = await serve({
      callback: () => {
        const response = new RestResponse(null);
        response.raw = { contentType: 'image/png', bytes: Buffer.from([1, 2, 255]) };
        return response;
      },
    });
    const response = await fetch(`${site}/wp-json/notes/v1/notes`, { method: 'POST' });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 255]);
  });
});

describe('addresses', () => {
  it('are below the folder of the site, and nothing outside it is touched', async () => {
    const site = await serve({}, { wpPath: '/blog' });
    const statusOf = async (path: string): Promise<number> => (await fetch(site + path)).status;
    for (const path of [
      '/blog/wp-json/notes/v1',
      '/blog/?rest_route=/notes/v1',
      '/blog/index.php/wp-json/notes/v1',
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
    for (const path of [
      '/wp-json/notes/v1',
      '/?rest_route=/notes/v1',
      '/blogwp-json/notes/v1',
      '/blog/wp-jsonx',
    ]) {
      const response = await fetch(site + path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, 'elsewhere']);
    }
    const index = await jsonOf(await fetch(`${site}/blog/wp-json/notes/v1`));
    expect(index['_links'].up[0].href).toBe('https://notes.example/blog/wp-json/');
  });

  it('of a pattern written short take what the pattern takes', async () => {
    const site = await serve({});
    const id = await (await fetch(`${site}/wp-json/notes/v1/notes/12`)).json();
    expect(id).toEqual({ params: { id: '12' } });
    expect(await fetch(`${site}/wp-json/notes/v1/notes/x`)).toHaveStatus(404);
  });
});

describe('what the HTTP parser refuses', () => {
  const api = '/wp-json/notes/v1/notes';

  it('is answered in WordPress words when it is no request', async () => {
    const site = await serve({});
    const answer = await sendRaw(site, 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n');
    expect(answer).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json; charset=UTF-8\r\n/,
    );
    expect(answer).toContain('{"code":"rest_bad_request","message":"Bad request.","data":{"status":400}}');
  });

  it('goes to the routes if only the method or the path is unusual', async () => {
    const site = await serve({});
    expect(await sendRaw(site, `BREW ${api} HTTP/1.1\r\nHost: a\r\n\r\n`)).toContain('rest_no_route');
    expect(await sendRaw(site, `GET /wp-json/notes/v1/\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n`)).toContain(
      'rest_no_route',
    );
    expect(await sendRaw(site, `brew ${api} HTTP/1.1\r\nHost: a\r\n\r\n`)).toContain('rest_bad_request');
  });

  it('never cuts off an answer in progress', async () => {
    let release: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const site = await serve({
      callback: async () => {
        await waiting;
        return { whole: true };
      },
    });
    const head = `POST ${api} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    const answer = sendRaw(site, `${head}\x00\x01 what is this\r\n\r\n`);
    setImmediate(() => setImmediate(release));
    expect(await answer).toContain('{"whole":true}');
  });
});

describe('handle', () => {
  const head = (length: string): string =>
    `POST /wp-json/notes/v1/notes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${length}\r\n\r\n`;

  it.each([
    ['a length over the limit', head('Content-Length: 99999999999')],
    ['more bytes than the limit', `${head('Transfer-Encoding: chunked')}ffff\r\n${'x'.repeat(65_535)}\r\n`],
  ])('answers %s where bodies are read before their route is known', async (_name, bytes) => {
    const site = await serve({}, { order: 'wordpress', bodyBytesMax: 1_000 });
    const answer = await sendRaw(site, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"rest_payload_too_large"');
    expect(await post(site, '{"a":1}')).toHaveStatus(200);
  });

  it.each([
    ['a reader of bodies', { readBody: () => Promise.reject(new Error('broken')) }],
    ['headers', { trailingHeaders: () => fail() }],
    ['a told fault', { readBody: () => Promise.reject(new Error('broken')), onFault: () => fail() }],
  ] as ReadonlyArray<readonly [string, Partial<RestServerOptions>]>)(
    'never rejects, whatever fails: %s',
    async (_name, options) => {
      const rest = createRestServer({ baseUrl: 'https://notes.example', order: 'wordpress', ...options });
      const handled: Array<Promise<boolean>> = [];
      const server = createServer((incoming, outgoing) => {
        handled.push(rest.handle(incoming, outgoing));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await post(site, '{"a":1}').catch(() => {});
      expect(await Promise.all(handled)).toEqual([true]);
    },
  );
});

function fail(): never {
  throw new Error('it fails');
}

describe('arguments from Zod', () => {
  const schema = z.looseObject({
    title: z.string().min(1).max(5).describe('A title.'),
    kind: z.enum(['a', 'b']).default('a'),
    count: z.int().min(0).optional(),
    due: z.iso.datetime().nullish(),
    tags: z
      .array(z.object({ name: z.string(), color: z.string().optional() }))
      .max(3)
      .optional(),
    extra: z.unknown().describe('Anything.').optional(),
    any: z.union([z.string(), z.number()]).optional(),
    word: z.string().regex(/^x/i).optional(),
    odd: z
      .string()
      .meta({ wordpress: { type: ['string', 'object'] } })
      .optional(),
    blank: z.string().meta({ nullIsAbsent: true }).optional(),
  });

  it('read as a plugin author would have written them', () => {
    expect(JSON.stringify(argsFromZod(schema))).toBe(
      JSON.stringify({
        title: { description: 'A title.', type: 'string', minLength: 1, maxLength: 5, required: true },
        kind: { type: 'string', enum: ['a', 'b'], default: 'a', required: false },
        count: { type: 'integer', minimum: 0, required: false },
        due: { type: ['string', 'null'], format: 'date-time', required: false },
        tags: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string', required: true }, color: { type: 'string' } },
          },
          maxItems: 3,
          required: false,
        },
        extra: { description: 'Anything.', required: false },
        any: { type: ['string', 'number'], required: false },
        word: { type: 'string', required: false },
        odd: { type: ['string', 'object'], required: false },
        blank: { type: 'string', required: false, nullIsAbsent: true },
      }),
    );
  });

  it('are described by OPTIONS and hold for values, coerced as WordPress coerces', async () => {
    const site = await serve({
      args: argsFromZod(schema),
      callback: (request) => toPlain(toPhpArray(request.merged())) as never,
    });
    const options = await fetch(`${site}/wp-json/notes/v1/notes`, { method: 'OPTIONS' });
    expect((await jsonOf(options))['endpoints'][0].args.count).toEqual({
      type: 'integer',
      minimum: 0,
      required: false,
    });
    const good = await post(site, '{"title":"x","count":"7","blank":null,"extra":{"a":1},"due":null}');
    expect(JSON.parse(good.body)).toEqual({
      kind: 'a',
      title: 'x',
      count: 7,
      blank: null,
      extra: { a: 1 },
      due: null,
    });
    const bad = await post(site, '{"title":"toolong","count":-1,"tags":[{"color":"red"}]}');
    expect(JSON.parse(bad.body).data.params).toEqual({
      title: 'title must be at most 5 characters long.',
      count: 'count must be greater than or equal to 0',
      tags: 'name is a required property of tags[0].',
    });
  });
});
