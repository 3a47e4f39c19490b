import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMonitor } from '../../../src/core/monitors/monitors.ts';
import { monitorModel } from '../../../src/core/page-models/monitoring/monitor.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import { databases } from '../../data/support/databases.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { monitoringForEachTest, nextChecks } from '../../support/monitored.ts';
import { forEachTest } from '../../support/shared.ts';

const hourMs = 60 * 60_000;

describe.each(databases)('rules on monitors on $name', (database) => {
  const sent: WebhookMessage[] = [];
  const { app, server, monitoring } = monitoringForEachTest(database, {
    notificationSender: recordingMessenger(sent),
  });
  const alerting = forEachTest(() => {
    sent.length = 0;
    return startAlerting(app.deps, { pagesUrl: 'https://errors.example', everyMs: hourMs });
  });

  const channel = async (projectId: number | null, filters: object[] = [], type = 'webhook') => {
    const on = ['monitor.down', 'monitor.up', 'monitor.slow'];
    const rules = on.map((each) => ({ on: each, filters, fold_over: 50 }));
    const asked = { type, name: 'all', url: 'https://a.example/hook', rules };
    await createChannel(app.deps, projectId, asked as never, commandLineSource);
  };
  const make = async (projectId: number | null, name = 'Shop', more: object = {}) => {
    const url = `http://127.0.0.1:${server.port}/health`;
    const asked = { type: 'http', name, url, interval: 30, ...more };
    return (await createMonitor(app.deps, projectId, asked as never, commandLineSource)).monitor;
  };
  const settle = async () => {
    await nextChecks(app, monitoring, 2);
    await alerting.runNow();
  };
  const told = () => sent.map(({ body }) => JSON.parse(body));
  const subjects = (): string[] => told().map(({ data }) => data.subject);

  it('notify about a workspace monitor once when down, and once when recovered', async () => {
    await channel(null);
    // A channel of a project hears of that project alone.
    await channel(app.project.id);
    const monitor = await make(null);
    await settle();
    expect(sent).toEqual([]);
    server.answer = 502;
    await settle();
    await settle();
    expect(told()).toEqual([
      {
        type: 'monitor.down',
        timestamp: expect.any(String),
        data: {
          subject: 'Shop is down',
          why: 'The rule “Down” notifies “all”: a monitor is down.',
          url: 'https://errors.example/monitors/shop',
          stop_url: 'https://errors.example/alert-channels/rules/1',
          rule: { rule_id: 1, name: 'Down' },
          channel: { alert_channel_id: 1, name: 'all' },
          objects_count: 1,
          objects: [
            {
              id: monitor.id,
              project: '',
              title: 'Shop',
              detail: `returns status 502, ${monitor.target}`,
              url: 'https://errors.example/monitors/shop',
            },
          ],
          issues_count: 0,
          issues: [],
          overflow: [],
          // What the monitor opened by itself.
          incidents_count: 1,
          incidents: [{ incident_id: 1, title: 'Shop is down', url: 'https://errors.example/incidents/1' }],
        },
      },
    ]);
    server.answer = 200;
    await settle();
    expect(subjects()).toEqual(['Shop is down', 'Shop recovered']);
    expect(told()[1].data).not.toHaveProperty('incidents');
    expect(told()[1].data.objects[0].detail).toMatch(/^was down for \d+ (seconds|minutes)$/);
  });

  it('name the project of its monitor, in chats and in groups too', async () => {
    await channel(null, [{ field: 'project', is: 'is', value: 'test' }]);
    await channel(null, [], 'slack');
    await make(app.project.id);
    await make(null, 'Other');
    await settle();
    server.answer = 502;
    await settle();
    expect(told().flatMap(({ data }) => data?.subject ?? [])).toEqual(['Shop is down']);
    const chats = told().flatMap(({ text }) => text ?? []);
    expect(chats.toSorted()).toEqual(['Other is down', 'Shop is down']);
    expect(JSON.stringify(told())).not.toMatch(/(?<!Incident #\d): Other/);
  });

  it('notify the channels set at the monitor, and no others', async () => {
    const { store, now } = app.deps;
    const own = await store.createProject({ name: 'Other', createdAtMs: now() });
    const filters: Record<string, object[]> = {
      all: [],
      contains: [{ field: 'project', is: 'contains', value: 'TES' }],
      not: [{ field: 'environment', is: 'is_not', value: 'production' }],
      tagged: [{ field: 'tag', name: 'wake', is: 'is', value: 'yes' }],
    };
    for (const [name, asked] of Object.entries(filters)) {
      for (const [whose, id] of Object.entries({ workspace: null, test: app.project.id, other: own.id })) {
        const rules = [{ on: 'monitor.down', filters: asked, fold_over: 50 }];
        const url = 'https://a.example/hook';
        const made = { type: 'webhook', name: `${whose} ${name}`, url, rules };
        await createChannel(app.deps, id, made as never, commandLineSource);
      }
    }
    const projects = await store.listProjects();
    const page = async (slug: string): Promise<string[]> => {
      const visit = { deps: app.deps, projects, project: null, path: { slug }, nowMs: now() };
      const { notified } = await monitorModel({
        ...visit,
        query: new URLSearchParams(),
      } as unknown as RequestContext);
      return notified.map((each) => each.name).toSorted();
    };
    await make(app.project.id, 'One', { tags: ['wake:yes'] });
    await make(null, 'Two');
    await settle();
    server.answer = 502;
    await settle();
    for (const [title, names] of Object.entries({
      One: ['test all', 'test contains', 'test not', 'workspace all', 'workspace contains', 'workspace not'],
      Two: ['workspace all', 'workspace not'],
    })) {
      const about = told().filter(({ data }) => data.subject === `${title} is down`);
      expect(about.map(({ data }) => data.channel.name).toSorted()).toEqual(names);
      expect(await page(title.toLowerCase())).toEqual(names);
    }
  });

  it('group monitors that go down together, without naming one project', async () => {
    const rules = [{ on: 'monitor.down' }];
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook', rules };
    await createChannel(app.deps, null, asked as never, commandLineSource);
    await make(app.project.id);
    await make(null, 'Other');
    await settle();
    server.answer = 502;
    await settle();
    expect(subjects()).toEqual(['2 monitors are down']);
    expect(told()[0].data.url).toBe('https://errors.example/monitors');
  });

  it('notify about a slow answer, and not about an expiring certificate', async () => {
    await channel(null);
    await make(null, 'Shop', { slow_ms: 30_000 });
    await settle();
    const [monitor] = await app.deps.store.listMonitors(null);
    if (monitor === undefined) throw new Error('no monitor');
    await app.deps.store.changeMonitor(monitor, {
      ...monitor,
      settings: { ...monitor.settings, slowMs: 1 },
    });
    server.answer = (response) => setTimeout(() => response.writeHead(200).end(), 20);
    await settle();
    expect(subjects()).toEqual(['Shop is degraded']);
    expect(told()[0].data.objects[0].detail).toBe(`took longer than 1 ms, ${monitor.target}`);
    expect((await app.deps.store.listMonitors(null))[0]?.state).toBe('degraded');
  });
});
