// Channels that send e-mail to whom an issue is assigned, or who owns it by the rules of the project.
import { describe, expect, it } from '@jest/globals';
import { buildDueMessages } from '../../../src/core/alerts/build-messages.ts';
import { createChannel, testChannel } from '../../../src/core/alerts/channels.ts';
import { createRule, testRule } from '../../../src/core/alerts/rules.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { createTeam } from '../../../src/core/members/teams.ts';
import type { NotificationSender } from '../../../src/core/ports/notification-sender.ts';
import { databases } from '../../data/support/databases.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { openTestApp } from '../../support/app.ts';
import { countCalls } from '../../support/counted-store.ts';
import { forEachTest } from '../../support/shared.ts';

type MailMessage = Parameters<NotificationSender['mail']>[0];

const minuteMs = 60_000;
const base = 'https://errors.example';

describe.each(databases)('a channel for assignees on $name', (database) => {
  const mails: MailMessage[] = [];
  const notificationSender = {
    ...recordingMessenger([]),
    canMail: true,
    async mail(message: MailMessage) {
      mails.push(message);
      return { ok: true, status: 250, detail: '' };
    },
  };
  const app = forEachTest(async () => {
    mails.length = 0;
    const env = { DATABASE_URL: await database.createMigrated(), SMTP_URL: 'smtp://127.0.0.1:9' };
    return openTestApp({ env, deps: { notificationSender } });
  });
  const alerting = forEachTest(() => startAlerting(app.deps, { pagesUrl: base, everyMs: 60 * minuteMs }));

  const channel = async (on: string, { to, threshold = 50 }: { to?: string; threshold?: number } = {}) => {
    const rules = [{ on, group_threshold: threshold }];
    const asked = { type: 'assignee', name: 'Assignee', rules, ...(to === undefined ? {} : { to }) };
    return (await createChannel(app.deps, null, asked as never, commandLineSource)).channel;
  };
  const told = async () => {
    await alerting.runNow();
    return mails.splice(0).toSorted((one, other) => one.to.localeCompare(other.to));
  };
  const member = async (name: string, email: string | null = `${name.toLowerCase()}@shop.example`) =>
    createMember(app.deps, { name, email, role: 'member' }, commandLineSource);
  const team = async (...memberIds: number[]) => {
    const access = { hasAllProjects: true, projectIds: [] };
    const { id } = await createTeam(app.deps, { name: 'payments', access }, commandLineSource);
    for (const memberId of memberIds) await app.deps.store.addTeamMember(id, memberId);
  };
  const newIssue = async (message: string) =>
    (await app.post('/store', { message, platform: 'php', tags: { area: message } })).body.issue_id as number;
  const assign = (id: number, to: string) => app.postSecret(`/issues/${id}`, { assigned_to: to }).expect(200);
  const own = (ownershipRules: string) =>
    app.deps.store.writeTriageSettings(app.project.id, {
      ...{ ownershipRules, assignsOwners: false, repositoryUrl: '' },
    });

  it('mails the member, or the members of the team', async () => {
    await team((await member('Ines')).id, (await member('Jun')).id, (await member('Kim', null)).id);
    await channel('issue.assigned', { to: 'on-call@shop.example' });
    const id = await newIssue('No total');
    await assign(id, 'ines@shop.example');
    const [one, ...others] = await told();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ to: 'ines@shop.example', stopUrl: null });
    expect(one?.text).toContain(`${base}/issues/${id}`);
    expect(`${one?.text}${one?.html}`).not.toMatch(/unsubscribe/i);
    await assign(id, '#payments');
    expect((await told()).map(({ to }) => to)).toEqual(['ines@shop.example, jun@shop.example']);
  });

  it('mails the owners where nobody is assigned, then its recipients, or nobody', async () => {
    await team((await member('Ines')).id);
    await member('Jun');
    await own('tags.area:cart #payments jun@shop.example\ntags.area:gone left@shop.example');
    await channel('issue.created', { to: 'on-call@shop.example, b@shop.example' });
    await newIssue('cart');
    expect((await told()).map(({ to }) => to)).toEqual(['ines@shop.example, jun@shop.example']);
    for (const area of ['gone', 'else']) await newIssue(area);
    expect((await told()).map(({ to }) => to)).toEqual([
      'on-call@shop.example, b@shop.example',
      'on-call@shop.example, b@shop.example',
    ]);
  });

  it('mails nobody without assignee, owner and recipients; recipients get what has no issue', async () => {
    await channel('issue.created');
    await newIssue('No total');
    expect(await told()).toEqual([]);
    await channel('deploy.failed', { to: 'on-call@shop.example' });
    await app.postSecret('/releases', { version: '1.0.0' }).expect(201);
    const deploy = { release: '1.0.0', environment: 'production', status: 'failed' };
    await app.postSecret('/deploys', deploy).expect(201);
    expect((await told()).map(({ to }) => to)).toEqual(['on-call@shop.example']);
  });

  it('sends each only what is theirs where many are grouped', async () => {
    await member('Ines');
    await member('Jun');
    await channel('issue.assigned', { threshold: 1 });
    const ids = [];
    for (const word of ['first', 'second', 'third']) ids.push(await newIssue(word));
    for (const [at, id] of ids.entries())
      await assign(id, at === 1 ? 'jun@shop.example' : 'ines@shop.example');
    const [one, two, ...others] = await told();
    expect([one?.to, two?.to, others]).toEqual(['ines@shop.example', 'jun@shop.example', []]);
    expect(one?.subject).toContain('2 issues');
    expect(one?.text).toMatch(/first[\s\S]*third|third[\s\S]*first/);
    expect(one?.text).not.toContain('second');
    expect(two?.text).not.toMatch(/first|third/);
  });

  it('mails no member who has lost access to the project', async () => {
    const { id: memberId } = await member('Ines');
    await channel('issue.assigned', { to: 'on-call@shop.example' });
    const id = await newIssue('No total');
    await assign(id, 'ines@shop.example');
    await app.deps.store.setAccess({ memberId }, { hasAllProjects: false, projectIds: [] });
    expect((await told()).map(({ to }) => to)).toEqual(['on-call@shop.example']);
  });

  it('mails no member whose invitation is not accepted, pending or expired', async () => {
    const { id: pending } = await member('Ines');
    const { id: expired } = await member('Jun');
    await team(pending, expired, (await member('Kim')).id);
    await app.deps.store.extendInvitation(pending, app.deps.now() + minuteMs);
    await app.deps.store.extendInvitation(expired, app.deps.now() - minuteMs);
    await own('tags.area:cart jun@shop.example');
    await channel('issue.created', { to: 'on-call@shop.example' });
    await channel('issue.assigned', { to: 'on-call@shop.example' });
    const id = await newIssue('cart');
    expect((await told()).map(({ to }) => to)).toEqual(['on-call@shop.example']);
    await assign(id, 'ines@shop.example');
    expect((await told()).map(({ to }) => to)).toEqual(['on-call@shop.example']);
    await assign(id, '#payments');
    expect((await told()).map(({ to }) => to)).toEqual(['kim@shop.example']);
  });

  it('reads members, teams and rules once, however many issues and owners there are', async () => {
    await team((await member('Ines')).id);
    await member('Jun');
    await own('tags.area:* jun@shop.example #payments');
    await channel('issue.created', { threshold: 1 });
    for (const letter of 'abcdefghijkl') await newIssue(`area ${letter}`);
    const calls = new Map<string, number>();
    await buildDueMessages({ ...app.deps, store: countCalls(app.deps.store, calls) }, base);
    const once = ['listMembers', 'listTeams', 'listAccess', 'findTriageSettings'];
    expect(once.map((name) => [name, calls.get(name)])).toEqual(once.map((name) => [name, 1]));
    expect(calls.get('findIssue')).toBe(12);
    const [mail, ...others] = await told();
    expect([mail?.to, others]).toEqual(['jun@shop.example, ines@shop.example', []]);
    expect(mail?.subject).toContain('12 issues');
  });

  it('sends its test to its recipients, and says where it has none', async () => {
    const without = await channel('issue.created');
    const some = await channel('issue.created', { to: 'on-call@shop.example' });
    const ask = (id: number) => testChannel(app.deps, null, id, base, commandLineSource);
    await expect(ask(without.id)).rejects.toMatchObject({ status: 400, code: 'notifier_no_recipient' });
    await ask(some.id);
    const asked = { kind: 'issue.is_new', name: 'new', limit: null, filters: [], groupThreshold: 5 } as const;
    const ruleOf = async (...channelIds: number[]) =>
      testRule(
        app.deps,
        (await createRule(app.deps, { ...asked, opensIncident: null, channelIds })).id,
        base,
      );
    await ruleOf(without.id, some.id);
    await expect(ruleOf(without.id)).rejects.toMatchObject({ status: 400 });
    expect((await told()).map(({ to }) => to)).toEqual(['on-call@shop.example', 'on-call@shop.example']);
  });
});
