// Slack with the token of a bot: what follows about an outage or an issue goes into the thread of the first message.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createChannel, updateChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMonitor, deleteMonitor } from '../../../src/core/monitors/monitors.ts';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import { databases } from '../../data/support/databases.ts';
import { type Slack, startSlack } from '../../support/alerts/slack.ts';
import { openTestApp, startOfTests, type TestApp } from '../../support/app.ts';
import { type Monitored, nextChecks, startMonitored } from '../../support/monitored.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe.each(databases)('threads of Slack on $name', (database) => {
  let app: TestApp;
  let server: Monitored;
  let slack: Slack;
  let monitoring: PeriodicJob;
  let alerting: PeriodicJob;
  let url: string;
  const start = async (projectName = 'test', nowMs = startOfTests) => {
    const env = { DATABASE_URL: url, NOTIFIER_FETCH_ALLOW: '127.0.0.0/8' };
    app = await openTestApp({ env, deps: { notificationSender: slack.messenger }, projectName, nowMs });
    monitoring = startMonitorLoop(app.deps, { everyMs: hourMs });
    alerting = startAlerting(app.deps, { pagesUrl: 'https://errors.example', everyMs: hourMs });
  };
  const stop = async () => {
    await alerting.stop();
    await monitoring.stop();
    await app.close();
  };
  beforeEach(async () => {
    url = await database.createMigrated();
    [slack, server] = await Promise.all([startSlack(), startMonitored()]);
    await start();
  });
  afterEach(async () => {
    await stop();
    await Promise.all([slack.close(), server.close()]);
  });

  const channel = async (kinds: readonly string[], more: object = {}) => {
    const rules = kinds.map((on) => ({ on, group_threshold: 50 }));
    const asked = { type: 'slack', name: 'Ops', token: slack.token, channel: '#ops', rules, ...more };
    return (await createChannel(app.deps, null, asked as never, commandLineSource)).channel.id;
  };
  const monitor = (name = 'Shop', more: object = {}) => {
    const health = `http://127.0.0.1:${server.port}/health`;
    const asked = { type: 'http', name, url: health, interval: 30, ...more };
    return createMonitor(app.deps, null, asked as never, commandLineSource);
  };
  /** Each look sends what no longer waits for an earlier message. */
  const look = async () => {
    await alerting.runNow();
    await alerting.runNow();
  };
  const become = async (answer: Monitored['answer']) => {
    server.answer = answer;
    await nextChecks(app, monitoring, 2);
    await look();
  };
  const event = async () => {
    const { body } = await app.post('/store', {
      exception: { values: [{ type: 'Broken', value: 'no' }] },
      platform: 'node',
    });
    await look();
    return body.issue_id as number;
  };
  const setStatus = async (id: number, status: string) => {
    expect(await app.postSecret(`/issues/${id}`, { status })).toHaveStatus(200);
    await look();
  };
  const threads = () =>
    slack.posts.map(({ text, thread_ts: thread }) => [text, thread === undefined ? null : thread.slice(-1)]);
  const stateOf = async (id: number) => app.deps.store.findChannelRecord(id);

  it('have the recovery of each outage, after a restart too', async () => {
    await channel(['monitor.down', 'monitor.up']);
    await monitor();
    await become(200);
    await become(502);
    await stop();
    await start('after a restart', app.deps.now());
    await become(200);
    await become(502);
    await become(200);
    expect(threads()).toEqual([
      ['Shop is down', null],
      ['Shop recovered', '1'],
      ['Shop is down', null],
      ['Shop recovered', '3'],
    ]);
    const [section] = slack.posts[1]?.blocks ?? [];
    expect(JSON.stringify(section)).toMatch(/Up again after \d+ (?:seconds|minutes)\./);
    // Who reads the channel has seen that it is down; who reads the thread waits for this.
    expect(slack.posts[1]).not.toHaveProperty('reply_broadcast');
    expect(slack.refused).toEqual([]);
  });

  it('have no recovery of an outage of which the channel has a message about several monitors', async () => {
    await channel(['monitor.down', 'monitor.up'], {
      rules: ['monitor.down', 'monitor.up'].map((on) => ({ on, group_threshold: 1 })),
    });
    await monitor();
    await become(200);
    await become(502);
    app.advance(hourMs);
    await look();
    await become(200);
    await monitor('Other');
    await become(200);
    app.advance(hourMs);
    await become(502);
    const other = (await app.deps.store.listMonitors(null)).find(({ name }) => name === 'Other');
    await deleteMonitor(app.deps, null, other?.id ?? 0, commandLineSource);
    app.advance(hourMs);
    await become(200);
    expect(threads()).toEqual([
      ['Shop is down', null],
      ['Shop recovered', '1'],
      ['2 monitors are down', null],
      ['Shop recovered', null],
    ]);
  });

  it('have the recovery of a monitor that is slow at once, and not that it is slow', async () => {
    await channel(['monitor.slow', 'monitor.down', 'monitor.up']);
    await monitor('Shop', { slow_ms: 30_000 });
    await become(200);
    await become(502);
    const [down] = await app.deps.store.listMonitors(null);
    if (down === undefined) throw new Error('no monitor');
    await app.deps.store.changeMonitor(down, { ...down, settings: { ...down.settings, slowMs: 1 } });
    await become((response) => setTimeout(() => response.writeHead(200).end(), 20));
    expect(threads().toSorted()).toEqual([
      ['Shop is degraded', null],
      ['Shop is down', null],
      ['Shop recovered', '1'],
    ]);
  });

  it('have what happens to an issue, which the channel sees too unless it is resolved', async () => {
    await channel(['issue.created', 'issue.resolved', 'issue.regressed']);
    const id = await event();
    await setStatus(id, 'resolved');
    app.advance(hourMs);
    await event();
    expect(threads()).toEqual([
      ['New issue in test: Broken', null],
      ['Resolved issue in test: Broken', '1'],
      ['Regressed issue in test: Broken', '1'],
    ]);
    expect(slack.posts.map(({ reply_broadcast: broadcast }) => broadcast)).toEqual([
      undefined,
      undefined,
      true,
    ]);
    // What the history no longer has begins again.
    app.advance(91 * dayMs);
    await app.deps.store.sweep(app.deps.now());
    await setStatus(id, 'resolved');
    expect(threads().at(-1)).toEqual(['Resolved issue in test: Broken', null]);
  });

  it.each([200, 429] as const)(
    'have the recovery after a message that Slack accepted late, after %s',
    async (status) => {
      await channel(['monitor.down', 'monitor.up']);
      await monitor();
      await become(200);
      slack.refusal = { status, retryAfter: '300' };
      await become(502);
      const refusedAtMs = app.deps.now();
      await become(200);
      app.advance(refusedAtMs + 300 * secondMs - 1 - app.deps.now());
      await look();
      expect(threads()).toEqual([]);
      app.advance(1);
      await look();
      expect(threads()).toEqual([
        ['Shop is down', null],
        ['Shop recovered', '1'],
      ]);
    },
  );

  it('do not hold a message back for one that goes on failing', async () => {
    await channel(['issue.created', 'issue.resolved']);
    slack.refusal = 'invalid_blocks';
    const id = await event();
    for (const waitMs of [2, 10, 30].map((seconds) => seconds * secondMs)) {
      if (waitMs === 2_000) await setStatus(id, 'resolved');
      slack.refusal = 'invalid_blocks';
      app.advance(waitMs);
      await alerting.runNow();
    }
    await look();
    expect([slack.refused.length, threads()]).toEqual([4, [['Resolved issue in test: Broken', null]]]);
  });

  it('stay in the channel where they began', async () => {
    const id = await channel(['issue.created', 'issue.resolved']);
    const issueId = await event();
    await updateChannel(app.deps, null, id, { channel: '#other' }, commandLineSource);
    await setStatus(issueId, 'resolved');
    expect(slack.posts.map((post) => [post.channel, post.thread_ts])).toEqual([
      ['#ops', undefined],
      ['#other', undefined],
    ]);
    expect(slack.refused).toEqual([]);
  });

  it('that accept no reply are left: the retry goes to the channel', async () => {
    await channel(['issue.created', 'issue.resolved', 'issue.regressed']);
    const id = await event();
    slack.closed.add(slack.posts[0]?.ts ?? '');
    await setStatus(id, 'resolved');
    app.advance(2 * secondMs);
    await look();
    app.advance(hourMs);
    await event();
    expect(threads().map(([, thread]) => thread)).toEqual([null, null, '2']);
    expect(slack.refused).toEqual(['restricted_action_thread_locked']);
  });

  it('begin with a message that Slack accepted: 200 with "ok": false is a failed delivery', async () => {
    const id = await channel(['issue.created'], { channel: '#nowhere' });
    await event();
    const { rows } = await app.deps.store.listDeliveries(id, { after: null, before: null, limit: 10 });
    const said = 'channel_not_found: check the channel, and invite the bot to it';
    expect(rows).toMatchObject([{ state: 'waiting', attempts: [{ status: 200, response: said }] }]);
    expect(await stateOf(id)).toMatchObject({ state: 'failing', lastError: `fails: ${said}` });
    await updateChannel(app.deps, null, id, { token: 'xoxb-another-0123456789' }, commandLineSource);
    app.advance(2 * secondMs);
    await look();
    expect((await stateOf(id))?.lastError).toBe('fails: invalid_auth: enter the token again');
  });
});
