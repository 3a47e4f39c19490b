import { describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import { nextChecks, startMonitored } from '../../support/monitored.ts';
import { forEachTest, itForAll } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const server = forEachTest(() => startMonitored());
const workspace = forEachTest(() => openEmptyWorkspace({ env: { NOTIFIER_FETCH_ALLOW: '127.0.0.1' } }));
const monitoring = forEachTest(() => startMonitorLoop(workspace.app.deps, { everyMs: 3_600_000 }));

const make = async (form: Record<string, string> = {}) => {
  const { type = 'http' } = form;
  const url = type === 'http' ? { url: `http://127.0.0.1:${server.port}/?token=s3cret` } : {};
  return workspace.member.post('/monitors', { name: 'Front page', type, ...url, ...form });
};
const one = '/monitors/front-page';
const settings = {
  name: 'Front page',
  interval: '60',
  timeout: '5',
  slow_ms: '0',
  retries: '0',
  certificate_days: '14',
  status: '200-299',
};

const watch = (checks: number): Promise<void> => nextChecks(workspace.app, monitoring, checks);

inFull(it)('is created by a member, and hides the query string of its URL', async () => {
  const made = await make();
  expect([made.status, made.location]).toEqual([303, one]);
  for (const path of ['/monitors', '/monitors.json', one, `${one}.json`, `${one}/settings`, '/audit']) {
    const { text } = await workspace.admin.get(path);
    expect([path, text.includes('s3cret'), text.includes('Front page')]).toEqual([path, false, true]);
  }
  await monitoring.runNow();
  expect(server.asked).toEqual(['/?token=s3cret']);
});

it('shows its results: states, uptime, checks, days', async () => {
  await make();
  await monitoring.runNow();
  await watch(5);
  server.answer = 502;
  await watch(3);
  expect((await workspace.viewer.get('/monitors')).text).not.toContain('New monitor');
  const model = await workspace.viewer.json(one);
  expect(model).toMatchObject({
    state: 'down',
    reason: 'returns status 502',
    last_check: { code: '502', result: 'down' },
    checks_kept: 9,
    incidents: [{ title: 'Front page is down', state: 'investigating' }],
    notified: [],
  });
  const { watched_ms: watched, down_ms: down, uptime } = model.figures['24h'];
  expect(down).toBeGreaterThan(0);
  expect(uptime).toBeCloseTo(1 - down / watched, 10);
  expect(model.figures['90d']).toEqual(model.figures['24h']);
  expect(model.days.at(-1)).toMatchObject({ date: '2026-11-21', state: 'down', down_ms: down });
  expect(model.series.length).toBeGreaterThan(0);
  const { monitors, counts } = await workspace.viewer.json('/monitors');
  expect([counts, monitors]).toMatchObject([
    { all: 1, down: 1 },
    [{ slug: 'front-page', uptime_24h: uptime }],
  ]);
  expect((await workspace.viewer.get(one)).text).toContain('<bdi>Returns status 502</bdi>.');
});

it('is changed, checked at once, paused, resumed and deleted', async () => {
  await make();
  await monitoring.runNow();
  const { member, admin } = workspace;
  expect(await member.post(`${one}/settings`, { ...settings, tags: 'wake:yes, shop' })).toHaveStatus(303);
  expect(await member.json(`${one}/settings`)).toMatchObject({
    interval: 60,
    timeout: 5,
    confirmations: 1,
    tags: ['wake:yes', 'shop'],
    target: `http://127.0.0.1:${server.port}/?••••`,
  });
  await monitoring.runNow();
  expect(await member.post(`${one}/check`)).toHaveStatus(303);
  await monitoring.runNow();
  // What is left empty stays: it asks what it did.
  expect(server.asked).toEqual(Array(3).fill('/?token=s3cret'));
  await member.post(`${one}/pause`, { for: '1h' });
  expect(await member.json(one)).toMatchObject({ state: 'paused', state_until: '2026-11-21T13:00:00.000Z' });
  expect((await member.get('/monitors')).text).not.toContain('Needs attention');
  expect(await member.post(`${one}/check`)).toHaveStatus(400);
  await member.post(`${one}/resume`);
  expect((await member.json(one)).state).toBe('pending');
  expect(await member.post(`${one}/delete`, { sure: 'yes' })).toHaveStatus(403);
  expect(await admin.post(`${one}/delete`)).toHaveStatus(400);
  expect(await admin.post(`${one}/delete`, { sure: 'yes' })).toHaveStatus(303);
  expect(await admin.get(one)).toHaveStatus(404);
  const { entries } = await admin.json('/audit');
  const acts = entries.map(({ action }: { action: string }) => action);
  expect(acts.filter((action: string) => action.startsWith('monitor.'))).toEqual(
    ['deleted', 'changed', 'changed', 'checked', 'changed', 'created'].map((word) => `monitor.${word}`),
  );
});

it.each([
  [
    'dns',
    { host: 'shop.example', record: 'MX', answers: '10 a.example' },
    { target: 'shop.example MX', answers: '10 a.example' },
  ],
  ['tls', { host: 'shop.example' }, { target: 'shop.example', certificate_days: 14 }],
] as const)('may be of %s, and its own fields are changed', async (type, more, said) => {
  expect((await make({ type, ...more })).location).toBe(one);
  const { member } = workspace;
  expect(await member.json(`${one}/settings`)).toMatchObject({ type, ...said });
  const { certificate_days: days, status: _status, ...common } = settings;
  const own =
    type === 'dns'
      ? { answers: '20 b.example', host: 'b.example', record: 'MX' }
      : { certificate_days: days };
  expect(await member.post(`${one}/settings`, { ...common, ...own })).toHaveStatus(303);
  const changed = type === 'dns' ? { ...own, target: 'b.example MX' } : { ...said, certificate_days: 14 };
  expect(await member.json(`${one}/settings`)).toMatchObject(changed);
});

inFull(it)('loses emptied fields: group, expected text, records, time zone of a job', async () => {
  const { member, app } = workspace;
  const { certificate_days: days, status, ...common } = settings;
  const own: Array<[Record<string, string>, Record<string, string>, Record<string, unknown>]> = [
    [{ type: 'http', contains: 'Total' }, { certificate_days: days, status, contains: '' }, { contains: '' }],
    [
      { type: 'dns', host: 'shop.example', record: 'MX', answers: '10 a.example' },
      { answers: '' },
      { answers: '' },
    ],
  ];
  for (const [at, [made, emptied, said]] of own.entries()) {
    const path = `/monitors/m-${at}`;
    expect((await make({ name: `M ${at}`, group: 'Shop', ...made })).location).toBe(path);
    const form = { ...common, name: `M ${at}`, ...emptied, group: '' };
    expect((await member.post(`${path}/settings`, form)).location).toBe(path);
    expect(await member.json(`${path}/settings`)).toMatchObject({ group: '', ...said });
  }
  const job = {
    type: 'cron',
    schedule: '30 2 * * *',
    timezone: 'Europe/Berlin',
    project: String(app.project.id),
  };
  expect((await make({ name: 'Job', ...job })).location).toBe('/monitors/job');
  await member.post('/monitors/job/settings', { name: 'Job', schedule: '30 2 * * *', timezone: '' });
  expect(await member.json('/monitors/job/settings')).toMatchObject({ cron: { timezone: 'UTC' } });
  // A page of which nothing is to be read is none of this type.
  const words = { type: 'keyword', name: 'Words', url: 'https://shop.example/', contains: 'Total' };
  await app.postSecret('/monitors', words);
  const wordless = { ...settings, name: 'Words', contains: '' };
  expect(await member.post('/monitors/words/settings', wordless)).toHaveStatus(400);
});

it('may be a heartbeat: the URL is shown once, and the page waits for a call', async () => {
  const made = await make({ type: 'heartbeat', interval: '3600' });
  expect(made).toHaveStatus(200);
  const address = /https?:[^<]*\/heartbeats\/[\w-]{43}/.exec(made.text)?.[0] ?? '';
  const token = address.slice(-43);
  const { member, app } = workspace;
  expect((await member.get(one)).text).not.toContain('Check now');
  expect(await member.post(`${one}/check`)).toHaveStatus(400);
  expect(await member.json(one)).toMatchObject({ state: 'pending', next_check_at: null });
  expect(await app.agent.get(`/wp-json/notifier/v1/heartbeats/${token}`)).toHaveStatus(200);
  expect(await member.json(one)).toMatchObject({ state: 'up', type: 'heartbeat' });
  expect((await member.get(one)).text).toContain('Next call');
  const called = `/wp-json/notifier/v1/heartbeats/${token}`;
  await app.agent.get(`${called}/start`);
  await app.agent.post(`${called}/3`).type('text/plain').send('disk <full>\nat line 7');
  expect((await member.json(one)).checks).toMatchObject([
    { code: '3', result: 'down', message: 'ended with exit code 3', body: 'disk <full>\nat line 7' },
    { code: 'start' },
    { code: '' },
  ]);
  const shown = (await member.get(one)).text;
  for (const said of ['Started', 'ended with exit code 3', 'disk &lt;full>\nat line 7']) {
    expect(shown).toContain(said);
  }
  const { name, interval } = settings;
  expect(await member.post(`${one}/settings`, { name, interval, grace: '30' })).toHaveStatus(303);
  expect(await member.json(`${one}/settings`)).toMatchObject({ interval: 60, grace: 30 });
  for (const path of ['/monitors', one, `${one}.json`, `${one}/settings`, '/audit']) {
    expect([path, (await workspace.admin.get(path)).text.includes(token)]).toEqual([path, false]);
  }
});

it('may be a cron job of a project: its schedule is shown and changed, no URL is asked for', async () => {
  const { member, app } = workspace;
  const form = { type: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' };
  const refused = await make(form);
  expect([refused.status, refused.text.includes('Choose the project whose key')]).toEqual([400, true]);
  expect((await make({ ...form, project: '99' })).text).toContain('Choose a project from the list.');
  expect((await make({ ...form, project: String(app.project.id) })).location).toBe(one);
  const { text } = await member.get(one);
  expect(text).not.toContain('Check now');
  expect(text).toContain('30 2 * * * in Europe/Berlin');
  // Nobody checks it: it is called, by every word on its page and in the list.
  expect(text.match(/It has not been called yet/g)).toHaveLength(2);
  expect([text, (await member.get('/monitors')).text].join('')).not.toMatch(/[Cc]hecked yet|Last check\b/);
  expect(await member.post(`${one}/check`)).toHaveStatus(400);
  const more = {
    checkin_margin: '5',
    max_runtime: '60',
    failure_issue_threshold: '2',
    recovery_threshold: '3',
  };
  const changed = { name: 'Front page', schedule: '10 minutes', timezone: 'UTC', ...more };
  expect(await member.post(`${one}/settings`, changed)).toHaveStatus(303);
  expect(await member.json(`${one}/settings`)).toMatchObject({
    target: 'every 10 minutes',
    cron: { schedule: '10 minutes', checkin_margin: 5, max_runtime: 60, recovery_threshold: 3 },
  });
  expect(await member.post(`${one}/settings`, { ...changed, schedule: 'often' })).toHaveStatus(400);
});

it.each([
  [{ type: 'tcp', host: 'db.internal', port: '5432' }, 'db.internal:5432'],
  [{ type: 'dns', host: 'shop.example', record: 'A' }, 'shop.example'],
  [{ type: 'http', url: 'https://shop.example/health?full=1' }, 'shop.example/health'],
])('without a name is named after its target: %j', async (form, name) => {
  expect(await workspace.member.post('/monitors', { ...form, name: '' })).toHaveStatus(303);
  expect((await workspace.admin.json('/monitors')).monitors).toMatchObject([{ name }]);
});

describe('what is refused', () => {
  itForAll(
    [
      [{ url: 'nowhere' }, 'URL must start with https:// or http://.'],
      [{ type: 'tcp', host: 'db.internal' }, 'Enter a port from 1 to 65535.'],
      [{ type: 'tcp' }, 'Enter a hostname.'],
      [{ type: 'dns', host: 'shop.example', record: 'ANY' }, 'Record type is not one of'],
      [{ url: '' }, 'Enter a URL that starts with https:// or http://.'],
      [{ url: '', timeout: '99' }, '2 fields need a change: URL, Timeout.'],
      [{ type: 'cron' }, '2 fields need a change: Cron expression or interval, Project.'],
      [{ type: 'pigeon' }, 'Choose a type'],
      [{ status: '2xx, 30' }, 'Expected status must be a list of codes (200), classes (2xx) or ranges'],
      [{ timeout: '20', interval: '10' }, 'Timeout must not be longer than interval.'],
      [{ retries: '10' }, 'Enter a number from 0 to 9.'],
      [{ interval: '5' }, 'Check every must be'],
      [{ interval: 'often' }, 'Enter a number'],
      [{ name: ' ' }, 'name'],
      [{ name: 'a'.repeat(101) }, 'name'],
    ],
    'is refused with a message, and not created',
    async (form: Record<string, string>, words) => {
      const refused = await make(form);
      expect([refused.status, refused.text.includes(words)]).toEqual([400, true]);
      expect((await workspace.admin.json('/monitors')).monitors).toEqual([]);
    },
  );
});

describe('before it is saved', () => {
  const nothing = async () => expect((await workspace.admin.json('/monitors')).monitors).toEqual([]);

  it('the form asks for the type first, then for the fields of that type', async () => {
    const { member } = workspace;
    const { text } = await member.get('/monitors/new');
    expect(text.match(/href="\/monitors\/new\/\w+"/g)).toHaveLength(6);
    const cron = (await member.get('/monitors/new/cron')).text;
    expect(cron).toContain('name="schedule"');
    expect(cron).not.toContain('name="url"');
    expect(await member.get('/monitors/new/pigeon')).toHaveStatus(404);
  });

  it('a test check shows its result beside what was entered', async () => {
    const checked = await make({ do: 'check', contains: 'nowhere to be found', retries: '3' });
    expect(checked).toHaveStatus(200);
    expect(server.asked).toEqual(['/?token=s3cret']);
    expect(checked.text).toContain('does not contain “nowhere to be found”');
    expect(checked.text).toContain('Check again');
    expect(checked.text).toMatch(/name="retries"[^>]*value="3"|value="3"[^>]*name="retries"/);
    expect(await make({ do: 'check', url: 'http://10.0.0.1/' })).toHaveStatus(400);
    await nothing();
  });

  it('the next runs of a schedule are shown in its time zone', async () => {
    const job = { type: 'cron', schedule: '30 2 * * 1-5', timezone: 'Europe/Berlin' };
    const project = String(workspace.app.project.id);
    const { status, text } = await make({ do: 'check', ...job, project });
    expect(status).toBe(200);
    for (const said of [
      'At 02:30, Monday to Friday',
      'Mon 23 Nov, 02:30',
      '01:30 UTC',
      'Europe/Berlin: UTC+01:00 until 28 Mar 2027, then UTC+02:00.',
    ]) {
      expect(text).toContain(said);
    }
    expect((await make({ do: 'check', ...job, project, schedule: '30 2 31 2 *' })).status).toBe(400);
    await nothing();
  });
});
