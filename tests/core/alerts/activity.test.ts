// Rules on what people do: bug reports, assignments, comments and mentions, maintenance.
import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { createTeam } from '../../../src/core/members/teams.ts';
import { advanceWindows } from '../../../src/core/monitors/maintenance-windows/advance.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import { databases } from '../../data/support/databases.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { openTestApp } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';

const minuteMs = 60_000;
const base = 'https://errors.example';

describe.each(databases)('rules on people’s activity on $name', (database) => {
  const sent: WebhookMessage[] = [];
  const app = forEachTest(async () => {
    sent.length = 0;
    const env = { DATABASE_URL: await database.createMigrated() };
    const deps = { notificationSender: recordingMessenger(sent) };
    return openTestApp({ env, deps, domains: ['shop.example'] });
  });
  const alerting = forEachTest(() => startAlerting(app.deps, { pagesUrl: base, everyMs: 60 * minuteMs }));

  const channel = (rules: readonly object[]) => {
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules };
    return createChannel(app.deps, null, asked as never, commandLineSource);
  };
  const rule = (on: string, ...filters: object[]) => ({ on, filters, group_threshold: 50 });
  const told = async () => {
    await alerting.runNow();
    return sent.splice(0).map(({ body }) => JSON.parse(body));
  };
  const newIssue = async (message = 'No total') =>
    (await app.post('/store', { message, platform: 'php' })).body.issue_id as number;
  const people = async () => {
    const fields = { name: 'Ines Okafor', email: 'ines@shop.example', role: 'member' } as const;
    await createMember(app.deps, fields, commandLineSource);
    const access = { hasAllProjects: true, projectIds: [] };
    await createTeam(app.deps, { name: 'payments', access }, commandLineSource);
  };

  it('notify about a new bug report, and not about spam', async () => {
    await channel([rule('feedback.created', { field: 'project', is: 'is', value: 'test' })]);
    const report = { message: 'The button\ndoes nothing', name: 'Jo', url: 'https://shop.example/cart' };
    const headers = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
    const { body } = await app.post('/feedback', report, headers);
    await app.post('/feedback', { message: 'Buy this', website: 'x' }, headers);
    const [first, ...others] = await told();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      type: 'feedback.created',
      data: {
        subject: 'New bug report: The button does nothing',
        url: `${base}/feedback/${body.feedback_id}`,
        objects: [{ project: 'test', detail: 'from Jo, https://shop.example/cart' }],
      },
    });
  });

  it('notify about assignment to anyone, a given member or a team, not about unassigning', async () => {
    await people();
    const assignee = (value: string) => ({ field: 'assignee', is: 'is', value });
    await channel([
      { ...rule('issue.assigned'), name: 'anybody' },
      { ...rule('issue.assigned', assignee('ines@shop.example')), name: 'Ines' },
      { ...rule('issue.assigned', assignee('#payments')), name: 'team' },
    ]);
    const id = await newIssue();
    const assign = (to: unknown) => app.postSecret(`/issues/${id}`, { assigned_to: to });
    const named = (all: Array<{ data: { rule: { name: string } } }>) => all.map(({ data }) => data.rule.name);
    await assign('ines@shop.example');
    await assign('#payments');
    const [one, two, three, four] = await told();
    expect(named([one, two, three, four]).toSorted()).toEqual(['Ines', 'anybody', 'anybody', 'team']);
    expect(one.data).toMatchObject({
      subject: `#${id} was assigned: No total`,
      issues: [{ issue_id: id, note: expect.stringMatching(/^Assigned to Ines Okafor by key ntf_sk_/) }],
    });
    await assign(null);
    await assign('ines@shop.example');
    expect(named(await told()).toSorted()).toEqual(['Ines', 'anybody']);
  });

  it('filter by assignee in other rules too', async () => {
    await people();
    const rules = [rule('issue.reopened', { field: 'assignee', is: 'is_not', value: 'none' })];
    await channel(rules);
    const id = await newIssue();
    const reopen = async () => {
      for (const status of ['resolved', 'unresolved']) await app.postSecret(`/issues/${id}`, { status });
      return (await told()).length;
    };
    expect(await reopen()).toBe(0);
    await app.postSecret(`/issues/${id}`, { assigned_to: '#payments' });
    expect(await reopen()).toBe(1);
  });

  it('notify about a comment with its text and URL, and about a mention of a member', async () => {
    await people();
    const mentioned = { field: 'mentioned', is: 'is', value: 'Ines Okafor' };
    await channel([rule('issue.commented'), rule('issue.mentioned', mentioned)]);
    const id = await newIssue();
    const comment = async (text: string) =>
      (await app.postSecret(`/issues/${id}/comments`, { text })).body.comment_id;
    const first = await comment('It is the cache.');
    const [one, ...others] = await told();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      type: 'issue.commented',
      data: {
        subject: `#${id} has a new comment: No total`,
        url: `${base}/issues/${id}/activity#comment-${first}`,
        issues: [{ note: expect.stringMatching(/: It is the cache\.$/), culprit: expect.any(String) }],
      },
    });
    await comment('@Ines Okafor, please look');
    expect((await told()).map(({ type }) => type).toSorted()).toEqual(['issue.commented', 'issue.mentioned']);
  });

  it('notify about a resolved issue', async () => {
    await channel([rule('issue.resolved')]);
    const id = await newIssue();
    await app.postSecret(`/issues/${id}`, { status: 'resolved' });
    expect((await told()).map(({ data }) => data.subject)).toEqual([`#${id} was resolved: No total`]);
  });

  it('notify when maintenance is scheduled, starts, ends or ends early', async () => {
    await channel(['scheduled', 'started', 'ended'].map((event) => rule(`maintenance.${event}`)));
    await app.postSecret('/monitors', { type: 'tcp', name: 'Port', host: 'db.example:5432' });
    const at = (minutes: number) => new Date(app.deps.now() + minutes * minuteMs).toISOString();
    const plan = async (from: number, to: number) => {
      const asked = { title: 'New disks', all: true, starts_at: at(from), ends_at: at(to) };
      return (await app.postSecret('/maintenance-windows', asked)).body;
    };
    const pass = async (minutes: number) => {
      app.advance(minutes * minuteMs);
      await advanceWindows(app.deps, app.deps.now(), (error) => {
        throw error;
      });
      return (await told()).map(({ data }) => [data.subject, data.url]);
    };
    const { incident_id: incident } = await plan(5, 65);
    const url = `${base}/incidents/${incident}`;
    expect(await pass(1)).toEqual([['Maintenance scheduled: New disks', url]]);
    expect(await pass(4)).toEqual([['Maintenance started: New disks', url]]);
    expect(await pass(60)).toEqual([['Maintenance ended: New disks', url]]);
    const { maintenance_window_id: second } = await plan(5, 65);
    await pass(10);
    await app.deleteSecret(`/maintenance-windows/${second}`);
    expect((await pass(0)).map(([subject]) => subject)).toEqual(['Maintenance ended: New disks']);
  });

  it('refuse conditions and incidents that do not fit', async () => {
    const asked = (on: string, more: object) =>
      app.postSecret('/alert-channels', {
        ...{ type: 'webhook', name: 'x', url: 'https://a.example/hook' },
        rules: [{ on, ...more }],
      });
    const condition = (field: string) => ({ filters: [{ field, value: 'x' }] });
    const said = async (on: string, more: object) => {
      const { status, body } = await asked(on, more);
      return [status, body.data?.params?.rules];
    };
    expect(await said('deploy.failed', condition('assignee'))).toEqual([
      400,
      'rules: Only rules about issues can have a condition on assignee.',
    ]);
    expect(await said('issue.assigned', condition('mentioned'))).toEqual([
      400,
      'rules: Only issue.mentioned can have a condition on mentioned.',
    ]);
    expect((await said('issue.assigned', { opens_incident: 'minor' }))[0]).toBe(400);
  });
});
