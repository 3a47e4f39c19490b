import { describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMonitor } from '../../../src/core/monitors/monitors.ts';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import { nextChecks, startMonitored } from '../../support/monitored.ts';
import { forEachTest, itForAll } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const server = forEachTest(() => startMonitored());
const workspace = forEachTest(() => openEmptyWorkspace({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } }));
const monitoring = forEachTest(() => startMonitorLoop(workspace.app.deps, { everyMs: 3_600_000 }));

const minuteMs = 60_000;
const one = '/incidents/1';
const opened = { title: 'Checkout fails', severity: 'minor' };
const open = (form: Record<string, string> = {}) =>
  workspace.member.post('/incidents', { ...opened, ...form });
const attack = '<img src=x onerror=alert(1)>';

async function settle(answer: number): Promise<void> {
  server.answer = answer;
  await nextChecks(workspace.app, monitoring, 2);
}

async function makeMonitor(): Promise<void> {
  const url = `http://127.0.0.1:${server.port}/`;
  const form = { name: 'Front page', type: 'http', url, interval: '30' };
  expect(await workspace.member.post('/monitors', form)).toHaveStatus(303);
  await settle(200);
}

it('one opened by a monitor is on its pages, in the list, and in the figures', async () => {
  await makeMonitor();
  expect((await workspace.viewer.get('/incidents')).text).toContain('No incidents in the last 90 days');
  await settle(502);
  const { incidents } = await workspace.viewer.json('/monitors/front-page');
  expect(incidents).toMatchObject([{ incident_id: 1, title: 'Front page is down', state: 'investigating' }]);
  const model = await workspace.viewer.json(one);
  expect(model).toMatchObject({
    severity: 'critical',
    opened_by: { name: 'Front page', path: '/monitors/front-page' },
    acknowledge_ms: null,
    hit: { monitors: [{ name: 'Front page', state: 'down', path: '/monitors/front-page' }], components: [] },
    shown_on: [],
    budget: { monitor: 'Front page' },
    post_mortem: null,
  });
  expect((await workspace.viewer.get('/incidents')).text).toContain('Front page is down');
  await settle(200);
  const { figures, counts } = await workspace.viewer.json('/incidents');
  expect(counts).toEqual({ all: 1, open: 0, planned: 0, resolved: 1 });
  expect(figures).toMatchObject({ open: 0, in_90_days: 1, to_acknowledge: { median_ms: null } });
  const over = await workspace.viewer.json(one);
  expect(over).toMatchObject({ state: 'resolved', is_over: true });
  expect(figures.to_resolve).toEqual({ median_ms: over.lasted_ms, longest_ms: over.lasted_ms });
});

inFull(it)('is acknowledged by its lead, changes its state, is resolved and reopened', async () => {
  await makeMonitor();
  await settle(502);
  const { member, app } = workspace;
  app.advance(minuteMs);
  expect((await member.post(`${one}/acknowledge`)).location).toBe(one);
  const seen = await member.json(one);
  const sinceMs = app.deps.now() - Date.parse(seen.started_at);
  expect([seen.acknowledge_ms, typeof seen.lead]).toEqual([sinceMs, 'string']);
  await member.post(`${one}/state`, { state: 'identified' });
  await settle(200);
  expect((await member.json(one)).state).toBe('monitoring');
  await member.post(`${one}/resolve`);
  expect((await member.json(one)).steps.map(({ step }: { step: string }) => step)).toEqual([
    'began',
    'acknowledged',
    'identified',
    'mitigated',
    'resolved',
  ]);
  await member.post(`${one}/reopen`);
  expect(await member.json(one)).toMatchObject({ state: 'investigating', is_over: false });
  const { entries } = await workspace.admin.json('/audit');
  const acts = entries.map(({ action }: { action: string }) => action);
  expect(acts.filter((action: string) => action.startsWith('incident.'))).toEqual([
    'incident.changed',
    'incident.resolved',
    'incident.changed',
    'incident.acknowledged',
  ]);
});

