// Limits count what matters: items and not bodies, what we take and not what we drop, and what
// one limit refuses costs the others nothing. Over HTTP, with a clock that the tests move.
import { describe, expect, it } from '@jest/globals';
import { updateRateLimits } from '@sentry/core';
import { openTestApp, type TestApp } from '../support/app.ts';
import { closerAfterTest, sharedApp } from '../support/shared.ts';
import { fullOrSome, inFull, rows } from '../support/test-level.ts';

const closeAfterTest = closerAfterTest();

async function limitedApp(env: Record<string, string> = {}): Promise<TestApp> {
  return closeAfterTest(
    await openTestApp({
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', ...env },
      domains: ['shop.example'],
    }),
  );
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member.
  body: any;
}

const first = '203.0.113.1';
const second = '203.0.113.2';

let serial = 0;
const payloads: Record<string, () => unknown> = {
  event: () => {
    serial += 1;
    return { event_id: serial.toString(16).padStart(32, '0'), message: 'limited' };
  },
  session: () => ({ init: true }),
  client_report: () => ({ discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: 1 }] }),
};

type Sender = Pick<TestApp, 'agent' | 'publicKey' | 'secretKey'>;

function send(app: Sender, types: readonly string[], from = first): Promise<Answer> {
  const items = types.map(
    (type) => `${JSON.stringify({ type })}\n${JSON.stringify(payloads[type]?.() ?? {})}\n`,
  );
  return app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': from })
    .send(`{}\n${items.join('')}`) as unknown as Promise<Answer>;
}

function store(app: TestApp, from = first): Promise<Answer> {
  const headers = { 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': from };
  return app.post('/store', { message: 'limited' }, headers) as unknown as Promise<Answer>;
}

const many = (type: string, count: number): string[] => Array.from({ length: count }, () => type);

function left(answer: Answer): Record<string, number> {
  const lines = (answer.headers['ratelimit'] ?? '').matchAll(/"([a-z-]+)"; r=(\d+)/g);
  return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]));
}

/** Seconds by category, read by the SDK's own reader of the header. */
function heldBack(answer: Answer): Record<string, number> {
  const limits = updateRateLimits(
    {},
    {
      statusCode: answer.status,
      headers: {
        'x-sentry-rate-limits': answer.headers['x-sentry-rate-limits'] ?? null,
        'retry-after': answer.headers['retry-after'] ?? null,
      },
    },
    0,
  );
  return Object.fromEntries(Object.entries(limits).map(([category, ms]) => [category, ms / 1000]));
}

async function outcomes({ agent, secretKey }: Sender): Promise<Record<string, number>> {
  const { body } = await agent
    .get('/wp-json/notifier/v1/outcomes')
    .set('Authorization', `Bearer ${secretKey}`);
  const sums: Record<string, number> = {};
  for (const { outcomes: lines } of body) {
    for (const { outcome, reason, category, quantity } of lines) {
      sums[[outcome, reason, category].filter((word) => word !== '').join(' ')] = quantity;
    }
  }
  return sums;
}

describe('the limit counts items, not bodies', () => {
  inFull(it)('a document of 500 events costs 500', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1200' });
    const events = Array.from({ length: 500 }, () => ({ message: 'one of many' }));
    expect(left((await app.post('/envelope', { events })) as unknown as Answer)).toEqual({
      events: 700,
      'events-address': 700,
    });
    expect(left(await send(app, ['client_report'], '127.0.0.1'))).toEqual({
      events: 700,
      'events-address': 700,
    });
  });

  const cases = [
    ['an event with its attachments', ['event', 'attachment', 'attachment'], 3],
    ['an event and a session', ['event', 'session'], 2],
    ['sessions', many('session', 7), 7],
    ['bug reports', ['feedback', 'user_report'], 2],
    ['reports of losses', many('client_report', 3), 0],
    ['a report beside a session', ['client_report', 'session'], 1],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 6)))('%s', async (_what, types, cost) => {
    const app = await limitedApp();
    expect(left(await send(app, types))).toEqual({ events: 1200 - cost, 'events-address': 300 - cost });
  });

  it('a body that cannot be read costs one', async () => {
    const app = await limitedApp();
    const bad = (await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set('X-Notifier-Key', app.publicKey)
      .send('no envelope')) as unknown as Answer;
    expect([bad.status, left(bad)]).toEqual([400, { events: 1199, 'events-address': 299 }]);
  });

  inFull(it)(
    'a batch over the limit is accepted once, and its excess counts in the next window',
    async () => {
      const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_MINUTE: '20' });
      const batch = many('session', 50);
      for (let round = 0; round < 3; round += 1) {
        expect(await send(app, batch)).toHaveStatus(200);
        const refused = await send(app, batch);
        expect([refused.status, refused.headers['retry-after'], left(refused)['events']]).toEqual([
          429,
          '120',
          0,
        ]);
        app.advance(60_000);
        expect(await send(app, ['session'])).toHaveStatus(429);
        app.advance(59_999);
        expect(await send(app, ['session'])).toHaveStatus(429);
        app.advance(1);
      }
    },
  );
});

