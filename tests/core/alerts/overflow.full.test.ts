import { afterAll, describe, expect, it } from '@jest/globals';
import { openDb } from '../../../data/open-store.ts';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import { databases } from '../../data/support/databases.ts';
import { eventOf } from '../../data/support/events.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { openTestApp } from '../../support/app.ts';
import { isNightly } from '../../support/test-level.ts';

const projects = 1_005;

describe.each(databases)('overflow issues on $name', (database) => {
  const open: Array<() => Promise<unknown>> = [];
  afterAll(async () => {
    for (const close of open) await close();
  });

  const itSoon = isNightly || database.name === 'SQLite' ? it : it.skip;
  itSoon(`of ${projects} projects are all counted, and stored with their notifications`, async () => {
    const sent: WebhookMessage[] = [];
    const messenger = recordingMessenger(sent);
    const url = await database.createMigrated();
    const app = await openTestApp({ env: { DATABASE_URL: url }, deps: { notificationSender: messenger } });
    const { store, now } = app.deps;
    const alerting = startAlerting(app.deps, { pagesUrl: null, everyMs: 3_600_000 });
    open.push(
      () => alerting.stop(),
      () => app.close(),
    );
    for (const type of ['webhook', 'mattermost'] as const) {
      const quiet = { quiet_hours: '11:00 to 13:00' };
      const asked = { type, name: type, url: 'https://a.example/hook', ...quiet };
      await createChannel(app.deps, null, asked, commandLineSource);
    }
    // An issue of each project, turned into the one that takes what is over the limit.
    for (let number = 1; number < projects; number += 1) {
      await store.createProject({ name: `p${number}`, createdAtMs: now() });
    }
    const all = await store.listProjects();
    await Promise.all(
      all.map(({ id }) => store.recordEvent(eventOf({ projectId: id, receivedAtMs: now() }))),
    );
    const db = await openDb(url, {});
    await db.write((tx) => tx.run('UPDATE issues SET is_overflow = 1'));
    await db.close();
    await alerting.runNow();
    expect(sent).toEqual([]);
    app.advance(3_600_000);
    await alerting.runNow();
    const [webhook, chat] = sent.map(({ body }) => JSON.parse(body));
    expect(webhook.data.overflow).toHaveLength(projects);
    expect(webhook.data.subject).toBe('1,005 events over the limit of new issues');
    expect(chat.text.match(/over the limit of new issues$/gm)).toHaveLength(10);
    expect(chat.text).toContain('995 more projects: 995 events over it');
    app.advance(60_000);
    await alerting.runNow();
    // What did not grow is told no second time; a row that was lost would be.
    expect(sent).toHaveLength(2);
    expect((await store.listRuleDeliveryStates()).length).toBeGreaterThan(0);
    const rules = (await store.listRuleDeliveryStates()).filter(
      ({ rule }) => rule.conditions.event === 'is_new',
    );
    for (const { rule, channel } of rules) {
      const found = await store.readPendingNotifications({ ruleId: rule.id, channelId: channel.id }, 10);
      expect(found.overflow).toHaveLength(projects);
    }
  });
});
