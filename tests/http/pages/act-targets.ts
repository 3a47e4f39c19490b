// What each act of the workspace is done to, and a form that it takes: every target is there for one act
// alone, so that acts can be done in any order. A new act that needs more than `everyField` has a line in
// `targets`.
import { randomUUID } from 'node:crypto';
import { hashActionToken } from '../../../src/core/alerts/issue-details.ts';
import type { ActionDeclaration } from '../../../src/http/pages/declarations.ts';
import { mailChannelOf } from '../../data/support/channels.ts';
import { pushBrowser } from '../../support/alerts/push-browser.ts';
import type { TestWorkspace } from '../../support/workspace.ts';

export interface Target {
  /** Its address, filled in. */
  readonly path: string;
  readonly form: Record<string, string>;
}

/** One field of each name that acts read: an act is sent those it knows. */
const everyField = {
  sure: 'yes',
  role: 'member',
  access: 'chosen',
  text: 'Said by somebody',
  kind: 'public',
  label: 'A new key',
  hours: '24',
  until: 'forever',
  scrub_fields: 'colour',
  store_ip: 'on',
  state: 'resolved',
  percent: '50',
  scope: 'host',
};

interface Making {
  readonly workspace: TestWorkspace;
  readonly form: Record<string, string>;
  readonly parts: Record<string, string | number>;
}

/** What a part of an address means, and what its act needs beside; each that fits makes its share. */
const targets: ReadonlyArray<readonly [path: RegExp, make: (making: Making) => Promise<void>]> = [
  [/^\/issues\/\{id\}/, issue],
  [/^\/issues\/bulk/, bulk],
  [/\{bulk_id\}/, undoable],
  [/^\/issues.*\/reopen$/, resolvedIssue],
  [/\/merge$/, mergeable],
  [/\/undo-merge$/, merged],
  [/\/split$/, splittable],
  [/\/assign$/, assignee],
  [/\{id\}\/links/, issueLink],
  [/\{comment_id\}/, comment],
  [/\{member_id\}/, member],
  [/\{member_id\}\/(invitation-link|resend|revoke)$/, invited],
  [/^\/members\/teams/, team],
  [/\{session_id\}|end-others/, session],
  [/\{passkey_id\}/, passkey],
  [/\{account_id\}/, account],
  [/^\/members\/\{member_id\}\/sessions/, sessionOfMember],
  [/^\/members\/tokens$/, tokenForm],
  [/\{token_id\}/, personalToken],
  [/\{view_id\}/, savedView],
  [/^\/issues\/views\/default/, defaultView],
  [/^\/issues\/views$|^\/settings/, ownChoice],
  [/\{project_id\}/, project],
  [/\{project_id\}\/delete$/, nameOfProject],
  [/\/filters$/, async ({ form }) => void Object.assign(form, { releases: 'shop@1.*' })],
  [/\/filters\/switch$/, async ({ form }) => void Object.assign(form, { filter: 'localhost', to: 'on' })],
  [/\{key_id\}/, key],
  [/\{user_hash\}/, user],
  [/\{feedback_id\}|^\/feedback\/\{id\}/, feedback],
  [/^\/feedback$/, feedbackBulk],
  [/^\/domains/, domain],
  [/\{domain_id\}\/(check|token|revoke)$/, proof],
  [/^\/monitors/, monitor],
  [/^\/monitors.*\/resume$/, pausedMonitor],
  [/^\/incidents/, incident],
  [/^\/incidents.*\/reopen$/, resolvedIncident],
  [/^\/reports/, report],
  [/^\/reports.*\/delete$/, keptReport],
  [/^\/status-pages/, statusPage],
  [/^\/incidents.*\/(plan|call-off)$/, plannedWork],
  [/^\/reports\/schedules/, mailChannel],
  [/^\/reports\/schedules\/\{schedule_id\}/, schedule],
  [/^\/alert-channels/, channel],
  [/\/browsers(\/|$)/, pushChannel],
  [/\{subscription_id\}/, browserOfAdmin],
  [/^\/issue-links/, actionLink],
  [/^\/test-runs\/cases/, failedCase],
  [/\{quarantine_id\}/, quarantined],
  [/^\/alert-channels.*\/resume$/, pausedChannel],
  [/^\/alert-channels.*\/retry$/, waitingChannel],
];