describe('a refusal by one limit costs the others nothing', () => {
  const report = { message: 'The button is gone', url: 'https://shop.example/' };
  const feedback = (app: TestApp, from: string): Promise<Answer> => {
    const headers = { 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': from };
    return app.post('/feedback', report, headers) as unknown as Promise<Answer>;
  };

  it('a refusal by the key is not charged to an address', async () => {
    const app = await limitedApp({ RATE_LIMIT_FEEDBACK_PER_HOUR: '2' });
    for (const from of [first, first]) expect(await feedback(app, from)).toHaveStatus(201);
    for (let times = 0; times < 9; times += 1) {
      const refused = await feedback(app, second);
      expect([refused.status, left(refused)]).toEqual([429, { 'feedback-address': 5, feedback: 0 }]);
    }
  });

  it('the longest wait of the refusing limits is answered', async () => {
    const app = await limitedApp({
      RATE_LIMIT_FEEDBACK_PER_HOUR: '1',
      RATE_LIMIT_FEEDBACK_PER_ADDRESS_PER_MINUTE: '1',
    });
    expect(await feedback(app, first)).toHaveStatus(201);
    expect((await feedback(app, first)).headers['retry-after']).toBe('3600');
  });

  it('a failed credential is charged to its address, and to no key', async () => {
    const app = await limitedApp({ RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '2' });
    for (let times = 0; times < 9; times += 1) {
      const headers = { 'X-Notifier-Key': `${app.publicKey}x`, 'X-Forwarded-For': first };
      await app.post('/store', { message: 'x' }, headers);
    }
    expect(left(await store(app))).toEqual({ events: 1199, 'events-address': 299 });
  });
});

describe('unsupported items never count against events', () => {
  it('cost no events, and the answer names each category for an hour', async () => {
    const app = await limitedApp();
    const answer = await send(app, [
      'transaction',
      'span',
      'span',
      'log',
      'replay_event',
      'replay_recording',
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        accepted: true,
        skipped: { transaction: 1, span: 2, log: 1, replay_event: 1, replay_recording: 1 },
      },
    ]);
    expect(answer.headers['x-sentry-rate-limits']).toBe(
      '3600:transaction:organization:not_taken, 3600:span:organization:not_taken, ' +
        '3600:log_item:organization:not_taken, 3600:replay:organization:not_taken',
    );
    expect(heldBack(answer)).toEqual({ transaction: 3600, span: 3600, log_item: 3600, replay: 3600 });
    expect(left(answer)).toEqual({
      events: 1200,
      'events-address': 300,
      untaken: 1194,
      'untaken-address': 294,
    });
    expect(left(await send(app, ['event']))).toEqual({ events: 1199, 'events-address': 299 });
    expect(await outcomes(app)).toEqual({
      'accepted error': 1,
      'filtered unsupported log_item': 1,
      'filtered unsupported replay': 2,
      'filtered unsupported span': 2,
      'filtered unsupported transaction': 1,
    });
  });

  inFull(it)('400 transactions and the address limit later every error is accepted', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '30' });
    const statuses = new Set<number>();
    for (let times = 0; times < 40; times += 1) {
      statuses.add((await send(app, many('transaction', 10))).status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
    for (let times = 0; times < 30; times += 1) expect(await send(app, ['event'])).toHaveStatus(201);
    expect(await send(app, ['event'])).toHaveStatus(429);
  });

  const yes = true;
  const no = false;
  /** What became of the items, in short. */
  const shortly = (kind: string): string =>
    kind
      .replace('client_discard sample_rate error', 'report')
      .replace('rate_limited key_quota', 'refused')
      .replace('filtered unsupported', 'unsupported');
  const app = sharedApp({
    env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', RATE_LIMIT_EVENTS_PER_MINUTE: '1' },
  });

  it.each<
    [events: boolean, untaken: boolean, string[], status: number, heldBack: string[], became: string[]]
  >([
    [yes, yes, ['event'], 201, [], ['accepted error']],
    [yes, yes, ['span'], 200, ['span'], ['unsupported span']],
    [yes, yes, ['event', 'span'], 201, ['span'], ['accepted error', 'unsupported span']],
    [yes, yes, ['client_report'], 200, [], ['report']],
    [no, yes, ['event'], 429, ['error'], ['refused error']],
    [no, yes, ['span'], 200, ['span'], ['unsupported span']],
    [no, yes, ['event', 'span'], 429, ['error', 'span'], ['refused error', 'unsupported span']],
    [no, yes, ['client_report'], 200, [], ['report']],
    [no, yes, ['client_report', 'span'], 200, ['span'], ['report', 'unsupported span']],
    [no, yes, ['client_report', 'session'], 429, ['error'], ['report', 'refused session']],
    [yes, no, ['event'], 201, [], ['accepted error']],
    [yes, no, ['span'], 429, ['span'], ['refused span']],
    [yes, no, ['span', 'log'], 429, ['span', 'log_item'], ['refused span', 'refused log_item']],
    [yes, no, ['event', 'span'], 201, ['span'], ['accepted error', 'refused span']],
    [yes, no, ['session', 'span'], 200, ['span'], ['accepted session', 'refused span']],
    [yes, no, ['client_report'], 200, [], ['report']],
    [yes, no, ['client_report', 'span'], 429, ['span'], ['report', 'refused span']],
    [no, no, ['event', 'span'], 429, ['error', 'span'], ['refused error', 'refused span']],
    [no, no, ['span'], 429, ['span'], ['refused span']],
    [no, no, ['client_report'], 200, [], ['report']],
    // A job that runs too often keeps quiet by itself: errors of the same program go on.
    [no, yes, ['check_in'], 429, ['monitor'], ['refused monitor']],
    [no, yes, ['client_report', 'check_in'], 429, ['monitor'], ['report', 'refused monitor']],
    [no, yes, ['check_in', 'span'], 429, ['monitor', 'span'], ['refused monitor', 'unsupported span']],
    [
      no,
      no,
      ['check_in', 'event', 'span'],
      429,
      ['error', 'monitor', 'span'],
      ['refused error', 'refused monitor', 'refused span'],
    ],
    [
      no,
      yes,
      ['session', 'check_in', 'check_in'],
      429,
      ['error', 'monitor'],
      ['refused session', 'refused monitor', 'refused monitor'],
    ],
  ])(
    'events left %s, unsupported left %s: %j is %i',
    async (events, untaken, types, status, names, became) => {
      serial += 1;
      const own = { agent: app.agent, ...(await app.addProject(`limits ${serial}`)) };
      if (!events) await send(own, ['session']);
      if (!untaken) await send(own, ['profile']);
      const before = await outcomes(own);
      const answer = await send(own, types);
      expect([answer.status, Object.keys(heldBack(answer))]).toEqual([status, names]);
      const grown = Object.entries(await outcomes(own)).flatMap(([kind, count]) =>
        new Array<string>(count - (before[kind] ?? 0)).fill(shortly(kind)),
      );
      expect(grown.sort()).toEqual(became.sort());
      if (status !== 429) return;
      const wait = Number(answer.headers['retry-after']);
      expect(answer.body).toEqual({
        code: 'rest_too_many_requests',
        message: 'Too many requests. Please retry later.',
        data: { status: 429, retry_after: wait },
      });
      expect(wait).toBe(60);
      const [held] = names;
      if (held === 'error' || held === 'monitor') {
        expect(answer.headers['x-sentry-rate-limits']?.split(', ')[0]).toBe(`60:${held}:key:key_quota`);
      }
    },
  );

  it('are named beside a refusal for another reason, too', async () => {
    const app = await limitedApp();
    const refused = await send(app, ['event', 'event', 'span']);
    expect(refused).toHaveStatus(400);
    const report = await send(app, ['feedback', 'span']);
    expect([report.status, Object.keys(heldBack(report))]).toEqual([400, ['span']]);
  });

  it('are named with limits off: that is no limit', async () => {
    const app = await limitedApp({ RATE_LIMITS: 'off' });
    const answer = await send(app, ['transaction']);
    expect([answer.status, heldBack(answer), answer.headers['ratelimit']]).toEqual([
      200,
      { transaction: 3600 },
      undefined,
    ]);
  });
});
