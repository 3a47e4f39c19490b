import { beforeAll, describe, expect, it } from '@jest/globals';
import { withTestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp({
  env: { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '20' },
  domains: ['shop.example'],
});

interface Line {
  outcome: string;
  reason: string;
  category: string;
  quantity: number;
}

function send(
  items: ReadonlyArray<[string, unknown]>,
  headers: Record<string, string> = {},
  envelope: object = {},
) {
  const lines = items.map(([type, payload]) => `${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`);
  return app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, ...headers })
    .send(`${JSON.stringify(envelope)}\n${lines.join('')}`);
}

async function hours(): Promise<Array<{ hour: string; sent: number; outcomes: Line[] }>> {
  return (await app.get('/outcomes')).body;
}

function sums(lines: readonly Line[]): Record<string, number> {
  const byKind: Record<string, number> = {};
  for (const { outcome, reason, category, quantity } of lines) {
    const name = [outcome, reason, category].filter((word) => word !== '').join(' ');
    byKind[name] = (byKind[name] ?? 0) + quantity;
  }
  return byKind;
}

describe('outcomes', () => {
  beforeAll(async () => {
    const event_id = 'c'.repeat(32);
    // 11 events: 6 accepted, one of them again, 1 with a wrong field, 1 too large, 1 that is none, 1 refused
    // whole.
    for (const message of ['a', 'b', 'c', 'd']) {
      expect(await app.post('/store', { message })).toHaveStatus(201);
    }
    expect(await send([['event', { event_id, message: 'e' }]])).toHaveStatus(201);
    expect(await send([['event', { event_id, message: 'e' }]])).toHaveStatus(200);
    expect(await app.post('/store', { message: 7 })).toHaveStatus(400);
    expect((await app.post('/store', { message: 'x', extra: { pad: 'x'.repeat(1_048_576) } })).status).toBe(
      400,
    );
    expect(await send([['event', []]])).toHaveStatus(400);
    expect(await app.post('/envelope', { events: [{ message: 'f' }, 5] })).toHaveStatus(201);
    // 4 bug reports: 2 accepted, 1 of an unknown domain, 1 without words.
    const feedback = { contexts: { feedback: { message: 'The button is gone' } } };
    expect(await send([['feedback', feedback]], { Origin: 'https://shop.example' })).toHaveStatus(201);
    expect(await send([['feedback', feedback]], { Origin: 'https://other.example' })).toHaveStatus(403);
    const own = await app.post('/feedback', { message: 'Gone', url: 'https://shop.example/' });
    expect(own).toHaveStatus(201);
    expect(await app.post('/feedback', { message: ' ', url: 'https://shop.example/' })).toHaveStatus(400);
    // What is not kept, a session, and what the client lost itself.
    expect(
      (
        await send([
          ['transaction', {}],
          ['session', { init: true }],
        ])
      ).status,
    ).toBe(200);
    const discarded_events = [
      { reason: 'sample_rate', category: 'error', quantity: 5 },
      { reason: 'before_send', category: 'transaction', quantity: 2 },
      { reason: 'nonsense', category: 'error', quantity: -4 },
    ];
    expect(await send([['client_report', { discarded_events }]])).toHaveStatus(200);
    // 14 requests on the event routes so far: 6 more are let through, 2 are limited.
    for (let times = 0; times < 6; times += 1) expect(await send([['session', {}]])).toHaveStatus(200);
    expect(await app.post('/store', { message: 'limited' })).toHaveStatus(429);
    expect(await send([['event', { message: 'limited' }]])).toHaveStatus(429);
  });

  it('of a busy hour match what was sent', async () => {
    const [hour] = await hours();
    expect(sums(hour?.outcomes ?? [])).toEqual({
      'accepted error': 6,
      'duplicate error': 1,
      'invalid rest_invalid_param error': 1,
      'invalid rest_payload_too_large error': 1,
      'invalid notifier_invalid_envelope error': 2,
      'rate_limited key_quota error': 2,
      'client_discard sample_rate error': 5,
      'client_discard before_send transaction': 2,
      'accepted feedback': 2,
      'filtered unknown_domain feedback': 1,
      'invalid rest_missing_callback_param feedback': 1,
      'filtered unsupported transaction': 1,
      'accepted session': 7,
    });
    expect(hour?.sent).toBe(6 + 1 + 1 + 1 + 2 + 2 + 5 + 2 + 2 + 1 + 1 + 1 + 7);
  });

  it('are read by hour, the next one by itself', async () => {
    app.advance(3_600_000);
    expect(await app.post('/store', { message: 'later' })).toHaveStatus(201);
    const [first, second] = await hours();
    expect(Date.parse(second?.hour ?? '') - Date.parse(first?.hour ?? '')).toBe(3_600_000);
    expect(second).toMatchObject({ sent: 1 });
  });

  it('can be read in the statistics of /sdk-verify too, where reasons and domains are not named', async () => {
    const body = { sdk: { name: 'any', version: '1.0' }, url: 'https://shop.example/' };
    const { stats } = (await app.post('/sdk-verify', body)).body;
    const read = await hours();
    expect(stats.hours).toHaveLength(read.length);
    for (const [index, { hour, sent, ...rest }] of stats.hours.entries()) {
      expect([hour, sent]).toEqual([read[index]?.hour, read[index]?.sent]);
      expect(Object.values(rest as Record<string, number>).reduce((sum, each) => sum + each, 0)).toBe(sent);
    }
    expect(stats.hours[0]).toMatchObject({
      accepted: 15,
      duplicate: 1,
      filtered: 2,
      rate_limited: 2,
      invalid: 5,
      failed: 0,
      client_discard: 7,
    });
    expect(JSON.stringify(stats)).not.toMatch(/other\.example|sample_rate|unknown_domain/);
  });
});

