import { describe, expect, it } from '@jest/globals';
import type { OnboardingModel } from '../../../src/core/page-models/onboarding.ts';
import type { OverviewModel } from '../../../src/core/page-models/overview/overview.ts';
import { createKey } from '../../../src/core/projects/keys.ts';
import { forEachTest, shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openEmptyWorkspace, openWorkspace } from '../../support/workspace.ts';

const dayMs = 86_400_000;

const workspace = shared(() => openWorkspace());

const twin = (query = ''): Promise<OverviewModel> => workspace.viewer.json(`/${query}`);
const idOf = async (name: string): Promise<number> =>
  (await workspace.app.deps.store.listProjects()).find((project) => project.name === name)?.id ?? 0;

describe('an overview of a few events', () => {
  it('is counted over all projects', async () => {
    const model = await twin();
    const { issues, events, releases, test_runs: runs, new_reports: reports } = model;
    expect(issues).toEqual({ open: 3, new: 3, regressed: 0, all: 4 });
    expect(events).toMatchObject({ total: 6, before: 0, bar_hours: 2 });
    expect(events.bars).toHaveLength(84);
    const levels = (['fatal', 'error'] as const).map((level) =>
      events.bars.reduce((sum, bar) => sum + bar[level], 0),
    );
    expect(levels).toEqual([1, 5]);
    expect(releases.map(({ version, new_issues: fresh }) => [version, fresh])).toEqual([
      ['shop@1.1.0', 1],
      ['shop@1.0.0', 1],
    ]);
    expect(runs).toHaveLength(1);
    expect(reports).toBe(1);
  });

  it('is counted within the range, and compared with the previous period', async () => {
    const { issues, events, from, to } = await twin('?range=24h');
    expect([from, to]).toEqual(['2026-11-20T13:00:00.000Z', '2026-11-21T13:00:00.000Z']);
    expect(issues.new).toBe(2);
    expect(events).toMatchObject({ total: 4, before: 0, bar_hours: 1 });
    expect((await twin('?range=never')).range).toBe('7d');
    const later = await twin('?range=30d');
    expect(later.events.bars).toHaveLength(90);
    expect(later.events.total).toBe(6);
  });

  it('is counted in one project', async () => {
    const {
      issues,
      events,
      look_at: issuesToLookAt,
      releases,
    } = await twin(`?project=${await idOf('other')}`);
    expect(issues).toEqual({ open: 1, new: 1, regressed: 0, all: 1 });
    expect(events.total).toBe(1);
    expect(issuesToLookAt.map(({ issue_id: id }) => id)).toEqual([workspace.world.otherIssueId]);
    expect(releases).toEqual([]);
  });

  it('counts merged issues at their head, and regressed ones', async () => {
    const { basket, payment, resolved } = workspace.world.issueIds;
    const { app } = workspace;
    await app.deps.store.mergeIssues(app.project.id, basket, [payment], {
      actor: 'test',
      nowMs: app.deps.now(),
    });
    const merged = (await twin()).look_at.find(({ issue_id: id }) => id === basket);
    expect(merged).toMatchObject({ events: 4 });
    await app.deps.store.changeIssue(
      app.project.id,
      resolved,
      { status: 'unresolved' },
      { actor: 'test', nowMs: app.deps.now() },
    );
    const { issues } = await twin();
    expect(issues).toMatchObject({ open: 3, all: 3 });
  });

  it('lists actions, but no sign-ins', async () => {
    expect((await twin()).acts.map(({ action }) => action)).not.toContain('session.signed_in');
    expect((await twin()).acts.length).toBeGreaterThan(0);
  });
});

describe('without any event', () => {
  it('shows setup commands with the real key and URL, to a viewer too, and what was refused', async () => {
    const { app, viewer } = workspace;
    const project = await idOf('empty');
    const model: OnboardingModel = await viewer.json(`/?project=${project}`);
    const keys = await app.deps.store.listKeys(project);
    const publicKey = keys.find(({ kind }) => kind === 'public')?.publicKey;
    expect(model).toMatchObject({ waiting: true, public_key: publicKey, refused: [] });
    const { text } = await viewer.get(`/?project=${project}`);
    expect(text).toContain('Send your first event');
    expect(text).toContain(`data-wait="/setup.json?project=${project}"`);
    for (const { text: lines } of model.snippets) expect(lines).toContain(publicKey);
    expect(model.platforms.map(({ id }) => id)).toEqual(
      'javascript react vue nextjs node php wordpress python ruby go curl'.split(' '),
    );
    for (const { configure, test } of model.platforms) expect(configure ?? test).toContain(publicKey);
    const go = (await viewer.get(`/setup?project=${project}&platform=go`)).text;
    expect(go).toContain('go get github.com/getsentry/sentry-go');
    expect(go).toContain('Nothing received, nothing rejected.');
    await app.deps.store.addOutcomes([
      {
        projectId: project,
        atMs: app.deps.now(),
        outcome: 'invalid',
        reason: 'too_large',
        category: 'error',
        quantity: 3,
      },
    ]);
    expect((await viewer.get(`/?project=${project}`)).text).toContain('too_large');
    const at = { projectId: project, atMs: app.deps.now(), category: 'error', quantity: 1 } as const;
    await app.deps.store.addOutcomes([{ ...at, outcome: 'filtered', reason: 'origin_not_allowed' }]);
    const { admin } = workspace;
    expect((await admin.get(`/?project=${project}`)).text).toMatch(
      /href="[^"]*\/keys\/\d+[^"]*"[^>]*>Allow it/,
    );
  });

  it('the first command works as shown, and ends the waiting', async () => {
    const { app, viewer } = workspace;
    const project = await idOf('empty');
    const { snippets }: OnboardingModel = await viewer.json(`/?project=${project}`);
    const line = snippets.find(({ id }) => id === 'curl')?.text ?? '';
    const [, url = '', key = '', body = ''] =
      /curl (\S+) .*X-Notifier-Key: ([^']+)'.*-d '(.*)'/s.exec(line) ?? [];
    expect(new URL(url).origin).toBe(app.origin);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
      body,
    });
    expect(answer).toHaveStatus(201);
    expect(await viewer.json(`/?project=${project}`)).toMatchObject({ waiting: false });
    const { waiting, first_issue: issue } = await viewer.json(`/setup?project=${project}`);
    expect([waiting, issue.title]).toEqual([false, 'Hello from curl']);
    const { text } = await viewer.get(`/setup?project=${project}`);
    expect(text).toMatch(new RegExp(`First event received.*/issues/${issue.issue_id}`, 's'));
    expect(text).not.toContain('data-wait');
  });
});

