// Channels of type webpush: what browsers get, and who may subscribe them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { channelTypeOf } from '../../../src/core/alerts/messages/channel-types.ts';
import type { AlertMessage } from '../../../src/core/alerts/messages/message.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { deleteMember } from '../../../src/core/members/members.ts';
import { updateMemberAccess } from '../../../src/core/members/teams.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import { createNotificationSender } from '../../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { type PushService, pushBrowser, pushService, readVapid } from '../../support/alerts/push-browser.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';
import { openEmptyWorkspace, type TestGuests } from '../../support/workspace.ts';

const base = 'https://errors.example';
const endpoint = 'https://push.example/send/abc';

describe('a channel of type webpush', () => {
  let workspace: TestGuests;
  let service: PushService;
  let alerting: PeriodicJob;
  beforeEach(async () => {
    service = pushService();
    workspace = await openEmptyWorkspace({ deps: { notificationSender: service.messenger } });
    alerting = startAlerting(workspace.app.deps, { pagesUrl: base, everyMs: 3_600_000 });
    await workspace.admin.post('/alert-channels/new/webpush', { name: 'Browsers', do: 'save' });
  });
  afterEach(async () => {
    await alerting.stop();
    await workspace.close();
  });

  const subscribe = (who: 'admin' | 'member' | 'viewer', subscription: string, id = 1) =>
    workspace[who].post(`/alert-channels/${id}/browsers`, { subscription });
  const stored = () => workspace.app.deps.store.listPushSubscriptions(1);
  const channel = () => workspace.admin.json('/alert-channels/1');
  const report = async (level = 'error') => {
    const event = { message: `No total ${level}`, level, platform: 'php' };
    const { body } = await workspace.app.post('/store', event);
    await alerting.runNow();
    return body.issue_id as number;
  };
  const memberCalled = async (name: string) => {
    const { deps } = workspace.app;
    const found = (await deps.store.listMembers(deps.now())).find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };

  it('encrypts for each browser, and signs with the VAPID key of the page', async () => {
    const browsers = [pushBrowser(endpoint), pushBrowser(`${endpoint}d`)] as const;
    expect(await subscribe('member', browsers[0].subscription)).toHaveStatus(303);
    expect(await subscribe('viewer', browsers[1].subscription)).toHaveStatus(303);
    const id = await report('fatal');
    const [first, second, ...others] = service.received;
    if (first === undefined || second === undefined) throw new Error('Two are told.');
    expect(others).toEqual([]);
    const shown = browsers[0].read(first);
    expect(shown).toMatchObject({ tag: `issue-${id}`, url: `${base}/issues/${id}` });
    expect(`${shown.title} ${shown.body}`).toContain('No total fatal');
    expect(browsers[1].read(second)).toEqual(shown);
    expect(() => browsers[1].read(first)).toThrow();
    expect(first.headers).toMatchObject({ urgency: 'high', topic: `issue-${id}`, ttl: '86400' });
    const { browsers: section } = await channel();
    const claims = readVapid(first, section.public_key);
    const nowSeconds = Math.floor(workspace.app.deps.now() / 1000);
    expect(claims).toEqual({ aud: 'https://push.example', exp: nowSeconds + 43_200, sub: base });
    expect((await channel()).deliveries).toMatchObject([{ state: 'arrived' }, { state: 'arrived' }]);
    expect(section.subscriptions).toMatchObject([{ member: 'The member' }, { member: 'The viewer' }]);
  });

  it.each([
    ['SMTP_FROM', { SMTP_FROM: 'Errors @ work <n@shop.example>' }, 'mailto:n@shop.example'],
    ['nobody', {}, null],
  ])('names %s as its contact where the pages are not on https', async (_name, env, contact) => {
    await alerting.stop();
    await workspace.close();
    workspace = await openEmptyWorkspace({ env, deps: { notificationSender: service.messenger } });
    await workspace.admin.post('/alert-channels/new/webpush', { name: 'Browsers', do: 'save' });
    alerting = startAlerting(workspace.app.deps, { pagesUrl: 'http://127.0.0.1:8787', everyMs: 3_600_000 });
    await subscribe('member', pushBrowser(endpoint).subscription);
    await report();
    const [first] = service.received;
    if (first === undefined) throw new Error('One is told.');
    const { browsers } = await channel();
    const { sub } = readVapid(first, browsers.public_key) as { sub: string };
    expect([sub, browsers.contact]).toEqual([contact ?? 'mailto:notifier@localhost', contact]);
    const { text } = await workspace.admin.get('/alert-channels/1');
    expect(text.includes('Safari gets nothing')).toBe(contact === null);
  });

  it('sends errors without urgency, and nothing without a subscription', async () => {
    await report('fatal');
    expect(service.received).toEqual([]);
    expect(await workspace.admin.post('/alert-channels/1/test')).toHaveStatus(400);
    await subscribe('member', pushBrowser(endpoint).subscription);
    expect(await workspace.admin.post('/alert-channels/1/test')).toHaveStatus(303);
    workspace.app.advance(120_000);
    await report();
    expect(service.received.map(({ headers }) => headers['urgency'])).toEqual(['normal', 'normal']);
  });

  it.each([404, 410])('removes a browser for which its service answers %d', async (status) => {
    await subscribe('member', pushBrowser(endpoint).subscription);
    service.answer = { ok: false, status, detail: 'gone' };
    await report();
    expect(await stored()).toEqual([]);
    const { state, deliveries } = await channel();
    expect(state).toBe('on');
    const response = 'this browser no longer takes notifications and was removed';
    expect(deliveries).toMatchObject([{ state: 'given_up', status, response }]);
  });

  it('waits as long as the service says', async () => {
    await subscribe('member', pushBrowser(endpoint).subscription);
    service.answer = { ok: false, status: 429, detail: '', retryAfter: '120' };
    await report();
    const [delivery] = (await channel()).deliveries;
    const nextMs = Date.parse(delivery.next_try_at);
    expect([delivery.state, nextMs]).toEqual(['waiting', workspace.app.deps.now() + 120_000]);
    expect(await stored()).toHaveLength(1);
  });

  it('gives up what waits for a browser that was removed', async () => {
    await subscribe('member', pushBrowser(endpoint).subscription);
    service.answer = { ok: false, status: 500, detail: '' };
    await report();
    expect(await workspace.member.post('/alert-channels/1/browsers/1/remove')).toHaveStatus(303);
    workspace.app.advance(60_000);
    await alerting.runNow();
    expect((await channel()).deliveries).toMatchObject([{ state: 'given_up', status: null }]);
    expect(service.received).toHaveLength(1);
  });

  it('forgets the browsers of a removed member, of a deleted channel, and each only once', async () => {
    const { subscription } = pushBrowser(endpoint);
    await subscribe('viewer', subscription);
    await subscribe('member', subscription);
    expect(await stored()).toMatchObject([{ memberId: (await memberCalled('The member')).id, endpoint }]);
    await deleteMember(workspace.app.deps, await memberCalled('The member'), commandLineSource);
    expect(await stored()).toEqual([]);
    await subscribe('admin', subscription);
    await workspace.admin.post('/alert-channels/1/delete', { sure: 'yes' });
    expect(await stored()).toEqual([]);
  });

  it('lets members remove their own browsers and admins any, and audits it', async () => {
    await subscribe('member', pushBrowser(endpoint).subscription);
    const remove = (who: 'admin' | 'member' | 'viewer', id: number) =>
      workspace[who].post(`/alert-channels/1/browsers/${id}/remove`);
    expect(await remove('viewer', 1)).toHaveStatus(404);
    expect(await stored()).toHaveLength(1);
    expect(await remove('member', 1)).toHaveStatus(303);
    await subscribe('viewer', pushBrowser(endpoint).subscription);
    const [left] = await stored();
    expect(await remove('admin', left?.id ?? 0)).toHaveStatus(303);
    expect(await stored()).toEqual([]);
    const { text } = await workspace.admin.get('/audit');
    expect(text).toContain('enabled notifications in a browser by the alert channel');
    expect(text).toContain('removed a browser from the alert channel');
  });

  it('notifies members only about their projects, and only those who can see the channel', async () => {
    const { app, admin } = workspace;
    const other = await app.addProject('other');
    await subscribe('viewer', pushBrowser(endpoint).subscription);
    const access = { hasAllProjects: false, projectIds: [other.project.id] };
    await updateMemberAccess(app.deps, await memberCalled('The viewer'), access, commandLineSource);
    await report();
    expect(service.received).toEqual([]);
    const asked = { type: 'webpush', name: 'Of the project' };
    const made = await app.postSecret('/alert-channels', asked);
    expect([made.status, made.body.target]).toEqual([201, 'browsers of members']);
    const id = made.body.alert_channel_id;
    const refused = await subscribe('viewer', pushBrowser(`${endpoint}2`).subscription, id);
    expect(refused).toHaveStatus(404);
    expect((await admin.json(`/alert-channels/${id}`)).browsers.subscriptions).toEqual([]);
  });

  const good = JSON.parse(pushBrowser(endpoint).subscription);
  const invalid = 'The browser did not send a valid subscription. Try again.';
  const notHttps = 'The address of the push service must start with https:// and have no password.';
  it.each(
    rows(() =>
      fullOrSome(
        [
          ['http', { ...good, endpoint: 'http://push.example/a' }, notHttps],
          ['a password', { ...good, endpoint: 'https://a:b@push.example/a' }, notHttps],
          ['loopback', { ...good, endpoint: 'https://127.0.0.1/a' }, 'resolves to a private address'],
          ['localhost', { ...good, endpoint: 'https://localhost/a' }, 'resolves to a private address'],
          ['10 KB', { ...good, endpoint: `https://push.example/${'a'.repeat(10_000)}` }, invalid],
          ['no keys', { endpoint }, invalid],
          ['a short secret', { ...good, keys: { ...good.keys, auth: 'AAAA' } }, invalid],
          [
            'no point of the curve',
            { ...good, keys: { ...good.keys, p256dh: `BA${'A'.repeat(85)}` } },
            invalid,
          ],
        ],
        3,
      ),
    ),
  )('refuses a subscription with %s, at the form', async (_name, subscription, sentence) => {
    const { status, text } = await subscribe('member', JSON.stringify(subscription));
    expect([status, text.includes(sentence)]).toEqual([400, true]);
    expect(text).toContain('Enable notifications in this browser');
    expect(await stored()).toEqual([]);
  });

  it('takes at most 20 browsers of a member', async () => {
    const { store } = workspace.app.deps;
    const member = await memberCalled('The member');
    const of = { channelId: 1, memberId: member.id, p256dh: '', auth: '', device: '', createdAtMs: 0 };
    for (let at = 0; at < 20; at += 1)
      await store.addPushSubscription({ ...of, endpoint: `${endpoint}/${at}` });
    const { status, text } = await subscribe('member', pushBrowser(endpoint).subscription);
    expect([status, text.includes('A member can have 20 browsers')]).toEqual([400, true]);
    expect(await subscribe('viewer', pushBrowser(endpoint).subscription)).toHaveStatus(303);
  });
});

