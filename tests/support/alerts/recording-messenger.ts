import { startAlerting } from '../../../src/core/alerts/runner.ts';
import type { PeriodicJob } from '../../../src/core/periodic-job.ts';
import type { NotificationSender, WebhookMessage } from '../../../src/core/ports/notification-sender.ts';
import type { TestDatabase } from '../../data/support/databases.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { forEachTest } from '../shared.ts';

/** Records posted messages in `sent` instead of sending them. No mail. */
export function recordingMessenger(sent: WebhookMessage[]): NotificationSender {
  return {
    canMail: false,
    async post(message) {
      sent.push(message);
      return { ok: true, status: 200, detail: '' };
    },
    mail: async () => ({ ok: false, status: null, detail: '' }),
  };
}

/** An app with alerting for each test, and what its channels were sent. */
export function alertingForEachTest(
  database: TestDatabase,
  pagesUrl: string | null = 'https://errors.example',
): { readonly app: TestApp; readonly alerting: PeriodicJob; readonly sent: WebhookMessage[] } {
  const sent: WebhookMessage[] = [];
  const app = forEachTest(async () => {
    sent.length = 0;
    const env = { DATABASE_URL: await database.createMigrated() };
    return openTestApp({ env, deps: { notificationSender: recordingMessenger(sent) } });
  });
  const alerting = forEachTest(() => startAlerting(app.deps, { pagesUrl, everyMs: 3_600_000 }));
  return { app, alerting, sent };
}
