import { describe, expect, it } from '@jest/globals';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import type { WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import { databases } from '../../data/support/databases.ts';
import { eventOf } from '../../data/support/events.ts';
import { recordingMessenger } from '../../support/alerts/recording-messenger.ts';
import { openTestApp } from '../../support/app.ts';
import { inFull, nightlyOrFull } from '../../support/test-level.ts';

const hourMs = 3_600_000;
const newIssuesMax = 1_000;
const inOne = nightlyOrFull(2_500, 1_050);
const others = nightlyOrFull(4, 2);
const inEach = nightlyOrFull(300, 50);
const seconds = 60;

inFull(describe).each(databases)('a storm on $name', (database) => {
  it(`of ${inOne} errors in one project and ${inEach} in each of ${others} is at most three messages a channel`, async () => {
    const sent: WebhookMessage[] = [];
    const messenger = recordingMessenger(sent);
    const app = await openTestApp({
      env: { DATABASE_URL: await database.createMigrated(), RATE_LIMITS: 'on' },
      deps: { notificationSender: messenger },
    });
    const { deps } = app;
    const alerting = startAlerting(deps, { pagesUrl: null, everyMs: hourMs });
    const asked = { type: 'webhook', name: 'all', url: 'https://a.example/hook' } as const;
    await createChannel(deps, null, asked, commandLineSource);
    const projects = [app.project.id];
    for (let number = 0; number < others; number += 1) {
      projects.push((await app.addProject(`other ${number}`)).project.id);
    }
    const wanted = projects.flatMap((projectId, at) =>
      Array.from({ length: at === 0 ? inOne : inEach }, (_, number) => ({ projectId, number })),
    );
    // Every project has its share of every second.
    const turns = wanted.toSorted((one, other) => (one.number % seconds) - (other.number % seconds));
    for (let second = 0; second < seconds; second += 1) {
      const now = turns.filter(({ number }) => number % seconds === second);
      await Promise.all(
        now.map(({ projectId, number }) =>
          deps.store.recordEvent(
            eventOf({ projectId, kind: `${projectId}/${number}`, receivedAtMs: deps.now() }),
          ),
        ),
      );
      await alerting.runNow();
      app.advance(1_000);
    }
    for (let minute = 0; minute < 90; minute += 1) {
      await alerting.runNow();
      app.advance(60_000);
    }
    const told = sent.map(({ body }) => JSON.parse(body).data);
    expect(told.length).toBeLessThanOrEqual(3);
    const issues = told.reduce((sum, { issues_count: count }) => sum + count, 0);
    expect(issues).toBe(newIssuesMax + others * inEach);
    const { project, events } = told.flatMap(({ overflow }) => overflow).at(-1);
    expect([project, events]).toEqual(['test', inOne - newIssuesMax]);
    expect(told.every(({ issues: named }) => named.length <= 10)).toBe(true);
    process.stderr.write(
      `storm: ${told.length} messages, ${issues} issues, ${events} events over the limit\n`,
    );
    await alerting.stop();
    await app.close();
  });
});
