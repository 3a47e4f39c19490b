import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { channelTypeOf, channelTypes } from '../../../src/core/alerts/messages/channel-types.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { startReceiver } from '../../support/alerts/receiver.ts';
import { forEachTest, itForAll } from '../../support/shared.ts';
import { fullOrSome, inFull, rows } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const receiver = forEachTest(() => startReceiver());
const workspace = forEachTest(() => openEmptyWorkspace({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } }));
const alerting = forEachTest(() =>
  startAlerting(workspace.app.deps, { pagesUrl: 'https://errors.example', everyMs: 3_600_000 }),
);

const make = async ({ type = 'webhook', ...form }: Record<string, string> = {}) => {
  const filled = { name: 'On call', url: receiver.url, do: 'save', ...form };
  return workspace.admin.post(`/alert-channels/new/${type}`, filled);
};

describe('an alert channel', () => {
  it('is made by a form; the secret of a webhook is shown only once', async () => {
    const made = await make();
    expect(made).toHaveStatus(200);
    const [secret = ''] = /whsec_[A-Za-z0-9+/]{32}/.exec(made.text) ?? [];
    expect(secret).not.toBe('');
    for (const path of ['/alert-channels', '/alert-channels/1', '/alert-channels/1/settings', '/audit']) {
      const { text } = await workspace.admin.get(path);
      expect([path, text.includes(secret), text.includes(receiver.url)]).toEqual([path, false, false]);
    }
    const { channels, rules } = await workspace.viewer.json('/alert-channels');
    expect([channels, rules]).toMatchObject([
      [{ name: 'On call', type: 'webhook', state: 'on', rules: [{ name: 'New issues' }, {}] }],
      2,
    ]);
  });

  it('gets alerts of all projects, and its page shows what was sent', async () => {
    await make();
    await workspace.app.post('/store', { message: 'Told of on a page', platform: 'php' });
    await alerting.runNow();
    const { deliveries, delivery, rules } = await workspace.viewer.json('/alert-channels/1');
    expect(delivery).toBeNull();
    expect(deliveries).toMatchObject([{ state: 'arrived', tries: 1, status: 200, rule: 'New issues' }]);
    expect(rules).toMatchObject([
      { name: 'New issues', sent: 1 },
      { name: 'Regressed', sent: 0 },
    ]);
    const { text } = await workspace.viewer.get(`/alert-channels/1?delivery=${deliveries[0].delivery_id}`);
    expect(text).toContain('Told of on a page');
    expect(receiver.received).toHaveLength(1);
  });

  it('is tested, paused, resumed, changed and deleted', async () => {
    await make();
    const { admin } = workspace;
    const state = async () => (await admin.json('/alert-channels/1')).state;
    expect(await admin.post('/alert-channels/1/test')).toHaveStatus(303);
    await alerting.runNow();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['test']);
    await admin.post('/alert-channels/1/pause', { for: '1h' });
    expect(await admin.json('/alert-channels/1')).toMatchObject({
      state: 'paused',
      paused_until: '2026-11-21T13:00:00.000Z',
    });
    await admin.post('/alert-channels/1/resume');
    expect(await state()).toBe('on');
    await admin.post('/alert-channels/1/settings', {
      name: 'Night',
      quiet_from: '22:00',
      quiet_to: '07:00',
      do: 'save',
    });
    expect(await admin.json('/alert-channels/1')).toMatchObject({
      name: 'Night',
      quiet_hours: '22:00 to 07:00',
    });
    expect(await admin.post('/alert-channels/1/delete')).toHaveStatus(400);
    expect(await admin.post('/alert-channels/1/delete', { sure: 'yes' })).toHaveStatus(303);
    expect(await admin.get('/alert-channels/1')).toHaveStatus(404);
  });

  it('that failed retries at once', async () => {
    await make();
    receiver.answer = 500;
    await workspace.admin.post('/alert-channels/1/test');
    for (const waitMs of [0, 2_000, 10_000]) {
      workspace.app.advance(waitMs);
      await alerting.runNow();
    }
    receiver.answer = 200;
    await alerting.runNow();
    expect(receiver.received).toHaveLength(3);
    await workspace.admin.post('/alert-channels/1/retry');
    await alerting.runNow();
    expect(receiver.received).toHaveLength(4);
    const { arrived, first_try_share: share } = await workspace.admin.json('/alert-channels/1');
    expect([arrived, share]).toEqual([1, 0]);
    const { entries } = await workspace.admin.json('/audit');
    expect(entries[0]).toMatchObject({
      action: 'channel.retried',
      object: { name: 'On call', path: '/alert-channels/1' },
    });
  });

  inFull(it)('that is paused has nothing to send, even with pending notifications', async () => {
    const { store, now } = workspace.app.deps;
    await make();
    await workspace.admin.post('/alert-channels/1/test');
    expect(await store.findAlertWork(now())).toMatchObject({ toSend: true });
    await workspace.admin.post('/alert-channels/1/pause', { for: 'ever' });
    expect(await store.findAlertWork(now())).toMatchObject({ toSend: false });
    await workspace.admin.post('/alert-channels/1/resume');
    expect(await store.findAlertWork(now())).toMatchObject({ toSend: true });
  });

  itForAll(
    [
      [{ url: 'nowhere' }, 'Webhook URL must start with https'],
      [{ quiet_hours: 'late' }, 'quiet_hours'],
      [{ type: 'email', url: '', to: 'a@b.example' }, 'SMTP_URL'],
      [{ url: '' }, 'Enter the webhook URL.'],
      [{ url: '', name: '' }, '2 fields need a change: Name, Webhook URL.'],
      [{ quiet_from: '25:00', quiet_to: '07:00' }, 'Enter two times such as 22:00 and 07:00'],
      [{ template: '{"a": {{titel}}}' }, '{{titel}} is not a placeholder'],
      [{ template: '{"a": {{title}}}' }, 'must be JSON when it is filled in'],
    ],
    'is refused with a message, and not created',
    async (form: Record<string, string>, words) => {
      const refused = await make(form);
      expect([refused.status, refused.text.includes(words)]).toEqual([400, true]);
      expect((await workspace.admin.json('/alert-channels')).channels).toEqual([]);
    },
  );

  it('sends a test before it is saved, and shows the answers of the receiver', async () => {
    const first = await make({ do: 'test' });
    expect([first.status, first.text]).toEqual([
      200,
      expect.stringMatching(/Delivered.*Webhook answered .*200/s),
    ]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'test' });
    const [, tried = ''] = /name="tried" value="([^"]*)"/.exec(first.text) ?? [];
    receiver.answer = 404;
    const again = await make({ do: 'test', tried: tried.replaceAll('&quot;', '"') });
    expect(again.text).toMatch(
      /Not delivered.*answered .*404.*<pre><bdi>no<.*or create a new one\..*Delivered.*<pre><bdi>ok</s,
    );
    expect((await workspace.admin.json('/alert-channels')).channels).toEqual([]);
    const { entries } = await workspace.admin.json('/audit');
    expect(entries.slice(0, 2)).toMatchObject([{ action: 'channel.tested' }, { action: 'channel.tested' }]);
    receiver.answer = 200;
    await make();
    // An empty URL is the stored one.
    const edited = await workspace.admin.post('/alert-channels/1/settings', { name: 'On call', do: 'test' });
    expect(edited.text).toMatch(/Delivered.*answered .*200/s);
    expect(edited.text).not.toContain(receiver.url);
  });

  it('is created by its type, and an unavailable type says why', async () => {
    const { text } = await workspace.admin.get('/alert-channels/new');
    expect(text).toMatch(/On-call.*PagerDuty.*Events API v2/s);
    expect(text).toMatch(/E-mail<\/strong><span>Needs SMTP_URL/);
    expect((await workspace.admin.get('/alert-channels/new/email')).text).toContain('Needs SMTP_URL');
  });

  const typesOfServices = channelTypes.filter(
    (type) =>
      ['Chat', 'On-call'].includes(channelTypeOf(type).group) ||
      ['ntfy', 'pushover', 'gotify'].includes(type),
  );

  it.each(rows(() => fullOrSome(typesOfServices, 4)))(
    '%s shows where its values are found, after the field of one',
    async (type) => {
      const { field = 'name', steps = [] } = channelTypeOf(type).instructions ?? {};
      expect([2, 3, 4]).toContain(steps.length);
      const { text } = await workspace.admin.get(`/alert-channels/new/${type.replaceAll('_', '-')}`);
      const [before = '', after = ''] = text.split('<summary>Show me how</summary>');
      const ids = [...before.matchAll(/<(?:input|textarea)[^>]* id="(\w+)"/g)].map(([, id]) => id);
      expect(ids.at(-1)).toBe(field);
      expect(after.match(/^<ol>(<li>[^<]+<\/li>)+<\/ol>/)?.[0].match(/<li>/g)).toHaveLength(steps.length);
    },
  );

  inFull(it)('for assignees has no recipients any more where its form leaves them empty', async () => {
    const withMail = await openEmptyWorkspace({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    try {
      const form = { name: 'Assignee', do: 'save' };
      const target = async () => (await withMail.admin.json('/alert-channels')).channels[0].target;
      await withMail.admin.post('/alert-channels/new/assignee', { ...form, to: 'ops@shop.example' });
      expect(await target()).toMatch(/^assigned members, else /);
      expect(await withMail.admin.post('/alert-channels/1/settings', { ...form, to: '' })).toHaveStatus(303);
      expect(await target()).toBe('assigned members');
    } finally {
      await withMail.close();
    }
  });

  it('has a known type, and is offered to admins only', async () => {
    expect(await workspace.admin.post('/alert-channels/new/pigeon', { name: 'a' })).toHaveStatus(404);
    expect((await workspace.viewer.get('/alert-channels')).text).not.toContain('New alert channel');
  });
});