describe('a test run in which a case broke', () => {
  it('has as many failures as its own page: errors count as failures', async () => {
    const { app, viewer } = workspace;
    const report = `<testsuite name="broke" tests="3" failures="1" errors="1"><testcase name="a"/>
      <testcase name="b"><failure/></testcase><testcase name="c"><error/></testcase></testsuite>`;
    const answer = await fetch(`${app.api}/test-runs?suite=broke`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.secretKey}`, 'Content-Type': 'application/xml' },
      body: report,
    });
    expect(answer).toHaveStatus(201);
    const run = (await twin()).test_runs.find(({ suite }) => suite === 'broke');
    expect(run).toMatchObject({ tests: 3, passed: 1, failed: 2 });
    expect(await viewer.json(`/test-runs/${run?.test_run_id}`)).toMatchObject({
      run: { failed: 2, errors: 1 },
    });
  });
});

describe('with monitors', () => {
  const empty = forEachTest(() => openEmptyWorkspace());

  it('shows incidents and monitors before the first event', async () => {
    const { app, viewer, member } = empty;
    expect(await viewer.json('/')).toMatchObject({ waiting: true });
    await member.post('/incidents', { title: 'Checkout fails', severity: 'minor' });
    expect(await viewer.json('/')).toMatchObject({ waiting: false, watched: { open: { all: 1 } } });
    expect((await viewer.get('/')).text).toContain('Checkout fails');
    expect(await viewer.json(`/?project=${app.project.id}`)).toMatchObject({ waiting: true });
    await member.post('/incidents/1/resolve');
    expect(await viewer.json('/')).toMatchObject({ waiting: true });
    await member.post('/monitors', { name: 'Shop', type: 'tcp', host: 'a.example', port: '1' });
    expect(await viewer.json('/')).toMatchObject({ waiting: false, watched: { monitors: { all: 1 } } });
  });

  inFull(it)('shows open incidents first, monitors that are not up, and what expires next', async () => {
    const { app, viewer, member } = empty;
    await app.post('/store', { message: 'Cards are refused', platform: 'php' });
    const plain = (await viewer.get('/')).text;
    for (const words of ['Monitors up', 'Expiring soon']) expect(plain).not.toContain(words);
    const { store, now } = app.deps;
    await createKey(app.deps, app.project.id, 'public', { expiresAtMs: now() + 6 * dayMs });
    const ends = await viewer.json('/');
    expect(ends.watched).toMatchObject({
      monitors: { all: 0 },
      running_out: [{ what: 'key', name: 'test', path: `/projects/${app.project.id}` }],
    });
    expect((await viewer.get('/')).text).toContain('Regressed');
    await member.post('/monitors', {
      name: 'Front page',
      type: 'tcp',
      host: 'a.example',
      port: '1',
    });
    await member.post('/monitors', { name: 'Search', type: 'tcp', host: 'a.example', port: '2' });
    const [, down] = await store.listMonitors(null);
    if (down === undefined) throw new Error('no monitor');
    await store.changeMonitor(down, { ...down, state: 'down' });
    for (let each = 1; each <= 8; each += 1) {
      app.advance(1_000);
      const severity = each === 8 ? 'critical' : 'minor';
      await member.post('/incidents', { title: `Trouble ${each}`, severity, message: 'Seen' });
    }
    await member.post('/incidents/1/state', { state: 'monitoring' });
    const model: OverviewModel = await viewer.json('/');
    expect(model.watched).toMatchObject({
      monitors: { all: 2, down: 1, pending: 1, up: 0 },
      open: { all: 8, broken: 7, investigating: 7, planned: 0 },
      strips: [{ name: 'Search', state: 'down' }, { name: 'Front page' }],
    });
    const { incidents } = model.watched ?? { incidents: [] };
    expect(incidents.map(({ title }) => title).slice(0, 2)).toEqual(['Trouble 8', 'Trouble 2']);
    expect(incidents).toHaveLength(6);
    expect(incidents[0]?.newest_update).toMatchObject({ author: 'The member' });
    const { text } = await viewer.get('/');
    const said = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    for (const words of [
      'Trouble 8 , for 1 minute . 6 more incidents are open',
      '0 /2',
      '1 down',
      'Expiring soon',
      '7 being investigated',
    ]) {
      expect(said).toContain(words);
    }
    // A project of its own has none of it, nor the places beside it.
    const { watched } = await viewer.json(`/?project=${app.project.id}`);
    expect(watched).toMatchObject({ monitors: { all: 0 }, incidents: [], running_out: [{ what: 'key' }] });
    expect(text).toMatch(/1 down<.*8 open</s);
  });
});
