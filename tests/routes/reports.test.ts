import { beforeEach, describe, expect, it } from '@jest/globals';
import { viewReport } from '../../src/core/reports/reports.ts';
import { openTestApp, startOfTests } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { forEachTest } from '../support/shared.ts';

const dayMs = 86_400_000;
const monday = Date.parse('2026-11-16');

const app = forEachTest(() => openTestApp({ nowMs: startOfTests - 7 * dayMs }));
beforeEach(async () => {
  await app.post('/store', { message: 'in week 46', platform: 'php' });
  await app.deps.outcomes.flush();
  app.advance(7 * dayMs);
});

const make = (period: string) => app.postSecret('/reports', { period });

describe('a report', () => {
  it('is made with 201, answered again with 200, and read as it was answered', async () => {
    const made = await make('2026-W46');
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        accepted: true,
        report_id: 1,
        period: '2026-W46',
        kind: 'week',
        from: '2026-11-09T00:00:00.000Z',
        to: '2026-11-16T00:00:00.000Z',
        made_at: '2026-11-21T12:00:00.000Z',
        made_by: expect.stringMatching(/…/),
        sums: { events: 1, new_issues: 1, sent: 1, lost_share: 0, availability: null },
        sums_before: { events: 0 },
        top_issues: [{ issue_id: 1, title: 'in week 46', events: 1 }],
        projects: [
          { project_id: 1, name: 'test', events: 1, events_before: 0, users: 0, users_or_more: false },
        ],
      },
    ]);
    const again = await make('2026-W46');
    expect([again.status, again.body]).toEqual([200, made.body]);
    const { accepted: _accepted, ...told } = made.body;
    expect((await app.get('/reports/1')).body).toEqual(told);
    const { report_id: id, period, kind, from, to, made_at: at, made_by: by, sums } = told;
    const head = { report_id: id, period, kind, from, to, made_at: at, made_by: by, sums };
    expect((await app.get('/reports')).body).toEqual([head]);
  });

  it('does not change when its data is deleted, but names nothing deleted', async () => {
    const { body } = await make('2026-W46');
    await app.deps.store.endIssue(1, 1, app.deps.now());
    const [issue] = body.top_issues;
    const read = (await app.get('/reports/1')).body;
    expect(read).toMatchObject({ sums: { events: 1, new_issues: 1 } });
    expect(read.top_issues).toEqual([{ ...issue, title: null, culprit: null }]);
    expect(JSON.stringify(await app.deps.store.findSavedReport(1))).not.toContain('in week 46');
  });

  it('has the current titles of incidents, and none of deleted ones', async () => {
    const opened = await app.postSecret('/incidents', {
      title: 'Jane Doe cannot pay',
      severity: 'minor',
      started_at: '2026-11-12T00:00:00Z',
    });
    const id = opened.body.incident_id;
    await app.postSecret(`/incidents/${id}`, { cause: 'Her card', state: 'resolved' });
    const { body } = await make('2026-W46');
    const [made] = body.incidents;
    expect(made).toMatchObject({ incident_id: id, title: 'Jane Doe cannot pay', cause: 'Her card' });
    expect(JSON.stringify(await app.deps.store.findSavedReport(1))).not.toMatch(/Jane|card/);
    await app.postSecret(`/incidents/${id}`, { title: 'Somebody cannot pay' });
    const read = async () => (await app.get('/reports/1')).body;
    expect((await read()).incidents).toEqual([{ ...made, title: 'Somebody cannot pay' }]);
    await app.deleteSecret(`/incidents/${id}`).expect(200);
    const after = await read();
    expect(after.incidents).toEqual([{ ...made, title: null, cause: '', affects: [] }]);
    expect(after.sums).toEqual(body.sums);
  });

  it('saved with titles by an older version has no deleted incidents either', async () => {
    const { body } = await make('2026-W46');
    const gone = { incident_id: 9, title: 'Jane Doe cannot pay', cause: 'Her card', affects: ['Till'] };
    const { accepted: _accepted, report_id: _id, ...kept } = { ...body, incidents: [gone] };
    await app.deps.store.saveReport(
      {
        projectId: null,
        period: '2026-W46',
        madeAtMs: 0,
        madeBy: 'notifier',
        sums: JSON.stringify(body.sums),
        body: JSON.stringify(kept),
      },
      [],
    );
    const report = await app.deps.store.findReportOf(null, '2026-W46');
    if (report === null) throw new Error('It was not kept.');
    const { incidents } = await viewReport(app.deps, report);
    expect(incidents).toEqual([{ incident_id: 9, title: null, cause: '', affects: [] }]);
  });

  it('counts its users once a project, and says when there may be more', async () => {
    const event = (user: string, more: object = {}) =>
      app.post('/store', { message: 'broken', platform: 'php', user: { id: user }, ...more });
    await event('ann');
    await event('ben', { fingerprint: ['two'] });
    await event('ann', { fingerprint: ['three'] });
    await event('eve', { fingerprint: ['gone'] });
    await app.deps.outcomes.flush();
    app.advance(3 * dayMs);
    // Of the week after.
    await event('zoe');
    const projects = async () => (await make('2026-W47')).body.projects;
    expect(await projects()).toMatchObject([{ events: 4, users: 3, users_or_more: false }]);
    await app.deleteSecret('/reports/1').expect(200);
    const listed = (await app.get('/issues')).body as Array<{ issue_id: number; users: number }>;
    const gone = Math.max(...listed.map(({ issue_id: id }) => id));
    await app.deps.store.endIssue(1, gone, app.deps.now());
    expect(await projects()).toMatchObject([{ events: 4, users: 2, users_or_more: true }]);
  });

  it('saved before users were counted has no users', async () => {
    const { body } = await make('2026-W46');
    const { users: _users, users_or_more: _orMore, ...project } = body.projects[0];
    const kept = { ...body, projects: [project] };
    const parts = { projectId: null, period: '2026-W46', madeAtMs: 0, madeBy: 'notifier', sums: '{}' };
    await app.deps.store.saveReport({ ...parts, body: JSON.stringify(kept) }, []);
    const report = await app.deps.store.findReportOf(null, '2026-W46');
    if (report === null) throw new Error('It was not kept.');
    const { projects } = await viewReport(app.deps, report);
    expect(projects).toEqual([{ ...project, users: null, users_or_more: false }]);
  });

  it('is refused for an invalid, running or too old period', async () => {
    for (const period of ['2026-W54', '2026-13', 'last week', '']) {
      const { status, body } = await make(period);
      expect([period, status, body.code]).toEqual([period, 400, 'rest_invalid_param']);
    }
    const words = async (period: string) => (await make(period)).body.data.params.period;
    expect(await words('2026-W46'.padEnd(20, '0'))).toContain('must be a week or month');
    expect(await words('2026-W46'.padEnd(21, '0'))).toContain('must be at most 20 characters long');
    const running = await make('2026-W47');
    expect([running.status, running.body.code]).toEqual([400, 'notifier_report_not_over']);
    expect(running.body.message).toBe(
      '2026-W47 is not over. Its report can be created from 2026-11-23T00:05:00.000Z.',
    );
    const old = await make('2026-W30');
    expect([old.status, old.body.code]).toEqual([400, 'notifier_report_too_old']);
    expect((await app.get('/reports')).body).toEqual([]);
  });

  it('can be created from five minutes after its end on', async () => {
    app.advance(monday + 7 * dayMs + 5 * 60_000 - 1 - app.deps.now());
    expect(await make('2026-W47')).toHaveStatus(400);
    app.advance(1);
    expect(await make('2026-W47')).toHaveStatus(201);
  });

  it('is listed by its period and its kind', async () => {
    for (const period of ['2026-W45', '2026-10', '2026-W46']) await make(period);
    const periods = async (query: string) =>
      (await app.get(`/reports${query}`)).body.map((each: { period: string }) => each.period);
    expect(await periods('')).toEqual(['2026-W46', '2026-W45', '2026-10']);
    expect(await periods('?orderby=id&order=asc')).toEqual(['2026-W45', '2026-10', '2026-W46']);
    expect(await periods('?kind=month')).toEqual(['2026-10']);
    expect(await periods('?search=w45')).toEqual(['2026-W45']);
    const page = await app.get('/reports?per_page=2&page=2');
    expect([page.body.length, page.headers['x-wp-total']]).toEqual([1, '3']);
  });

  it('of the workspace is 404', async () => {
    const { commandLineSource: byCommandLine } = await import('../../src/core/audit/audit.ts');
    const { createReport: makeReport } = await import('../../src/core/reports/reports.ts');
    const all = await makeReport(app.deps, null, '2026-W46', byCommandLine);
    const answer = await app.get(`/reports/${all.report.id}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'notifier_report_invalid_id']);
  });

  it('names only channels that keys of the project created', async () => {
    const { store, now } = app.deps;
    const other = await app.addProject('other');
    const atMs = Date.parse('2026-11-12');
    for (const [projectId, name] of [
      [app.project.id, 'ours'],
      [other.project.id, 'theirs'],
      [null, 'everybody’s'],
    ] as const) {
      const channel = await store.addChannel({
        ...{ projectId, name, type: 'slack', address: 'https://a.example', target: 'a.example' },
        ...{ secret: '', settings: {}, quietHours: '', createdAtMs: now(), createdBy: 'Mara' },
      });
      await store.addDelivery({
        ...{ projectId, channelId: channel.id, messageId: name, atMs, subject: '', rule: '', why: '' },
        ...{ path: null, body: '' },
      });
    }
    const { body } = await make('2026-W46');
    expect(body.alerts).toEqual([{ channel_id: 1, name: 'ours', sent: 1, arrived: 0 }]);
    expect((await app.get('/reports/1')).body.alerts).toEqual(body.alerts);
  });

  it('is deleted, with an audit entry for every change', async () => {
    const { body } = await make('2026-W46');
    const gone = await app.deleteSecret('/reports/1');
    expect([gone.status, gone.body.deleted, gone.body.previous.period]).toEqual([200, true, '2026-W46']);
    expect(await app.get('/reports/1')).toHaveStatus(404);
    expect((await make('2026-W46')).body.sums).toEqual(body.sums);
    const entries = await app.deps.store.listAudit(wholeAudit, { limit: 50 });
    expect(entries.map(({ action, objectId }) => [action, objectId])).toEqual([
      ['report.created', '2026-W46'],
      ['report.deleted', '2026-W46'],
      ['report.created', '2026-W46'],
    ]);
  });
});