it('is opened by a form, lists its updates by audience, and shows them as text', async () => {
  await makeMonitor();
  const made = await open({ title: attack, message: `${attack} first`, monitor: '1' });
  expect([made.status, made.location]).toEqual([303, one]);
  await workspace.member.post(`${one}/updates`, { body: `${attack}\nsecond`, to: 'public' });
  const model = await workspace.viewer.json(one);
  expect(model.updates).toMatchObject([
    { body: `${attack}\nsecond`, is_public: true },
    { body: `${attack} first`, is_public: false, to: 'investigating' },
  ]);
  expect(model.affects).toEqual(['Front page']);
  for (const path of [one, '/incidents', '/monitors/front-page', '/audit']) {
    const { text } = await workspace.admin.get(path);
    expect([path, text.includes('<img'), text.includes('&lt;img')]).toEqual([path, false, true]);
  }
});

it('suggests causes, which are linked or dismissed, and listed on the issue then', async () => {
  const { app, member } = workspace;
  const sent = await app.post('/store', { message: 'Cards are refused', platform: 'php' });
  const id = sent.body.issue_id;
  await open();
  const kinds = async (which: string) =>
    (await member.json(one)).causes[which].map(({ kind, path }: Record<string, string>) => [kind, path]);
  expect(await kinds('proposed')).toEqual([['issue', `/issues/${id}`]]);
  expect(await member.json(`/issues/${id}`)).not.toHaveProperty('incidents');
  expect(await member.post(`${one}/causes`, { cause: `issue-${id}`, answer: 'link' })).toHaveStatus(303);
  expect([await kinds('linked'), await kinds('proposed')]).toEqual([[['issue', `/issues/${id}`]], []]);
  expect((await member.json(one)).events).toMatchObject({ issue_id: id });
  expect((await member.json(`/issues/${id}`)).incidents).toMatchObject([{ incident_id: 1 }]);
  await member.post(`${one}/causes`, { cause: `issue-${id}`, answer: 'drop' });
  expect(await kinds('dismissed')).toEqual([['issue', `/issues/${id}`]]);
  for (const cause of ['issue-0', 'monitor-1', 'issue', 'issue-99']) {
    expect([cause, (await member.post(`${one}/causes`, { cause, answer: 'link' })).status]).toEqual([
      cause,
      400,
    ]);
  }
});

it('is deleted by an admin after a confirmation, and not shown to other projects', async () => {
  await open();
  const { admin, member, viewer } = workspace;
  expect(await member.post(`${one}/delete`, { sure: 'yes' })).toHaveStatus(403);
  expect(await viewer.post(`${one}/resolve`)).toHaveStatus(403);
  expect(await admin.post(`${one}/delete`)).toHaveStatus(400);
  expect((await admin.get(`${one}/delete`)).text).toContain('Delete incident');
  expect((await admin.post(`${one}/delete`, { sure: 'yes' })).location).toBe('/incidents');
  expect(await admin.get(one)).toHaveStatus(404);
  expect(await member.post(`${one}/resolve`)).toHaveStatus(404);
  expect(await member.post('/incidents', { title: '  ', severity: 'minor' })).toHaveStatus(400);
  expect(await member.post('/incidents', { ...opened, monitor: '9' })).toHaveStatus(400);
  expect(await member.json('/incidents')).toMatchObject({ counts: { all: 0 } });
});

inFull(it)('a monitor’s settings say whether it opens one', async () => {
  await makeMonitor();
  const form = { name: 'Front page', interval: '30', timeout: '5', slow_ms: '0', retries: '1' };
  const changed = await workspace.member.post('/monitors/front-page/settings', {
    ...form,
    certificate_days: '14',
    status: '200-299',
    opens_incidents: 'false',
  });
  expect(changed).toHaveStatus(303);
  expect(await workspace.member.json('/monitors/front-page/settings')).toMatchObject({
    opens_incidents: false,
  });
  await settle(502);
  expect(await workspace.viewer.json('/incidents')).toMatchObject({ counts: { all: 0 } });
});

