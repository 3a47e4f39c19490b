import { beforeEach, describe, expect, it } from '@jest/globals';
import { createChannel } from '../../src/core/alerts/channels.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createVerification } from '../../src/core/domains/verifications.ts';
import { createIncident, updateIncident } from '../../src/core/incidents/incidents.ts';
import { createWindow } from '../../src/core/monitors/maintenance-windows/windows.ts';
import { createMonitor } from '../../src/core/monitors/monitors.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { byNamed, openTestApp } from '../support/app.ts';
import { forEachTest } from '../support/shared.ts';
import { databases } from './support/databases.ts';

const dayMs = 86_400_000;

describe.each(databases)('counts of monitors, incidents and expiries on $name', (database) => {
  let project: number;
  const app = forEachTest(async () =>
    openTestApp({ env: { DATABASE_URL: await database.createMigrated() } }),
  );
  beforeEach(() => {
    project = app.project.id;
  });

  const open = (title: string, projectId: number | null) =>
    createIncident(app.deps, projectId, { title } as never, byNamed('Mara'));

  it('failing monitors are counted, for one project or all', async () => {
    const { store } = app.deps;
    const none = { downMonitors: 0, openIncidents: 0, failingChannels: 0 };
    expect(await store.watchCounts(null)).toEqual(none);
    const asked = { type: 'http', name: 'Shop', url: 'https://shop.example/' };
    const by = commandLineSource;
    for (const owner of [project, null, null]) await createMonitor(app.deps, owner, asked as never, by);
    for (const monitor of (await store.listMonitors(null)).slice(0, 2)) {
      await store.changeMonitor(monitor, { ...monitor, state: 'down' } as never);
    }
    const hours = [1, 2].map((each) => new Date(app.deps.now() + each * 3_600_000).toISOString());
    const work = { title: 'New disks', all: true, starts_at: hours[0], ends_at: hours[1] };
    await createWindow(app.deps, null, work as never, commandLineSource);
    await open('Checkout fails', project);
    const { id } = await open('Over', null);
    await updateIncident(app.deps, null, id, { state: 'resolved' }, byNamed('Mara'));
    const hook = { type: 'slack', name: 'a', url: 'https://a.example/hook' };
    const { channel } = await createChannel(app.deps, null, hook as never, commandLineSource);
    await store.changeChannel(channel.id, { state: 'failing' });
    expect(await store.watchCounts(null)).toEqual({ downMonitors: 2, openIncidents: 1, failingChannels: 1 });
    expect(await store.watchCounts(project)).toEqual({
      downMonitors: 1,
      openIncidents: 1,
      failingChannels: 0,
    });
    expect(await store.watchCounts(project + 1)).toEqual(none);
  });

  it('open incidents are read with their latest update alone', async () => {
    const { store } = app.deps;
    expect(await store.listOpenIncidents()).toEqual([]);
    const over = await open('Over', null);
    await updateIncident(app.deps, null, over.id, { state: 'resolved' }, byNamed('Mara'));
    const first = await open('Checkout fails', null);
    await updateIncident(app.deps, null, first.id, { message: 'One' }, byNamed('Mara'));
    await updateIncident(app.deps, null, first.id, { message: 'Two' }, byNamed('Ada'));
    app.advance(1_000);
    await open('Search is slow', null);
    expect(await store.listOpenIncidents()).toMatchObject([
      { title: 'Search is slow', updates: [{ to: 'investigating' }] },
      { title: 'Checkout fails', updates: [{ body: 'Two', author: 'Ada' }] },
    ]);
  });

  it('existing incidents are found by their numbers', async () => {
    const { store } = app.deps;
    expect(await store.listIncidentsOf([])).toEqual([]);
    const one = await open('Checkout fails', null);
    await updateIncident(app.deps, null, one.id, { message: 'Two', state: 'resolved' }, byNamed('Mara'));
    const other = await open('Search is slow', null);
    const gone = await open('Jane cannot pay', null);
    await store.deleteIncident(gone.id);
    const found = await store.listIncidentsOf([other.id, gone.id, 4711, one.id]);
    expect(found.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: one.id, title: 'Checkout fails', updates: [{ body: 'Two' }] },
      { id: other.id, title: 'Search is slow' },
    ]);
    const many = Array.from({ length: 1_001 }, (_each, at) => 10_000 - at);
    expect(await store.listIncidentsOf([...many, one.id])).toHaveLength(1);
  });

  it('keys that expire within a period are in order, and no others', async () => {
    const { store, now } = app.deps;
    const other = (await app.addProject('other')).project;
    for (const [owner, days] of [
      [project, 20],
      [other.id, 5],
      [project, 90],
      [project, null],
    ] as const) {
      const ends = days === null ? {} : { expiresAtMs: now() + days * dayMs };
      await createKey(app.deps, owner, 'public', ends);
    }
    const revoked = await createKey(app.deps, project, 'public', { expiresAtMs: now() + dayMs });
    await store.revokeKey(project, revoked.key.id, now());
    const within = (ids: readonly number[], limit: number, fromMs = now()) =>
      store.listEndingKeys(ids, fromMs, now() + 30 * dayMs, limit);
    const days = async (found: ReturnType<typeof within>) =>
      (await found).map(({ projectId, endsAtMs }) => [projectId, (endsAtMs - now()) / dayMs]);
    expect(await days(within([project, other.id], 9))).toEqual([
      [other.id, 5],
      [project, 20],
    ]);
    expect(await days(within([project, other.id], 1))).toEqual([[other.id, 5]]);
    expect(await days(within([project], 9, now() + 20 * dayMs))).toEqual([]);
    expect(await within([], 9)).toEqual([]);
  });

  it('pending and failing domain verifications are those that expire', async () => {
    const { store } = app.deps;
    for (const domain of ['waits-shop.com', 'fails-shop.com', 'holds-shop.com']) {
      await createVerification(app.deps, app.project, { domain } as never, null);
    }
    for (const proof of await store.listDomainVerifications(project)) {
      const status = { 'fails-shop.com': 'failing', 'holds-shop.com': 'verified' }[proof.domain];
      if (status !== undefined)
        await store.saveDomainVerification({ ...proof, status: status as never }, proof);
    }
    const found = (await store.listUnsettledVerifications([project], 9)).map(({ domain }) => domain);
    expect(found.toSorted()).toEqual(['fails-shop.com', 'waits-shop.com']);
    expect(await store.listUnsettledVerifications([project], 1)).toHaveLength(1);
    expect(await store.listUnsettledVerifications([project + 1], 9)).toEqual([]);
    expect(await store.listUnsettledVerifications([], 9)).toEqual([]);
  });
});
