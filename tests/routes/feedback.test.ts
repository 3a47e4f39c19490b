import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { storeFeedbackItem } from '../../src/core/feedback/feedback.ts';
import type { JsonObject } from '../../src/core/parsing/unknown-values.ts';
import { openTestApp } from '../support/app.ts';
import { jpegOf, pngOf, webpOf } from '../support/images.ts';
import { forEachTest, sharedApp } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

const app = sharedApp({ domains: ['shop.example'] });
beforeAll(async () => {
  await app.postSecret('/domains', { domain: '*.wide.example', bug_reports: true });
  await app.postSecret('/domains', { domain: 'quiet.example' });
  await app.postSecret('/domains', {
    domain: 'hosted.example',
    bug_reports: true,
    allowed_origins: ['https://app.elsewhere.example:8443'],
  });
});

const namespace = '/wp-json/notifier/v1';
const from = (origin: string | null) => ({
  'X-Notifier-Key': app.publicKey,
  ...(origin === null ? {} : { Origin: origin }),
});
const send = (body: unknown, origin: string | null = 'https://shop.example') =>
  app.post('/feedback', body, from(origin));
const stored = async (id: number) => (await app.get(`/feedback/${id}`)).body;
const image = (bytes: Buffer, more: object = {}) => ({ data: bytes.toString('base64'), ...more });

describe('who may send', () => {
  const cases = [
    ['the host of Origin', 'https://shop.example', {}],
    ['with a port', 'http://shop.example:3000', {}],
    ['below a wildcard', 'https://a.b.wide.example', {}],
    ['an origin that the domain invites', 'https://app.elsewhere.example:8443', {}],
    ['the host of url without Origin', null, { url: 'https://SHOP.example./cart?x=1' }],
    ['domain alone', null, { domain: 'shop.example' }],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('%s', async (_who, origin, more) => {
    const answer = await send({ message: 'Broken', ...more }, origin);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({ accepted: true, feedback_id: expect.any(Number) });
  });

  it('the host of Referer, without Origin', async () => {
    const headers = { ...from(null), Referer: 'https://shop.example/page' };
    expect(await app.post('/feedback', { message: 'x' }, headers)).toHaveStatus(201);
  });

  it.each([
    ['an unknown domain', 'https://evil.example', {}, 'unknown_domain'],
    [
      'an unknown domain that names a known one',
      'https://evil.example',
      { url: 'https://shop.example/' },
      'unknown_domain',
    ],
    ['an opaque origin', 'null', { url: 'https://shop.example/' }, 'unknown_domain'],
    ['the name of a wildcard itself', 'https://wide.example', {}, 'unknown_domain'],
    ['another port of an invited origin', 'https://app.elsewhere.example', {}, 'unknown_domain'],
    ['a domain with bug reports off', 'https://quiet.example', {}, 'bug_reports_disabled'],
  ])('not %s', async (_who, origin, more, reason) => {
    const answer = await send({ message: 'Broken', ...more }, origin);
    expect(answer).toHaveStatus(403);
    expect(answer.body).toEqual({
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status: 403, reason },
    });
  });

  it('depends on the switch at once', async () => {
    const domains = (await app.get('/domains?per_page=100')).body as Array<{
      domain: string;
      domain_id: number;
    }>;
    const id = domains.find((each) => each.domain === 'quiet.example')?.domain_id;
    await app.postSecret(`/domains/${id}`, { bug_reports: true });
    expect(await send({ message: 'x' }, 'https://quiet.example')).toHaveStatus(201);
    await app.postSecret(`/domains/${id}`, { bug_reports: false });
    expect(await send({ message: 'x' }, 'https://quiet.example')).toHaveStatus(403);
  });

  it('not without the public key', async () => {
    for (const headers of [
      {},
      { Authorization: `Bearer ${app.secretKey}` },
      { 'X-Notifier-Key': app.secretKey },
    ]) {
      const answer = await app.post(
        '/feedback',
        { message: 'x' },
        { ...headers, Origin: 'https://shop.example' },
      );
      expect(answer).toHaveStatus(401);
    }
  });
});

