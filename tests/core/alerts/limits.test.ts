import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { databases } from '../../data/support/databases.ts';
import { type EventParts, eventOf } from '../../data/support/events.ts';
import { alertingForEachTest } from '../../support/alerts/recording-messenger.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(databases)('a rule on how often an issue is seen, on $name', (database) => {
  const { app, alerting, sent } = alertingForEachTest(database, null);

  const rule = async (limit: object, filters: object[] = []): Promise<number> => {
    const rules = [{ on: 'issue.seen_more_than', limit, filters, fold_over: 50 }];
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules } as const;
    const { channel } = await createChannel(app.deps, null, asked as never, commandLineSource);
    return channel.rules[0]?.id ?? 0;
  };
  const events = async (count: number, parts: EventParts = {}): Promise<number> => {
    let issueId = 0;
    for (let number = 0; number < count; number += 1) {
      const given = { projectId: app.project.id, receivedAtMs: app.deps.now(), ...parts };
      ({ issueId } = await app.deps.store.recordEvent(eventOf(given)));
    }
    return issueId;
  };
  const subjects = (): string[] => sent.map(({ body }) => JSON.parse(body).data.subject);

  it('notifies above its limit of events, and not before', async () => {
    await rule({ count: 3, minutes: 10 });
    await events(3, { kind: 'a' });
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    const issueId = await events(1, { kind: 'a' });
    await events(2, { kind: 'b' });
    await alerting.runNow();
    expect(subjects()).toEqual([`#${issueId} was seen more than 3 times within 10 minutes: TypeError: a`]);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      type: 'issue.seen_more_than',
      data: {
        why: 'The rule “Many events” notifies “all”: an issue is seen more than 3 times within 10 minutes.',
        issues: [{ issue_id: issueId, events: 4 }],
      },
    });
  });

  it('notifies once, and again only after a time below the limit', async () => {
    await rule({ count: 2, minutes: 10 });
    await events(3, { kind: 'a' });
    await alerting.runNow();
    for (let minute = 0; minute < 20; minute += 2) {
      await events(1, { kind: 'a' });
      await alerting.runNow();
      app.advance(2 * minuteMs);
    }
    expect(subjects()).toHaveLength(1);
    app.advance(10 * minuteMs);
    await alerting.runNow();
    await events(2, { kind: 'a' });
    await alerting.runNow();
    expect(subjects()).toHaveLength(1);
    await events(1, { kind: 'a' });
    await alerting.runNow();
    expect(subjects()).toHaveLength(2);
  });

  it('counts events within its period only, in slots of five minutes', async () => {
    await rule({ count: 3, minutes: 10 });
    await events(3, { kind: 'a' });
    await alerting.runNow();
    app.advance(9 * minuteMs);
    await alerting.runNow();
    app.advance(minuteMs);
    await events(3, { kind: 'a' });
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    app.advance(9 * minuteMs);
    await events(1, { kind: 'a' });
    await alerting.runNow();
    expect(subjects()).toHaveLength(1);
  });

  it('counts users, each once', async () => {
    await rule({ count: 2, unit: 'users', minutes: 5 });
    for (const userHash of ['one', 'two', 'one', null, null]) await events(1, { kind: 'a', userHash });
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    const issueId = await events(1, { kind: 'a', userHash: 'three' });
    await alerting.runNow();
    expect(subjects()).toEqual([`#${issueId} was seen by more than 2 users within 5 minutes: TypeError: a`]);
  });

  it('counts only the events that match its conditions', async () => {
    const production = { field: 'environment', is: 'is', value: 'production' };
    await rule({ count: 2, minutes: 5 }, [production, { field: 'level', is: 'at_least', value: 'error' }]);
    await rule({ count: 1, unit: 'users', minutes: 5 }, [
      { field: 'release', is: 'contains', value: 'SHOP' },
    ]);
    await events(5, { kind: 'a', environment: 'staging' });
    await events(5, { kind: 'a', environment: 'production', level: 'info' });
    await events(2, { kind: 'a', environment: 'production' });
    await events(2, { kind: 'a', release: 'shop@1', userHash: 'one' });
    await events(2, { kind: 'a', release: 'desk@1', userHash: 'two' });
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    await events(1, { kind: 'a', environment: 'production' });
    // The event that came last decides nothing.
    await events(1, { kind: 'a', environment: 'staging', release: 'shop@2', userHash: 'two' });
    await alerting.runNow();
    expect(
      subjects()
        .toSorted()
        .map((text) => text.replace(/#\d+ /, '')),
    ).toEqual([
      'was seen by more than 1 user within 5 minutes: TypeError: a',
      'was seen more than 2 times within 5 minutes: TypeError: a',
    ]);
  });

  it('filters by project name, and by a tag of the newest event', async () => {
    await rule({ count: 1, minutes: 5 }, [{ field: 'project', is: 'is_not', value: 'test' }]);
    await rule({ count: 1, minutes: 5 }, [{ field: 'tag', name: 'zone', is: 'is', value: 'eu' }]);
    const tagged = (zone: string): EventParts => ({
      kind: 'a',
      payload: JSON.stringify({ tags: [['zone', zone]] }),
    });
    await events(1, tagged('eu'));
    await events(1, tagged('us'));
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    app.advance(1_000);
    await events(1, tagged('eu'));
    await alerting.runNow();
    expect(subjects()).toHaveLength(1);
  });

  it('counts merged issues together, and skips ignored ones', async () => {
    const { store } = app.deps;
    await rule({ count: 3, minutes: 5 });
    const one = await events(2, { kind: 'a' });
    const other = await events(2, { kind: 'b' });
    const ignored = await events(9, { kind: 'c' });
    await app.postSecret(`/issues/${ignored}`, { status: 'ignored' });
    await alerting.runNow();
    expect(subjects()).toEqual([]);
    await store.mergeIssues(app.project.id, one, [other], { actor: 'test', nowMs: app.deps.now() });
    await events(1, { kind: 'b' });
    await alerting.runNow();
    expect(subjects()).toEqual([`#${one} was seen more than 3 times within 5 minutes: TypeError: a`]);
  });

  it('is evaluated anew after a change, and by one of several processes', async () => {
    const { store } = app.deps;
    const id = await rule({ count: 5, minutes: 5 });
    await events(4, { kind: 'a' });
    await alerting.runNow();
    const kept = await store.findRuleRecord(id);
    if (kept === null || kept.conditions.limit === null) throw new Error('The rule is not there.');
    const conditions = { ...kept.conditions, limit: { ...kept.conditions.limit, count: 3 } };
    await store.changeRule(id, { ...kept, conditions, sentence: 'another' }, kept.channelIds);
    const others = [1, 2].map(() => startAlerting(app.deps, { pagesUrl: null, everyMs: hourMs }));
    await Promise.all([alerting, ...others].map((each) => each.runNow()));
    await Promise.all(others.map((each) => each.stop()));
    expect(subjects()).toHaveLength(1);
    await store.deleteRule(id);
    expect(await store.listActiveAlerts('issue.seen_more_than')).toEqual([]);
  });

  it('is deleted with its project', async () => {
    const { store } = app.deps;
    await rule({ count: 1, minutes: 5 });
    await events(2, { kind: 'a' });
    await alerting.runNow();
    expect(await store.listActiveAlerts('issue.seen_more_than')).toHaveLength(1);
    await store.endProject(app.project.id, app.deps.now());
    while (!(await store.removeProjectSlice(app.project.id)).done);
    expect(await store.listActiveAlerts('issue.seen_more_than')).toEqual([]);
  });
});
