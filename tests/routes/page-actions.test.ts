// What the pages do to bug reports, monitors, channels, domains and ownership rules, by the API.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createTeam } from '../../src/core/members/teams.ts';
import { type AsMember, openAsMember } from '../support/as-member.ts';
import { required } from '../support/one-of-each.ts';
import { sharedApp } from '../support/shared.ts';

let viewer: AsMember;
let member: AsMember;
const app = sharedApp({ domains: ['shop.example'], env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
beforeAll(async () => {
  viewer = await openAsMember(app, 'viewer');
  member = await openAsMember(app, 'member');
});

interface Entry {
  readonly action: string;
  readonly actor: string;
  readonly summary: string;
}
const entries = async (): Promise<Entry[]> =>
  (await app.deps.store.walkAudit(0, 1_000)).map(({ action, actor, summary }) => {
    return { action, actor: actor.kind, summary };
  });
let before = 0;
beforeEach(async () => {
  before = (await entries()).length;
});
const told = async (): Promise<string[]> => (await entries()).slice(before).map(({ action }) => action);

describe('bug reports', () => {
  const report = async (message: string): Promise<number> =>
    (await app.post('/feedback', { message, domain: 'shop.example' })).body.feedback_id;
  const stateOf = async (id: number): Promise<string> => (await app.get(`/feedback/${id}`)).body.state;

  it('change their state, one or several, each with an audit entry', async () => {
    const [one, two] = [await report('One'), await report('Two')];
    const changed = await app.postSecret(`/feedback/${one}`, { state: 'resolved' });
    expect([changed.status, changed.body.feedback_id, changed.body.state]).toEqual([200, one, 'resolved']);
    const many = await member.post('/feedback/bulk', { ids: [one, two, 999, two], state: 'resolved' });
    expect(many.body).toEqual({ accepted: true, changed: [two], unchanged: [one], not_found: [999] });
    expect((await entries()).slice(before)).toEqual([
      { action: 'feedback.changed', actor: 'key', summary: 'open to resolved' },
      { action: 'feedback.changed', actor: 'member', summary: 'open to resolved' },
    ]);
    expect(await app.postSecret(`/feedback/${one}`, { state: 'spam' })).toHaveStatus(200);
    expect((await app.get('/feedback?spam=true')).body).toHaveLength(1);
  });

  it('do not change when the request is refused', async () => {
    const id = await report('Three');
    const answers = await Promise.all([
      app.postSecret(`/feedback/${id}`, { state: 'closed' }),
      app.postSecret(`/feedback/${id}`, {}),
      app.postSecret('/feedback/bulk', { ids: [id] }),
      app.postSecret('/feedback/bulk', { ids: [], state: 'spam' }),
      app.postSecret('/feedback/bulk', { ids: [id, 'x'], state: 'spam' }),
      app.postSecret('/feedback/999', { state: 'spam' }),
      app.post(`/feedback/${id}`, { state: 'spam' }),
      viewer.post('/feedback/bulk', { ids: [id], state: 'spam' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 401, 403]);
    expect([await stateOf(id), await told()]).toEqual(['open', []]);
  });
});

describe('a monitor', () => {
  it('is checked now, by a member too', async () => {
    const { body } = await app.postSecret('/monitors', required['/monitors']);
    const path = `/monitors/${body.monitor_id}`;
    const nextCheck = async () => (await app.deps.store.findMonitorRecord(body.monitor_id))?.nextCheckAtMs;
    app.advance(1_000);
    expect(await member.post(`${path}/check`)).toMatchObject({ status: 200, body: { slug: 'front-page' } });
    expect(await nextCheck()).toBe(app.deps.now());
    app.advance(1_000);
    expect(await viewer.post(`${path}/check`)).toMatchObject({ status: 403 });
    expect(await nextCheck()).not.toBe(app.deps.now());
    await app.postSecret(path, { paused: true });
    const paused = await app.postSecret(`${path}/check`, {});
    expect([paused.status, paused.body.code]).toEqual([400, 'notifier_monitor_paused']);
    expect(await told()).toEqual(['monitor.created', 'monitor.checked', 'monitor.changed']);
  });
});

describe('an alert channel', () => {
  it('retries pending notifications at once', async () => {
    const { body } = await app.postSecret('/alert-channels', required['/alert-channels']);
    const path = `/alert-channels/${body.alert_channel_id}/retry`;
    expect((await app.postSecret(path, {})).body).toMatchObject({ accepted: true, name: 'Team' });
    expect(await member.post(path)).toMatchObject({ status: 403, body: { data: { reason: 'role' } } });
    expect(await app.postSecret('/alert-channels/999/retry', {})).toHaveStatus(404);
    expect(await told()).toEqual(['channel.created', 'channel.retried']);
  });
});

describe('a domain', () => {
  it('is deleted, and a verification gets a new token', async () => {
    const { body: domain } = await app.postSecret('/domains', { domain: 'other.example' });
    const path = `/domains/${domain.domain_id}`;
    expect(await member.delete(path)).toMatchObject({ status: 403 });
    expect((await app.deleteSecret(path)).body.previous.domain).toBe('other.example');
    expect(await app.deleteSecret(path)).toHaveStatus(404);
    const asked = { domain: 'shop.com', scope: 'subdomains', label: 'Shop' };
    const { body: old } = await app.postSecret('/domain-verifications', asked);
    expect(await member.post(`/domain-verifications/${old.id}/token`)).toMatchObject({ status: 403 });
    const made = await app.postSecret(`/domain-verifications/${old.id}/token`, {});
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      id: old.id,
      status: 'pending',
      domain: 'shop.com',
      scope: 'subdomains',
      label: 'Shop',
    });
    expect(made.body.token).not.toBe(old.token);
    expect(await app.postSecret('/domain-verifications/none/token', {})).toHaveStatus(404);
    const proofs = ['domain_verification.created', 'domain_verification.created'];
    expect(await told()).toEqual(['domain.added', 'domain.removed', ...proofs]);
  });
});

describe('ownership rules', () => {
  const ownership = async () => (await app.get('/ownership')).body;
  const rules = 'path:src/cart/* #payments';

  it('change only as given', async () => {
    expect(await ownership()).toEqual({ rules: '', auto_assignment: false, repository: '' });
    await createTeam(
      app.deps,
      { name: 'payments', access: { hasAllProjects: true, projectIds: [] } },
      commandLineSource,
    );
    const repository = 'https://github.com/acme/shop.git';
    const set = await app.postSecret('/ownership', { rules, repository });
    const shop = { rules, auto_assignment: false, repository: 'https://github.com/acme/shop' };
    expect(set.body).toEqual({ accepted: true, ...shop });
    await app.postSecret('/ownership', { auto_assignment: true });
    expect(await ownership()).toEqual({ ...shop, auto_assignment: true });
    await app.postSecret('/ownership', { codeowners: '/src/api/ @acme/payments' });
    const both = `path:src/api/* #payments\n${rules}`;
    expect(await ownership()).toEqual({ ...shop, rules: both, auto_assignment: true });
    expect(await told()).toEqual(['team.created', ...Array.from({ length: 3 }, () => 'project.changed')]);
  });

  it('do not change when the request is refused', async () => {
    const was = await ownership();
    const wrong = await app.postSecret('/ownership', { rules: 'src/* #payments\npath:a #gone' });
    expect([wrong.status, wrong.body.data.params.rules]).toEqual([
      400,
      expect.stringMatching(/^Line 1: .* Line 2: /),
    ]);
    for (const body of [{ repository: 'git@shop' }, { auto_assignment: 'so' }, { fallthrough: true }]) {
      expect(await app.postSecret('/ownership', { rules: '', ...body })).toHaveStatus(400);
    }
    expect(await member.post('/ownership', { rules: '' })).toMatchObject({ status: 403 });
    expect(await member.get('/ownership')).toMatchObject({ status: 403 });
    expect([await ownership(), await told()]).toEqual([was, []]);
  });
});
