import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { endless } from '../support/endless.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp();

function post(
  body: Buffer | string,
  headers: Record<string, string> = {},
  path = `/api/${app.project.id}/store/`,
) {
  return app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set({
      'X-Sentry-Auth': `Sentry sentry_version=5, sentry_timestamp=1760000000, sentry_client=raven-node/2.6.4, sentry_key=${app.publicKey}, sentry_secret=none`,
      'Content-Type': 'application/octet-stream',
      ...headers,
    })
    .serialize((bytes: unknown) => bytes as string)
    .send(body);
}

const deflated = (event: object | string): string =>
  deflateSync(typeof event === 'string' ? event : JSON.stringify(event)).toString('base64');

async function payloadOf(eventId: string) {
  const stored = await app.deps.store.findEvent(app.project.id, eventId);
  return JSON.parse(stored?.payload ?? '{}');
}

describe('the SDK of a client without a User-Agent', () => {
  const client = 'sentry_client=raven-node/2.6.4';
  it.each<[string, (key: string) => { headers?: Record<string, string>; query?: string }]>([
    ['X-Sentry-Auth', (key) => ({ headers: { 'X-Sentry-Auth': `Sentry ${client}, sentry_key=${key}` } })],
    ['Authorization', (key) => ({ headers: { Authorization: `Sentry sentry_key=${key}, ${client}` } })],
    ['the query', (key) => ({ query: `?${client}&sentry_key=${key}` })],
  ])('is named by %s', async (_where, form) => {
    const { headers = {}, query = '' } = form(app.publicKey);
    const answer = await app.agent
      .post(`/wp-json/notifier/v1/api/${app.project.id}/store/${query}`)
      .set({ 'User-Agent': '', 'Content-Type': 'application/json', ...headers })
      .send({ message: 'from raven', platform: 'node' });
    expect(answer).toHaveStatus(200);
    const { sdk } = await payloadOf(answer.body.event_id);
    expect(sdk).toEqual({ name: 'raven-node', version: '2.6.4' });
  });

  it('is named by the User-Agent if there is one', async () => {
    const answer = await post('{"message":"from raven"}', { 'User-Agent': 'raven-php/1.2' });
    expect((await payloadOf(answer.body.event_id)).sdk).toEqual({ name: 'raven-php', version: '1.2' });
  });
});

describe('a base64 body', () => {
  const event = { message: 'from raven', platform: 'node', event_id: undefined };
  const text = JSON.stringify(event);

  it.each<[string, () => string | Buffer, Record<string, string>]>([
    ['zlib', () => deflated(event), {}],
    ['zlib at its best', () => deflateSync(text, { level: 9 }).toString('base64'), {}],
    ['zlib at its fastest', () => deflateSync(text, { level: 1 }).toString('base64'), {}],
    ['JSON, from a PHP without zlib', () => Buffer.from(text).toString('base64'), {}],
    ['zlib in lines of 76 characters', () => deflated(event).replace(/.{76}/g, '$&\r\n'), {}],
    [
      'zlib with a form as its type',
      () => deflated(event),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ],
    ['zlib in gzip', () => gzipSync(deflated(event)), { 'Content-Encoding': 'gzip' }],
    ['no base64: the JSON itself', () => text, {}],
    ['no base64: gzip', () => gzipSync(text), { 'Content-Encoding': 'gzip' }],
    [
      'zlib of a large event',
      () => deflated({ ...event, extra: { a: Array.from({ length: 9_000 }, (_, index) => `n${index}`) } }),
      {},
    ],
  ])('of %s is the event', async (_what, body, headers) => {
    const answer = await post(body(), headers);
    expect(answer).toHaveStatus(200);
    expect(await payloadOf(answer.body.event_id)).toMatchObject({
      logentry: { formatted: 'from raven' },
      platform: 'node',
    });
  });

  it('has the limits of any other', async () => {
    const bomb = Buffer.alloc(10 * 1024 * 1024, ' ');
    const tooLarge = JSON.stringify({ message: 'x'.repeat(1_100_000) });
    for (const body of [deflateSync(bomb).toString('base64'), deflated(tooLarge)]) {
      const answer = await post(body);
      expect([answer.status, answer.body.code]).toEqual([413, 'rest_payload_too_large']);
    }
    expect(await post('A'.repeat(1_100_000))).toHaveStatus(413);
  });

  it.each([
    ['zlib that is broken', () => `${deflated(event).slice(0, 20)}AAAA`, 'notifier_invalid_encoding'],
    [
      'base64 of nothing that we know',
      () => Buffer.from('hello world').toString('base64'),
      'rest_invalid_json',
    ],
    ['a word', () => 'nonsense', 'rest_invalid_json'],
    ['half a megabyte of line breaks', () => `A${endless('\n', 500_000)}!`, 'rest_invalid_json'],
    ['zlib of no JSON', () => deflated('{]'), 'rest_invalid_json'],
  ])('that is %s is refused', async (_what, body, code) => {
    const answer = await post(body());
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('is accepted only at the address of a DSN', async () => {
    expect((await post(deflated(event), {}, '/store')).body.code).toBe('rest_invalid_json');
  });
});

describe('a log message with its parameters', () => {
  const store = (logentry: object, more: object = {}) =>
    app.post(
      '/store',
      { platform: 'python', logentry, ...more },
      {
        'X-Notifier-Key': app.publicKey,
        'X-Notifier-Explain': '1',
      },
    );

  it('is formatted for title and page; its template is used for grouping', async () => {
    const one = await store({ message: 'Order %s of %s failed', params: ['A-17', 'ann'] });
    const two = await store({ message: 'Order %s of %s failed', params: ['B-99', 'bob'] });
    expect(two.body.issue_id).toBe(one.body.issue_id);
    expect(one.body.grouping.source).toBe('template');
    const issue = await app.get(`/issues/${one.body.issue_id}`);
    expect(issue.body.title).toMatch(/^Order (?:A-17 of ann|B-99 of bob) failed$/);
    expect((await payloadOf(one.body.event_id)).logentry).toEqual({
      message: 'Order %s of %s failed',
      params: ['A-17', 'ann'],
      formatted: 'Order A-17 of ann failed',
    });
  });

  it('is read the same in the form of raven', async () => {
    const answer = await post(
      deflated({
        'sentry.interfaces.Message': { message: 'took %d ms', params: [12.7] },
        message: 'took %d ms',
      }),
    );
    expect((await payloadOf(answer.body.event_id)).logentry.formatted).toBe('took 12 ms');
  });

  it('has no secret that was scrubbed from its parameters', async () => {
    const { body } = await store({
      message: 'user %(user)s came with %(password)s',
      params: { user: 'ann', password: 'hu' },
    });
    const { logentry } = await payloadOf(body.event_id);
    expect(logentry.params).toEqual({ user: 'ann', password: '[Filtered]' });
    expect(logentry.formatted).toContain('user ann came with');
    expect(logentry.formatted).not.toMatch(/\bhu\b/);
  });

  it('that is already formatted does not change', async () => {
    const { body } = await store({ message: 'a %s', params: ['b'], formatted: 'written by the client' });
    expect((await payloadOf(body.event_id)).logentry.formatted).toBe('written by the client');
  });
});