/** Makes what an act is done to. */
export async function targetOf(
  workspace: TestWorkspace,
  { path, fields }: ActionDeclaration,
): Promise<Target> {
  const form = { ...everyField, name: `Name ${randomUUID()}` };
  const making: Making = { workspace, form, parts: {} };
  for (const [pattern, make] of targets) if (pattern.test(path)) await make(making);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = making.parts[name];
    if (part === undefined) throw new Error(`${path} has a part that act-targets.ts does not know: ${name}`);
    return encodeURIComponent(String(part));
  });
  const taken = Object.entries(making.form).filter(([name]) => fields.includes(name.replace('[]', '')));
  return { path: filled, form: Object.fromEntries(taken) };
}

async function newIssue({ app }: TestWorkspace): Promise<number> {
  const { status, body } = await app.post('/store', {
    message: `Only ${randomUUID()}`,
    fingerprint: [randomUUID()],
  });
  if (status !== 201) throw new Error(`An event was answered ${status}`);
  return body.issue_id;
}

async function issue({ workspace, parts }: Making): Promise<void> {
  parts['id'] = await newIssue(workspace);
}

async function bulk({ workspace, form }: Making): Promise<void> {
  form['do'] = 'resolve';
  form['issue[]'] = String(await newIssue(workspace));
}

/** An action can be undone by whoever did it alone. */
async function undoable({ workspace, form, parts }: Making): Promise<void> {
  const { commandLineSource: byCommandLine } = await import('../../../src/core/audit/audit.ts');
  const { changeIssues } = await import('../../../src/core/issues/bulk.ts');
  const { deps } = workspace.app;
  const admin = (await deps.store.listMembers(deps.now())).find(({ name }) => name === 'The admin');
  const issueId = await newIssue(workspace);
  const projectId = (await deps.store.findIssueAnywhere(issueId))?.projectId ?? 0;
  const project = await deps.store.findProject(projectId);
  if (project === null || admin === undefined) throw new Error('There is nothing to undo');
  const asked = { status: 'resolved', in: 'now', until: 'forever' } as const;
  await changeIssues(deps, [{ project, issueId }], asked, byCommandLine, admin.id);
  const action = await deps.store.findBulkAction(admin.id, 0);
  parts['bulk_id'] = action?.id ?? 0;
  for (const name of Object.keys(form)) delete form[name];
}

async function resolvedIssue({ workspace, parts }: Making): Promise<void> {
  await workspace.app.postSecret(`/issues/${parts['id']}`, { status: 'resolved' });
}

async function mergeable({ workspace, form }: Making): Promise<void> {
  form['issue_id'] = String(await newIssue(workspace));
}

async function merged({ workspace, form, parts }: Making): Promise<void> {
  const other = await newIssue(workspace);
  const { body } = await workspace.app.postSecret(`/issues/${parts['id']}`, { merge: [other] });
  form['merge_id'] = String(body.merges[0].merge_id);
}

/** What was merged in can be taken out again. */
async function splittable(making: Making): Promise<void> {
  await merged(making);
  const { store } = making.workspace.app.deps;
  const head = await store.findIssueAnywhere(Number(making.parts['id']));
  const { keys } = await store.listIssueKeys(head?.projectId ?? 0, head?.id ?? 0);
  making.form['hash[]'] = keys.find(({ issueId }) => issueId !== head?.id)?.hash ?? '';
}

async function assignee({ workspace, form }: Making): Promise<void> {
  form['to'] = String(await newMember(workspace));
}

