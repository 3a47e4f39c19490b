import { describe, expect, it } from '@jest/globals';
import { openDb } from '../../../data/open-store.ts';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { updateRule } from '../../../src/core/alerts/rules.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { databases } from '../../data/support/databases.ts';
import { alertingForEachTest } from '../../support/alerts/recording-messenger.ts';

const minuteMs = 60_000;

describe.each(databases)('rules on $name', (database) => {
  const { app, alerting, sent } = alertingForEachTest(database);

  const channel = async (
    on: string,
    filters: object[] = [],
    type = 'webhook',
    groupThreshold = 50,
  ): Promise<number> => {
    const rules = [{ on, filters, fold_over: groupThreshold }];
    const asked = { type, name: 'all', url: 'https://a.example/hook', rules };
    return (await createChannel(app.deps, null, asked as never, commandLineSource)).channel.id;
  };
  const told = () => sent.map(({ body }) => JSON.parse(body));
  const subjects = (): string[] => told().map(({ data }) => data.subject);
  const deploy = (more: object) =>
    app.postSecret('/deploys', { version: 'shop@1', environment: 'live', ...more });

  it('notify once about a failed deploy, and again when it fails anew', async () => {
    await channel('deploy.failed');
    await deploy({ key: 'one', status: 'in_progress' });
    await deploy({ key: 'two', status: 'success' });
    await alerting.runNow();
    expect(sent).toEqual([]);
    const failed = await deploy({ key: 'one', status: 'failure', name: 'Friday', deployed_by: 'Mara' });
    await deploy({ key: 'one', status: 'failure' });
    await deploy({ key: 'one', comment: 'rolled back' });
    await alerting.runNow();
    expect(told()).toEqual([
      {
        type: 'deploy.failed',
        timestamp: expect.any(String),
        data: {
          subject: 'Deploy of shop@1 to live failed',
          why: 'The rule “Deploys” notifies “all”: a deploy fails.',
          url: expect.stringMatching(/^https:\/\/errors\.example\/releases\/\d+$/),
          stop_url: 'https://errors.example/alert-channels/rules/1',
          rule: { rule_id: 1, name: 'Deploys' },
          channel: { alert_channel_id: 1, name: 'all' },
          objects_count: 1,
          objects: [
            {
              id: failed.body.deploy_id,
              project: 'test',
              title: 'Deploy of shop@1 to live',
              detail: 'Friday, by Mara',
              url: expect.stringMatching(/^https:\/\/errors\.example\/releases\/\d+$/),
            },
          ],
          issues_count: 0,
          issues: [],
          overflow: [],
        },
      },
    ]);
    await deploy({ key: 'one', status: 'success' });
    await deploy({ key: 'one', status: 'timed_out' });
    await deploy({ status: 'failure' });
    app.advance(minuteMs);
    await alerting.runNow();
    expect(subjects()).toEqual([
      'Deploy of shop@1 to live failed',
      'Deploy of shop@1 to live failed',
      'Deploy of shop@1 to live failed',
    ]);
  });

  it('notify once about a failed test run, however many shards fail', async () => {
    await channel('test_run.failed');
    const run = (shard: string, failed: number) =>
      app.postSecret('/test-runs', {
        run_key: 'r',
        suite: 'browser',
        branch: 'main',
        shard,
        tests: 5,
        passed: 5 - failed,
        failed,
      });
    await run('1', 0);
    await alerting.runNow();
    expect(sent).toEqual([]);
    const answer = await run('2', 2);
    await run('3', 1);
    await alerting.runNow();
    const [{ data }] = told();
    expect(subjects()).toEqual([`Test run #${answer.body.test_run_id} of browser on main failed`]);
    expect(data.objects[0]).toMatchObject({
      detail: '2 of 10 tests failed',
      url: `https://errors.example/test-runs/${answer.body.test_run_id}`,
    });
    await run('2', 0);
    await run('3', 0);
    await run('3', 3);
    await alerting.runNow();
    expect(sent).toHaveLength(2);
  });

  it('group what follows, apply filters, and work in chats too', async () => {
    await channel('deploy.failed', [{ field: 'environment', is: 'is', value: 'live' }], 'slack', 1);
    await channel('deploy.failed', [{ field: 'release', is: 'is_not', value: 'shop@1' }], 'mattermost', 1);
    await deploy({ status: 'failure' });
    await deploy({ status: 'failure', environment: 'staging' });
    await alerting.runNow();
    for (let number = 0; number < 12; number += 1) await deploy({ status: 'failure', environment: 'live' });
    app.advance(minuteMs);
    await alerting.runNow();
    expect(told().map(({ text }) => text)).toEqual([
      'Deploy of shop@1 to live failed',
      '12 deploys failed in test',
    ]);
    expect(JSON.stringify(told()[1])).toContain('and 2 more deploys');
  });

  it('notify about an issue that is new in a release, and not without a release', async () => {
    await channel('issue.first_of_release');
    const event = (message: string, release?: string) =>
      app.post('/store', { message, platform: 'php', ...(release === undefined ? {} : { release }) });
    await event('Known before');
    await event('Known before', 'shop@1');
    await event('Came with it', 'shop@1');
    await event('Came with it', 'shop@2');
    await alerting.runNow();
    expect(
      told().map(({ type, data }) => [type, data.issues.map(({ title }: { title: string }) => title)]),
    ).toEqual([['issue.first_of_release', ['Came with it']]]);
  });

  it('after a change ignore earlier matches, and keep what is over the limit', async () => {
    const { store } = app.deps;
    const channelId = await channel('issue.is_new', [], 'webhook', 1);
    const event = (message: string) =>
      app.post('/store', { message, platform: 'php', fingerprint: [message] });
    await event('The first');
    await alerting.runNow();
    const waiting = await event('The second');
    await alerting.runNow();
    const ruleId = (await store.findChannelRecord(channelId))?.rules[0]?.id ?? 0;
    const place = { ruleId, channelId };
    expect(await store.readPendingNotifications(place, 10)).toMatchObject({ count: 1 });
    const asked = { name: 'Other', limit: null, filters: [], groupThreshold: 1, opensIncident: null };
    await updateRule(app.deps, ruleId, { ...asked, kind: 'deploy.failed', channelIds: [channelId] });
    await deploy({ status: 'failure' });
    app.advance(minuteMs);
    await alerting.runNow();
    expect(subjects().slice(1)).toEqual(['Deploy of shop@1 to live failed']);
    const db = await openDb(app.deps.config.databaseUrl, {});
    await db.write((tx) =>
      tx.run('UPDATE issues SET is_overflow = 1 WHERE id = $1', [waiting.body.issue_id]),
    );
    await db.close();
    const words = { ...asked, channelIds: [channelId] };
    await updateRule(app.deps, ruleId, { ...words, kind: 'issue.is_new' });
    const remembered = { objectId: waiting.body.issue_id, notifiedEvents: 1 };
    expect((await store.readPendingNotifications(place, 10)).overflow).toMatchObject([remembered]);
    await updateRule(app.deps, ruleId, { ...words, kind: 'issue.is_new', name: 'The same' });
    await updateRule(app.deps, ruleId, { ...words, kind: 'issue.came_back' });
    expect((await store.readPendingNotifications(place, 10)).overflow).toMatchObject([remembered]);
  });
});
