import { describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { closerAfterTest } from '../support/shared.ts';

const closeAfterTest = closerAfterTest();

async function limitedApp(env: Record<string, string> = {}): Promise<TestApp> {
  return closeAfterTest(await openTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', ...env } }));
}

type Line = readonly [reason: string, category: string, quantity: unknown];

const reportOf = (...lines: readonly Line[]) => ({
  discarded_events: lines.map(([reason, category, quantity]) => ({ reason, category, quantity })),
});

async function send(app: TestApp, reports: readonly unknown[], from = '203.0.113.1') {
  const items = reports.map((report) => `{"type":"client_report"}\n${JSON.stringify(report)}\n`);
  const answer = await app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': from })
    .send(`{}\n${items.join('')}`);
  expect(answer).toHaveStatus(200);
  return answer.body;
}

/** The hour's figures; what was sent must be the sum of what became of it. */
async function figures(app: TestApp): Promise<{ sent: number; discarded: number }> {
  const { body } = await app.get('/outcomes');
  const [hour = { sent: 0, outcomes: [] }] = body;
  const outcomes: Array<{ outcome: string; quantity: number }> = hour.outcomes;
  const sum = (of: typeof outcomes): number => of.reduce((total, { quantity }) => total + quantity, 0);
  expect(hour.sent).toBe(sum(outcomes));
  return {
    sent: hour.sent,
    discarded: sum(outcomes.filter(({ outcome }) => outcome === 'client_discard')),
  };
}

describe('the limits of client reports', () => {
  it('an ordinary report counts fully', async () => {
    const app = await limitedApp();
    await send(app, [reportOf(['sample_rate', 'transaction', 45_000], ['sample_rate', 'span', 40_000])]);
    await send(app, [reportOf(['before_send', 'error', 300], ['network_error', 'error', 12])]);
    expect((await figures(app)).discarded).toBe(85_312);
  });

  it.each([
    ['a billion', [['sample_rate', 'error', 1e9]]],
    ['more than there are numbers', [['sample_rate', 'error', 1e308]]],
    ['a hundred times a billion', Array.from({ length: 100 }, (_, n) => [`reason_${n}`, 'error', 1e9])],
  ] as Array<[string, Line[]]>)('%s counts as 100,000', async (_what, lines) => {
    const app = closeAfterTest(await openTestApp());
    await send(app, [reportOf(...lines)]);
    expect((await figures(app)).discarded).toBe(100_000);
  });

  it('ten reports of an envelope are read', async () => {
    const app = await limitedApp();
    const one = reportOf(['sample_rate', 'error', 1]);
    const body = await send(
      app,
      Array.from({ length: 40 }, () => one),
    );
    expect(body).toEqual({ accepted: true, items: { client_report: 10 }, skipped: { client_report: 30 } });
    expect((await figures(app)).discarded).toBe(10);
  });

  it('an address adds at most 100,000 a minute, the rest is skipped', async () => {
    const app = await limitedApp();
    const hostile = reportOf(['sample_rate', 'error', 1e9]);
    expect(await send(app, [hostile])).toEqual({ accepted: true, items: { client_report: 1 } });
    for (let times = 0; times < 30; times += 1) {
      expect(await send(app, [hostile])).toEqual({ accepted: true, skipped: { client_report: 1 } });
    }
    expect((await figures(app)).discarded).toBe(100_000);
    // Neither another visitor nor the limit of events pays for it.
    await send(app, [reportOf(['network_error', 'error', 7])], '203.0.113.2');
    expect((await figures(app)).discarded).toBe(100_007);
    const event = await app.post('/store', { message: 'x' });
    expect(event.headers['ratelimit']).toContain('"events"; r=1199');
    app.advance(60_000);
    expect(await send(app, [hostile])).toEqual({ accepted: true, items: { client_report: 1 } });
  });

  it('all addresses together add at most a million an hour', async () => {
    const app = await limitedApp();
    const hostile = reportOf(['sample_rate', 'error', 1e9]);
    for (let address = 1; address <= 20; address += 1) await send(app, [hostile], `203.0.113.${address}`);
    expect((await figures(app)).discarded).toBe(1_000_000);
  });
});

describe('the limits of session aggregates', () => {
  async function health(app: TestApp, aggregates: readonly unknown[]) {
    const attrs = { release: 'shop@1.0.0' };
    await app.post('/store', { message: 'makes the release', release: attrs.release });
    const answer = await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set('X-Notifier-Key', app.publicKey)
      .send(`{}\n{"type":"sessions"}\n${JSON.stringify({ attrs, aggregates })}\n`);
    expect(answer).toHaveStatus(200);
    const [release] = (await app.get('/releases?version=shop%401.0.0')).body;
    return (await app.get(`/releases/${release.release_id}`)).body.sessions;
  }

  it('a busy server counts fully', async () => {
    const sums = await health(await limitedApp(), [
      { exited: 50_000, errored: 300 },
      { exited: 40_000, crashed: 2, abnormal: 1 },
    ]);
    expect(sums).toMatchObject({ total: 90_303, crashed: 2, errored: 300, abnormal: 1 });
  });

  it('a billion counts as 100,000', async () => {
    const aggregates = Array.from({ length: 9 }, () => ({ exited: 1e9, errored: 1e9, crashed: 1e9 }));
    expect((await health(await limitedApp(), aggregates)).total).toBe(100_000);
  });
});