async function comment({ workspace, parts }: Making): Promise<void> {
  const { commandLineSource: byCommandLine } = await import('../../../src/core/audit/audit.ts');
  const { commentOnIssue: commentOn } = await import('../../../src/core/issues/actions.ts');
  const { deps } = workspace.app;
  const found = await deps.store.findIssueAnywhere(Number(parts['id']));
  if (found === null) throw new Error('There is no issue to comment on');
  parts['comment_id'] = (await commentOn(deps, found, 'Not yours to remove', byCommandLine)).id;
}

/** A member who was just given a way in. */
async function newMember({ app }: TestWorkspace): Promise<number> {
  const { commandLineSource: byCommandLine } = await import('../../../src/core/audit/audit.ts');
  const { createMemberLink: makeMemberLink } = await import('../../../src/core/members/links.ts');
  const { createMember: addMember } = await import('../../../src/core/members/members.ts');
  const made = await addMember(app.deps, { name: randomUUID(), role: 'viewer', email: null }, byCommandLine);
  await makeMemberLink(app.deps, made.id);
  return made.id;
}

async function member({ workspace, parts }: Making): Promise<void> {
  parts['member_id'] = await newMember(workspace);
}

async function invited({ workspace, parts }: Making): Promise<void> {
  const { deps } = workspace.app;
  await deps.store.extendInvitation(Number(parts['member_id']), deps.now() + 1_000);
}

async function failedCase({ workspace: { app }, parts, form }: Making): Promise<void> {
  const tests = [{ name: `fails ${randomUUID()}`, status: 'failed' }];
  const { body: run } = await app.postSecret('/test-runs', { tests });
  const [one] = (await app.get(`/test-runs/${run.test_run_id}`)).body.cases;
  parts['case_id'] = one.case_id;
  Object.assign(form, { project: String(app.project.id), reason: 'flaky', days: '7' });
}

async function quarantined({ workspace: { app }, parts }: Making): Promise<void> {
  const until = new Date(app.deps.now() + 86_400_000).toISOString();
  const asked = { case_id: parts['case_id'], until, reason: 'flaky' };
  parts['quarantine_id'] = (await app.postSecret('/quarantine', asked)).body.quarantine_id;
}

/** One that the issue has, and another that it has not yet. */
async function issueLink({ workspace: { app }, parts, form }: Making): Promise<void> {
  const url = `https://github.com/acme/shop/issues/${randomUUID()}`;
  const link = { projectId: app.project.id, issueId: Number(parts['id']), createdBy: 'a test' };
  const made = await app.deps.store.addIssueLink({ ...link, url, createdAtMs: app.deps.now() }, 'token');
  parts['link_id'] = made?.id ?? 0;
  form['link'] = `${url}-2`;
}

/** With a member, who can be removed from it; another can be added. */
async function team({ workspace, form, parts }: Making): Promise<void> {
  const { store, now } = workspace.app.deps;
  form['name'] = `t${randomUUID()}`;
  const row = { name: `t${randomUUID()}`, hasAllProjects: false, createdAtMs: now(), createdBy: 'a test' };
  const made = await store.addTeam(row);
  const memberId = await newMember(workspace);
  await store.addTeamMember(made?.id ?? 0, memberId);
  parts['team_id'] = made?.id ?? 0;
  form['member'] = String(memberId);
}

async function adminOf({ app: { deps } }: TestWorkspace): Promise<number> {
  const admin = (await deps.store.listMembers(deps.now())).find(({ name }) => name === 'The admin');
  if (admin === undefined) throw new Error('There is no admin');
  return admin.id;
}

/** Of the admin, who alone may end it. */
async function session({ workspace, parts }: Making): Promise<void> {
  parts['session_id'] = await newSessionOf(workspace, await adminOf(workspace));
}

