import { describe, expect, it } from '@jest/globals';
import { startAlerting } from '../../src/core/alerts/runner.ts';
import { startReceiver } from '../support/alerts/receiver.ts';
import { openTestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { forEachTest, itForAll } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const receiver = forEachTest(() => startReceiver());
const app = forEachTest(() =>
  openTestApp({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1', SMTP_URL: 'smtp://127.0.0.1:9' } }),
);
// Nothing happens by itself: tests look when they want to.
const alerting = forEachTest(() =>
  startAlerting(app.deps, { pagesUrl: 'https://errors.example', everyMs: 3_600_000 }),
);

const hook = 'https://hooks.example/services/T0123/abcdefghijklmnop';

const opens = (severity: string, on = 'issue.is_new') => ({ on, opens_incident: severity });
const often = (limit: object, on = 'issue.seen_more_than') => ({ on, limit });

describe('the names of rules', () => {
  const url = 'https://hooks.example/a/b';
  it.each([
    ['issue.is_new', 'issue.created', {}],
    ['issue.came_back', 'issue.regressed', {}],
    ['issue.seen_more_than', 'events.above', {}],
    ['issue.seen_more_than', 'users.above', { limit: { count: 9, unit: 'users' } }],
    ['users.above', 'users.above', {}],
    ['expiry.ends_within', 'expires_within', {}],
    ['losses.more_than', 'discard_rate.above', {}],
    ['release.crash_free_under', 'crash_free_rate.below', {}],
  ])('%s is accepted and answered as %s', async (on, name, more) => {
    const rules = [{ on, fold_over: 3, ...more }];
    const made = await app.postSecret('/alert-channels', { type: 'slack', name: 'a', url, rules });
    expect(made.body.rules).toMatchObject([{ on: name, group_threshold: 3 }]);
    const again = [{ on: name, group_threshold: 3, ...more }];
    const same = await app.postSecret('/alert-channels/1', { rules: again });
    const { rule_id: _old, ...first } = made.body.rules[0];
    const { rule_id: _new, ...second } = same.body.rules[0];
    expect(second).toEqual(first);
  });
});

describe('testing a channel before it is saved', () => {
  it('answers what the receiver answered, and stores nothing', async () => {
    receiver.answer = 404;
    const asked = { type: 'gotify', url: receiver.url.replace('/hook', ''), token: 'AbCdEfGh1' };
    const tried = await app.postSecret('/alert-channels/test', asked);
    expect(tried.body).toMatchObject({ accepted: true, delivered: false, status: 404, answer: 'no' });
    expect(receiver.received[0]?.headers['x-gotify-key']).toBe('AbCdEfGh1');
    expect((await app.get('/alert-channels')).body).toEqual([]);
    const without = await app.postSecret('/alert-channels/test', { ...asked, token: '' });
    expect(without.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['token'] } });
    const other = await app.postSecret('/alert-channels/test', { ...asked, room: 'a' });
    expect(other.body.data.params.room).toBe(
      'room is not used by this type of alert channel. Use url, token.',
    );
  });

  it('sends a stored key to no other server', async () => {
    const url = receiver.url.replace('/hook', '');
    const given = { type: 'gotify', name: 'Push', url: 'https://push.example', token: 'AbCdEfGh1' };
    const { alert_channel_id: id } = (await app.postSecret('/alert-channels', given)).body;
    const change = (asked: object) => app.postSecret(`/alert-channels/${id}`, asked);
    const moved = await change({ url });
    const said = 'token must be entered again, because the URL leads to another server.';
    expect([moved.status, moved.body.data.params.token]).toEqual([400, said]);
    expect((await change({ url: 'http://push.example' })).status).toBe(400);
    expect((await change({ url: 'https://push.example/below' })).status).toBe(200);
    expect((await change({ url, token: 'ZyXwVuTs9' })).status).toBe(200);
    await app.postSecret(`/alert-channels/${id}/test`, {});
    await alerting.runNow();
    expect(receiver.received.map(({ headers }) => headers['x-gotify-key'])).toEqual(['ZyXwVuTs9']);
  });

  inFull(it)(
    'is either the webhook of Slack or a bot with its channel, and can become the other',
    async () => {
      const bot = { token: 'xoxb-1234567890-abcdef', channel: '#ops' };
      const make = (asked: object) =>
        app.postSecret('/alert-channels', { type: 'slack', name: 'Ops', ...asked });
      const said = 'Enter either the webhook URL, or a bot token and a channel.';
      for (const [field, asked] of [
        ['url', {}],
        ['channel', { token: bot.token }],
        ['token', { channel: bot.channel }],
        ['token', { ...bot, url: hook }],
      ] as const) {
        const refused = await make(asked);
        expect([refused.status, refused.body.data.params]).toEqual([400, { [field]: said }]);
      }
      expect((await make({ ...bot, channel: 'ops' })).body.data.params.channel).toMatch(
        /^channel must be an ID/,
      );
      const made = await make(bot);
      expect(made.body.target).toBe('slack.com, #ops');
      expect(JSON.stringify(made.body)).not.toContain(bot.token);
      const change = async (asked: object) =>
        (await app.postSecret('/alert-channels/1', asked)).body.target ?? 'refused';
      expect(await change({ channel: 'C0123456789' })).toBe('slack.com, C0123456789');
      expect(await change({ url: hook })).toBe('hooks.example/services/••••');
      expect((await app.deps.store.findChannelRecord(1))?.settings).toEqual({});
      expect(await change({ token: bot.token })).toBe('refused');
      expect(await change(bot)).toBe('slack.com, #ops');
    },
  );

  it('never shows a key again', async () => {
    const token = 'a1B2'.repeat(8);
    const made = await app.postSecret('/alert-channels', { type: 'pagerduty', name: 'On call', token });
    expect(made.body.target).toBe('events.pagerduty.com, key a1B••••');
    const read = await app.get('/alert-channels/1');
    expect(JSON.stringify([made.body, read.body])).not.toContain(token);
    const moved = { url: 'https://events.eu.pagerduty.com', token };
    const changed = await app.postSecret('/alert-channels/1', moved);
    expect(changed.body.target).toBe('events.eu.pagerduty.com, key a1B••••');
  });
});

describe('creating a channel', () => {
  it('answers 201 with the usual rules and a secret that is shown once', async () => {
    const made = await app.postSecret('/alert-channels', { type: 'webhook', name: 'On call', url: hook });
    expect(made).toHaveStatus(201);
    const { secret, ...view } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(view).toMatchObject({
      accepted: true,
      alert_channel_id: 1,
      name: 'On call',
      type: 'webhook',
      target: 'hooks.example/services/••••',
      state: 'on',
      paused_until: null,
      quiet_hours: '',
      last_error: '',
      rules: [
        {
          name: 'New issues',
          on: 'issue.created',
          sentence: 'an issue is new',
          filters: [],
          group_threshold: 1,
        },
        { name: 'Regressed', on: 'issue.regressed' },
      ],
      created_at: '2026-11-21T12:00:00.000Z',
    });
    const { accepted: _accepted, ...read } = view;
    expect((await app.get('/alert-channels/1')).body).toEqual(read);
    const listed = await app.get('/alert-channels?search=ON%20C');
    expect([listed.headers['x-wp-total'], listed.body]).toEqual(['1', [read]]);
    expect((await app.get('/alert-channels?search=nobody')).body).toEqual([]);
  });

  itForAll(
    [
      ['type', { type: 'pigeon', name: 'a', url: hook }],
      ['name', { type: 'slack', name: ' \u0000 ', url: hook }],
      ['url', { type: 'slack', name: 'a', url: 'ftp://a.example/' }],
      ['url', { type: 'slack', name: 'a', url: 'https://user:secret@a.example/' }],
      ['url', { type: 'ntfy', name: 'a', url: 'https://ntfy.sh/' }],
      ['url', { type: 'email', name: 'a', url: hook, to: 'a@b.example' }],
      ['to', { type: 'email', name: 'a', to: 'a@b.example, nobody' }],
      ['to', { type: 'email', name: 'a', to: 'a@b.example\r\nBcc: c@d.example' }],
      ['secret', { type: 'webhook', name: 'a', url: hook, secret: 'short' }],
      ['secret', { type: 'slack', name: 'a', url: hook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
      ['quiet_hours', { type: 'slack', name: 'a', url: hook, quiet_hours: '22 to 7' }],
      ['quiet_hours', { type: 'slack', name: 'a', url: hook, quiet_hours: '22:00 to 07:00 Mars/Base' }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [{ on: 'issue.is_blue' }] }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [opens('planned')] }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [opens('minor', 'monitor.down')] }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [often({ count: 0, minutes: 5 })] }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [often({ count: 9, minutes: 7 })] }],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [often({ count: 9, minutes: 1_445 })] }],
      [
        'rules',
        { type: 'slack', name: 'a', url: hook, rules: [often({ count: 9, unit: 'days', minutes: 5 })] },
      ],
      [
        'rules',
        { type: 'slack', name: 'a', url: hook, rules: [often({ count: 9, minutes: 5 }, 'deploy.failed')] },
      ],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [often({ count: 1.5, minutes: 5 })] }],
      [
        'rules',
        {
          type: 'slack',
          name: 'a',
          url: hook,
          rules: [often({ count: 5, minutes: 30 }, 'losses.more_than')],
        },
      ],
      ['rules', { type: 'slack', name: 'a', url: hook, rules: [often({ count: 101 }, 'losses.more_than')] }],
      [
        'rules',
        { type: 'slack', name: 'a', url: hook, rules: [often({ count: 366 }, 'expiry.ends_within')] },
      ],
    ],
    'refuses what is wrong',
    async (field, body) => {
      const refused = await app.postSecret('/alert-channels', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
      expect(Object.keys(refused.body.data.params)).toEqual([field]);
      expect((await app.get('/alert-channels')).body).toEqual([]);
    },
  );

  it('refuses a channel without a destination', async () => {
    const refused = await app.postSecret('/alert-channels', { type: 'email', name: 'a' });
    expect([refused.status, refused.body.data.params]).toEqual([400, ['to']]);
  });

  it('refuses an email channel without SMTP', async () => {
    const bare = await openTestApp();
    const refused = await bare.postSecret('/alert-channels', { type: 'email', name: 'a', to: 'a@b.example' });
    expect([refused.status, refused.body.code]).toEqual([400, 'notifier_no_mail']);
    await bare.close();
  });
});