describe('what is stored', () => {
  it('is every field in its format', async () => {
    const answer = await send({
      message: '  The button does nothing.  ',
      name: 'Ada',
      email: 'ada@example.com',
      url: 'https://shop.example/cart',
      event_id: 'A'.repeat(32),
      category: 'bug',
      severity: 'high',
      release: '1.2.3',
      environment: 'production',
      user_agent: 'Test/1',
      locale: 'de-CH',
      viewport: { width: 1280, height: 720, dpr: 1.5 },
      console: [{ level: 'error', message: 'boom', timestamp: 1 }],
      tags: { theme: 'dark', count: 3 },
      metadata: { cart: 'full' },
      screenshots: [image(pngOf(4, 3), { name: 'C:\\secret\\shot.png', content_type: 'text/html' })],
    });
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      accepted: true,
      feedback_id: expect.any(Number),
      event_id: 'a'.repeat(32),
    });
    expect(await stored(answer.body.feedback_id)).toMatchObject({
      message: 'The button does nothing.',
      name: 'Ada',
      email: 'ada@example.com',
      url: 'https://shop.example/cart',
      domain: 'shop.example',
      event_id: 'a'.repeat(32),
      issue_id: null,
      category: 'bug',
      severity: 'high',
      release: '1.2.3',
      environment: 'production',
      user_agent: 'Test/1',
      locale: 'de-CH',
      viewport: { width: 1280, height: 720, dpr: 1.5 },
      console: [{ level: 'error', message: 'boom', timestamp: 1 }],
      tags: { theme: 'dark', count: '3' },
      metadata: { cart: 'full' },
      source: 'api',
      spam: false,
      truncated: false,
      screenshots: [{ content_type: 'image/png', width: 4, height: 3, name: 'shot.png' }],
    });
  });

  it.each([
    [{ comments: 'hello' }],
    [{ description: 'hello' }],
    [{ message: ' ', comments: 'hello' }],
    [{ message: null, contexts: { feedback: { message: 'hello' } } }],
  ])('is the message of %j', async (body) => {
    const answer = await send(body);
    expect((await stored(answer.body.feedback_id)).message).toBe('hello');
  });

  it('is contexts.feedback, where our own fields are missing', async () => {
    const answer = await send({
      contexts: {
        feedback: {
          message: 'hello',
          contact_email: 'b@example.com',
          name: 'Bea',
          url: 'https://shop.example/x',
          associated_event_id: 'b'.repeat(32),
        },
      },
    });
    expect(await stored(answer.body.feedback_id)).toMatchObject({
      name: 'Bea',
      email: 'b@example.com',
      url: 'https://shop.example/x',
      event_id: 'b'.repeat(32),
    });
  });

  it('is the message cut to 4096 characters, and the answer says so', async () => {
    const exact = await send({ message: '🦊'.repeat(4096) });
    expect(exact.body).not.toHaveProperty('truncated');
    const longer = await send({ message: '🦊'.repeat(4097) });
    expect(longer.body.truncated).toBe(true);
    const kept = await stored(longer.body.feedback_id);
    expect([...kept.message]).toHaveLength(4096);
    expect(kept.truncated).toBe(true);
  });

  it('excludes an invalid address, with a warning', async () => {
    const answer = await send({ message: 'x', email: 'not an address' });
    expect(answer).toHaveStatus(201);
    expect(answer.body.warnings).toEqual([
      {
        code: 'invalid_email',
        field: 'email',
        message: 'email is not a valid e-mail address and was ignored.',
      },
    ]);
    expect((await stored(answer.body.feedback_id)).email).toBeNull();
  });

  it('is the last hundred console lines, each cut', async () => {
    const console = Array.from({ length: 150 }, (_, index) => ({ message: `${index} ${'x'.repeat(2000)}` }));
    const answer = await send({ message: 'x', console });
    const kept = (await stored(answer.body.feedback_id)).console;
    expect(kept).toHaveLength(100);
    expect(kept[0].message).toHaveLength(1000);
    expect(kept[0].message.startsWith('50 ')).toBe(true);
  });

  it('is a console list with gaps as PHP writes it, in JSON and in a form', async () => {
    const console = { '4': { message: 'second' }, '2': { message: 'first' } };
    for (const sent of [console, JSON.stringify(console)]) {
      const answer = await send({ message: 'x', console: sent });
      expect(answer).toHaveStatus(201);
      const kept = (await stored(answer.body.feedback_id)).console;
      expect(kept.map(({ message }: { message: string }) => message)).toEqual(['first', 'second']);
    }
    expect(await send({ message: 'x', console: { '1': { message: 'a' }, b: {} } })).toHaveStatus(400);
  });

  it('is linked to the issue of its error, also when the error comes later', async () => {
    const eventId = randomBytes(16).toString('hex');
    const before = await send({ message: 'x', associated_event_id: eventId });
    expect(before.body).not.toHaveProperty('issue_id');
    const event = await app.post('/store', { message: 'Boom', platform: 'php', event_id: eventId });
    const after = await send({ message: 'x', event_id: eventId });
    expect(after.body).toMatchObject({ event_id: eventId, issue_id: event.body.issue_id });
    expect((await stored(before.body.feedback_id)).issue_id).toBe(event.body.issue_id);
    const listed = await app.get(`/feedback?issue_id=${event.body.issue_id}`);
    expect(listed.body).toHaveLength(2);
  });

  it('has an empty list for an empty object, as PHP writes it', async () => {
    expect(await send({ message: 'x', tags: [], metadata: [] })).toHaveStatus(201);
  });

  it('includes names such as __proto__', async () => {
    const body = '{"message":"x","tags":{"__proto__":"a","constructor":"b"},"metadata":{"__proto__":"c"}}';
    const answer = await app.agent
      .post(`${namespace}/feedback`)
      .set(from('https://shop.example'))
      .set('Content-Type', 'application/json')
      .send(body);
    expect(answer).toHaveStatus(201);
    const text = (await app.get(`/feedback/${answer.body.feedback_id}`)).text;
    expect(text).toContain('"__proto__":"a"');
    expect(text).toContain('"constructor":"b"');
  });
});