it('the post-mortem is written in Markdown and shown to its audience', async () => {
  await open();
  const { member, viewer, admin } = workspace;
  await member.post(`${one}/resolve`);
  expect((await viewer.get(one)).text).toContain('No post-mortem yet');
  const text = `# What happened\n\nA **disk** was full. ${attack}`;
  expect((await member.post(`${one}/post-mortem`, { text, to: 'team' })).location).toBe(one);
  const learnt = (await viewer.json(one)).post_mortem;
  expect(learnt).toMatchObject({ is_public: false, markdown: text, parts: [], actions: [] });
  const { text: shown } = await viewer.get(one);
  expect(shown).toContain('<h3>What happened</h3><p>A <strong>disk</strong> was full. &lt;img');
  expect((await member.get(`${one}/post-mortem`)).text).toContain('# What happened');
  await member.post(`${one}/post-mortem`, { text, to: 'public' });
  expect((await viewer.json(one)).post_mortem).toMatchObject({ is_public: true });
  // A browser says each end of a line in two characters, and counts one: 20,000 of them are taken.
  const lines = `${'x'.repeat(49)}\n`.repeat(400);
  const sent = lines.replaceAll('\n', '\r\n');
  expect((await member.post(`${one}/post-mortem`, { text: sent, to: 'team' })).location).toBe(one);
  expect((await viewer.json(one)).post_mortem.markdown.trim()).toBe(lines.trim());
  await member.post(`${one}/post-mortem`, { to: 'team' });
  expect((await viewer.json(one)).post_mortem).toBeNull();
  expect(await viewer.post(`${one}/post-mortem`, { text, to: 'team' })).toHaveStatus(403);
  expect((await admin.get('/audit')).text).toContain('wrote the post-mortem of the incident');
});

inFull(it)('is shown at its issue and its monitor by a query of its own', async () => {
  const { viewer, app } = workspace;
  const { body: event } = await app.post('/store', { message: 'The cart is gone' });
  const monitors: number[] = [];
  for (const name of ['Mail', 'Web']) {
    const asked = { type: 'tcp', name, host: 'db.example:1' } as const;
    monitors.push((await createMonitor(app.deps, 1, asked, commandLineSource)).monitor.id);
  }
  const opened = await app.postSecret('/incidents', {
    title: 'Mail is late',
    monitors: monitors.slice(0, 1),
  });
  const other = await app.postSecret('/incidents', {
    title: 'Web is degraded',
    monitors: monitors.slice(1),
  });
  for (const { body } of [opened, other]) {
    await app.postSecret(`/incidents/${body.incident_id}`, { message: 'We look.' });
  }
  const link = { kind: 'issue', id: event.issue_id };
  await app.postSecret(`/incidents/${opened.body.incident_id}`, { link });
  // All incidents with all that was said of them are asked for by neither page.
  const { store } = app.deps as { store: Partial<typeof app.deps.store> };
  delete store.listIncidents;
  const titles = async (path: string) =>
    (await viewer.json(path)).incidents.map(({ title }: { title: string }) => title);
  expect(await titles(`/issues/${event.issue_id}`)).toEqual(['Mail is late']);
  expect(await titles('/monitors/mail')).toEqual(['Mail is late']);
  expect(await titles('/monitors/web')).toEqual(['Web is degraded']);
});

