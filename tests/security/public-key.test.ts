import { afterEach, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { inFull } from '../support/test-level.ts';

let app: TestApp;
afterEach(() => app.close());

const minuteMs = 60_000;
const wide = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT_EVENTS_PER_MINUTE: '9000',
  RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '9000',
  RATE_LIMIT_FEEDBACK_PER_ADDRESS_PER_MINUTE: '9000',
};

const from = (address: string) => ({ 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': address });
const word = (number: number): string =>
  [...String(number)].map((digit) => 'abcdefghij'[Number(digit)] ?? '').join('');

function checkIns(address: string, ...items: readonly object[]) {
  const lines = items.map((item) => `{"type":"check_in"}\n${JSON.stringify(item)}\n`);
  return app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set(from(address))
    .set('Content-Type', 'application/x-sentry-envelope')
    .send(`{}\n${lines.join('')}`);
}

const monitorActs = async () =>
  (await app.deps.store.listAudit({ ...wholeAudit, objectKind: 'monitor' }, { limit: 50 })).reverse();

const schedule = (value: string) => ({ schedule: { type: 'crontab', value }, checkin_margin: 5 });

it('a forged release, later or of another package, hides no regression', async () => {
  app = await openTestApp();
  await app.postSecret('/releases', { version: 'shop@1.0.0' });
  const { issue_id: id } = (await app.post('/store', { message: 'cannot pay', release: 'shop@1.0.0' })).body;
  for (const release of ['shop@999.0.0', 'zzz@1.0.0', 'zzz@1.0.0', 'zzz@999.0.0']) {
    await app.post('/store', { message: 'cannot pay', release });
  }
  const resolved = await app.postSecret(`/issues/${id}`, { status: 'resolved', in: 'next_release' });
  expect(resolved.body).toMatchObject({ resolution: { in: 'next_release', after: 'shop@1.0.0' } });
  const again = await app.post('/store', { message: 'cannot pay', release: 'shop@1.0.1' });
  expect(again.body).toMatchObject({ issue_id: id, is_regression: true });
});

it('a check-in with another schedule changes no monitor created by a member', async () => {
  app = await openTestApp();
  const job = { type: 'cron', name: 'Nightly', monitor_slug: 'nightly', schedule: '0 * * * *' };
  const { monitor_id: id } = (await app.postSecret('/monitors', job)).body;
  const before = (await app.get(`/monitors/${id}`)).body;
  const forged = { ...schedule('0 0 1 1 *'), max_runtime: 40_000, failure_issue_threshold: 700 };
  const checkIn = { monitor_slug: 'nightly', status: 'in_progress', monitor_config: forged };
  expect((await checkIns('192.0.2.1', checkIn)).body).toMatchObject({ items: { check_in: 1 } });
  const terms = ({
    schedule: when,
    checkin_margin,
    max_runtime,
    failure_issue_threshold,
    timezone,
  }: typeof before) => ({
    ...{ when, checkin_margin, max_runtime, failure_issue_threshold, timezone },
  });
  const after = (await app.get(`/monitors/${id}`)).body;
  expect(terms(after)).toEqual(terms(before));
  expect(after.next_check_at).toBe('2026-11-21T13:00:00.000Z');
  const acts = await monitorActs();
  expect(acts.map(({ action }) => action)).toEqual(['monitor.created']);
});

it('a check-in changes a schedule created by check-ins, with an audit entry', async () => {
  app = await openTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  const checkIn = (value: string) => ({
    monitor_slug: 'nightly',
    status: 'ok',
    monitor_config: schedule(value),
  });
  for (const value of ['0 * * * *', '0 * * * *', '0 0 1 1 *']) await checkIns('192.0.2.1', checkIn(value));
  expect((await app.get('/monitors')).body).toMatchObject([{ schedule: '0 0 1 1 *' }]);
  const acts = await monitorActs();
  expect(
    acts.map(({ action, actor, summary, network }) => [action, actor.kind, summary.slice(0, 14), network]),
  ).toEqual([
    ['monitor.created', 'key', 'cron 0 * * * *', '192.0.2.0/24'],
    ['monitor.changed', 'key', 'cron 0 0 1 1 *', '192.0.2.0/24'],
  ]);
});

inFull(it)('one address does not use up the cron monitors of others', async () => {
  app = await openTestApp({ env: wide });
  const jobs = (name: string, count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      monitor_slug: `${name}-${nth}`,
      status: 'ok',
      monitor_config: schedule('0 * * * *'),
    }));
  const made = async (address: string, name: string, count: number) =>
    (await checkIns(address, ...jobs(name, count))).body.items?.check_in ?? 0;
  // A customer of IPv6 has a /56, whatever address in it is used.
  expect(await made('2001:db8:0:1100::1', 'a', 50)).toBe(50);
  expect(await made('2001:db8:0:11ff::2', 'b', 50)).toBe(25);
  expect(await made('2001:db8:0:1200::1', 'c', 20)).toBe(10);
  expect(await made('192.0.2.1', 'd', 9)).toBe(9);
  // What an address has goes on checking in, and with limits off nothing is shared.
  expect(await made('2001:db8:0:1100::1', 'a', 50)).toBe(50);
});