describe('what is refused', () => {
  it.each([[{}], [{ message: null }], [{ message: ' \n ' }], [{ message: '', comments: '' }]])(
    '%j',
    async (body) => {
      const answer = await send(body);
      expect(answer).toHaveStatus(400);
      expect(answer.body).toMatchObject({
        code: 'rest_missing_callback_param',
        data: { params: ['message'] },
      });
    },
  );

  it.each([
    ['message', { message: 5 }],
    ['name', { name: 'x'.repeat(129) }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: `https://shop.example/${'x'.repeat(2048)}` }],
    ['event_id', { event_id: 'xyz' }],
    ['category', { category: 'praise' }],
    ['severity', { severity: 'huge' }],
    ['release', { release: 'x'.repeat(201) }],
    ['locale', { locale: 'x'.repeat(36) }],
    ['viewport', { viewport: { width: -1, height: 5 } }],
    ['viewport', { viewport: { width: 100_001, height: 5 } }],
    ['tags', { tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x'])) }],
    ['tags', { tags: { a: 'x'.repeat(201) } }],
    ['metadata', { metadata: { a: 'x'.repeat(16_400) } }],
    ['metadata', { metadata: ['x'] }],
    ['console', { console: 'not json' }],
    ['screenshots', { screenshots: Array.from({ length: 4 }, () => image(pngOf(1, 1))) }],
    ['screenshots', { screenshots: [{ data: 'not base64!' }] }],
    [
      'screenshots',
      { screenshots: [image(Buffer.from('<svg onload="alert(1)"/>'), { content_type: 'image/png' })] },
    ],
    ['screenshots', { screenshots: [image(pngOf(8000, 5001))] }],
    ['screenshots', { screenshots: [image(Buffer.concat([pngOf(1, 1), Buffer.alloc(5 * 1024 * 1024)]))] }],
    ['screenshots', { screenshots: [{ data: `data:image/png,${pngOf(1, 1).toString('base64')}` }] }],
  ])('a wrong %s', async (field, body) => {
    const before = (await app.get('/feedback')).headers['x-wp-total'];
    const answer = await send({ message: 'x', ...body });
    expect(answer).toHaveStatus(400);
    expect(answer.body.code).toBe('rest_invalid_param');
    expect(Object.keys(answer.body.data.params)).toEqual([field]);
    expect((await app.get('/feedback')).headers['x-wp-total']).toBe(before);
  });

  it('a body over 8 MiB', async () => {
    const answer = await send({ message: 'x', metadata: { a: 'x'.repeat(8 * 1024 * 1024) } });
    expect(answer).toHaveStatus(400);
    expect(answer.body.code).toBe('rest_payload_too_large');
  });
});

describe('a multipart report', () => {
  it('carries its screenshots as files', async () => {
    const answer = await app.agent
      .post(`${namespace}/feedback`)
      .set(from('https://shop.example'))
      .field('message', 'From a form')
      .field('tags', '{"theme":"dark"}')
      .field('viewport', '{"width":100,"height":50}')
      .attach('screenshot', jpegOf(20, 10), { filename: '../../shot.svg', contentType: 'image/svg+xml' })
      .attach('screenshots[]', webpOf(7, 8, 'VP8L'), { filename: 'b.webp', contentType: 'image/webp' })
      .attach('ignored', Buffer.from('ignored'), { filename: 'x.txt', contentType: 'text/plain' });
    expect(answer).toHaveStatus(201);
    expect(await stored(answer.body.feedback_id)).toMatchObject({
      message: 'From a form',
      tags: { theme: 'dark' },
      viewport: { width: 100, height: 50 },
      screenshots: [
        { content_type: 'image/jpeg', width: 20, height: 10, name: 'shot.svg' },
        { content_type: 'image/webp', width: 7, height: 8, name: 'b.webp' },
      ],
    });
  });

  it('nests a hundred levels in a field, and no more', async () => {
    const sent = (levels: number) =>
      app.agent
        .post(`${namespace}/feedback`)
        .set(from('https://shop.example'))
        .field('message', 'Deep')
        .field(
          'viewport',
          `{"width":1,"height":1,"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
        );
    expect(await sent(100)).toHaveStatus(201);
    expect(await sent(101)).toHaveStatus(400);
  });

  it('ignores empty fields', async () => {
    const answer = await app.agent
      .post(`${namespace}/feedback`)
      .set(from('https://shop.example'))
      .field('message', 'Only this')
      .field('name', '')
      .field('email', '')
      .field('event_id', '')
      .field('category', '')
      .field('severity', '')
      .field('viewport', '')
      .field('website', '');
    expect(answer.body).toEqual({ accepted: true, feedback_id: expect.any(Number) });
    expect(await stored(answer.body.feedback_id)).toMatchObject({ category: null, name: null, spam: false });
  });

  it('is refused with a file that is not an image', async () => {
    const answer = await app.agent
      .post(`${namespace}/feedback`)
      .set(from('https://shop.example'))
      .field('message', 'x')
      .attach('screenshot', Buffer.from('<html>'), { filename: 'a.png', contentType: 'image/png' });
    expect(answer).toHaveStatus(400);
    expect(answer.body.data.params).toHaveProperty('screenshots');
  });
});

describe('the honeypot', () => {
  it('accepts spam and does not list it', async () => {
    const answer = await send({ message: 'Buy now', website: 'https://spam.example' });
    expect(answer).toHaveStatus(201);
    const id = answer.body.feedback_id;
    const ids = async (query: string) =>
      ((await app.get(`/feedback?per_page=100${query}`)).body as Array<{ feedback_id: number }>).map(
        (each) => each.feedback_id,
      );
    expect(await ids('')).not.toContain(id);
    expect(await ids('&spam=true')).toEqual([id]);
    expect((await stored(id)).spam).toBe(true);
  });
});

describe('reading', () => {
  const own = forEachTest(() => openTestApp({ domains: ['shop.example'] }));
  beforeEach(async () => {
    for (const [index, message] of ['First', 'Second 100%', 'Third'].entries()) {
      own.advance(60_000);
      await own.post(
        '/feedback',
        {
          message,
          category: index === 0 ? 'idea' : 'bug',
          screenshots: index === 0 ? [image(pngOf(5, 6))] : [],
        },
        { 'X-Notifier-Key': own.publicKey, Origin: 'https://shop.example' },
      );
    }
  });

  it('is a page at a time, the newest first', async () => {
    const first = await own.get('/feedback?per_page=2');
    expect(first.body.map((each: { message: string }) => each.message)).toEqual(['Third', 'Second 100%']);
    expect(first.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '2' });
    expect(first.headers['link']).toContain('rel="next"');
    const oldest = await own.get('/feedback?order=asc&_fields=message');
    expect(oldest.body[0]).toEqual({ message: 'First' });
    expect((await own.get('/feedback?search=100%25')).body).toHaveLength(1);
    // Each of the two finds two reports.
    expect((await own.get('/feedback?search=ir&category=bug')).body).toHaveLength(1);
    expect((await own.get('/feedback?domain=other')).body).toEqual([]);
  });

  it('is limited to a state, of spam too', async () => {
    const [third, second] = (await own.get('/feedback')).body;
    await own.postSecret(`/feedback/${third.feedback_id}`, { state: 'spam' });
    await own.postSecret(`/feedback/${second.feedback_id}`, { state: 'resolved' });
    const messages = async (state: string) =>
      (await own.get(`/feedback?state=${state}`)).body.map((each: { message: string }) => each.message);
    expect(await messages('open')).toEqual(['First']);
    expect(await messages('resolved')).toEqual(['Second 100%']);
    expect(await messages('spam')).toEqual(['Third']);
    expect(await own.get('/feedback?state=closed')).toHaveStatus(400);
  });

  it('of a screenshot is a download of its real type', async () => {
    const [report] = (await own.get('/feedback?order=asc')).body;
    const { screenshots } = (await own.get(`/feedback/${report.feedback_id}`)).body;
    expect(screenshots).toHaveLength(1);
    const path = new URL(screenshots[0].url).pathname;
    const answer = await own.agent.get(path).set('Authorization', `Bearer ${own.secretKey}`).buffer(true);
    expect(answer).toHaveStatus(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="feedback-${report.feedback_id}-1.png"`,
    });
    expect(Buffer.compare(answer.body, pngOf(5, 6))).toBe(0);
    expect(await own.agent.get(path)).toHaveStatus(401);
  });

  it('deletes a report with its screenshots', async () => {
    const [report] = (await own.get('/feedback?order=asc')).body;
    const gone = await own.deleteSecret(`/feedback/${report.feedback_id}`);
    expect(gone.body).toMatchObject({ deleted: true, previous: { message: 'First' } });
    expect(await own.get(`/feedback/${report.feedback_id}`)).toHaveStatus(404);
    expect(await own.get(`/feedback/${report.feedback_id}/screenshots/1`)).toHaveStatus(404);
  });
});