it('lets a recipient remove their own address, but not the last one', async () => {
  const { admin, viewer, app } = workspace;
  const { store } = app.deps;
  for (const { id, role } of await store.listMembers(app.deps.now())) {
    if (role === 'viewer') await store.changeMember(id, { email: 'vera@shop.example' });
  }
  const deps = { ...app.deps, config: { ...app.deps.config, smtpUrl: 'smtp://127.0.0.1:9' } };
  const asked = { type: 'email', name: 'Mail', to: 'on-call@shop.example, Vera@shop.example' } as const;
  const { channel } = await createChannel(deps, null, asked, commandLineSource);
  const path = `/alert-channels/${channel.id}/unsubscribe`;
  const nothing = 'Your address is no recipient of this channel';
  expect((await admin.get(path)).text).toContain(nothing);
  expect(await admin.post(path, { sure: 'yes' })).toHaveStatus(400);
  expect((await viewer.get(path)).text).toContain('no longer sent to Vera@shop.example');
  expect(await viewer.post(path, {})).toHaveStatus(400);
  expect(await viewer.post(path, { sure: 'yes' })).toHaveStatus(303);
  const addressOf = async () => (await store.findChannelRecord(channel.id))?.address;
  expect(await addressOf()).toBe('on-call@shop.example');
  expect((await viewer.get(path)).text).toContain(nothing);
  await store.changeChannel(channel.id, { address: 'vera@shop.example' });
  expect((await viewer.get(path)).text).toContain('You are the only recipient');
  expect(await viewer.post(path, { sure: 'yes' })).toHaveStatus(400);
  expect(await addressOf()).toBe('vera@shop.example');
});