describe('maintenance', () => {
  const form = {
    title: 'Image servers move',
    covers: 'all',
    from: '2026-11-21 13:00',
    until: '2026-11-21T14:00',
  };

  it('is planned by a member, listed among incidents, and canceled', async () => {
    const { member, viewer } = workspace;
    expect(await viewer.post('/incidents/plan', form)).toHaveStatus(403);
    const choices = (await member.json('/incidents/plan')).choices;
    expect(choices).toEqual([{ value: 'all', name: 'all monitors' }]);
    const planned = await member.post('/incidents/plan', { ...form, message: 'It may be slow.' });
    expect(planned).toHaveStatus(303);
    const path = planned.location ?? '';
    expect(await member.json(path)).toMatchObject({
      title: 'Image servers move',
      state: 'planned',
      severity: 'planned',
      started_at: '2026-11-21T13:00:00.000Z',
      planned_end_at: '2026-11-21T14:00:00.000Z',
    });
    const { text } = await member.get(path);
    expect([text.includes('Cancel…'), text.includes('Acknowledge</button>')]).toEqual([true, false]);
    expect((await member.json('/incidents')).counts).toMatchObject({ open: 0, planned: 1 });
    expect(await member.post(`${path}/acknowledge`)).toHaveStatus(400);
    expect(await viewer.post(`${path}/call-off`, { sure: 'yes' })).toHaveStatus(403);
    expect(await member.post(`${path}/call-off`, { sure: 'yes' })).toHaveStatus(303);
    expect((await member.get(path)).text).toContain('canceled before it began');
  });

  inFull(it)('can repeat weekly', async () => {
    const { from: _from, until: _until, ...weekly } = form;
    const each = { weekdays: 'Sun, wed', at: '02:30', minutes: '90', timezone: 'Europe/Berlin' };
    const planned = await workspace.member.post('/incidents/plan', { ...weekly, ...each });
    expect(await workspace.member.json(planned.location ?? '')).toMatchObject({
      started_at: '2026-11-22T01:30:00.000Z',
      planned_end_at: '2026-11-22T03:00:00.000Z',
    });
  });

  inFull(it)('is changed by a form with its current values; unchanged fields stay', async () => {
    const { member, viewer, admin, app } = workspace;
    const monitors = [];
    for (const name of ['Mail', 'Web', 'DNS']) {
      const made = await app.postSecret('/monitors', { type: 'tcp', name, host: `${name}.example:25` });
      monitors.push(made.body.monitor_id);
    }
    const work = { title: 'Disks', message: 'Slow.\nVery.', monitors, starts_at: '2026-11-22T02:00:30Z' };
    const { body } = await app.postSecret('/maintenance-windows', {
      ...work,
      ends_at: '2026-11-22T04:00:45Z',
    });
    const path = `/incidents/${body.incident_id}`;
    const kept = async () => (await app.get(`/maintenance-windows/${body.maintenance_window_id}`)).body;
    expect((await member.get(path)).text).toContain(`href="${path}/plan"`);
    expect(await viewer.get(`${path}/plan`)).toHaveStatus(403);
    const { choices, incident_id: _id, about, ...fields } = await member.json(`${path}/plan`);
    expect(fields).toEqual({
      ...{ title: 'Disks', message: 'Slow.\nVery.', weekdays: '', at: '', minutes: '', timezone: '' },
      ...{ from: '2026-11-22 02:00', until: '2026-11-22 04:00' },
    });
    expect([about, choices.length]).toEqual([['Mail', 'Web', 'DNS'], 4]);

    // As a browser sends it: line breaks of two characters, nothing touched.
    const sent = { ...fields, message: 'Slow.\r\nVery.', covers: 'same' };
    expect(await viewer.post(`${path}/plan`, sent)).toHaveStatus(403);
    expect(await member.post(`${path}/plan`, sent)).toMatchObject({ status: 303, location: path });
    expect(await kept()).toEqual(unsaid(body));
    await member.post(`${path}/plan`, { ...sent, until: '2026-11-22 05:00', title: 'New disks' });
    expect(await kept()).toEqual({
      ...unsaid(body),
      title: 'New disks',
      ends_at: '2026-11-22T05:00:00.000Z',
    });
    await member.post(`${path}/plan`, { ...sent, covers: `monitor:${monitors[1]}` });
    expect(await kept()).toMatchObject({ monitors: [monitors[1]], all: false });
    await member.post(`${path}/plan`, { ...sent, covers: 'all' });
    expect(await kept()).toMatchObject({ monitors: [], all: true });
    expect((await admin.get('/audit')).text).toContain('changed the maintenance');
    expect((await member.json(path)).affects).toEqual(['Mail', 'Web', 'DNS']);
  });

  it('is changed to weekly and back to once', async () => {
    const { member } = workspace;
    const { location: path = '' } = await member.post('/incidents/plan', form);
    const {
      choices: _choices,
      incident_id: _id,
      about: _about,
      ...fields
    } = await member.json(`${path}/plan`);
    const weekly = { ...fields, covers: 'same', weekdays: 'sun', at: '02:30' };
    const both = await member.post(`${path}/plan`, weekly);
    expect([both.status, both.text.includes('cannot be used together with the start and the end')]).toEqual([
      400,
      true,
    ]);
    expect(await member.post(`${path}/plan`, { ...weekly, from: '', until: '' })).toHaveStatus(303);
    const now = await member.json(`${path}/plan`);
    expect(now).toMatchObject({
      ...{ from: '', until: '', weekdays: 'sun', at: '02:30', minutes: '60', timezone: 'UTC' },
      about: ['all monitors'],
    });
    const { weekdays: _days, ...rest } = now;
    const emptied = await member.post(`${path}/plan`, { ...plain(rest), covers: 'same', weekdays: '' });
    expect([emptied.status, emptied.text.includes('Enter when it ends')]).toEqual([400, true]);
    const once = { ...plain(rest), covers: 'same', weekdays: '', until: '2026-11-23 10:00' };
    expect(await member.post(`${path}/plan`, once)).toHaveStatus(303);
    expect(await member.json(`${path}/plan`)).toMatchObject({
      ...{ from: '2026-11-21 12:00', until: '2026-11-23 10:00', weekdays: '', at: '' },
    });
    await member.post(`${path}/call-off`, { sure: 'yes' });
    expect(await member.get(`${path}/plan`)).toHaveStatus(404);
  });

  inFull(it)('shows some monitors and the number of others, and all in its JSON', async () => {
    const { member, app } = workspace;
    for (let number = 1; number <= 53; number += 1) {
      const asked = { type: 'tcp', name: `Port ${number}`, host: 'db.example:1' } as const;
      await createMonitor(app.deps, 1, asked, commandLineSource);
    }
    const path = (await member.post('/incidents/plan', form)).location ?? '';
    const { hit, affects } = await member.json(path);
    expect([hit.monitors.length, affects.length]).toEqual([53, 53]);
    const { text } = await member.get(path);
    const named = new Set([...text.matchAll(/>Port (\d+)</g)].map(([, number]) => Number(number)));
    expect([named.size, named.has(50), named.has(51)]).toEqual([50, true, false]);
    expect(text).toMatch(/<dt>Monitors<\/dt><dd>and 3 more<\/dd>/);
    expect(text).toContain('and 51 more');
    expect((await member.get('/incidents')).text).toMatch(/>Port 1, Port 2, Port 3<\/\w+> and 50 more/);
    // A part of a status page that the last of them feeds says so too.
    const components = [{ name: 'Late', monitors: [hit.monitors[52].id] }];
    await app.postSecret('/status-pages', { name: 'Shop', components, published: true });
    const { planned } = await member.json('/status/shop');
    expect(planned.map(({ affects: parts }: { affects: string[] }) => parts)).toEqual([['Late']]);
  });

  itForAll(
    [
      [{ until: '' }, 'until', 'Enter when it ends, such as 2026-12-01 04:00.'],
      [{ until: '2026-11-20T14:00' }, 'until', 'The end must be in the future, and after the start.'],
      [{ from: 'soon' }, 'from', 'The start must be a date'],
      [{ covers: 'cloud:7' }, 'covers', 'Choose the affected monitors.'],
      [{ covers: 'monitor:99' }, 'covers', 'There is no monitor 99.'],
      [{ weekdays: 'someday', from: '', until: '', at: '02:30' }, 'weekdays', 'A weekday is one of mon, tue'],
      [{ title: ' ' }, 'title', 'Title must not be empty.'],
    ],
    'is refused beside the field if it is invalid',
    async (wrong, field, words) => {
      const refused = await workspace.member.post('/incidents/plan', { ...form, ...wrong });
      expect(refused.status).toBe(400);
      const [, said = ''] = refused.text.split(`id="${field}-wrong"`);
      expect(said.slice(0, 400)).toContain(words);
    },
  );

  it('has the fields for once or for weekly', async () => {
    const { member } = workspace;
    const namesOf = (text: string) => [...text.matchAll(/name="(from|until|weekdays|at|minutes|timezone)"/g)];
    const once = await member.get('/incidents/plan');
    expect(namesOf(once.text).map(([, name]) => name)).toEqual(['from', 'until']);
    const weekly = await member.get('/incidents/plan/weekly');
    expect(namesOf(weekly.text).map(([, name]) => name)).toEqual(['weekdays', 'at', 'minutes', 'timezone']);
  });
});

function unsaid({ accepted: _accepted, ...window }: Record<string, unknown>): Record<string, unknown> {
  return window;
}

function plain(model: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(model).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}
