// Body parsers of the host that ran before the router: what they read is taken, or a clear error says what to
// do; in no case does a request wait for a body that is gone.
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { closeAll, type ForeignHost, type OwnNotifier, openOwn, serveHost } from './foreign-host.ts';

afterEach(closeAll);

const api = '/wp-json/notifier/v1';
const all = (): boolean => true;
const event = { message: 'Zähler fehlt', platform: 'php', tags: { section: 'checkout' } };

async function behind(...parsers: RequestHandler[]): Promise<{ host: ForeignHost; own: OwnNotifier }> {
  const own = await openOwn();
  const host = await serveHost((app) => {
    for (const parser of parsers) app.use(parser);
    app.use(own.notifier.router);
  });
  return { host, own };
}

async function keptEvent({ host, own }: { host: ForeignHost; own: OwnNotifier }, id: string) {
  const kept = await host.agent.get(`${api}/events/${id}`).set('Authorization', `Bearer ${own.secretKey}`);
  expect(kept).toHaveStatus(200);
  return kept.body;
}

const refusal = {
  code: 'notifier_body_already_read',
  message:
    'The body of this request was read before Notifier could read it. Mount its router before the body parsers.',
  data: { status: 500 },
};

describe('an event behind', () => {
  it.each<[string, RequestHandler[]]>([
    ['express.json()', [express.json()]],
    ['express.json() and express.urlencoded()', [express.json(), express.urlencoded({ extended: true })]],
    ['express.text()', [express.text({ type: all })]],
    ['express.raw()', [express.raw({ type: all })]],
    ['a parser that keeps the bytes beside', [express.json({ verify: keepRaw })]],
    ['parsers that look at other types', [express.json({ type: 'text/x' }), express.urlencoded()]],
  ])('%s is stored as it was sent, plain and compressed', async (_name, parsers) => {
    const at = await behind(...parsers);
    const send = (body: Buffer, headers: Record<string, string>) =>
      at.host.agent
        .post(`${api}/store`)
        .set({ 'Content-Type': 'application/json', 'X-Notifier-Key': at.own.publicKey, ...headers })
        .serialize((bytes: unknown) => bytes as string)
        .send(body);
    const bytes = Buffer.from(JSON.stringify(event));
    for (const answer of [
      await send(bytes, {}),
      await send(gzipSync(bytes), { 'Content-Encoding': 'gzip' }),
    ]) {
      expect([answer.status, answer.body.accepted]).toEqual([201, true]);
      expect(await keptEvent(at, answer.body.event_id)).toMatchObject({ title: event.message });
    }
  });

  it.each<[string, RequestHandler]>([
    ['express.urlencoded()', express.urlencoded()],
    ['express.urlencoded({ extended: true })', express.urlencoded({ extended: true })],
    ['express.text()', express.text({ type: all })],
  ])('%s accepts a form with fields in brackets', async (_name, parser) => {
    const at = await behind(parser);
    const answer = await at.host.agent
      .post(`${api}/store`)
      .set({ 'Content-Type': 'application/x-www-form-urlencoded', 'X-Notifier-Key': at.own.publicKey })
      .send('message=A+%26+B&platform=php&tags%5Bsection%5D=checkout&fingerprint[]=a&fingerprint[]=b');
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ accepted: true })]);
    const kept = await keptEvent(at, answer.body.event_id);
    expect(kept).toMatchObject({
      title: 'A & B',
      tags: [['section', 'checkout']],
      fingerprint: ['a', 'b'],
    });
  });
});

function keepRaw(request: object, _response: unknown, bytes: Buffer): void {
  Object.assign(request, { rawBody: bytes });
}

const consumers: Readonly<Record<string, RequestHandler>> = {
  'reads it and leaves nothing': (request, _response, next) =>
    void request.resume().once('end', () => next()),
  'has begun to read it': (request, _response, next) => {
    request.on('data', () => {});
    next();
  },
  'reads it with for await': async (request, _response, next) => {
    for await (const _piece of request);
    next();
  },
  'leaves what link to itself': async (request, _response, next) => {
    for await (const _piece of request);
    const body: Record<string, unknown> = {};
    body['self'] = body;
    request.body = body;
    next();
  },
};

describe('a body that a parser has already consumed', () => {
  const json = 'application/json';
  const line = JSON.stringify(event);
  const form = '--b\r\nContent-Disposition: form-data; name="message"\r\n\r\nx\r\n--b--\r\n';
  const envelope = `{"dsn":null}\n{"type":"event"}\n${line}\n`;
  const lossy = Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  it.each<[string, RequestHandler, string, string | Buffer]>([
    ...Object.entries(consumers).map(([name, parser]): [string, RequestHandler, string, string] => [
      name,
      parser,
      json,
      line,
    ]),
    ['JSON that was read as a form', express.urlencoded(), 'application/x-www-form-urlencoded', line],
    ['a form of files that was read as text', readAs({}), 'multipart/form-data; boundary=b', form],
    ['an envelope that was read as an object', readAs({}), 'application/x-sentry-envelope', envelope],
    ['one of no type of its own', readAs({}), 'text/plain;charset=UTF-8', envelope],
    ['bytes that were read as text', express.text({ type: all }), json, lossy],
  ])('%s: the error says to mount the router first', async (_name, parser, type, body) => {
    const { host, own } = await behind(parser);
    const answer = await host.agent
      .post(`${api}/store`)
      .set({ 'Content-Type': type, 'X-Notifier-Key': own.publicKey })
      .serialize((bytes: unknown) => bytes as string)
      .send(body);
    expect([answer.status, answer.body]).toEqual([500, refusal]);
  });

  it('does not occur if the router is mounted first', async () => {
    const own = await openOwn();
    const host = await serveHost((app) => {
      app.use(own.notifier.router);
      app.use(express.json());
    });
    const sent = await host.agent.post(`${api}/store`).set('X-Notifier-Key', own.publicKey).send(event);
    expect(sent).toHaveStatus(201);
    await host.agent.post('/shop/echo').send({ a: 1 }).expect(200, { a: 1 });
  });

  it('is reported to Sentry tools in their format', async () => {
    const { host, own } = await behind(consumers['reads it and leaves nothing'] as RequestHandler);
    const answer = await host.agent
      .post('/api/0/organizations/acme/releases/')
      .set('Authorization', `Bearer ${own.secretKey}`)
      .send({ version: '1.0' });
    expect([answer.status, answer.body]).toEqual([500, { detail: refusal.message }]);
  });
});

function readAs(value: object): RequestHandler {
  return async (request, _response, next) => {
    for await (const _piece of request);
    request.body = value;
    next();
  };
}
