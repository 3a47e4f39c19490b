import { describe, expect, it } from '@jest/globals';
import { openDb } from '../../../data/open-store.ts';
import { buildDueMessages } from '../../../src/core/alerts/build-messages.ts';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { updateRule } from '../../../src/core/alerts/rules.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { updateIncident } from '../../../src/core/incidents/incidents.ts';
import { createMonitor } from '../../../src/core/monitors/monitors.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import type { CheckOutcome } from '../../../src/core/store/monitors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { databases } from '../../data/support/databases.ts';
import { alertingForEachTest, recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { byNamed } from '../../support/app.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe.each(databases)('rules that open incidents on $name', (database) => {
  const { app, alerting, sent } = alertingForEachTest(database);

  const channel = async (rule: object, projectId: number | null = null): Promise<number> => {
    const rules = [{ name: 'Live', opens_incident: 'minor', ...rule }];
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules };
    return (await createChannel(app.deps, projectId, asked as never, commandLineSource)).channel.id;
  };
  const look = async (ms = 0) => {
    app.advance(ms);
    await alerting.runNow();
    const all = await app.deps.store.listIncidentRecords(null);
    return all.toSorted((one, other) => one.id - other.id);
  };
  const store = async (message: string, more: object = {}): Promise<number> =>
    (await app.post('/store', { message, platform: 'php', ...more })).body.issue_id;
  const change = (id: number, asked: object) =>
    updateIncident(app.deps, null, id, asked as never, byNamed('Mara'));
  const resolve = (issueId: number) => app.postSecret(`/issues/${issueId}`, { status: 'resolved' });

  it('an issue opens one, which ends when it is resolved, unless a person edited it', async () => {
    const channelId = await channel({ on: 'issue.is_new' });
    const issueId = await store('Cards are refused');
    const [incident, ...others] = await look();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      title: `#${issueId} is new: Cards are refused`,
      severity: 'minor',
      state: 'investigating',
      projectId: app.project.id,
      openedBy: 'Live',
      startedAtMs: app.deps.now(),
      acknowledgedAtMs: null,
      links: [{ kind: 'issue', id: issueId, name: `#${issueId}`, linkedBy: 'Live' }],
      updates: [{ author: 'Live', isPublic: false, body: 'an issue is new' }],
    });
    const [rule] = (await app.deps.store.findChannelRecord(channelId))?.rules ?? [];
    expect(incident?.ruleId).toBe(rule?.id);
    await resolve(issueId);
    expect(await look(minuteMs)).toMatchObject([
      { state: 'resolved', updates: [{ body: 'Its issue is resolved.', to: 'resolved' }, {}] },
    ]);
  });

  const named = () =>
    sent.map(({ body }) => {
      const { incidents, incidents_count: count } = JSON.parse(body).data;
      return incidents === undefined ? null : { count, incidents };
    });

  it('its message has the current title, and later ones name it while it is open', async () => {
    await channel({ on: 'issue.came_back', fold_over: 50 });
    await channel({ on: 'issue.came_back', name: 'Silent', opens_incident: null, fold_over: 50 });
    const issueId = await store('Cards are refused');
    const comeBack = async () => {
      await resolve(issueId);
      await store('Cards are refused');
    };
    await comeBack();
    const [incident] = await look();
    const id = incident?.id ?? 0;
    const url = `https://errors.example/incidents/${id}`;
    const title = `#${issueId} regressed: Cards are refused`;
    expect(named()).toEqual([{ count: 1, incidents: [{ incident_id: id, title, url }] }, null]);
    sent.length = 0;
    await change(id, { title: 'No card is taken', acknowledged: true });
    await comeBack();
    await look(minuteMs);
    expect(named()).toEqual([
      { count: 1, incidents: [{ incident_id: id, title: 'No card is taken', url }] },
      null,
    ]);
  });

  it('the body of a message stays the same in retries, whatever happens to the incident', async () => {
    await channel({ on: 'issue.is_new' });
    await store('Cards are refused');
    const bodies: string[] = [];
    const refusing = {
      ...recordingMessenger([]),
      post: async ({ body }: WebhookMessage) => {
        bodies.push(body);
        return { ok: false, status: 500, detail: '' };
      },
    };
    const trying = startAlerting(
      { ...app.deps, notificationSender: refusing },
      { pagesUrl: 'https://errors.example', everyMs: hourMs },
    );
    await trying.runNow();
    const [incident] = await app.deps.store.listIncidentRecords(null);
    await change(incident?.id ?? 0, { title: 'No card is taken' });
    app.advance(hourMs);
    await trying.runNow();
    await app.deps.store.deleteIncident(incident?.id ?? 0);
    app.advance(hourMs);
    await trying.runNow();
    await trying.stop();
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? '').data.incidents).toMatchObject([{ incident_id: incident?.id }]);
  });

  it('a message on many names their incidents, without deleted ones', async () => {
    await channel({ on: 'issue.is_new' });
    await store('The first');
    await look();
    sent.length = 0;
    for (const word of ['ash', 'birch', 'cedar']) await store(`The ${word} fell`, { fingerprint: [word] });
    const [, second, third, last] = await look();
    expect(sent).toEqual([]);
    await app.deps.store.deleteIncident(third?.id ?? 0);
    await look(minuteMs);
    expect(named()).toMatchObject([
      { count: 2, incidents: [{ incident_id: second?.id }, { incident_id: last?.id }] },
    ]);
  });

  it('an overflow issue is notified again with its incident', async () => {
    await channel({ on: 'issue.is_new' });
    const issueId = await store('Cards are refused');
    const db = await openDb(app.deps.config.databaseUrl, {});
    await db.write((tx) => tx.run('UPDATE issues SET is_overflow = 1'));
    await db.close();
    const [incident] = await look();
    await store('Cards are refused');
    await look(minuteMs);
    const each = { count: 1, incidents: [{ incident_id: incident?.id }] };
    expect(named()).toMatchObject([each, each]);
    expect(incident?.title).toContain(`#${issueId}`);
  });

  it('a merged issue has the incident of its merge target', async () => {
    await channel({ on: 'issue.is_new' });
    const merged = await store('Cards are refused', { fingerprint: ['one'] });
    await look();
    const head = await store('Cards are declined', { fingerprint: ['two'] });
    await app.postSecret(`/issues/${head}`, { merge: [merged] });
    await resolve(head);
    const states = (await look()).map(({ title, state }) => [title, state]);
    expect(states).toContainEqual([`#${merged} is new: Cards are refused`, 'resolved']);
  });

  it('a regression joins an open incident, or opens another', async () => {
    await channel({ on: 'issue.came_back', opens_incident: 'critical' });
    const issueId = await store('Cards are refused');
    await resolve(issueId);
    await store('Cards are refused');
    const [first] = await look();
    expect(first).toMatchObject({ severity: 'critical', updates: [{}] });
    await change(first?.id ?? 0, { acknowledged: true });
    await resolve(issueId);
    expect(await look()).toMatchObject([{ state: 'monitoring', resolvedAtMs: null }]);
    await store('Cards are refused');
    expect(await look()).toMatchObject([
      {
        state: 'investigating',
        updates: [{ body: expect.stringMatching(/^Again: #\d+ regressed/) }, {}, {}],
      },
    ]);
    await change(first?.id ?? 0, { state: 'resolved' });
    await resolve(issueId);
    await store('Cards are refused');
    expect((await look()).map(({ state }) => state)).toEqual(['resolved', 'investigating']);
  });

  it.each([
    ['deploy.failed', 'investigating'],
    ['issue.came_back', 'resolved'],
  ] as const)('a rule that is changed to %s leaves what it opened %s', async (kind, state) => {
    const channelId = await channel({ on: 'issue.is_new' });
    const issueId = await store('Cards are refused');
    await look();
    const [rule] = (await app.deps.store.findChannelRecord(channelId))?.rules ?? [];
    const asked = { kind, limit: null, filters: [], groupThreshold: 1, opensIncident: 'minor' } as const;
    await updateRule(app.deps, rule?.id ?? 0, { ...asked, name: 'Other', channelIds: [channelId] });
    const deploy = { version: 'shop@1', environment: 'live', status: 'failure' };
    expect((await app.postSecret('/deploys', deploy)).body.deploy_id).toBe(issueId);
    await look();
    await resolve(issueId);
    const [first, ...more] = await look();
    expect(first?.state).toBe(state);
    expect(more.map(({ title }) => title)).toEqual(
      kind === 'deploy.failed' ? ['Deploy of shop@1 to live failed'] : [],
    );
  });

  it('opens none for other projects or unmatched filters; a paused channel does not matter', async () => {
    const filters = [{ field: 'level', is: 'at_least', value: 'error' }];
    const channelId = await channel({ on: 'issue.is_new', filters });
    await channel({ on: 'issue.is_new', name: 'Silent', opens_incident: null });
    await channel({ on: 'issue.is_new', name: 'Theirs' }, app.project.id + 1);
    await app.deps.store.changeChannel(channelId, { state: 'paused' });
    await store('Only a note', { level: 'info' });
    await store('Cards are refused', { level: 'error' });
    expect((await look()).map(({ openedBy, title }) => [openedBy, title])).toEqual([
      ['Live', expect.stringMatching(/Cards are refused$/)],
    ]);
  });

  it('a run that fails leaves nothing, and the next run opens it once', async () => {
    await channel({ on: 'issue.is_new' });
    await store('Cards are refused');
    const kept = app.deps.store;
    const gather = () => Promise.reject(new Error('The disk is full.'));
    const transaction: Store['transaction'] = (work) =>
      kept.transaction((inner) => work({ ...inner, addPendingNotifications: gather }));
    const failing = buildDueMessages({ ...app.deps, store: { ...kept, transaction } }, null);
    await expect(failing).rejects.toThrow('The disk is full.');
    expect(await kept.listIncidentRecords(null)).toEqual([]);
    expect(await look()).toHaveLength(1);
    expect(await look()).toHaveLength(1);
  });

  it('a storm opens at most ten for a rule', async () => {
    await channel({ on: 'issue.is_new' });
    const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'gum', 'holly', 'ivy', 'juniper', 'kauri', 'larch'];
    for (const word of words) await store(`The ${word} fell`, { fingerprint: [word] });
    expect(await look()).toHaveLength(10);
  });

  it('incidents link to the failed deploys and test runs', async () => {
    await channel({ on: 'deploy.failed' });
    await channel({ on: 'test_run.failed', name: 'Tests' });
    const deploy = { version: 'shop@1', environment: 'live', key: 'one' };
    await app.postSecret('/deploys', { ...deploy, status: 'failure' });
    const run = await app.postSecret('/test-runs', { tests: 5, passed: 3, failed: 2 });
    const id = run.body.test_run_id;
    expect((await look()).map(({ title, updates }) => [title, updates[0]?.body])).toEqual([
      ['Deploy of shop@1 to live failed', 'a deploy fails'],
      [`Test run #${id} failed`, 'a test run fails (2 of 5 tests failed)'],
    ]);
    const linked = (await look()).map(({ links }) => links.filter(({ linkedBy }) => linkedBy !== null));
    expect(linked).toMatchObject([[{ kind: 'deploy', name: 'shop@1 to live' }], [{ kind: 'test_run', id }]]);
  });

  it('an incident of a frequency rule ends when the rate is below the limit', async () => {
    await channel({ on: 'issue.seen_more_than', limit: { count: 2, minutes: 5 } });
    for (let times = 0; times < 3; times += 1) await store('Cards are refused');
    expect(await look()).toMatchObject([{ state: 'investigating' }]);
    await store('Cards are refused');
    expect(await look(minuteMs)).toMatchObject([{ state: 'investigating', updates: [{}] }]);
    expect(await look(10 * minuteMs)).toMatchObject([
      { state: 'resolved', resolvedAtMs: app.deps.now(), updates: [{ body: 'It is over.' }, {}] },
    ]);
  });

  const certified = async (endsAtMs: number | null, state: 'up' | 'degraded' = 'up'): Promise<void> => {
    const { store: kept, now } = app.deps;
    const [monitor] = await kept.claimMonitors(now() + hourMs, { graceMs: 0, limit: 1 });
    if (monitor === undefined) throw new Error('none is due');
    const summary = { title: monitor.name, detail: 'took longer', path: `/monitors/${monitor.slug}` };
    const outcome: CheckOutcome = {
      monitor,
      check: { atMs: now(), result: 'up', code: '200', durationMs: 1, from: '', message: '' },
      status: { ...monitor, state },
      times: [],
      turns: state === 'up' ? [] : [{ kind: 'monitor.slow', isNews: true, sinceMs: now(), summary }],
      certificateEndsAtMs: endsAtMs,
      nextCheckAtMs: now(),
      runs: null,
    };
    expect(await kept.saveChecks([outcome])).toBe(1);
  };
  const monitored = async () => {
    const asked = { type: 'http', name: 'Shop', url: 'https://shop.example/', interval: 30 };
    await createMonitor(app.deps, null, asked as never, commandLineSource);
  };

  it('a moved expiry ends it, and a reached expiry does not', async () => {
    await channel({ on: 'expiry.ends_within', limit: { count: 7 } });
    await monitored();
    const now = app.deps.now();
    await certified(now + 6 * dayMs);
    expect(await look()).toMatchObject([
      {
        title: 'The certificate of Shop expires within 7 days',
        state: 'investigating',
        projectId: null,
        links: [],
      },
    ]);
    await certified(now + 90 * dayMs);
    expect(await look(hourMs)).toMatchObject([{ state: 'resolved' }]);
    await certified(now + 3 * dayMs);
    await look(hourMs);
    await certified(now + 3 * dayMs);
    expect((await look(4 * dayMs)).map(({ state }) => state)).toEqual(['resolved', 'investigating']);
  });

  it('a slow monitor has one until it is no longer slow', async () => {
    await channel({ on: 'monitor.slow' });
    await monitored();
    await certified(null, 'degraded');
    expect(await look()).toMatchObject([
      { title: 'Shop is degraded', affects: [{ kind: 'monitor', name: 'Shop' }], links: [] },
    ]);
    app.advance(minuteMs);
    await certified(null);
    expect(await look()).toMatchObject([{ state: 'resolved' }]);
  });
});