async function sessionOfMember({ workspace, parts }: Making): Promise<void> {
  parts['session_id'] = await newSessionOf(workspace, Number(parts['member_id']));
}

async function tokenForm({ form }: Making): Promise<void> {
  Object.assign(form, { 'scopes[]': 'read', days: '90' });
}

async function personalToken({ workspace, parts }: Making): Promise<void> {
  const made = await workspace.app.deps.store.addPersonalToken({
    ...{ memberId: Number(parts['member_id'] ?? (await adminOf(workspace))), hash: randomUUID() },
    ...{ prefix: 'ntf_pt_', lastFour: 'abcd', name: 'Laptop', scopes: ['read'] },
    ...{ createdAtMs: 0, expiresAtMs: 4e12 },
  });
  parts['token_id'] = made.id;
}

async function passkey({ workspace, parts }: Making): Promise<void> {
  const made = await workspace.app.deps.store.addPasskey({
    ...{ memberId: await adminOf(workspace), credentialId: randomUUID(), publicKey: '', counter: 0 },
    ...{ transports: [], name: 'Laptop', createdAtMs: 0 },
  });
  parts['passkey_id'] = made?.id ?? 0;
}

async function account({ workspace, parts }: Making): Promise<void> {
  const made = await workspace.app.deps.store.addIdentity({
    ...{ memberId: await adminOf(workspace), issuer: `https://${randomUUID()}.example`, subject: 'x' },
    ...{ email: null, createdAtMs: 0, usedAtMs: 0 },
  });
  parts['account_id'] = made?.id ?? 0;
}

async function newSessionOf({ app: { deps } }: TestWorkspace, memberId: number): Promise<number> {
  const { createSession: newSession } = await import('../../../src/core/members/sessions.ts');
  const place = { userAgent: 'Elsewhere', network: '192.0.2.0/24', requestId: randomUUID() };
  const made = newSession(deps, place, 'by a link');
  return (await deps.store.addSession({ memberId }, made.session))?.session.id ?? 0;
}

/** Of the admin, and shared: nobody else changes it. */
async function savedView({ workspace, parts, form }: Making): Promise<void> {
  const { deps } = workspace.app;
  const admin = (await deps.store.listMembers(deps.now())).find(({ name }) => name === 'The admin');
  const view = { name: 'Shared', query: '', sort: 'last_seen', isShared: true, createdAtMs: 0 } as const;
  parts['view_id'] = (await deps.store.addSavedView({ ...view, ownerId: admin?.id ?? 0 })).id;
  form['query'] = 'is:new';
  form['shared'] = 'no';
}

async function defaultView({ form }: Making): Promise<void> {
  form['view'] = 'all';
}

async function ownChoice({ form }: Making): Promise<void> {
  form['name'] = `View ${randomUUID()}`;
  form['timezone'] = 'Europe/Berlin';
}

async function project({ workspace, parts }: Making): Promise<void> {
  const name = `Project ${randomUUID()}`;
  const { project: made } = await workspace.app.addProject(name);
  parts['project_id'] = made.id;
}

/** What is deleted is named once more. */
async function nameOfProject({ workspace, form, parts }: Making): Promise<void> {
  const made = await workspace.app.deps.store.findProject(Number(parts['project_id']));
  form['name'] = made?.name ?? '';
}

async function key({ workspace, parts }: Making): Promise<void> {
  const keys = await workspace.app.deps.store.listKeys(Number(parts['project_id']));
  parts['key_id'] = keys[0]?.id ?? 0;
}

async function newFeedback({ app }: TestWorkspace): Promise<number> {
  const headers = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
  const words = { message: `Only ${randomUUID()}`, email: 'one@mail.example' };
  const { status, body } = await app.post('/feedback', words, headers);
  if (status !== 201) throw new Error(`A report was answered ${status}`);
  return body.feedback_id;
}