it('lets a member of one project remove their own address from any mail channel', async () => {
  const { app, viewer } = workspace;
  const { store } = app.deps;
  const listed = await store.listMembers(app.deps.now());
  const memberId = listed.find(({ role }) => role === 'viewer')?.id ?? 0;
  await store.changeMember(memberId, { email: 'vera@shop.example' });
  await store.setAccess({ memberId }, { hasAllProjects: false, projectIds: [app.project.id] });
  const { project: far } = await app.addProject('far');
  const deps = { ...app.deps, config: { ...app.deps.config, smtpUrl: 'smtp://127.0.0.1:9' } };
  const leaveOf = async (projectId: number | null, to = 'on-call@shop.example, vera@shop.example') => {
    const asked = { type: 'email', name: 'Mail', to } as const;
    const { channel } = await createChannel(deps, projectId, asked, commandLineSource);
    const path = `/alert-channels/${channel.id}/unsubscribe`;
    const page = await viewer.get(path);
    const left = await viewer.post(path, { sure: 'yes' });
    const then = left.status === 303 ? await viewer.get(String(left.headers['location'])) : left;
    return [page.status, left.status, then.status, (await store.findChannelRecord(channel.id))?.address];
  };
  for (const projectId of [app.project.id, far.id, null]) {
    expect(await leaveOf(projectId)).toEqual([200, 303, 200, 'on-call@shop.example']);
  }
  const others = 'on-call@shop.example, vera@shop.example.org';
  expect(await leaveOf(far.id, others)).toEqual([404, 404, 404, others]);
  expect(await leaveOf(null, others)).toEqual([404, 404, 404, others]);
});