describe('an existing channel', () => {
  const make = async (): Promise<number> =>
    (await app.postSecret('/alert-channels', { type: 'webhook', name: 'a', url: receiver.url })).body
      .alert_channel_id;

  it('changes what is given, and nothing else', async () => {
    const id = await make();
    const changed = await app.postSecret(`/alert-channels/${id}`, {
      name: 'b',
      quiet_hours: '22:00 to 07:00 Europe/Berlin',
      rules: [
        { on: 'issue.is_new', filters: [{ field: 'level', is: 'at_least', value: 'error' }], fold_over: 5 },
      ],
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        accepted: true,
        name: 'b',
        quiet_hours: '22:00 to 07:00 Europe/Berlin',
        state: 'on',
        rules: [{ sentence: 'an issue is new, level is at least error', group_threshold: 5 }],
      },
    ]);
    expect(changed.body.secret).toBeUndefined();
    expect((await app.get(`/alert-channels/${id}`)).body.rules).toHaveLength(1);
  });

  it('keeps its recipients where an empty text is given, and removes them where they are optional', async () => {
    const targetAfter = async (type: string, change: object) => {
      const made = await app.postSecret('/alert-channels', { type, name: 'a', to: 'ops@shop.example' });
      const changed = await app.postSecret(`/alert-channels/${made.body.alert_channel_id}`, change);
      expect([made.status, changed.status]).toEqual([201, 200]);
      return changed.body.target === made.body.target ? 'kept' : changed.body.target;
    };
    expect(await targetAfter('assignee', { to: '' })).toBe('assigned members');
    expect(await targetAfter('assignee', { to: null, name: 'b' })).toBe('kept');
    expect(await targetAfter('email', { to: '' })).toBe('kept');
  });

  it('has rules of every kind, with given or default limits', async () => {
    const rules = [
      often({ count: 20, unit: 'users', minutes: 10 }),
      { on: 'issue.seen_more_than' },
      { on: 'issue.first_of_release' },
      { on: 'deploy.failed' },
      { on: 'test_run.failed' },
      { on: 'expiry.ends_within' },
      { on: 'losses.more_than' },
      often({ count: 99.5 }, 'release.crash_free_under'),
    ];
    const made = await app.postSecret('/alert-channels', { type: 'slack', name: 'a', url: hook, rules });
    const told = made.body.rules.map((rule: Record<string, unknown>) => [rule['sentence'], rule['limit']]);
    expect([made.status, told]).toEqual([
      201,
      [
        [
          'an issue is seen by more than 20 users within 10 minutes',
          { count: 20, unit: 'users', minutes: 10 },
        ],
        ['an issue is seen more than 100 times within an hour', { count: 100, unit: 'events', minutes: 60 }],
        ['an issue is new in a release', undefined],
        ['a deploy fails', undefined],
        ['a test run fails', undefined],
        ['a certificate, a domain verification or a key expires within 14 days', { count: 14, unit: 'days' }],
        [
          'a project discards more than 5% of its events within an hour',
          { count: 5, unit: 'percent', minutes: 60 },
        ],
        ['the crash-free rate of a release is below 99.5%', { count: 99.5, unit: 'percent' }],
      ],
    ]);
  });

  it('has rules that open incidents, and only those say so', async () => {
    const rules = [opens('minor'), { on: 'issue.came_back', opens_incident: null }];
    const made = await app.postSecret('/alert-channels', { type: 'slack', name: 'a', url: hook, rules });
    const told = made.body.rules.map((rule: object) =>
      'opens_incident' in rule ? rule.opens_incident : 'no',
    );
    expect(told).toEqual(['minor', 'no']);
  });

  it('is paused until a time or until it is resumed', async () => {
    const id = await make();
    const until = '2026-11-21T13:00:00.000Z';
    const paused = await app.postSecret(`/alert-channels/${id}`, { paused_until: until });
    expect(paused.body).toMatchObject({ state: 'paused', paused_until: until });
    const refused = await app.postSecret(`/alert-channels/${id}/test`, {});
    expect([refused.status, refused.body.code]).toEqual([400, 'notifier_alert_channel_paused']);
    expect((await app.postSecret(`/alert-channels/${id}`, { paused: false })).body).toMatchObject({
      state: 'on',
      paused_until: null,
    });
    const past = await app.postSecret(`/alert-channels/${id}`, { paused_until: '2020-01-01T00:00:00Z' });
    expect(Object.keys(past.body.data.params)).toEqual(['paused_until']);
    await app.postSecret(`/alert-channels/${id}`, { paused_until: until });
    app.advance(3_600_000);
    await alerting.runNow();
    expect((await app.get(`/alert-channels/${id}`)).body).toMatchObject({ state: 'on', paused_until: null });
  });

  it('sends a test, and reports which part failed', async () => {
    const id = await make();
    receiver.answer = 500;
    const asked = await app.postSecret(`/alert-channels/${id}/test`, {});
    expect([asked.status, asked.body]).toMatchObject([200, { accepted: true, alert_channel_id: id }]);
    await alerting.runNow();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([asked.body.message_id]);
    expect((await app.get(`/alert-channels/${id}`)).body).toMatchObject({
      state: 'failing',
      last_error: 'returns status 500',
    });
  });

  it('is deleted, and answered as it was', async () => {
    const id = await make();
    await app.postSecret(`/alert-channels/${id}/test`, {});
    const gone = await app.deleteSecret(`/alert-channels/${id}`);
    expect([gone.status, gone.body]).toMatchObject([
      200,
      { deleted: true, previous: { alert_channel_id: id } },
    ]);
    expect((await app.get(`/alert-channels/${id}`)).body.code).toBe('notifier_alert_channel_invalid_id');
    await alerting.runNow();
    expect(receiver.received).toEqual([]);
  });

  it('writes an audit entry for every action, without credentials', async () => {
    const id = await make();
    await app.postSecret(`/alert-channels/${id}`, { name: 'b' });
    await app.postSecret(`/alert-channels/${id}/test`, {});
    const text = JSON.stringify(await app.deps.store.listAudit(wholeAudit, { limit: 10 }));
    const acts = ['channel.created', 'channel.changed', 'channel.tested'];
    expect(acts.filter((action) => !text.includes(action))).toEqual([]);
    expect(text).not.toContain('/hook');
  });
});