async function user({ workspace: { app }, parts, form }: Making): Promise<void> {
  const id = randomUUID();
  const event = { message: 'of one user', platform: 'php', user: { id, email: 'one@mail.example' } };
  await app.post('/store', event);
  const { body } = await app.get(`/users?query=${id}`);
  parts['user_hash'] = body[0].user_hash;
  form['typed'] = id;
}

async function feedback({ workspace, parts }: Making): Promise<void> {
  parts['id'] = parts['feedback_id'] = await newFeedback(workspace);
}

async function feedbackBulk({ workspace, form }: Making): Promise<void> {
  form['feedback[]'] = String(await newFeedback(workspace));
}

/** One that is listed, and another that is not yet. */
async function domain({ workspace, form, parts }: Making): Promise<void> {
  const { project, deps } = workspace.app;
  const host = `h${randomUUID()}.org`;
  const given = { projectId: project.id, host, bugReports: false, createdAtMs: deps.now() };
  parts['domain_id'] = (await deps.store.addDomain(given)).domain.id;
  form['project_id'] = String(project.id);
  form['domain'] = `n${randomUUID()}.org`;
}

async function monitor({ workspace, form, parts }: Making): Promise<void> {
  const target = 'https://shop.example/health';
  const made = await workspace.app.postSecret('/monitors', { type: 'http', name: randomUUID(), url: target });
  parts['slug'] = made.body.slug;
  parts['monitor_id'] = made.body.monitor_id;
  Object.assign(form, { type: 'http', url: target, for: '1h', interval: '30', timeout: '5' });
  Object.assign(form, { slow_ms: '0', retries: '2', certificate_days: '7', status: '200' });
}

async function pausedMonitor({ workspace, parts }: Making): Promise<void> {
  await workspace.app.postSecret(`/monitors/${parts['monitor_id']}`, { paused: true });
}

async function incident({ workspace, form, parts }: Making): Promise<void> {
  const made = await workspace.app.postSecret('/incidents', { title: randomUUID() });
  parts['incident_id'] = made.body.incident_id;
  Object.assign(form, { title: randomUUID(), severity: 'minor', state: 'identified', to: 'team' });
  Object.assign(form, { body: 'It is known', cause: `issue-${await newIssue(workspace)}`, answer: 'link' });
}

async function resolvedIncident({ workspace, parts }: Making): Promise<void> {
  await workspace.app.postSecret(`/incidents/${parts['incident_id']}`, { state: 'resolved' });
}

/** Of a week that is over, and of which none was kept. */
async function report({ workspace, parts }: Making): Promise<void> {
  const { store } = workspace.app.deps;
  parts['period'] = '2026-W46';
  const there = await store.findReportOf(null, '2026-W46');
  if (there !== null) await store.deleteSavedReport(there.id);
}

async function keptReport({ workspace, parts }: Making): Promise<void> {
  const { commandLineSource: byCommandLine } = await import('../../../src/core/audit/audit.ts');
  const { createReport: makeReport } = await import('../../../src/core/reports/reports.ts');
  await makeReport(workspace.app.deps, null, String(parts['period']), byCommandLine);
}

async function statusPage({ workspace, form, parts }: Making): Promise<void> {
  const asked = { name: randomUUID(), components: [{ name: 'Parcels' }] };
  const { body } = await workspace.app.postSecret('/status-pages', asked);
  parts['slug'] = body.slug;
  parts['component_id'] = body.components[0].component_id;
  form['state'] = 'slow';
  const url = `https://ops.example/${randomUUID()}`;
  const subscribers = `/status-pages/${body.status_page_id}/subscribers`;
  const added = await workspace.app.postSecret(subscribers, { url: `${url}-first` });
  Object.assign(form, { url });
  parts['subscriber_id'] = added.body.subscriber_id;
}