describe('an alert rule', () => {
  inFull(it)('is created, changed one field at a time, and deleted', async () => {
    await make();
    const { admin } = workspace;
    const filled = { name: 'Live', group: '1', 'channels[]': '1', do: 'save' };
    const made = await admin.post('/alert-channels/rules/new/issue-reopened', filled);
    expect([made.status, made.location]).toEqual([303, '/alert-channels/rules/3']);
    const path = '/alert-channels/rules/3';
    const rule = { name: 'Live', on: 'issue.created', group: '4', 'channels[]': '1' };
    const more = await admin.post(path, { ...rule, add: 'level', do: 'add' });
    expect([more.status, more.text.includes('name="value_0"')]).toEqual([200, true]);
    // What was filled in stays, saved or not.
    expect(more.text).toMatch(/<option value="issue.created" selected/);
    expect(more.text).toMatch(/<input[^>]*name="group"[^>]*value="4"/);
    const { 'channels[]': _told, ...toNobody } = rule;
    const without = await admin.post(path, { ...toNobody, add: 'level', do: 'add' });
    expect(without.text).not.toMatch(/<input[^>]*name="channels\[\]"[^>]*checked/);
    expect(more.text).toMatch(/<input[^>]*name="channels\[\]"[^>]*checked/);
    const condition = { field_0: 'level', is_0: 'at_least', value_0: 'error' };
    await admin.post(path, { ...rule, ...condition, do: 'save' });
    expect(await admin.json(`${path}`)).toMatchObject({
      ...{ name: 'Live', on: 'issue.created', group_threshold: 4 },
      sentence: 'an issue is new, level is at least error',
      filters: [{ field: 'level', is: 'at_least', value: 'error' }],
    });
    const dropped = await admin.post(path, { ...rule, ...condition, do: 'drop-0' });
    expect([dropped.status, dropped.text.includes('name="value_0"')]).toEqual([200, false]);
    // Another kind has its usual threshold.
    const kindAndLimit = async () => {
      const { on, limit } = await admin.json(path);
      return [on, limit];
    };
    await admin.post(path, { ...rule, on: 'monitor.down', do: 'save' });
    expect(await kindAndLimit()).toEqual(['monitor.down', undefined]);
    await admin.post(path, { ...rule, on: 'deploy.failed', do: 'save' });
    expect(await kindAndLimit()).toEqual(['deploy.failed', undefined]);
    await admin.post(path, { ...rule, do: 'delete' });
    expect(await admin.get(path)).toHaveStatus(404);
    expect((await admin.json('/alert-channels/rules')).rules).toHaveLength(2);
  });

  it('is created by its kind, and the form has only the fields of that kind', async () => {
    await make();
    const { admin, viewer } = workspace;
    const { text } = await admin.get('/alert-channels/rules/new');
    for (const on of ['issue-created', 'users-above', 'feedback-created', 'maintenance-started']) {
      expect(text).toContain(`/alert-channels/rules/new/${on}"`);
    }
    const form = async (on: string) => (await admin.get(`/alert-channels/rules/new/${on}`)).text;
    const created = await form('issue-created');
    expect(created).toContain('value="assignee"');
    expect(created).not.toMatch(/name="count"|name="minutes"|value="mentioned"/);
    expect(await form('issue-mentioned')).toContain('value="mentioned"');
    expect(await form('users-above')).toMatch(
      /name="count" value="100"[\s\S]*users[\s\S]*name="minutes" value="60"/,
    );
    const expires = await form('expires-within');
    expect(expires).toMatch(/name="count" value="14"/);
    expect(expires).not.toContain('name="minutes"');
    expect(await form('monitor-down')).not.toContain('name="incident"');
    expect(await admin.get('/alert-channels/rules/new/pigeon')).toHaveStatus(404);
    expect(await viewer.get('/alert-channels/rules/new/issue-created')).toHaveStatus(403);
  });

  it('shows each error beside its field, and keeps what was entered', async () => {
    await make();
    const { admin } = workspace;
    const filled = {
      ...{ name: '', count: '0', minutes: '7', group: '101', do: 'save' },
      ...{ field_0: 'environment', is_0: 'is', value_0: '' },
      ...{ field_1: 'tag', is_1: 'is', tag_1: '', value_1: 'checkout' },
    };
    const { status, text } = await admin.post('/alert-channels/rules/new/events-above', filled);
    expect(status).toBe(400);
    expect(text).toContain('6 fields need a change: ');
    for (const [name, sentence] of [
      ['name', 'Enter a name.'],
      ['count', 'Enter the number of events: a whole number from 1 to 100000.'],
      ['group', 'Enter a whole number from 1 to 100.'],
      ['value_0', 'Enter or choose a value.'],
      ['tag_1', 'Enter the name of the tag.'],
      ['channels', 'Choose at least one channel.'],
    ]) {
      expect(text).toMatch(new RegExp(`id="${name}-wrong"[\\s\\S]{0,400}${sentence}`));
    }
    expect(text).toMatch(/name="value_1" value="checkout"/);
    const only = { name: 'Many', count: '5', minutes: '7', group: '1', 'channels[]': '1', do: 'save' };
    const refused = await admin.post('/alert-channels/rules/new/events-above', only);
    expect(refused.text).toMatch(/id="minutes-wrong"[\s\S]{0,400}Enter the time in minutes/);
    expect((await admin.json('/alert-channels/rules')).rules).toHaveLength(2);
  });

  inFull(it)('has a threshold, which is dropped when the kind changes', async () => {
    await make();
    const { admin } = workspace;
    const path = '/alert-channels/rules/1';
    const rule = { name: 'Many', group: '1', 'channels[]': '1', do: 'save' };
    await admin.post(path, { ...rule, on: 'events.above', limit_of: 'issue.created' });
    const usual = { count: 100, unit: 'events', minutes: 60 };
    expect(await admin.json(path)).toMatchObject({ on: 'events.above', limit: usual });
    const many = { ...rule, on: 'users.above', limit_of: 'users.above', count: '20', minutes: '10' };
    await admin.post(path, many);
    expect(await admin.json(path)).toMatchObject({
      on: 'users.above',
      limit: { count: 20, unit: 'users', minutes: 10 },
      sentence: 'an issue is seen by more than 20 users within 10 minutes',
    });
    const unsaved = await admin.post(path, { ...many, count: '30', add: 'release', do: 'add' });
    expect(unsaved.text).toMatch(/<input[^>]*name="count"[^>]*value="30"/);
    for (const wrong of [{ count: '0' }, { count: 'x' }, { count: '' }, { minutes: '1' }, { minutes: 'x' }]) {
      expect([wrong, (await admin.post(path, { ...many, ...wrong })).status]).toEqual([wrong, 400]);
    }
    expect(await admin.json(path)).toMatchObject({ limit: { count: 20 } });
    const share = { ...rule, on: 'discard_rate.above', limit_of: 'discard_rate.above' };
    await admin.post(path, { ...share, count: '7', minutes: '60' });
    expect(await admin.json(path)).toMatchObject({ limit: { count: 7 } });
    await admin.post(path, { ...share, on: 'crash_free_rate.below', count: '7' });
    expect(await admin.json(path)).toMatchObject({ on: 'crash_free_rate.below', limit: { count: 99 } });
  });

  it('opens incidents that name the rule, if its form says so', async () => {
    await make();
    const { admin, viewer, app } = workspace;
    const path = '/alert-channels/rules/1';
    const saved = {
      ...{ name: 'Live', on: 'issue.created', group: '1', 'channels[]': '1' },
      ...{ incident: 'critical', do: 'save' },
    };
    expect(await admin.post(path, saved)).toHaveStatus(303);
    expect(await viewer.json(path)).toMatchObject({ opens_incident: 'critical' });
    expect((await admin.get(path)).text).toMatch(/<option value="critical" selected/);
    expect((await viewer.get('/alert-channels/rules')).text).toContain('and opens a critical incident');
    const unsaved = await admin.post(path, { ...saved, incident: 'minor', add: 'level', do: 'add' });
    expect(unsaved.text).toMatch(/<option value="minor" selected/);
    await app.post('/store', { message: 'Cards are refused', platform: 'php' });
    await alerting.runNow();
    expect(await viewer.json('/incidents/1')).toMatchObject({
      title: '#1 is new: Cards are refused',
      severity: 'critical',
      opened_by: { name: 'Live', path },
      causes: { linked: [{ kind: 'issue', id: 1, path: '/issues/1' }] },
    });
    expect((await viewer.json('/issues/1')).incidents).toMatchObject([{ incident_id: 1, linked_by: 'Live' }]);
    const { entries } = await admin.json('/audit');
    expect(entries[0].summary).toBe('an issue is new; notifies 1 channel, opens a critical incident');
    // What opens its own is not asked, and what nobody chose is none.
    expect(await admin.post(path, { ...saved, incident: 'planned' })).toHaveStatus(400);
    await admin.post(path, { ...saved, on: 'monitor.down' });
    const changed = await viewer.json(path);
    expect([changed.on, changed.opens_incident]).toEqual(['monitor.down', undefined]);
    expect((await admin.get(path)).text).not.toContain('name="incident"');
    await admin.post(path, { ...saved, incident: 'none' });
    await admin.post(path, { ...saved, do: 'delete' });
    expect(await viewer.json('/incidents/1')).toMatchObject({ opened_by: { name: 'Live', path: null } });
  });

  it('sends a test to each of its channels that is not paused', async () => {
    await make();
    await make({ name: 'Night' });
    const { admin } = workspace;
    const sentence = { name: 'Both', group: '1', do: 'save' };
    await admin.post('/alert-channels/rules/new/deploy-failed', { ...sentence, 'channels[]': '1' });
    const path = '/alert-channels/rules/5';
    Object.assign(sentence, { on: 'deploy.failed' });
    await admin.post(path, { ...sentence, 'channels[]': '1' });
    const tested = await admin.post(path, { ...sentence, 'channels[]': '1', do: 'test' });
    expect(tested).toHaveStatus(303);
    expect((await admin.get(tested.location ?? '')).text).toContain('Test notification queued');
    await alerting.runNow();
    const [body] = receiver.received.map((each) => JSON.parse(each.body));
    expect(receiver.received).toHaveLength(1);
    expect([body.type, body.data.subject, body.data.rule]).toEqual([
      'test',
      'Test of the rule “Both”',
      { rule_id: 5, name: 'Both' },
    ]);
    expect(await admin.json(path)).toMatchObject({ sent: 1 });
    const { entries } = await admin.json('/audit');
    expect(entries[0]).toMatchObject({ action: 'channel.rule_tested', object: { name: 'Both' } });
    await admin.post('/alert-channels/1/pause', { for: 'ever' });
    expect(await admin.post(path, { ...sentence, 'channels[]': '1', do: 'test' })).toHaveStatus(400);
  });
});
