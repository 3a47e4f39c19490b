import { describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { advanceWindows } from '../../src/core/monitors/maintenance-windows/advance.ts';
import { createMonitor } from '../../src/core/monitors/monitors.ts';
import { startMonitorLoop } from '../../src/core/monitors/runner.ts';
import type { MonitorCheckClient } from '../../src/core/ports/monitor-check-client.ts';
import { databases } from '../data/support/databases.ts';
import { openTestApp } from '../support/app.ts';
import { forEachTest, itForAll, sharedApp } from '../support/shared.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(databases)('a maintenance window on $name', (database) => {
  let asked = 0;
  let isWell = true;
  const app = forEachTest(async () => {
    [asked, isWell] = [0, true];
    const checker = {
      async port() {
        asked += 1;
        return isWell
          ? { ok: true, durationMs: 5, found: null }
          : { ok: false, message: 'refused the connection' };
      },
    } as unknown as MonitorCheckClient;
    return openTestApp({ env: { DATABASE_URL: await database.createMigrated() }, deps: { checker } });
  });
  const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: hourMs }));

  const watch = async (more: object = {}) => {
    const body = {
      type: 'tcp',
      name: 'Port',
      host: 'db.example:5432',
      interval: 300,
      confirmations: 1,
      ...more,
    };
    return (await app.postSecret('/monitors', body)).body.monitor_id as number;
  };
  const plan = async (more: object = {}) => {
    const { status, body } = await app.postSecret('/maintenance-windows', {
      title: 'New disks',
      all: true,
      ...more,
    });
    expect([status, body.code]).toEqual([201, undefined]);
    return body;
  };
  const within = (minutes: number) => new Date(app.deps.now() + minutes * minuteMs).toISOString();
  const remove = async (path: string) => (await app.deleteSecret(path)).body;
  const read = async (id: number) => (await app.get(`/monitors/${id}`)).body;
  const pass = async (minutes: number) => {
    app.advance(minutes * minuteMs);
    await monitoring.runNow();
  };
  const sumOf = async (id: number) => {
    const range = { fromMs: 0, toMs: app.deps.now() + hourMs };
    return (await app.deps.store.monitorSums([id], range)).get(id);
  };

  it('lists all its monitors, also after a change and each repeat', async () => {
    const made = await Promise.all(
      Array.from({ length: 53 }, async (_, at) => {
        const group = at === 0 ? 'late' : 'early';
        const asked = { type: 'tcp', name: `Port ${at}`, host: 'db.example:1', group } as const;
        return (await createMonitor(app.deps, 1, asked, commandLineSource)).monitor.id;
      }),
    );
    const [late = 0, ...early] = made;
    const inOrder = (all: readonly number[]) => all.toSorted((one, other) => one - other);
    const affected = async (incidentId: number) =>
      (await app.get(`/incidents/${incidentId}`)).body.affects.map(({ id }: { id: number }) => id);
    const weekly = await plan({ weekdays: ['sat'], at: '13:00' });
    expect(await affected(weekly.incident_id)).toEqual(inOrder(made));
    const path = `/maintenance-windows/${weekly.maintenance_window_id}`;
    await app.postSecret(path, { all: false, group: 'early', title: 'Discs' });
    expect(await affected(weekly.incident_id)).toEqual(inOrder(early));
    await app.postSecret(path, { monitors: [late] });
    for (const _beginsAndEnds of [1, 2]) {
      app.advance(hourMs);
      await advanceWindows(app.deps, app.deps.now(), (error) => {
        throw error;
      });
    }
    const { incident_id: next } = (await app.get(path)).body;
    expect([next === weekly.incident_id, await affected(next)]).toEqual([false, inOrder(made)]);
    expect(await affected(weekly.incident_id)).toEqual(inOrder(made));
  });

  it('suspends its monitors, notifies nobody, and is left out of uptime', async () => {
    const id = await watch();
    await monitoring.runNow();
    const window = await plan({ starts_at: within(5), ends_at: within(125), message: 'It may be slow.' });
    expect(window).toMatchObject({ state: 'scheduled', all: true, weekdays: [], at: null });
    const incident = async () => (await app.get(`/incidents/${window.incident_id}`)).body;
    expect(await incident()).toMatchObject({
      title: 'New disks',
      severity: 'planned',
      state: 'planned',
      started_at: window.starts_at,
      affects: [{ kind: 'monitor', id, name: 'Port' }],
      causes: [],
      updates: [{ message: 'It may be slow.', public: true }],
    });
    await pass(5);
    expect((await app.get(`/maintenance-windows/${window.maintenance_window_id}`)).body.state).toBe(
      'in_progress',
    );
    expect(await read(id)).toMatchObject({ state: 'maintenance', reason: 'scheduled maintenance' });
    const askedBefore = asked;
    isWell = false;
    await pass(60);
    await pass(59);
    expect([(await read(id)).state, asked]).toEqual(['maintenance', askedBefore]);
    isWell = true;
    await pass(1);
    expect((await read(id)).state).toBe('pending');
    await pass(1);
    expect((await read(id)).state).toBe('up');
    expect(await sumOf(id)).toMatchObject({
      maintenanceMs: 120 * minuteMs,
      watchedMs: 5 * minuteMs,
      downMs: 0,
    });
    expect(await incident()).toMatchObject({ state: 'resolved', resolved_at: window.ends_at });
    expect((await app.get(`/maintenance-windows/${window.maintenance_window_id}`)).body.state).toBe(
      'completed',
    );
    expect((await app.get('/incidents')).body).toHaveLength(1);
  });

  it('lets the first good check after it resolve an older incident', async () => {
    const id = await watch();
    await monitoring.runNow();
    isWell = false;
    await pass(5);
    expect(await read(id)).toMatchObject({ state: 'down' });
    await plan({ ends_at: within(30) });
    await pass(0);
    isWell = true;
    await pass(29);
    const [, incident] = (await app.get('/incidents')).body;
    expect([(await read(id)).state, incident.state]).toEqual(['maintenance', 'investigating']);
    await pass(1);
    await pass(1);
    expect((await read(id)).state).toBe('up');
    const over = (await app.get(`/incidents/${incident.incident_id}`)).body;
    expect(over).toMatchObject({
      title: 'Port is down',
      state: 'resolved',
      updates: [{ message: 'Up again: after a time without checks' }, {}],
    });
  });

  it('ignores heartbeats and check-ins of its monitors, which are due anew after it', async () => {
    const beat = { type: 'heartbeat', name: 'Digest', interval: 3600, grace: 600 };
    const { body: made } = await app.postSecret('/monitors', beat);
    const path = new URL(made.heartbeat_url).pathname;
    await app.agent.get(path);
    const job = await app.postSecret('/monitors', { type: 'cron', name: 'Import', schedule: '0 * * * *' });
    const says = (status: string) =>
      fetch(`${app.api}/envelope`, {
        method: 'POST',
        headers: { 'X-Notifier-Key': app.publicKey },
        body: `{}\n{"type":"check_in"}\n${JSON.stringify({ monitor_slug: 'import', status })}\n`,
      });
    await says('ok');
    await plan({ ends_at: within(180) });
    await monitoring.runNow();
    await says('error');
    await app.agent.get(path);
    for (let hours = 0; hours < 3; hours += 1) await pass(60);
    await pass(0);
    const states = async () => [(await read(made.monitor_id)).state, (await read(job.body.monitor_id)).state];
    expect(await states()).toEqual(['pending', 'pending']);
    expect((await sumOf(job.body.monitor_id))?.maintenanceMs).toBe(180 * minuteMs);
    await pass(61);
    expect(await states()).toEqual(['pending', 'down']);
    await pass(9);
    expect((await states())[0]).toBe('down');
  });

  it('covers a group, a tag or numbers, within its project only', async () => {
    const ids = [
      await watch({ group: 'Shop' }),
      await watch({ tags: ['eu'] }),
      await watch({ group: 'Mail' }),
      await watch({ group: 'Mail', tags: ['us'] }),
    ];
    const [, , third] = ids;
    await monitoring.runNow();
    await plan({ all: false, group: 'Shop', tag: 'eu', monitors: [third], ends_at: within(60) });
    await pass(0);
    const states = await Promise.all(ids.map(async (id) => (await read(id)).state));
    expect(states).toEqual(['maintenance', 'maintenance', 'maintenance', 'up']);
    const other = await app.addProject('other');
    const theirs = await app.agent
      .post('/wp-json/notifier/v1/maintenance-windows')
      .set('Authorization', `Bearer ${other.secretKey}`)
      .send({ title: 'x', ends_at: within(60), monitors: [third] });
    expect([theirs.status, Object.keys(theirs.body.data.params)]).toEqual([400, ['monitors']]);
  });

  it('repeats weekly', async () => {
    const id = await watch();
    // The clock begins on Saturday, 21 November 2026, at noon.
    const window = await plan({ weekdays: ['sat'], at: '14:30', minutes: 30, timezone: 'Europe/Berlin' });
    expect(window).toMatchObject({
      starts_at: '2026-11-21T13:30:00.000Z',
      ends_at: '2026-11-21T14:00:00.000Z',
    });
    await pass(90);
    expect((await read(id)).state).toBe('maintenance');
    await pass(30);
    expect((await app.get(`/maintenance-windows/${window.maintenance_window_id}`)).body).toMatchObject({
      state: 'scheduled',
      starts_at: '2026-11-28T13:30:00.000Z',
    });
    const works = (await app.get('/incidents')).body;
    expect(works.map(({ state }: { state: string }) => state)).toEqual(['planned', 'resolved']);
  });

  it('is deleted 90 days after its end, but its time on pages stays', async () => {
    await watch();
    const { maintenance_window_id: number, incident_id: incidentId } = await plan({ ends_at: within(30) });
    const weekly = await plan({ weekdays: ['sun'], at: '02:00' });
    await pass(31);
    await pass(89 * 24 * 60);
    await app.deps.store.sweep(app.deps.now());
    expect((await app.get('/maintenance-windows')).body).toHaveLength(2);
    await pass(2 * 24 * 60);
    await app.deps.store.sweep(app.deps.now());
    const left = (await app.get('/maintenance-windows')).body;
    expect(left).toMatchObject([{ maintenance_window_id: weekly.maintenance_window_id }]);
    expect(await app.get(`/maintenance-windows/${number}`)).toHaveStatus(404);
    expect((await app.get(`/incidents/${incidentId}`)).body.state).toBe('resolved');
  });

  it('is changed while it is active, and canceled', async () => {
    const id = await watch();
    await monitoring.runNow();
    const { maintenance_window_id: number, incident_id: incidentId } = await plan({ ends_at: within(30) });
    await pass(0);
    const changed = await app.postSecret(`/maintenance-windows/${number}`, {
      ends_at: within(90),
      title: 'Newer disks',
    });
    expect(changed.body).toMatchObject({
      state: 'in_progress',
      title: 'Newer disks',
      incident_id: incidentId,
    });
    await pass(60);
    expect((await read(id)).state).toBe('maintenance');
    for (const asked of [{ state: 'resolved' }, { title: 'Disks' }, { post_mortem: '# Why' }]) {
      const refused = await app.postSecret(`/incidents/${incidentId}`, asked);
      expect([asked, refused.body.code]).toEqual([asked, 'notifier_incident_planned']);
    }
    expect(
      (await app.postSecret(`/incidents/${incidentId}`, { message: 'Half of it is done.' })).status,
    ).toBe(200);
    expect((await remove(`/maintenance-windows/${number}`)).deleted).toBe(true);
    await pass(0);
    await pass(1);
    expect((await read(id)).state).toBe('up');
    expect((await app.get(`/incidents/${incidentId}`)).body).toMatchObject({
      title: 'Newer disks',
      state: 'resolved',
    });
    const later = await plan({ starts_at: within(60), ends_at: within(90) });
    await remove(`/maintenance-windows/${later.maintenance_window_id}`);
    // It stays, ended before it began.
    const { body: canceled } = await app.get(`/incidents/${later.incident_id}`);
    expect([canceled.state, canceled.resolved_at < canceled.started_at]).toEqual(['resolved', true]);
    expect((await app.get(`/maintenance-windows/${number}`)).body.code).toBe(
      'notifier_maintenance_window_invalid_id',
    );
  });
});

