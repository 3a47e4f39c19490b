import { request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';

const token = 'the-token-of-this-test';
const env = { NOTIFIER_ADMIN_TOKEN: token };
const app = sharedApp({ env });
beforeAll(async () => {
  const { applyConfiguration: settle } = await import('../../../src/core/projects/apply-configuration.ts');
  await settle(app.deps, () => {});
});

const authorized = { Authorization: `Bearer ${token}` };
const read = () => app.agent.get('/metrics').set(authorized);

async function lineValue(series: string): Promise<number> {
  const { text } = await read().expect(200);
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

/** By how much a line grows while `act` runs. */
async function growth(series: string, act: () => Promise<unknown>): Promise<number> {
  const before = await lineValue(series);
  await act();
  return (await lineValue(series)) - before;
}

describe('/metrics counts', () => {
  it.each([
    ['an event', 'notifier_events_total{outcome="accepted",reason="",category="error"}', {}],
    [
      'its request',
      'notifier_http_requests_total{route="/notifier/v1/store",method="POST",status="201"}',
      {},
    ],
    ['its body', 'notifier_ingest_body_bytes_count', {}],
    ['how long it took', 'notifier_http_request_duration_seconds_count{route="/notifier/v1/store"}', {}],
    [
      'an event that came before',
      'notifier_events_total{outcome="duplicate",reason="",category="error"}',
      { event_id: 'a'.repeat(32) },
    ],
    [
      'an event that is none',
      'notifier_events_total{outcome="invalid",reason="rest_invalid_param",category="error"}',
      { message: 5 },
    ],
  ])('%s', async (what, series, body) => {
    const send = (): Promise<unknown> => app.post('/store', { message: 'm', ...body });
    if (what.endsWith('before')) await send();
    expect(await growth(series, send)).toBe(1);
  });

  it('when the last backup was made', async () => {
    const series = 'notifier_backup_last_success_timestamp_seconds';
    expect(await lineValue(series)).toBe(0);
    await app.deps.store.setSetting('backup_made_at', '2026-11-21T04:00:00.000Z');
    expect(await lineValue(series)).toBe(Date.UTC(2026, 10, 21, 4) / 1000);
  });

  it('requests by the template of their route, whatever the URL was', async () => {
    const series = (route: string, status: number): string =>
      `notifier_http_requests_total{route="${route}",method="GET",status="${status}"}`;
    expect(
      await growth(series('/notifier/v1/issues/{id}', 404), async () => {
        await app.get('/issues/987654?search=theirs');
        await app.get('/issues/987655');
      }),
    ).toBe(2);
    expect(await growth(series('none', 404), () => app.get('/their/path'))).toBe(1);
    expect(await growth(series('/healthz', 200), () => app.agent.get('/healthz'))).toBe(1);
    const page = () => app.agent.get('/issues').set('Accept', 'text/html');
    expect(await growth(series('/issues', 303), page)).toBe(1);
  });

  it('values of a client only where they are known', async () => {
    const report = {
      discarded_events: [
        { reason: 'queue_overflow', category: 'error', quantity: 3 },
        { reason: 'their-words', category: 'their-category', quantity: 2 },
      ],
    };
    const lines = ['{}', '{"type":"client_report"}', JSON.stringify(report)].join('\n');
    await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set('X-Notifier-Key', app.publicKey)
      .send(lines)
      .expect(200);
    const { text } = await read();
    expect(text).toContain('{outcome="client_discard",reason="queue_overflow",category="error"} 3\n');
    expect(text).toContain('{outcome="client_discard",reason="other",category="other"} 2\n');
    expect(text).not.toContain('their-');
  });

  it('commits, and shows the state of the database and of running jobs', async () => {
    const { text } = await read();
    for (const line of [
      /^notifier_commit_duration_seconds_count [1-9]/m,
      /^notifier_requests_waiting 0$/m,
      /^notifier_ready 1$/m,
      /^notifier_write_queue_items 0$/m,
      /^notifier_ingest_inflight_requests 1$/m,
      /^notifier_build_info\{version="[^"]+",node="[^"]+",sqlite="[^"]+"\} 1$/m,
      /^process_cpu_seconds_total /m,
      /^nodejs_eventloop_lag_p99_seconds /m,
    ]) {
      expect(text).toMatch(line);
    }
  });
});

describe('/metrics is', () => {
  const proxied = { 'X-Forwarded-For': '203.0.113.9' };
  it.each([
    ['not for this machine because it is this machine', {}, 401],
    ['not for it by another name of its own', { Host: 'localhost' }, 401],
    ['not for what a proxy hands on', proxied, 401],
    ['not for a page elsewhere that took our address', { Host: 'evil.example' }, 401],
    ['for the token', authorized, 200],
    ['for the token, from anywhere', { ...proxied, ...authorized }, 200],
    ['not for another token', { Authorization: `Bearer ${token}x` }, 401],
    ['not for a key of a project', { ...proxied, Authorization: 'Bearer the-secret-of-a-project' }, 401],
  ])('%s', async (_what, headers, status) => {
    const answer = await app.agent.get('/metrics').set(headers);
    expect(answer).toHaveStatus(status);
    expect(answer.text.includes('notifier_')).toBe(status === 200);
  });
});

inFull(describe)('after a fuzz of routes', () => {
  it('there are fewer than 2,000 lines', async () => {
    const words = ['issues', 'store', 'x', '%2e%2e', 'api', '7', 'releases', '\u00e4', 'demo', 'events'];
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'LOCK'];
    const { port } = new URL(app.origin);
    const send = (path: string, method: string): Promise<void> =>
      new Promise((resolve) => {
        const sent = request({ port, path, method, headers: { Accept: 'text/html' } }, (answer) => {
          answer.resume().once('close', resolve);
        });
        sent.once('error', () => resolve()).end();
      });
    const sending: Array<Promise<void>> = [];
    for (const [at, first] of words.entries()) {
      for (const [below, second] of words.entries()) {
        const path = encodeURI(
          `${at % 2 === 0 ? '/wp-json/notifier/v1' : ''}/${first}/${second}/${at}${below}`,
        );
        for (const method of methods) sending.push(send(path, method));
      }
    }
    await Promise.all(sending);
    const { text } = await read().expect(200);
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeLessThan(2_000);
    expect(text).not.toMatch(/PROPFIND|%2e|\u00e4/);
  });

  it('every metric keeps its limit of series, and so does their sum', async () => {
    const { counterDefinitions: counterFamilies, histogramDefinitions: histogramFamilies } = await import(
      '../../../src/app/metrics/metric-definitions.ts'
    );
    const counters = Object.values(counterFamilies).reduce((sum, { linesMax }) => sum + linesMax, 0);
    const histograms = Object.values(histogramFamilies).reduce(
      (sum, { linesMax, bounds }) => sum + linesMax * (bounds.length + 3),
      0,
    );
    // Node's own, and what is read, are some hundred and fifty.
    expect(counters + histograms).toBeLessThan(1_850);
  });
});
