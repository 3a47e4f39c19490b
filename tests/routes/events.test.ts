import { beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';

const eventId = '0123456789abcdef0123456789abcdef';
const foreignId = 'f'.repeat(32);
const page = '<script>alert(1)</script>';

let others: Awaited<ReturnType<TestApp['addProject']>>;
const app = sharedApp();
beforeAll(async () => {
  others = await app.addProject('others');
  const event = {
    event_id: eventId,
    platform: 'php',
    level: 'loud',
    message: 'cannot pay',
    release: 'shop@1.0.0',
    environment: 'staging',
    exception: {
      values: [
        {
          type: 'PaymentError',
          value: 'no money',
          stacktrace: {
            frames: [
              { function: 'main', filename: 'index.php', lineno: 1 },
              {
                function: 'pay',
                filename: 'pay.php',
                lineno: 7,
                context_line: 'throw new PaymentError()',
                in_app: true,
              },
            ],
          },
        },
      ],
    },
    tags: { section: 'checkout' },
    user: { id: '17', ip_address: '203.0.113.9' },
    extra: { password: 'secret', author: 'Ann' },
    plugin_state: { kept: true },
    sdk: { name: 'probe', version: '1.2', packages: [{ name: 'composer:probe', version: '1.2' }] },
    timestamp: '2026-11-21T11:59:59.123456Z',
    issue_id: 'mine',
  };
  const items = [
    ['event', JSON.stringify(event), {}],
    [
      'attachment',
      page,
      {
        filename: 'evil"; x=\n../page.html',
        content_type: 'text/html',
        attachment_type: 'event.view_hierarchy',
      },
    ],
    ['attachment', '\u0000\u0001', { content_type: 'no media type' }],
  ] as const;
  const lines = items.map(([type, payload, header]) => {
    const length = Buffer.byteLength(payload);
    return `${JSON.stringify({ type, length, ...header })}\n${payload}\n`;
  });
  await app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' })
    .send(`{}\n${lines.join('')}`);
  await app.post(
    '/envelope',
    { events: [{ event_id: foreignId, message: 'theirs' }] },
    { 'X-Notifier-Key': others.publicKey },
  );
});

describe('an event', () => {
  it('has its payload, and the server’s own fields', async () => {
    const { body, status, headers } = await app.get(`/events/${eventId}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(body).toMatchObject({
      event_id: eventId,
      issue_id: expect.any(Number),
      title: 'PaymentError: no money',
      level: 'error',
      platform: 'php',
      release: 'shop@1.0.0',
      environment: 'staging',
      received: '2026-11-21T12:00:00.000Z',
      domain: 'shop.example',
      tags: [['section', 'checkout']],
      user: { id: '17' },
      extra: { password: '[Filtered]', author: 'Ann' },
      plugin_state: { kept: true },
      sdk: { name: 'probe', version: '1.2', packages: [{ name: 'composer:probe', version: '1.2' }] },
      timestamp: expect.stringContaining('11:59:59.123456'),
      grouping: { algorithm: 'ng2', source: 'stacktrace', parts: expect.any(Array) },
      needs_mapping: false,
    });
    expect(body.scrubbed).toBe(2);
    expect(body.user).not.toHaveProperty('ip_address');
    expect(body.errors.map((error: { name: string }) => error.name)).toEqual(['level']);
    const frames = body.exception.values[0].stacktrace.frames;
    expect(frames.at(-1)).toMatchObject({ function: 'pay', filename: 'pay.php', lineno: 7, in_app: true });
  });

  it('explains its grouping as at its arrival', async () => {
    const event = { message: 'User 42 not found', event_id: 'e'.repeat(32) };
    const headers = { 'X-Notifier-Key': app.publicKey, 'X-Notifier-Explain': '1' };
    const explained = await app.post('/envelope', { events: [event] }, headers);
    expect(explained.body.grouping).toEqual({
      algorithm: 'ng2',
      source: 'message',
      parts: ['User <number> not found'],
      notes: [],
    });
    expect((await app.get(`/events/${event.event_id}`)).body.grouping).toEqual(explained.body.grouping);
    const silent = await app.post(
      '/store',
      { message: 'User 43 not found' },
      { 'X-Notifier-Key': app.publicKey },
    );
    expect(silent.body).not.toHaveProperty('grouping');
  });

  it('is found by its id in every form', async () => {
    const dashed = '01234567-89AB-CDEF-0123-456789ABCDEF';
    expect((await app.get(`/events/${dashed}`)).body.event_id).toBe(eventId);
    expect((await app.get(`/events/${eventId.toUpperCase()}`)).body.event_id).toBe(eventId);
  });

  it('names the previous and next event of its issue', async () => {
    const ids = ['1', '2', '3'].map((digit) => digit.repeat(32));
    for (const event_id of ids) await app.post('/store', { event_id, message: 'again and again' });
    const { body } = await app.get(`/events/${ids[1]}`);
    expect([body.older_event_id, body.newer_event_id]).toEqual([ids[0], ids[2]]);
    expect((await app.get(`/events/${ids[0]}`)).body.older_event_id).toBeNull();
  });

  it('returns the requested fields', async () => {
    const { body } = await app.get(`/events/${eventId}?_fields=event_id,grouping.source`);
    expect(body).toEqual({ event_id: eventId, grouping: { source: 'stacktrace' } });
  });
});

describe('its attachments', () => {
  it('are listed with their size and hash, and downloaded as they were sent', async () => {
    const { attachments } = (await app.get(`/events/${eventId}`)).body;
    expect(attachments).toMatchObject([
      {
        filename: 'evil"; x=../page.html',
        content_type: 'text/html',
        attachment_type: 'event.view_hierarchy',
        size: page.length,
      },
      {
        filename: 'attachment',
        content_type: 'application/octet-stream',
        attachment_type: 'event.attachment',
        size: 2,
      },
    ]);
    const [{ url, attachment_id }] = attachments;
    expect(url).toBe(`${app.api}/events/${eventId}/attachments/${attachment_id}`);
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${app.secretKey}` } });
    expect(answer).toHaveStatus(200);
    expect(await answer.text()).toBe(page);
    // Never shown by a browser as what it says it is.
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9._-]+"$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await fetch(url)).toHaveStatus(401);
    expect(await fetch(url, { headers: { 'X-Notifier-Key': app.publicKey } })).toHaveStatus(401);
  });
});