describe('sessions', () => {
  it('become the health of their release', async () => {
    app.advance(3_600_000);
    const attrs = { release: 'shop@2.0.0', environment: 'production' };
    const session = (status: string, more: object = {}): [string, unknown] => [
      'session',
      { attrs, status, ...more },
    ];
    await app.post('/store', { message: 'makes the release', release: attrs.release });
    await send([session('ok', { init: true }), session('ok', { init: true })]);
    await send([session('exited'), session('crashed', { errors: 1 })]);
    await send([['sessions', { attrs, aggregates: [{ exited: 7, crashed: 1 }] }]]);
    const [release] = (await app.get('/releases?version=shop%402.0.0')).body;
    const { body } = await app.get(`/releases/${release.release_id}`);
    expect(body.sessions).toEqual({ total: 10, crashed: 2, errored: 1, abnormal: 0, crash_free_share: 0.8 });
  });

  it('count once, however often updates repeat, and aggregates once for each envelope', async () => {
    app.advance(3_600_000);
    const attrs = { release: 'shop@3.0.0', environment: 'production' };
    const sid = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
    const session = (more: object): [string, unknown] => ['session', { sid, attrs, status: 'ok', ...more }];
    await app.post('/store', { message: 'makes the release', release: attrs.release });
    const figures = async () => {
      const [release] = (await app.get('/releases?version=shop%403.0.0')).body;
      return (await app.get(`/releases/${release.release_id}`)).body.sessions;
    };
    const started = session({ init: true, errors: 0 });
    const updates = [started, ...[1, 1, 1].map((errors) => session({ errors }))];
    for (const update of [...updates, session({ status: 'exited', errors: 1 })]) await send([update]);
    // The same envelope once more, and its session as another SDK writes its id.
    await send([
      started,
      session({ errors: 1 }),
      session({ sid: sid.replaceAll('-', '').toUpperCase(), errors: 2 }),
    ]);
    const one = { total: 1, crashed: 0, errored: 1, abnormal: 0, crash_free_share: 1 };
    expect(await figures()).toEqual(one);

    const sums: [string, unknown] = [
      'sessions',
      { attrs, aggregates: [{ exited: 7, unhandled: 1, crashed: 1 }] },
    ];
    const sentAt = (second: number) => ({ sent_at: `2026-11-27T17:00:0${second}.087Z` });
    for (const second of [1, 1, 2]) await send([sums], {}, sentAt(second));
    expect(await figures()).toEqual({ ...one, total: 19, errored: 3, crashed: 2, crash_free_share: 17 / 19 });
    await send([sums]);
    await send([sums]);
    expect((await figures()).total).toBe(37);
  });

  it('without ids never have more errors than there are sessions', async () => {
    app.advance(3_600_000);
    const attrs = { release: 'shop@4.0.0', environment: 'production' };
    await app.post('/store', { message: 'makes the release', release: attrs.release });
    await send([['session', { attrs, status: 'crashed', errors: 1 }]]);
    await send([['session', { attrs, sid: '00000000-0000-0000-0000-000000000000', init: true, errors: 3 }]]);
    const [release] = (await app.get('/releases?version=shop%404.0.0')).body;
    const { sessions } = (await app.get(`/releases/${release.release_id}`)).body;
    expect(sessions).toEqual({ total: 2, crashed: 1, errored: 2, abnormal: 0, crash_free_share: 0.5 });
  });
});

describe('unsupported items that contain many entries', () => {
  const container = (type: string, header: object): string =>
    `${JSON.stringify({ type, content_type: `application/vnd.sentry.items.${type}+json`, ...header })}\n{"items":[]}\n`;

  it.each([
    ['let through', {}, 'filtered unsupported log_item'],
    [
      'past their limit',
      { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '1' },
      'rate_limited key_quota log_item',
    ],
  ] as const)('are counted by their item_count, %s', async (_how, env, counted) => {
    await withTestApp({ env }, async (server) => {
      const counts = [75, 14, 0, -3, 2.5, 'x', 1e15, undefined];
      const body = `{}\n${counts.map((item_count) => container('log', { item_count })).join('')}`;
      const post = () =>
        server.agent
          .post('/wp-json/notifier/v1/envelope')
          .set({ 'X-Notifier-Key': server.publicKey, 'Content-Type': 'application/x-sentry-envelope' })
          .send(body);
      const quantity = 75 + 14 + 1 + 1 + 2 + 1 + 10_000 + 1;
      const first = await post();
      expect([first.status, first.body.skipped]).toEqual([200, { log: quantity }]);
      if ('RATE_LIMITS' in env) expect(await post()).toHaveStatus(429);
      const [hour] = (await server.get('/outcomes')).body;
      expect(sums(hour.outcomes)).toMatchObject({ [counted]: quantity });
    });
  });
});