async function plannedWork({ workspace, form, parts }: Making): Promise<void> {
  const work = { title: randomUUID(), all: true, starts_at: '2030-01-01T00:00:00Z' };
  const body = { ...work, ends_at: '2030-01-01T01:00:00Z' };
  parts['incident_id'] = (await workspace.app.postSecret('/maintenance-windows', body)).body.incident_id;
  Object.assign(form, { covers: 'all', from: '2030-01-02T00:00', until: '2030-01-02T01:00' });
}

async function mailChannel({ workspace, form }: Making): Promise<void> {
  const { deps } = workspace.app;
  const made = await deps.store.addChannel(mailChannelOf({ name: randomUUID() }));
  Object.assign(form, { channel: String(made.id), kind: 'week', at: '07:30', timezone: 'Europe/Berlin' });
}

async function schedule({ workspace, form, parts }: Making): Promise<void> {
  const { commandLineSource: byCommandLine } = await import('../../../src/core/audit/audit.ts');
  const { createReportSchedule: sendReports } = await import('../../../src/core/reports/schedules.ts');
  const asked = { alert_channel_id: Number(form['channel']), kind: 'month' } as const;
  const made = await sendReports(workspace.app.deps, null, asked, byCommandLine);
  parts['schedule_id'] = made.schedule.id;
}

async function actionLink({ workspace, parts }: Making): Promise<void> {
  const { app } = workspace;
  const token = randomUUID();
  const link = { projectId: app.project.id, issueId: await newIssue(workspace), action: 'resolve' as const };
  const expiresAtMs = app.deps.now() + 1_000;
  await app.deps.store.addActionLink({ ...link, tokenHash: hashActionToken(token), expiresAtMs }, 0);
  parts['token'] = token;
}

async function channel({ workspace, form, parts }: Making): Promise<void> {
  const { postSecret } = workspace.app;
  const url = 'https://hooks.example/services/T0/abcdefghijkl';
  const made = await postSecret('/alert-channels', { type: 'webhook', name: randomUUID(), url });
  parts['channel_id'] = made.body.alert_channel_id;
  parts['rule_id'] = made.body.rules[0].rule_id;
  parts['type'] = 'slack';
  parts['on'] = 'issue-created';
  Object.assign(form, { url, for: '1h', on: 'issue.created', do: 'save', group: '3' });
  form['channels[]'] = String(made.body.alert_channel_id);
}

async function pushChannel({ workspace, form, parts }: Making): Promise<void> {
  const made = await workspace.app.postSecret('/alert-channels', { type: 'webpush', name: randomUUID() });
  parts['channel_id'] = made.body.alert_channel_id;
  form['subscription'] = pushBrowser('https://push.example/a').subscription;
}

async function browserOfAdmin({ workspace, parts }: Making): Promise<void> {
  const made = await workspace.app.deps.store.addPushSubscription({
    ...{ channelId: Number(parts['channel_id']), memberId: await adminOf(workspace), endpoint: randomUUID() },
    ...{ p256dh: '', auth: '', device: 'Firefox', createdAtMs: 0 },
  });
  parts['subscription_id'] = made.id;
}

async function pausedChannel({ workspace, parts }: Making): Promise<void> {
  await workspace.app.postSecret(`/alert-channels/${parts['channel_id']}`, { paused: true });
}

/** A message that failed waits for its next time. */
async function waitingChannel({ workspace, parts }: Making): Promise<void> {
  const { app } = workspace;
  await app.postSecret(`/alert-channels/${parts['channel_id']}/test`, {});
  const lease = { untilMs: app.deps.now() + 60_000, perChannel: 10, limit: 1_000 };
  await app.deps.store.claimDeliveries(app.deps.now(), lease);
}

/** Of the domain that is listed. */
async function proof({ workspace, parts }: Making): Promise<void> {
  const { project, deps, postSecret } = workspace.app;
  const found = await deps.store.findDomain(project.id, Number(parts['domain_id']));
  const { status } = await postSecret('/domain-verifications', { domain: found?.host });
  if (status !== 201) throw new Error(`A proof was answered ${status}`);
}