describe('an id', () => {
  const nobody = JSON.stringify({
    code: 'notifier_event_invalid_id',
    message: 'Invalid event ID.',
    data: { status: 404 },
  });

  it.each([
    ['that names nothing', '9'.repeat(32)],
    ['that is no id', 'not-an-id'],
    ['too long', 'a'.repeat(33)],
  ])('%s is the same 404', async (_name, id) => {
    const answer = await app.get(`/events/${id}`);
    expect([answer.status, answer.text]).toEqual([404, nobody]);
    const file = await app.get(`/events/${id}/attachments/1`);
    expect([file.status, file.text]).toEqual([404, nobody]);
  });

  it('of an attachment is valid only with its own event', async () => {
    const { attachments } = (await app.get(`/events/${eventId}`)).body;
    const id = attachments[0].attachment_id;
    for (const path of [
      `/events/${'e'.repeat(32)}/attachments/${id}`,
      `/events/${eventId}/attachments/987654`,
      `/events/${eventId}/attachments/0`,
    ]) {
      const answer = await app.get(path);
      expect([path, answer.status, answer.text]).toEqual([path, 404, nobody]);
    }
  });
});

describe('the scrub settings of a project', () => {
  it('apply to the next event: custom names, and truncated addresses', async () => {
    const own = await openTestApp();
    await own.deps.store.changeProject(own.project.id, { scrubFields: ['birthday'], storeIpAddresses: true });
    const event_id = 'd'.repeat(32);
    const sent = {
      event_id,
      message: 'x',
      user: { ip_address: '203.0.113.9' },
      extra: { birthday: '1 April' },
    };
    expect(await own.post('/store', sent)).toHaveStatus(201);
    expect((await own.get(`/events/${event_id}`)).body).toMatchObject({
      user: { ip_address: '203.0.113.0' },
      extra: { birthday: '[Filtered]' },
    });
    await own.close();
  });
});