it('sends at most 3,000 bytes, and a topic of at most 32 characters', () => {
  const long = '😀'.repeat(2_000);
  const object = { id: Number.MAX_SAFE_INTEGER, project: long, title: long, detail: long, url: long };
  const message = {
    ...{
      id: 'msg_aaaaaaaaaaaaaaaaaaaaaa',
      type: 'monitor.down',
      subject: long,
      why: long,
      url: long,
      count: 1,
    },
    ...{ issues: [], objects: [object], overflow: [], incidents: { count: 0, named: [] }, details: null },
  } as unknown as AlertMessage;
  const body = channelTypeOf('webpush').bodyOf(message, {});
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(3_000);
  expect(JSON.parse(body)).toMatchObject({ urgent: true, tag: `monitor-${Number.MAX_SAFE_INTEGER}` });
  expect(JSON.parse(body).tag.length).toBeLessThanOrEqual(32);
  const several = channelTypeOf('webpush').bodyOf({ ...message, count: 2 }, {});
  expect(JSON.parse(several).tag).toBe(message.id);
});

it('posts bytes, not text', async () => {
  const posted = Promise.withResolvers<Buffer>();
  const server = createServer(async (request, response) => {
    posted.resolve(await buffer(request));
    response.writeHead(201).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sender = createNotificationSender({
    ...{ resolve: async () => ['127.0.0.1'], allowed: parseAllowedTargets(['127.0.0.1']) },
    ...{ userAgent: 'test', smtpUrl: null, smtpFrom: null },
  });
  const bytes = Buffer.from([0, 255, 128, 13, 10, 195]);
  const answer = await sender.post({ url, headers: {}, body: bytes.toString('base64'), encoding: 'base64' });
  expect([answer.status, await posted.promise]).toEqual([201, bytes]);
  server.close();
});
