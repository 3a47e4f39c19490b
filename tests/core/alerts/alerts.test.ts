import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import type { NotificationSender } from '../../../src/core/ports/notification-sender.ts';
import { createNotificationSender } from '../../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { databases } from '../../data/support/databases.ts';
import { type Receiver, startReceiver } from '../../support/alerts/receiver.ts';
import { openTestApp } from '../../support/app.ts';
import { createAuthority } from '../../support/certificates.ts';
import { forEachTest } from '../../support/shared.ts';
import { until } from '../../support/until.ts';

const authority = createAuthority();
const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(databases)('alerts on $name', (database) => {
  let neverAnswering: Set<string>;
  const receiver = forEachTest(() => startReceiver(authority.issue(['receiver.test'])));
  const app = forEachTest(async () => {
    const common = {
      resolve: async () => ['127.0.0.1'],
      allowed: parseAllowedTargets(['127.0.0.0/8']),
      userAgent: 'test',
      smtpUrl: null,
      smtpFrom: null,
      ca: authority.cert,
    };
    const patient = createNotificationSender({ ...common, deadlineMs: 60_000 });
    const impatient = createNotificationSender({ ...common, deadlineMs: 50 });
    neverAnswering = new Set();
    const notificationSender: NotificationSender = {
      ...patient,
      // Only what never answers runs out of its time: a slow machine changes nothing else.
      post: (message) => (neverAnswering.has(message.url) ? impatient : patient).post(message),
    };
    const env = { DATABASE_URL: await database.createMigrated(), NOTIFIER_FETCH_ALLOW: '127.0.0.0/8' };
    return openTestApp({ env, deps: { notificationSender } });
  });
  const alerting = forEachTest(() => {
    receiver.clock = app.deps.now;
    return startAlerting(app.deps, { pagesUrl: 'https://errors.example', everyMs: hourMs });
  });

  const hook = (): string => `https://receiver.test:${receiver.port}/hook`;
  const channel = async (more: object = {}): Promise<number> => {
    const made = await app.postSecret('/alert-channels', {
      type: 'webhook',
      name: 'On call',
      url: hook(),
      ...more,
    });
    expect(made).toHaveStatus(201);
    receiver.secret = made.body.secret;
    return made.body.alert_channel_id;
  };
  const event = async (type: string, more: object = {}): Promise<number> => {
    const answer = await app.post('/store', {
      exception: { values: [{ type, value: 'said no' }] },
      platform: 'node',
      ...more,
    });
    expect(answer).toHaveStatus(201);
    return answer.body.issue_id;
  };
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
  const state = async (id: number) => (await app.get(`/alert-channels/${id}`)).body;

  it('notify once about a new issue, and once about a regression', async () => {
    await channel();
    const issueId = await event('NewError');
    await event('NewError');
    await alerting.runNow();
    expect(bodies()).toEqual([
      {
        type: 'issue.is_new',
        timestamp: '2026-11-21T12:00:00.000Z',
        data: {
          subject: `#${issueId} is new: NewError: said no`,
          why: 'The rule “New issues” notifies “On call”: an issue is new.',
          url: `https://errors.example/issues/${issueId}`,
          stop_url: 'https://errors.example/alert-channels/rules/1',
          rule: { rule_id: 1, name: 'New issues' },
          channel: { alert_channel_id: 1, name: 'On call' },
          issues_count: 1,
          issues: [
            {
              issue_id: issueId,
              project: 'test',
              title: 'NewError: said no',
              culprit: '',
              level: 'error',
              events: 2,
              users: 0,
              url: `https://errors.example/issues/${issueId}`,
            },
          ],
          overflow: [],
        },
      },
    ]);
    await app.postSecret(`/issues/${issueId}`, { status: 'resolved' });
    app.advance(minuteMs);
    await event('NewError');
    await alerting.runNow();
    expect(bodies().map(({ type, data }) => [type, data.subject])).toEqual([
      ['issue.is_new', `#${issueId} is new: NewError: said no`],
      ['issue.came_back', `#${issueId} regressed: NewError: said no`],
    ]);
    app.advance(hourMs);
    await alerting.runNow();
    expect(receiver.received).toHaveLength(2);
  });

  it('group what follows within the minute, with the number and the largest ten', async () => {
    await channel();
    await event('First');
    await alerting.runNow();
    for (let number = 0; number < 12; number += 1) await event(`Then${'abcdefghijkl'[number]}`);
    await event('Thenk');
    app.advance(59 * secondMs);
    await alerting.runNow();
    expect(receiver.received).toHaveLength(1);
    app.advance(secondMs);
    await alerting.runNow();
    const [, folded] = bodies();
    expect(folded.data).toMatchObject({
      subject: '12 issues are new in test',
      issues_count: 12,
      url: 'https://errors.example/issues?project=1',
    });
    expect(folded.data.issues).toHaveLength(10);
    expect(folded.data.issues[0]).toMatchObject({ title: 'Thenk: said no', events: 2 });
    app.advance(minuteMs);
    await event('Later');
    await alerting.runNow();
    expect(bodies()[2].data.subject).toMatch(/^#\d+ is new: Later/);
  });

  it('send as many single messages as the rule allows', async () => {
    await channel({ rules: [{ on: 'issue.is_new', fold_over: 2 }] });
    await event('One');
    await alerting.runNow();
    await event('Two');
    await alerting.runNow();
    await event('Three');
    await event('Four');
    await alerting.runNow();
    expect(bodies().map(({ data }) => data.issues_count)).toEqual([1, 1]);
    app.advance(minuteMs);
    await event('Five');
    await alerting.runNow();
    expect(bodies().map(({ data }) => data.issues_count)).toEqual([1, 1, 3]);
  });

  it('filter by level, environment, release and tag of the event', async () => {
    const rules = (filter: object) => ({ rules: [{ on: 'issue.is_new', fold_over: 50, filters: [filter] }] });
    for (const [name, filter] of [
      ['level', { field: 'level', is: 'at_least', value: 'error' }],
      ['environment', { field: 'environment', value: 'production' }],
      ['release', { field: 'release', is: 'contains', value: 'SHOP@' }],
      ['tag', { field: 'tag', name: 'region', value: 'eu' }],
      ['project', { field: 'project', is: 'is_not', value: 'test' }],
    ] as const) {
      await channel({ name, ...rules(filter) });
    }
    receiver.secret = null;
    await event('Warned', { level: 'warning', environment: 'production', tags: { region: 'us' } });
    await event('Broken', {
      level: 'fatal',
      environment: 'staging',
      release: 'shop@1.2',
      tags: { region: 'eu' },
    });
    await alerting.runNow();
    const told = bodies().map(({ data }) => `${data.channel.name}: ${data.issues[0].title}`);
    expect(told.toSorted()).toEqual([
      'environment: Warned: said no',
      'level: Broken: said no',
      'release: Broken: said no',
      'tag: Broken: said no',
    ]);
  });

  it('hold messages in quiet hours, and send them afterwards', async () => {
    await channel({ quiet_hours: '11:00 to 13:00' });
    await event('One');
    await event('Two');
    await alerting.runNow();
    app.advance(59 * minuteMs);
    await alerting.runNow();
    expect(receiver.received).toEqual([]);
    app.advance(minuteMs);
    await alerting.runNow();
    expect(bodies().map(({ data }) => data.subject)).toEqual(['2 issues are new in test']);
  });

  it('wait in quiet hours, and go out at once when the hours are changed', async () => {
    const waits = async () => (await app.deps.store.findAlertWork(app.deps.now())).toNotify;
    const id = await channel({ quiet_hours: '11:00 to 13:00' });
    await event('One');
    await alerting.runNow();
    expect(await waits()).toBe(false);
    app.advance(4 * minuteMs);
    expect(await waits()).toBe(false);
    await app.postSecret(`/alert-channels/${id}`, { name: 'Same hours', quiet_hours: '11:00 to 13:00' });
    expect(await waits()).toBe(false);
    await app.postSecret(`/alert-channels/${id}`, { quiet_hours: '' });
    await alerting.runNow();
    expect(receiver.received).toHaveLength(1);
  });

  it('wait while their channel is paused', async () => {
    const waits = async () => (await app.deps.store.findAlertWork(app.deps.now())).toNotify;
    const id = await channel();
    await event('One');
    await alerting.runNow();
    await event('Two');
    await alerting.runNow();
    await app.postSecret(`/alert-channels/${id}`, { paused: true });
    app.advance(minuteMs);
    expect(await waits()).toBe(false);
    await app.postSecret(`/alert-channels/${id}`, { paused: false });
    expect(await waits()).toBe(true);
    await alerting.runNow();
    expect(bodies().map(({ data }) => data.issues[0].title)).toEqual(['One: said no', 'Two: said no']);
  });

  it('never send what happened while a channel was paused', async () => {
    const id = await channel();
    await app.postSecret(`/alert-channels/${id}`, { paused: true });
    await event('Missed');
    await alerting.runNow();
    await app.postSecret(`/alert-channels/${id}`, { paused: false });
    await event('Heard');
    await alerting.runNow();
    expect(bodies().map(({ data }) => data.issues[0].title)).toEqual(['Heard: said no']);
  });

  it('retry on schedule with a new signature and the same id and body, until delivered', async () => {
    const id = await channel();
    const answers: Array<Receiver['answer']> = [
      500,
      'never',
      302,
      (response) => void response.destroy(),
      429,
    ];
    await event('Broken');
    receiver.answer = 503;
    await alerting.runNow();
    const waits = [2, 10, 30, 120, 600, 1800].map((seconds) => seconds * secondMs);
    for (const [at, waitMs] of waits.entries()) {
      const before = receiver.received.length;
      app.advance(waitMs - 1);
      await alerting.runNow();
      expect(receiver.received).toHaveLength(before);
      app.advance(1);
      receiver.answer = answers[at] ?? 200;
      if (receiver.answer === 'never') neverAnswering.add(hook());
      else neverAnswering.clear();
      await alerting.runNow();
      expect(receiver.received).toHaveLength(before + 1);
    }
    const { received } = receiver;
    expect(received).toHaveLength(7);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(7);
    const [delivery] = (await app.deps.store.listDeliveries(id, { after: null, before: null, limit: 10 }))
      .rows;
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 500, null, 302, null, 429, 200]);
    expect(delivery).toMatchObject({ state: 'arrived', nextTryAtMs: null });
    expect(await state(id)).toMatchObject({ state: 'on', last_error: '' });
    app.advance(48 * hourMs);
    await alerting.runNow();
    expect(received).toHaveLength(7);
  });

  it('are not sent twice by a manual retry during delivery', async () => {
    const id = await channel();
    await event('Broken');
    const answered = Promise.withResolvers<void>();
    receiver.answer = (response) => void answered.promise.then(() => response.writeHead(200).end('ok'));
    const sending = alerting.runNow();
    await until(() => receiver.received.length === 1);
    expect(await app.postSecret(`/alert-channels/${id}/retry`, {})).toHaveStatus(200);
    expect(await app.deps.store.findAlertWork(app.deps.now())).toMatchObject({ toSend: false });
    answered.resolve();
    await sending;
    await alerting.runNow();
    expect(receiver.received).toHaveLength(1);
  });

  it('are given up at once where the receiver answers 410', async () => {
    const id = await channel();
    await event('Broken');
    receiver.answer = 410;
    await alerting.runNow();
    app.advance(48 * hourMs);
    await alerting.runNow();
    expect(receiver.received).toHaveLength(1);
    const { rows } = await app.deps.store.listDeliveries(id, { after: null, before: null, limit: 10 });
    expect(rows).toMatchObject([{ state: 'given_up', nextTryAtMs: null }]);
    expect(await state(id)).toMatchObject({ state: 'failing', last_error: 'returns status 410' });
  });

  const inAnHour = (): string => new Date(app.deps.now() + hourMs).toUTCString();
  it.each([
    ['seconds', () => '90', 90 * secondMs],
    ['parts of a second, as Discord says them', () => '45.25', 45_250],
    ['a date', inAnHour, hourMs],
    ['more than a day', () => '604800', 24 * hourMs],
    ['less than our own wait', () => '1', 2 * secondMs],
    ['a date that is over', () => 'Fri, 20 Nov 2020 12:00:00 GMT', 2 * secondMs],
    ['nothing that can be read', () => 'soon 5', 2 * secondMs],
    ['a negative number', () => '-90', 2 * secondMs],
  ])('wait as long as the receiver says: %s', async (_name, said, waitMs) => {
    await channel();
    await event('Broken');
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': said() }).end('no');
    await alerting.runNow();
    receiver.answer = 200;
    app.advance(waitMs - 1);
    await alerting.runNow();
    expect(receiver.received).toHaveLength(1);
    app.advance(1);
    await alerting.runNow();
    expect(receiver.received).toHaveLength(2);
  });

  it('are given up after a day, with a reason', async () => {
    const id = await channel();
    await event('Broken');
    receiver.answer = 500;
    for (let tries = 0; tries < 40; tries += 1) {
      await alerting.runNow();
      app.advance(hourMs);
    }
    expect(receiver.received).toHaveLength(31);
    const [delivery] = (await app.deps.store.listDeliveries(id, { after: null, before: null, limit: 10 }))
      .rows;
    expect(delivery).toMatchObject({ state: 'given_up', nextTryAtMs: null });
    expect(await state(id)).toMatchObject({ state: 'failing', last_error: 'returns status 500' });
  });

  it('are not delayed by another receiver that hangs', async () => {
    const hanging = await startReceiver(authority.issue(['receiver.test']));
    const held: ServerResponse[] = [];
    hanging.answer = (response) => void held.push(response);
    await app.postSecret('/alert-channels', {
      type: 'slack',
      name: 'a',
      url: `https://receiver.test:${hanging.port}/a`,
    });
    await channel();
    await event('One');
    const run = alerting.runNow();
    await until(() => receiver.received.length === 1 && held.length === 1);
    expect(held[0]?.closed).toBe(false);
    held[0]?.end('ok');
    await run;
    await hanging.close();
  });

  it('accept no certificate of another name, and follow no redirect', async () => {
    const id = await channel({ url: `https://127.0.0.1:${receiver.port}/hook` });
    await event('Broken');
    await alerting.runNow();
    expect(receiver.received).toEqual([]);
    expect(await state(id)).toMatchObject({ last_error: 'fails: its certificate is not trusted' });
  });

  it('are created once, however many processes look for pending notifications', async () => {
    await channel();
    const others = Array.from({ length: 3 }, () =>
      startAlerting(app.deps, { pagesUrl: null, everyMs: hourMs }),
    );
    for (let number = 0; number < 5; number += 1) {
      await event(`Again${'abcde'[number]}`);
      await Promise.all([alerting, ...others].map((each) => each.runNow()));
      app.advance(minuteMs);
    }
    for (const other of others) await other.stop();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
  });

  it('are deleted with their project', async () => {
    await channel();
    await event('Broken');
    await alerting.runNow();
    const { store } = app.deps;
    await store.endProject(app.project.id, app.deps.now());
    while (!(await store.removeProjectSlice(app.project.id)).done);
    expect(await store.listChannels()).toEqual([]);
    expect(await store.listRuleDeliveryStates()).toEqual([]);
  });
});
