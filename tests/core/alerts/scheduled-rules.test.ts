import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { createScheduledRuleCheck } from '../../../src/core/alerts/scheduled-rules.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMonitor } from '../../../src/core/monitors/monitors.ts';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import { createKey } from '../../../src/core/projects/keys.ts';
import { databases } from '../../data/support/databases.ts';
import { alertingForEachTest } from '../../support/alerts/recording-messenger.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe.each(databases)('scheduled rules on $name', (database) => {
  const { app, alerting, sent } = alertingForEachTest(database);

  const channel = async (on: string, limit: object, filters: object[] = []): Promise<void> => {
    const rules = [{ on, limit, filters, fold_over: 50 }];
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules };
    await createChannel(app.deps, null, asked as never, commandLineSource);
  };
  const later = async (ms: number): Promise<void> => {
    app.advance(ms);
    await alerting.runNow();
  };
  const told = () => sent.map(({ body }) => JSON.parse(body));
  const subjects = (): string[] => told().map(({ data }) => data.subject);

  it('an expiring key is notified once, and again after its expiry was moved', async () => {
    await channel('expiry.ends_within', { count: 7 });
    const { store, now } = app.deps;
    const { key } = await createKey(app.deps, app.project.id, 'public', { expiresAtMs: now() + 9 * dayMs });
    await alerting.runNow();
    await later(dayMs);
    expect(sent).toEqual([]);
    await later(dayMs);
    await later(minuteMs);
    expect(subjects()).toEqual([`The key ${key.prefix}…${key.lastFour} expires within 7 days`]);
    expect(told()[0]).toMatchObject({
      type: 'expiry.ends_within',
      data: {
        why: 'The rule “Expiring” notifies “all”: a certificate, a domain verification or a key expires within 7 days.',
        objects: [{ id: key.id, url: `https://errors.example/projects/${app.project.id}` }],
      },
    });
    await store.changeKey(app.project.id, key.id, { expiresAtMs: now() + 9 * dayMs });
    await later(minuteMs);
    expect(sent).toHaveLength(1);
    await later(3 * dayMs);
    expect(sent).toHaveLength(2);
  });

  it('expiring things are read in one query, however many projects there are', async () => {
    const { store, now } = app.deps;
    for (const days of [7, 14]) await channel('expiry.ends_within', { count: days });
    const asked = new Map<string, number>();
    const counting = new Proxy(store, {
      get(target, name: keyof typeof store) {
        if (/^(list|find)/.test(name)) asked.set(name, (asked.get(name) ?? 0) + 1);
        return target[name];
      },
    });
    const ends = { expiresAtMs: now() + 9 * dayMs };
    const looked = async (): Promise<Map<string, number>> => {
      asked.clear();
      await createScheduledRuleCheck({ store: counting, now })();
      return new Map(asked);
    };
    const few = await looked();
    for (let nth = 0; nth < 20; nth += 1) {
      const { id } = await store.createProject({ name: `shop ${nth}`, createdAtMs: now() });
      await createKey(app.deps, id, 'public', ends);
    }
    expect(await looked()).toEqual(few);
    expect([few.get('listProjects'), few.get('listActiveAlerts'), few.get('listEndingKeys')]).toEqual([
      1, 1, 2,
    ]);
    expect(await store.listActiveAlerts('expiry.ends_within')).toHaveLength(20);
  });

  it('a domain verification about to expire is notified', async () => {
    await channel('expiry.ends_within', { count: 2 });
    const { body } = await app.postSecret('/domain-verifications', { domain: 'example.com' });
    const proof = await app.deps.store.findDomainVerification(app.project.id, body.id);
    const endsMs = proof?.expiresAtMs ?? 0;
    await alerting.runNow();
    await later(endsMs - app.deps.now() - 3 * dayMs);
    expect(sent).toEqual([]);
    await later(dayMs);
    expect(told().map(({ data }) => [data.subject, data.objects[0].id])).toEqual([
      ['The verification of example.com expires within 2 days', null],
    ]);
  });

  it('an expiring certificate is notified, and so is its successor', async () => {
    await channel('expiry.ends_within', { count: 14 });
    const { store, now } = app.deps;
    const asked = { name: 'Front page', type: 'http', url: 'https://shop.example/', interval: 86_400 };
    await createMonitor(app.deps, app.project.id, asked as never, commandLineSource);
    const see = async (days: number): Promise<void> => {
      const endsAtMs = now() + days * dayMs;
      const page = async () => ({
        ok: true as const,
        durationMs: 5,
        found: { status: 200, location: null, text: '', certificateEndsAtMs: endsAtMs },
      });
      const checker = { page, port: () => Promise.reject(new Error('asked for a port')) };
      const monitoring = startMonitorLoop({ ...app.deps, checker: checker as never }, { everyMs: dayMs });
      await monitoring.runNow();
      await monitoring.stop();
      expect((await store.findMonitorRecord(1))?.certificateEndsAtMs).toBe(endsAtMs);
    };
    await see(20);
    await alerting.runNow();
    expect(sent).toEqual([]);
    await later(6 * dayMs);
    await later(minuteMs);
    expect(told().map(({ data }) => [data.subject, data.objects[0].url])).toEqual([
      ['The certificate of Front page expires within 14 days', 'https://errors.example/monitors/front-page'],
    ]);
    await see(90);
    await later(2 * dayMs);
    expect(sent).toHaveLength(1);
    await see(10);
    await later(minuteMs);
    expect(sent).toHaveLength(2);
  });

  it('discard rate: filtered events do not count as discarded', async () => {
    await channel('losses.more_than', { count: 10, minutes: 120 });
    const { store, now } = app.deps;
    const lose = (outcome: string, quantity: number, reason = '') =>
      store.addOutcomes([
        { projectId: app.project.id, atMs: now(), outcome, reason, category: 'error', quantity } as never,
      ]);
    await lose('invalid', 50);
    await alerting.runNow();
    expect(sent).toEqual([]);
    await lose('accepted', 450);
    await lose('client_discard', 900, 'sample_rate');
    await lose('filtered', 900);
    await later(minuteMs);
    expect(sent).toEqual([]);
    await lose('client_discard', 1, 'network_error');
    await later(minuteMs);
    await later(minuteMs);
    expect(told().map(({ data }) => [data.subject, data.objects[0].detail])).toEqual([
      ['test discarded more than 10% of its events within 2 hours', '51 events of 501'],
    ]);
    await later(3 * hourMs);
    await lose('rate_limited', 100);
    await later(minuteMs);
    expect(sent).toHaveLength(2);
  });

  it('a low crash-free rate is notified, and again after it recovered', async () => {
    await channel('release.crash_free_under', { count: 99.5 }, [
      { field: 'release', is: 'contains', value: 'shop' },
    ]);
    const { store, now } = app.deps;
    const run = (release: string, sessions: number, crashed: number) =>
      store.addSessions([
        {
          projectId: app.project.id,
          id: null,
          release,
          environment: 'live',
          atMs: now(),
          sessions,
          exited: sessions - crashed,
          errored: 0,
          crashed,
          abnormal: 0,
        },
      ]);
    await run('shop@1', 99, 50);
    await run('shop@2', 200, 1);
    await run('desk@1', 200, 100);
    await alerting.runNow();
    expect(sent).toEqual([]);
    await run('shop@2', 0, 1);
    await later(minuteMs);
    expect(told().map(({ data }) => [data.subject, data.objects[0].detail])).toEqual([
      ['shop@2 has a crash-free rate below 99.5%', '99.00% of 200 sessions'],
    ]);
    // Nobody runs it for a day: it is no better for that.
    await later(dayMs);
    await run('shop@2', 1, 0);
    await later(minuteMs);
    expect(sent).toHaveLength(1);
    await run('shop@2', 1_000, 0);
    await later(minuteMs);
    await run('shop@2', 100, 50);
    await later(minuteMs);
    expect(sent).toHaveLength(2);
  });
});