it('one address does not use up the bug reports of others', async () => {
  app = await openTestApp({ env: wide, domains: ['shop.example'] });
  const report = async (address: string) => {
    const body = { message: 'It broke.', url: 'https://shop.example/' };
    return (await app.post('/feedback', body, from(address))).status;
  };
  const taken = async (times: number, addressOf: (nth: number) => string) => {
    let count = 0;
    for (let nth = 0; nth < times; nth += 1) count += Number((await report(addressOf(nth))) === 201);
    return count;
  };
  // A hundred an hour: a quarter is left for others, a tenth for each.
  expect(await taken(100, (nth) => `2001:db8:0:11${(nth % 90) + 10}::1`)).toBe(75);
  expect(await taken(12, () => '192.0.2.1')).toBe(10);
  expect(await taken(12, () => '192.0.2.2')).toBe(10);
  expect(await taken(12, () => '192.0.2.3')).toBe(5);
});

it('one address uses up no new issues that others need, and what is over is an issue of its own', async () => {
  app = await openTestApp({ env: wide });
  const file = async (address: string, first: number, count: number) => {
    const events = Array.from({ length: count }, (_, nth) => ({ message: `cannot ${word(first + nth)}` }));
    const answer = await app.post('/envelope', { events }, from(address));
    const issues: Array<{ issue_id: number }> = answer.body.events;
    return issues.map(({ issue_id: id }) => id);
  };
  const flood = [
    ...(await file('2001:db8:0:1100::1', 0, 400)),
    ...(await file('2001:db8:0:11aa::1', 400, 400)),
  ];
  expect(new Set(flood).size).toBe(751);
  const overflows = async () => (await app.get('/issues?search=from+one+address&order=asc')).body;
  const title = 'Too many new issues from one address: events of many kinds, filed together';
  const ofFlood = { overflow: true, events: 50, title };
  expect(await overflows()).toMatchObject([ofFlood]);
  // Another has as many as its share, and then an overflow issue that is not the first one's.
  const other = await file('2001:db8:0:1200::1', 2_000, 101);
  expect(new Set([...flood, ...other]).size).toBe(751 + 101);
  expect(await overflows()).toMatchObject([ofFlood, { overflow: true, events: 1, title }]);
  // An error that is known goes on being counted as what it is.
  expect(await file('2001:db8:0:1100::1', 0, 1)).toEqual(flood.slice(0, 1));
  app.advance(60 * minuteMs);
  const next = await file('2001:db8:0:1100::1', 3_000, 1);
  expect(flood).not.toContain(next[0]);
});

inFull(it)('with limits off there are no shares and no cap of new issues', async () => {
  app = await openTestApp();
  const ids = new Set<number>();
  for (let first = 0; first < 1_050; first += 350) {
    const events = Array.from({ length: 350 }, (_, nth) => ({ message: `cannot ${word(first + nth)}` }));
    const answer = await app.post('/envelope', { events });
    for (const { issue_id: id } of answer.body.events) ids.add(id);
  }
  expect(ids.size).toBe(1_050);
});
