import { describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createIncident, updateIncident } from '../../../src/core/incidents/incidents.ts';
import { createWindow } from '../../../src/core/monitors/maintenance-windows/windows.ts';
import { createMonitor, updateMonitor } from '../../../src/core/monitors/monitors.ts';
import { findPublicStatus, type StatusModel } from '../../../src/core/page-models/monitoring/status.ts';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  setComponentState,
  updateStatusPage,
} from '../../../src/core/status-pages/status-pages.ts';
import type { MonitorRecord } from '../../../src/core/store/monitors.ts';
import { databases } from '../../data/support/databases.ts';
import { byNamed } from '../../support/app.ts';
import { monitoringForEachTest, nextChecks } from '../../support/monitored.ts';

const hourMs = 3_600_000;
const quietDays = Array.from({ length: 13 }, () => ({ incidents: [] }));
const inner = 'db-primary-7.internal';

describe.each(databases)('status pages on $name', (database) => {
  const { app, server, monitoring } = monitoringForEachTest(database);

  const watch = async (): Promise<MonitorRecord> => {
    const url = `http://127.0.0.1:${server.port}/health?secret=1`;
    const asked = { type: 'http', name: inner, url, interval: 30 };
    return (await createMonitor(app.deps, null, asked as never, commandLineSource)).monitor;
  };
  const make = (asked: object) =>
    createStatusPage(app.deps, null, { name: 'Shop', published: true, ...asked } as never, byNamed('Mara'));
  const change = (id: number, asked: object) =>
    updateStatusPage(app.deps, null, id, asked as never, commandLineSource);
  const shownAs = async (slug: string): Promise<StatusModel> => {
    const model = await findPublicStatus(app.deps.store, slug, app.deps.now(), false);
    if (model === null) throw new Error(`There is no ${slug}`);
    return model.modelIn('en');
  };
  const shown = () => shownAs('shop');
  const settle = async (answer: number): Promise<void> => {
    server.answer = answer;
    await nextChecks(app, monitoring, 2);
  };

  it('have component states, days and uptime from monitors, and do not name these', async () => {
    const monitor = await watch();
    await make({
      components: [
        { name: 'Checkout', group: 'Shop', monitors: [monitor.id] },
        { name: 'Parcels', group: 'Delivery' },
      ],
    });
    await settle(200);
    app.advance(hourMs / 2);
    await settle(200);
    expect(await shown()).toMatchObject({ state: 'working', headline: 'All systems operational' });
    await settle(502);
    const model = await shown();
    expect(model).toMatchObject({ state: 'not_working', headline: 'Down: Checkout', open: [] });
    const [shop, delivery] = model.groups;
    expect(shop).toMatchObject({ name: 'Shop', components: [{ name: 'Checkout', state: 'not_working' }] });
    expect(shop?.components[0]?.days).toHaveLength(90);
    expect(shop?.components[0]?.uptime).toBeLessThan(1);
    expect(delivery?.components).toEqual([{ name: 'Parcels', state: 'working', uptime: null, days: [] }]);
    const text = JSON.stringify(model);
    for (const secret of [inner, '127.0.0.1', 'health', 'secret']) expect(text).not.toContain(secret);
  });

  it('show only public updates, under a public title', async () => {
    const monitor = await watch();
    await make({ components: [{ name: 'Checkout', monitors: [monitor.id] }] });
    await settle(200);
    await settle(502);
    const [incident] = await app.deps.store.listIncidentRecords(null);
    const id = incident?.id ?? 0;
    const say = (asked: object) => updateIncident(app.deps, null, id, asked as never, byNamed('Ines Hart'));
    await say({ message: `${inner} has no space left`, lead: 'Ines Hart', cause: 'disk' });
    expect((await shown()).open).toEqual([]);
    await say({ message: 'Orders wait.', public: true, state: 'identified' });
    // What is written while it goes on is shown once it is over.
    await say({ post_mortem: '# Why', post_mortem_public: true });
    expect(JSON.stringify(await shown())).not.toContain('# Why');
    await say({ post_mortem: `# ${inner}`, post_mortem_public: false });
    const model = await shown();
    expect(model).toMatchObject({
      headline: 'Problems with Checkout',
      open: [
        {
          title: 'Problems with Checkout',
          affects: ['Checkout'],
          words: [{ body: 'Orders wait.', state: 'identified' }],
        },
      ],
    });
    const said = JSON.stringify(model);
    for (const secret of [inner, 'Ines', 'disk', 'post_mortem']) expect(said).not.toContain(secret);
    await say({
      title: 'Orders are slow',
      state: 'resolved',
      post_mortem: '# Why',
      post_mortem_public: true,
    });
    const over = await shown();
    expect(over).toMatchObject({ open: [], headline: 'Down: Checkout' });
    expect(over.past[0]?.incidents).toMatchObject([{ title: 'Orders are slow', post_mortem: '# Why' }]);
    await change(1, { shows: ['days'] });
    expect(await shown()).toMatchObject({ open: [], planned: [], past: [], has_feeds: false });
    expect(JSON.stringify(await shown())).not.toContain('Orders');
  });

  it('hide the title from a rule until a person gives one', async () => {
    const monitor = await watch();
    await make({ components: [{ name: 'Checkout', monitors: [monitor.id] }] });
    const { store, now } = app.deps;
    await store.applyRuleMatch({
      rule: { id: 7, name: 'Slow', severity: 'minor' },
      projectId: 0,
      object: 'x',
      title: `${inner} is slow`,
      description: inner,
      atMs: now(),
      linkedObject: { kind: 'monitor', id: monitor.id, name: inner },
    });
    const [incident] = await store.listIncidentRecords(null);
    const say = (asked: object) =>
      updateIncident(app.deps, null, incident?.id ?? 0, asked as never, byNamed('Ines Hart'));
    await say({ message: 'It takes longer.', public: true });
    expect((await shown()).open).toMatchObject([{ title: 'Problems with Checkout', severity: 'minor' }]);
    await say({ title: 'Paying takes longer' });
    expect((await shown()).headline).toBe('Paying takes longer');
    await say({ state: 'monitoring' });
    expect(await shown()).toMatchObject({
      ...{ state: 'working', headline: 'All systems operational' },
      open: [{ title: 'Paying takes longer' }],
    });
  });

  it('announce maintenance, and show its components under maintenance meanwhile', async () => {
    const monitor = await watch();
    await make({ components: [{ name: 'Checkout', monitors: [monitor.id] }] });
    const { now } = app.deps;
    const [from, to] = [now() + hourMs, now() + 2 * hourMs].map((ms) => new Date(ms).toISOString());
    const asked = { title: 'New disks', message: 'Orders wait.', starts_at: from, ends_at: to };
    await createWindow(app.deps, null, { ...asked, monitors: [monitor.id] } as never, byNamed('Ines Hart'));
    await settle(200);
    const announced = {
      title: 'New disks',
      started_at: from,
      planned_end_at: to,
      affects: ['Checkout'],
      words: [{ body: 'Orders wait.', state: 'planned' }],
    };
    expect(await shown()).toMatchObject({ state: 'working', planned: [announced], open: [] });
    app.advance(hourMs);
    await monitoring.runNow();
    const model = await shown();
    expect(model).toMatchObject({
      state: 'planned_work',
      headline: 'Maintenance: Checkout',
      planned: [announced],
    });
    for (const secret of [inner, 'Ines']) expect(JSON.stringify(model)).not.toContain(secret);
    app.advance(hourMs + 1);
    await monitoring.runNow();
    expect(await shown()).toMatchObject({
      planned: [],
      past: [{ incidents: [{ title: 'New disks' }] }, ...quietDays],
    });
  });

  it('show an incident that affects one of their components, and no other', async () => {
    const page = await make({ components: [{ name: 'Parcels' }] });
    await make({ name: 'Other', components: [{ name: 'Mail' }] });
    const components = page.components.map(({ id }) => id);
    const asked = { title: 'Labels are late', message: 'We look.', public: true, components };
    await createIncident(app.deps, null, asked as never, byNamed('Mara'));
    expect((await shown()).open).toMatchObject([{ title: 'Labels are late', affects: ['Parcels'] }]);
    expect((await shownAs('other')).open).toEqual([]);
  });

  it('show a component as bad as an open incident about it, until a fix is monitored', async () => {
    const monitor = await watch();
    await updateMonitor(app.deps, null, monitor.id, { paused: true } as never, commandLineSource);
    const page = await make({ components: [{ name: 'Cards', monitors: [monitor.id] }, { name: 'Parcels' }] });
    const states = async () =>
      (await shown()).groups.flatMap(({ components }) => components.map(({ state }) => state));
    const open = (asked: object) =>
      createIncident(app.deps, null, { title: 'It fails', ...asked } as never, byNamed('Mara'));
    const { id } = await open({ monitors: [monitor.id], message: 'Only the team reads this.' });
    expect(await states()).toEqual(['working', 'working']);
    const say = (asked: object) => updateIncident(app.deps, null, id, asked as never, byNamed('Mara'));
    await say({ message: 'Cards are refused.', public: true });
    const components = page.components.slice(1).map((each) => each.id);
    await open({ components, severity: 'minor', message: 'We look.', public: true });
    expect(await states()).toEqual(['not_working', 'slow']);
    expect(await shown()).toMatchObject({ state: 'not_working' });
    await say({ state: 'monitoring' });
    expect(await states()).toEqual(['working', 'slow']);
    await change(page.id, { shows: ['days'] });
    expect(await states()).toEqual(['working', 'working']);
    // What a person set stays as it was.
    expect(page.components).toMatchObject((await getStatusPage(app.deps, null, page.id)).components);
  });

  it('have manual component states without monitors, kept under concurrent changes', async () => {
    const monitor = await watch();
    const page = await make({ components: [{ name: 'Parcels' }, { name: 'Mail', monitors: [monitor.id] }] });
    const [parcels, mail] = page.components.map(({ id }) => id);
    const say = (componentId: number | undefined, state: 'slow') =>
      setComponentState(
        app.deps,
        null,
        { id: page.id, componentId: componentId ?? 0 },
        state,
        commandLineSource,
      );
    const [said] = await Promise.all([say(parcels, 'slow'), change(page.id, { description: 'Weekdays' })]);
    expect(said.components[0]?.state).toBe('slow');
    expect(await getStatusPage(app.deps, null, page.id)).toMatchObject({
      description: 'Weekdays',
      components: [{ state: 'slow' }, { state: 'working' }],
    });
    await expect(say(mail, 'slow')).rejects.toMatchObject({ status: 400 });
    await expect(say(99, 'slow')).rejects.toMatchObject({ status: 404 });
    await updateMonitor(app.deps, null, monitor.id, { paused: true } as never, commandLineSource);
    expect((await getStatusPage(app.deps, null, page.id)).components[1]?.state).toBe('working');
  });

  it('are found by slug and host while they are public', async () => {
    const { store } = app.deps;
    await make({ hosts: ['b.shop.example', 'a.shop.example'] });
    await make({ name: 'Inside', published: false, hosts: ['c.shop.example'] });
    expect(await store.publishedPages()).toEqual([
      { slug: 'shop', hosts: ['b.shop.example', 'a.shop.example'] },
    ]);
    await change(1, { hosts: [] });
    expect(await store.publishedPages()).toEqual([{ slug: 'shop', hosts: [] }]);
    await deleteStatusPage(app.deps, null, 1, commandLineSource);
    expect(await store.publishedPages()).toEqual([]);
  });

  it('are not stored at all where something is refused', async () => {
    await make({ hosts: ['a.shop.example'] });
    const wrong = { name: 'Two', hosts: ['b.shop.example', 'a.shop.example'] };
    await expect(make(wrong)).rejects.toMatchObject({ status: 400 });
    expect(await app.deps.store.countStatusPages(null)).toBe(1);
    const made = await make({ name: 'Two', hosts: ['b.shop.example'], components: [{ name: 'One' }] });
    const refused = change(made.id, { name: 'Three', hosts: ['a.shop.example'], components: [] });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    expect(await getStatusPage(app.deps, null, made.id)).toEqual(made);
  });
});