describe('items of an envelope', () => {
  const file = (
    type: 'feedback' | 'user_report',
    payload: JsonObject,
    files: Buffer[] = [],
    origin = 'https://shop.example',
  ) =>
    storeFeedbackItem(
      app.deps,
      app.project,
      {
        type,
        payload,
        envelopeEventId: 'c'.repeat(32),
        files: files.map((bytes) => ({ filename: 'screenshot.png', bytes })),
      },
      { sender: { origin }, receivedAtMs: app.deps.now() },
    );
  const widget = (more: JsonObject = {}): JsonObject => ({
    type: 'feedback',
    event_id: randomBytes(16).toString('hex'),
    level: 'info',
    environment: 'production',
    release: '1.0',
    tags: { theme: 'dark' },
    contexts: {
      feedback: {
        message: 'From the widget',
        contact_email: 'a@b.example',
        name: 'A',
        url: 'https://shop.example/x',
        associated_event_id: 'd'.repeat(32),
      },
    },
    ...more,
  });

  it('of the widget are stored once, with their screenshot', async () => {
    const payload = widget();
    const filed = await file('feedback', payload, [pngOf(3, 3)]);
    expect(filed).toMatchObject({ eventId: 'd'.repeat(32), duplicate: false, warnings: [] });
    expect(await stored(filed.feedbackId)).toMatchObject({
      message: 'From the widget',
      source: 'feedback_item',
      email: 'a@b.example',
      release: '1.0',
      tags: { theme: 'dark' },
      screenshot_count: 1,
    });
    expect(await file('feedback', payload)).toMatchObject({ feedbackId: filed.feedbackId, duplicate: true });
  });

  it('of the older kind are linked to the event they name', async () => {
    const payload = { event_id: 'e'.repeat(32), name: 'A', email: 'a@b.example', comments: 'It broke' };
    const filed = await file('user_report', payload);
    expect(filed.eventId).toBe('e'.repeat(32));
    expect(await stored(filed.feedbackId)).toMatchObject({
      source: 'user_report',
      message: 'It broke',
      name: 'A',
    });
    expect((await file('user_report', payload)).duplicate).toBe(true);
    expect((await file('user_report', { ...payload, comments: 'Again' })).duplicate).toBe(false);
  });

  it('lose invalid fields, but not the report', async () => {
    const filed = await file(
      'feedback',
      widget({
        release: { odd: true },
        tags: [['a', 'b'], 'x', ['c', 5]],
        request: { url: 'app:///x' },
        user_agent: 'x'.repeat(600),
      }),
      [Buffer.from('no image')],
    );
    expect(await stored(filed.feedbackId)).toMatchObject({
      release: null,
      tags: { a: 'b', c: '5' },
      screenshot_count: 0,
    });
    expect(filed.warnings.map((each) => each.field).sort()).toEqual(['release', 'screenshots', 'user_agent']);
  });
});
