import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';

const workspace = shared(() => openWorkspace());

const pageBytesMax = 60 * 1024;

async function text(path: string): Promise<string> {
  const answer = await workspace.viewer.get(path);
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  return answer.text;
}

describe('the pages of delivery', () => {
  it('show the same of a release as the API, and the previous release', async () => {
    const { app, world, viewer } = workspace;
    const api = (await app.get(`/releases/${world.releaseIds.new}`)).body;
    const {
      release,
      before,
      new_issues: made,
      events,
    } = await viewer.json(`/releases/${world.releaseIds.new}`);
    const { commits, issue_ids: ids, ...whole } = api;
    expect(release).toEqual(whole);
    expect(made.map((issue: { issue_id: number }) => issue.issue_id)).toEqual(ids.new);
    expect(before.version).toBe('shop@1.0.0');
    expect(events).toBe(2);
    const { releases, total } = await viewer.json('/releases');
    expect(total).toBe(2);
    expect(releases.map((each: { issues: object }) => each.issues)).toEqual([
      { new: 1, regressed: 0 },
      { new: 1, regressed: 0 },
    ]);
    expect(commits).toHaveLength(1);
  });

  it('show the same of a run and its cases as the API', async () => {
    const { app, world, viewer } = workspace;
    const api = (await app.get(`/test-runs/${world.testRunId}`)).body;
    const { run, failures } = await viewer.json(`/test-runs/${world.testRunId}`);
    const { tests, passed, failed, flaky, status } = run;
    expect(api).toMatchObject({ tests, passed, failed, flaky, status });
    expect(failures).toMatchObject([
      { name: 'has a total', message: 'expected 2 to be 3', result: 'failed' },
    ]);
    const { cases } = await viewer.json(`/test-runs/${world.testRunId}/cases`);
    expect(cases.map((each: { result: string }) => each.result)).toEqual(['failed', 'flaky', 'passed']);
    const page = await text(`/test-runs/${world.testRunId}`);
    expect(page).toContain('1 of 3 tests failed');
    expect(page).toContain('has a total');
  });

  it('show new and regressed issues of a release beside each other', async () => {
    const own = await openWorkspace();
    try {
      const { app, viewer } = own;
      const send = (message: string, release: string) => app.post('/store', { message, release });
      const { issue_id: id } = (await send('gone', 'shop@7.0.0')).body;
      await app.postSecret(`/issues/${id}`, { status: 'resolved' }).expect(200);
      app.advance(60_000);
      await send('gone', 'shop@8.0.0').expect(201);
      await send('never seen', 'shop@8.0.0').expect(201);
      expect((await viewer.get('/releases')).text).toMatch(/>1<\/span> <span class="mk regressed/);
    } finally {
      await own.close();
    }
  });

  it('quarantine a failing case, show it, and end it', async () => {
    const { app, world, viewer, member } = workspace;
    const { failures } = await viewer.json(`/test-runs/${world.testRunId}`);
    const path = `/test-runs/cases/${failures[0].case_id}`;
    const project = String(app.project.id);
    const form = { project, reason: 'waits for <b>#12</b>', days: '14' };
    expect(await viewer.post(`${path}/quarantine`, form)).toHaveStatus(403);
    expect(await member.post(`${path}/quarantine`, { ...form, issue: 'soon' })).toHaveStatus(400);
    expect(await member.post(`${path}/quarantine`, { ...form, days: '91' })).toHaveStatus(400);
    expect(await member.post(`${path}/quarantine`, form)).toHaveStatus(303);
    expect(await text(path)).toContain('waits for &lt;b>#12&lt;/b>');
    expect(await text(`/test-runs/${world.testRunId}`)).toContain('Quarantined.');
    expect(await text(`/test-runs/${world.testRunId}/cases`)).toContain('Quarantined');
    const { quarantine } = await viewer.json(path);
    expect(
      await member.post(`${path}/quarantine/${quarantine.quarantine_id}/remove`, { project }),
    ).toHaveStatus(303);
    expect((await viewer.json(path)).quarantine).toBeNull();
  });

  it('show setup commands on an empty list only', async () => {
    const { viewer } = workspace;
    const { projects } = await viewer.json('/projects');
    const empty = projects.find((each: { name: string }) => each.name === 'empty');
    for (const place of ['/releases', '/deploys', '/test-runs', '/artifacts']) {
      const query = `?project=${empty.project_id}`;
      expect((await viewer.json(`${place}${query}`)).how_to_send[0].text).toContain(
        `/wp-json/notifier/v1${place}`,
      );
      expect(await text(`${place}${query}`)).toContain('NOTIFIER_SECRET_KEY');
      expect((await viewer.json(place)).how_to_send).toBeNull();
    }
  });

  it('answer 404 for everything of another project', async () => {
    const { app, world, viewer } = workspace;
    const { projects } = await viewer.json('/projects');
    const other = projects.find((each: { name: string }) => each.name === 'other').project_id;
    const things = [
      `/releases/${world.releaseIds.new}`,
      `/test-runs/${world.testRunId}`,
      `/test-runs/${world.testRunId}/cases`,
      `/artifacts/${world.artifactIds[0]}`,
      `/artifacts/${world.artifactIds[0]}/download`,
    ];
    for (const path of things) {
      expect([path, (await workspace.member.get(`${path}?project=${other}`)).status]).toEqual([path, 404]);
      expect(await workspace.member.get(`${path}?project=${app.project.id}`)).toHaveStatus(200);
    }
    for (const path of ['/releases/0', '/releases/x', '/test-runs/999999', '/test-runs/cases/none']) {
      expect([path, (await viewer.get(path)).status]).toEqual([path, 404]);
    }
  });

  it('answer 200 to invalid cursors and search parameters', async () => {
    for (const place of ['/releases', '/deploys', '/test-runs', '/artifacts']) {
      const odd = `?after=1-x&before=${'9'.repeat(40)}-1&q=%25_%00&result=odd&outcome=odd&type=odd&branch=%F0`;
      expect(await workspace.viewer.get(`${place}${odd}`)).toHaveStatus(200);
    }
  });
});

inFull(describe)('ten thousand failures', () => {
  it('leave the page of their run small, and have their own pages', async () => {
    const { app, viewer } = workspace;
    const tests = Array.from({ length: 10_000 }, (_, at) => ({
      name: `case ${at} ${(at * 7919).toString(36)}`,
      status: 'failed',
      file: `tests/${at % 100}.test.ts`,
      message: `expected ${at} to be ${at + 1}`,
      trace: `at ${(at * 104_729).toString(36).repeat(60)}`,
    }));
    const { body } = await app.postSecret('/test-runs', { suite: 'many', branch: 'many', tests });
    const page = await text(`/test-runs/${body.test_run_id}`);
    expect(gzipSync(page).length).toBeLessThan(pageBytesMax);
    const first = await viewer.json(`/test-runs/${body.test_run_id}/cases`);
    const second = await viewer.json(`/test-runs/${body.test_run_id}/cases?after=${first.more}`);
    expect([first.cases.length, second.cases.length]).toEqual([100, 100]);
    const ids = [...first.cases, ...second.cases].map((each: { case_id: string }) => each.case_id);
    expect(new Set(ids).size).toBe(200);
  });
});

describe('an artifact', () => {
  it('maps a position through the symbolication workers', async () => {
    const [id] = workspace.world.artifactIds;
    const { tried } = await workspace.viewer.json(`/artifacts/${id}?line=1&column=1`);
    expect(tried).toMatchObject({ line: 1, column: 1, outcome: 'mapped' });
    expect(tried.source.file).toEqual(expect.any(String));
    expect((await workspace.viewer.json(`/artifacts/${id}?line=99999&column=1`)).tried.outcome).toBe(
      'not_found',
    );
    expect((await workspace.viewer.json(`/artifacts/${id}?line=-1&column=x`)).tried).toBeNull();
  });

  it('is deleted by members, not by viewers', async () => {
    const [id] = workspace.world.artifactIds;
    const taken = await workspace.member.get(`/artifacts/${id}/download`);
    expect([taken.status, taken.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename=app.js.map',
    ]);
    expect(JSON.parse(taken.text)).toMatchObject({ version: 3 });
    expect(await workspace.viewer.get(`/artifacts/${id}/download`)).toHaveStatus(403);
    expect(await text(`/artifacts/${id}`)).not.toContain('/download');
  });
});

describe('a release without files', () => {
  it('says that artifacts are missing only if its project has JavaScript events', async () => {
    const { app } = workspace;
    const pageOf = async (name: string, platform: string) => {
      const { project, publicKey } = await app.addProject(name);
      const event = { message: 'broken', platform, release: `${name}-1` };
      await app.post('/store', event, { 'X-Notifier-Key': publicKey }).expect(201);
      const { releases } = await workspace.viewer.json(`/releases?project=${project.id}`);
      return text(`/releases/${releases[0].release_id}?project=${project.id}`);
    };
    expect(await pageOf('scripts', 'javascript')).toContain('No artifacts uploaded');
    expect(await pageOf('no-scripts', 'python')).not.toMatch(/No script or map|Artifacts of/);
  });
});
