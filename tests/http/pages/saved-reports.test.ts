import { beforeEach, expect, it } from '@jest/globals';
import { mailChannelOf } from '../../data/support/channels.ts';
import { startOfTests } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const dayMs = 86_400_000;
const past = '/reports/2026-W46';
const running = '/reports/2026-W47';

const workspace = forEachTest(() => openEmptyWorkspace({ nowMs: startOfTests - 7 * dayMs }));
beforeEach(async () => {
  const { app } = workspace;
  await app.post('/store', { message: 'in week 46', platform: 'php', user: { id: 'ann' } });
  app.advance(7 * dayMs);
});

it('is saved by a member once its period is over, and shows since when', async () => {
  const { viewer, member } = workspace;
  expect(await viewer.post(`${past}/keep`)).toHaveStatus(403);
  expect((await viewer.get(past)).text).not.toContain('Save a copy');
  expect((await member.get(running)).text).not.toContain('Save a copy');
  expect((await member.get(past)).text).toContain('Save a copy');
  const before = await viewer.json(past);
  expect(before.sums).toMatchObject({ events: 1, new_issues: 1, sent: 1 });
  const kept = await member.post(`${past}/keep`);
  expect([kept.status, kept.location]).toEqual([303, past]);
  const { made, can_be_made: canBeMade, ...said } = await viewer.json(past);
  expect([made, canBeMade]).toMatchObject([{ report_id: 1, by: 'The member' }, false]);
  // Users are counted when a report is made, and not for each look at a page.
  const users = (each: object[]) => each.map((project) => ({ ...project, users: 1 }));
  expect([before.projects, said.projects]).toMatchObject([[{ users: null }], [{ users: 1 }]]);
  expect({ ...said, made: null, can_be_made: true }).toEqual({ ...before, projects: users(before.projects) });
  expect((await viewer.get(past)).text).toContain('>Users</th>');
  expect((await viewer.get(running)).text).not.toContain('>Users</th>');
  const { reports } = await viewer.json('/reports');
  expect(reports[1]).toEqual({ ...said.period, ...said.sums });
  expect((await member.get('/audit')).text).toContain('saved the report');
  expect(await member.post(`${running}/keep`)).toHaveStatus(400);
  expect(await member.post('/reports/2026-W99/keep')).toHaveStatus(400);
});

it('stays in the list after its data was deleted; an unsaved one cannot be computed again', async () => {
  const { app, viewer, member } = workspace;
  await member.post(`${past}/keep`);
  const said = await viewer.json(past);
  app.advance(200 * dayMs);
  const later = await workspace.guest('viewer', 'Later');
  const { reports, counts } = await later.json('/reports');
  expect([reports.length, counts.week, reports.at(-1)]).toEqual([14, 14, { ...said.period, ...said.sums }]);
  expect(await later.json(past)).toMatchObject({ sums: said.sums, previous: null });
  expect((await later.get(past)).text).toContain('No earlier period');
  for (const gone of ['/reports/2026-W45', running]) {
    expect([gone, (await later.get(gone)).status]).toEqual([gone, 404]);
  }
});

it('is deleted by an admin after a confirmation', async () => {
  const { admin, member } = workspace;
  expect(await admin.get(`${past}/delete`)).toHaveStatus(404);
  await member.post(`${past}/keep`);
  expect((await member.get(past)).text).not.toContain('Delete…');
  expect(await member.post(`${past}/delete`, { sure: 'yes' })).toHaveStatus(403);
  expect(await admin.post(`${past}/delete`)).toHaveStatus(400);
  expect((await admin.get(`${past}/delete`)).text).toContain('Delete the report');
  const gone = await admin.post(`${past}/delete`, { sure: 'yes' });
  expect([gone.status, gone.location]).toEqual([303, '/reports']);
  expect((await admin.json(past)).made).toBeNull();
  expect(await admin.post(`${past}/delete`, { sure: 'yes' })).toHaveStatus(404);
});

inFull(it)('names no incident that was deleted since', async () => {
  const { app, viewer, member } = workspace;
  const asked = { title: 'Jane Doe cannot pay', severity: 'minor', started_at: '2026-11-12T00:00:00Z' };
  await app.postSecret('/incidents', asked);
  await member.post(`${past}/keep`);
  const link = 'href="/incidents/1"';
  const before = (await viewer.get(past)).text;
  expect([before.includes('Jane Doe cannot pay'), before.includes(link)]).toEqual([true, true]);
  await app.deps.store.deleteIncident(1);
  const after = (await viewer.get(past)).text;
  expect([after.includes('Jane'), after.includes(link)]).toEqual([false, false]);
  expect(after).toContain('An incident that was deleted');
  expect(after).toContain('One incident: one that has been deleted, ');
});

it('of one project is saved besides that of all', async () => {
  const { app, viewer, member } = workspace;
  const other = await app.addProject('other');
  const own = `?project=${other.project.id}`;
  expect(await member.post(`${past}/keep${own}`)).toHaveStatus(303);
  expect((await viewer.json(past)).made).toBeNull();
  const kept = await viewer.json(`${past}${own}`);
  expect(kept).toMatchObject({ made: { report_id: 1 }, sums: { events: 0 }, projects: [{ name: 'other' }] });
});

it('are mailed to the recipients of a schedule until it is stopped', async () => {
  const { app, viewer, member, admin } = workspace;
  const page = '/reports/schedules';
  expect((await admin.get(page)).text).toContain('Set SMTP_URL to send reports by e-mail.');
  await app.deps.store.addChannel(mailChannelOf({ name: 'Team <b>' }));
  const form = { channel: '1', kind: 'week', at: '07:30', timezone: 'Europe/Berlin' };
  expect(await member.post(page, form)).toHaveStatus(403);
  // `+01` is an offset of this machine, and no name of clocks: nobody sets it in spring.
  const wrongZones = [{ timezone: 'Nowhere' }, { timezone: '+01' }, { timezone: '+01:00' }];
  for (const wrong of [{ at: '25:00' }, ...wrongZones, { channel: '9' }, { kind: 'day' }]) {
    expect([wrong, (await admin.post(page, { ...form, ...wrong })).status]).toEqual([wrong, 400]);
  }
  expect((await viewer.json(page)).schedules).toEqual([]);
  expect((await admin.post(page, form)).location).toBe(page);
  const { schedules } = await viewer.json(page);
  expect(schedules).toEqual([
    {
      ...{ report_schedule_id: 1, alert_channel_id: 1, channel: 'Team <b>', project: null, kind: 'week' },
      ...{ at: '07:30', timezone: 'Europe/Berlin', next_at: '2026-11-23T06:30:00.000Z' },
      ...{ created_at: '2026-11-21T12:00:00.000Z', created_by: 'The admin' },
    },
  ]);
  const seen = (await viewer.get(page)).text;
  expect([
    seen.includes('Only an admin can change this'),
    seen.includes('/stop'),
    seen.includes('Team <b>'),
  ]).toEqual([true, false, false]);
  expect(await member.post(`${page}/1/stop`)).toHaveStatus(403);
  expect((await admin.post(`${page}/1/stop`)).location).toBe(page);
  expect((await viewer.json(page)).schedules).toEqual([]);
  expect(await admin.post(`${page}/1/stop`)).toHaveStatus(404);
});
