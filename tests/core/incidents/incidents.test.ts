import { describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createIncident, getIncident, updateIncident } from '../../../src/core/incidents/incidents.ts';
import { viewIncident } from '../../../src/core/incidents/views.ts';
import { createMonitor, updateMonitor } from '../../../src/core/monitors/monitors.ts';
import type { IncidentRecord } from '../../../src/core/store/incidents.ts';
import { databases } from '../../data/support/databases.ts';
import { byNamed, startOfTests } from '../../support/app.ts';
import { monitoringForEachTest, nextChecks } from '../../support/monitored.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(databases)('incidents on $name', (database) => {
  const { app, server, monitoring } = monitoringForEachTest(database);

  const make = async (more: object = {}) => {
    const url = `http://127.0.0.1:${server.port}/health`;
    const asked = { type: 'http', name: 'Shop', url, interval: 30, ...more };
    return (await createMonitor(app.deps, null, asked as never, commandLineSource)).monitor;
  };
  const settle = async (answer: number): Promise<readonly IncidentRecord[]> => {
    server.answer = answer;
    await nextChecks(app, monitoring, 2);
    return app.deps.store.listIncidentRecords(null);
  };
  const only = (incidents: readonly IncidentRecord[]): IncidentRecord => {
    const [incident, ...others] = incidents;
    if (incident === undefined || others.length > 0) throw new Error(`${incidents.length} incidents`);
    return incident;
  };
  const change = (id: number, asked: object) =>
    updateIncident(app.deps, null, id, asked as never, byNamed('Mara'));
  const open = (asked: object) => createIncident(app.deps, null, asked as never, byNamed('Mara'));

  it('one that nobody edited lasts as long as the outage, and resolves by itself', async () => {
    const monitor = await make();
    expect(await settle(200)).toEqual([]);
    const incident = only(await settle(502));
    const down = await app.deps.store.findMonitorRecord(monitor.id);
    expect(incident).toMatchObject({
      title: 'Shop is down',
      severity: 'critical',
      state: 'investigating',
      openedBy: 'Shop',
      monitorId: monitor.id,
      startedAtMs: down?.stateSinceMs,
      acknowledgedAtMs: null,
      resolvedAtMs: null,
      affects: [{ kind: 'monitor', id: monitor.id, name: 'Shop' }],
      updates: [{ author: 'Shop', isPublic: false, body: `Down: returns status 502, ${monitor.target}` }],
    });
    await settle(502);
    const over = only(await settle(200));
    const up = await app.deps.store.findMonitorRecord(monitor.id);
    expect(over).toMatchObject({
      state: 'resolved',
      acknowledgedAtMs: null,
      mitigatedAtMs: up?.stateSinceMs,
      resolvedAtMs: up?.stateSinceMs,
      updates: [
        { from: 'investigating', to: 'resolved', body: expect.stringMatching(/^Up again: was down/) },
        {},
      ],
    });
    // The next time is another one.
    expect((await settle(500)).map(({ state }) => state)).toEqual(['investigating', 'resolved']);
  });

  it('an acknowledged one is monitoring when its monitor is up, and open when it fails again', async () => {
    await make();
    await settle(200);
    const { id, startedAtMs } = only(await settle(502));
    app.advance(minuteMs);
    const seen = await change(id, { acknowledged: true });
    expect(viewIncident(seen).acknowledged_after).toBe((app.deps.now() - startedAtMs) / 1000);
    await change(id, { state: 'identified', cause: 'A full disk' });
    expect(only(await settle(200))).toMatchObject({ state: 'monitoring', resolvedAtMs: null });
    const again = only(await settle(502));
    expect(again).toMatchObject({ state: 'investigating', mitigatedAtMs: null, cause: 'A full disk' });
    expect(again.updates.map(({ author, to }) => [author, to])).toEqual([
      ['Shop', 'investigating'],
      ['Shop', 'monitoring'],
      ['Mara', 'identified'],
      ['Shop', 'investigating'],
    ]);
    await settle(200);
    app.advance(hourMs);
    const over = await change(id, { state: 'resolved' });
    expect(over).toMatchObject({ resolvedAtMs: app.deps.now(), acknowledgedAtMs: seen.acknowledgedAtMs });
    const open = await change(id, { state: 'investigating', message: 'It is back.' });
    expect(open).toMatchObject({ resolvedAtMs: null, mitigatedAtMs: null });
  });

  it('a monitor with incidents off opens none, and an older monitor does', async () => {
    const monitor = await make({ opens_incidents: false });
    await settle(200);
    expect(await settle(502)).toEqual([]);
    await settle(200);
    await updateMonitor(app.deps, null, monitor.id, { opens_incidents: true }, commandLineSource);
    expect(await settle(502)).toHaveLength(1);
  });

  it('simultaneous changes by a check and a person are all kept', async () => {
    await make();
    await settle(200);
    const { id } = only(await settle(502));
    server.answer = 200;
    const acts = Array.from({ length: 8 }, (_, at) => change(id, { message: `Note ${at}` }));
    await Promise.all([settle(200), ...acts]);
    const incident = await getIncident(app.deps, null, id);
    const notes = incident.updates.filter(({ author }) => author === 'Mara').map(({ body }) => body);
    expect(notes.toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `Note ${at}`));
    expect(['monitoring', 'resolved']).toContain(incident.state);
    const fields = { lead: 'Ada', cause: 'A full disk', severity: 'minor', title: 'The shop is down' };
    await Promise.all(Object.entries(fields).map(([name, value]) => change(id, { [name]: value })));
    expect(await getIncident(app.deps, null, id)).toMatchObject(fields);
  });

  it('suggests deploys, changes, failures and new issues near its time, until somebody decides', async () => {
    await app.post('/store', { message: 'Old', platform: 'php' });
    await app.postSecret('/releases', { version: 'shop@0' });
    app.advance(25 * hourMs);
    await app.postSecret('/deploys', { version: 'shop@1', environment: 'live' });
    const issue = await app.post('/store', { message: 'New', platform: 'php' });
    const run = await app.postSecret('/test-runs', { tests: 5, passed: 3, failed: 2 });
    await app.postSecret('/test-runs', { tests: 5, passed: 5 });
    app.advance(10 * minuteMs);
    const incident = await open({ title: 'Checkout fails' });
    const proposed = incident.links.map(({ kind, name, why, beforeMs }) => [kind, name, why, beforeMs]);
    expect(proposed).toEqual([
      ['deploy', 'shop@1 to live', 'deployed before it', 10 * minuteMs],
      ['release', 'shop@1', 'created before it', 10 * minuteMs],
      ['test_run', `#${run.body.test_run_id}`, '2 of 5 tests failed', 10 * minuteMs],
      ['issue', `#${issue.body.issue_id}`, 'new about then', 10 * minuteMs],
    ]);
    const linked = await change(incident.id, { link: { kind: 'issue', id: issue.body.issue_id } });
    expect(viewIncident(linked).causes.find(({ kind }) => kind === 'issue')).toEqual({
      kind: 'issue',
      id: issue.body.issue_id,
      name: `#${issue.body.issue_id}`,
      state: 'linked',
      why: 'new about then',
      linked_by: 'Mara',
    });
    const dismissed = await change(incident.id, { dismiss: { kind: 'issue', id: issue.body.issue_id } });
    expect(dismissed.links.filter(({ kind }) => kind === 'issue')).toMatchObject([{ isDismissed: true }]);
    // What no time proposes can be linked all the same.
    const old = await change(incident.id, { link: { kind: 'issue', id: 1 } });
    expect(old.links.find(({ kind, id }) => kind === 'issue' && id === 1)).toMatchObject({
      beforeMs: app.deps.now() - startOfTests,
      linkedBy: 'Mara',
    });
    await expect(change(incident.id, { link: { kind: 'release', id: 99 } })).rejects.toMatchObject({
      extra: { params: { link: 'link: there is no release 99.' } },
    });
  });

  it('suggests the next ones in place of those linked or dismissed', async () => {
    const ids: number[] = [];
    for (const version of ['1', '2', '3', '4', '5', '6']) {
      const { body } = await app.postSecret('/deploys', { version, environment: 'live' });
      ids.unshift(body.deploy_id);
      app.advance(minuteMs);
    }
    const { id } = await open({ title: 'Checkout fails' });
    const proposed = async () => {
      const { links } = await getIncident(app.deps, null, id);
      return links
        .filter(({ kind, linkedBy }) => kind === 'deploy' && linkedBy === null)
        .map((each) => each.id);
    };
    expect(await proposed()).toEqual(ids.slice(0, 3));
    for (const each of ids.slice(0, 2)) await change(id, { dismiss: { kind: 'deploy', id: each } });
    await change(id, { link: { kind: 'deploy', id: ids[2] } });
    expect(await proposed()).toEqual(ids.slice(3));
    await change(id, { dismiss: { kind: 'deploy', id: ids[5] } });
    expect(await proposed()).toEqual(ids.slice(3, 5));
  });

  it('keeps a postmortem, with author and time', async () => {
    const { id } = await open({ title: 'Checkout fails' });
    app.advance(minuteMs);
    const { postMortem } = await change(id, { post_mortem: '# Why\n\nA disk.' });
    expect(postMortem).toMatchObject({ author: 'Mara', writtenAtMs: app.deps.now(), isPublic: false });
    const shown = viewIncident(await change(id, { post_mortem_public: true })).post_mortem;
    expect(shown).toMatchObject({ public: true, markdown: '# Why\n\nA disk.' });
    expect((await change(id, { post_mortem: '' })).postMortem).toBeNull();
  });

  it('pages get those that began or were open since a moment', async () => {
    const first = await open({ title: 'First' });
    app.advance(hourMs);
    await change(first.id, { state: 'resolved' });
    app.advance(hourMs);
    const goesOn = await open({ title: 'Goes on' });
    const nowMs = app.deps.now();
    const since = async (fromMs: number) =>
      (await app.deps.store.listIncidents(fromMs)).map(({ title }) => title);
    expect(await since(nowMs - hourMs)).toEqual(['Goes on', 'First']);
    expect(await since(nowMs - hourMs + 1)).toEqual(['Goes on']);
    expect(await since(nowMs + hourMs)).toEqual(['Goes on']);
    expect(await app.deps.store.findIncident(goesOn.id)).toMatchObject({ title: 'Goes on' });
    expect(await app.deps.store.findIncident(99)).toBeNull();
  });
});