describe('a maintenance window with an invalid field', () => {
  const app = sharedApp();

  itForAll(
    [
      ['ends_at', { ends_at: undefined }],
      ['ends_at', { ends_at: '2026-11-21T11:00:00Z' }],
      ['ends_at', { ends_at: '2027-11-21T11:00:00Z' }],
      ['starts_at', { starts_at: 'soon' }],
      ['weekdays', { weekdays: ['mon'], at: '02:00' }],
      ['at', { ends_at: undefined, weekdays: ['mon'] }],
      ['at', { ends_at: undefined, weekdays: ['mon'], at: '25:00' }],
      ['weekdays', { ends_at: undefined, at: '02:00' }],
      ['timezone', { ends_at: undefined, weekdays: ['mon'], at: '02:00', timezone: 'Mars/Olympus' }],
      ['monitors', { monitors: [99] }],
      ['title', { title: ' ' }],
      ['notifier_no_monitors', { all: false }],
    ],
    'is refused with the name of the field, and not stored',
    async (field, more) => {
      const body = { title: 'Disks', all: true, ends_at: '2026-11-21T13:00:00Z', ...more };
      const refused = await app.postSecret('/maintenance-windows', body);
      const { params } = refused.body.data;
      const named = Array.isArray(params) ? params : Object.keys(params ?? { [refused.body.code]: '' });
      expect([refused.status, named]).toEqual([400, [field]]);
      expect((await app.get('/maintenance-windows')).body).toEqual([]);
      expect((await app.get('/incidents')).body).toEqual([]);
    },
  );
});
