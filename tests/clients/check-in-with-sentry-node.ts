// Runs a job with the real @sentry/node, as HOW says. Run by check-ins.test.ts as a process of its own.
import * as Sentry from '@sentry/node';

const { DSN = '', HOW = '' } = process.env;
const slug = 'nightly-import';
const config = {
  schedule: { type: 'crontab', value: '0 * * * *' },
  timezone: 'Europe/Berlin',
  checkinMargin: 5,
  maxRuntime: 30,
  failureIssueThreshold: 1,
  recoveryThreshold: 1,
} as const;

Sentry.init({ dsn: DSN, environment: 'staging', release: 'shop@1.2.3' });
const jobs: Record<string, () => void> = {
  well: () => Sentry.withMonitor(slug, () => 'done', config),
  badly: () => {
    try {
      Sentry.withMonitor(slug, () => JSON.parse('{'), config);
    } catch {
      // The job tells of it by itself.
    }
  },
  begins: () => {
    Sentry.captureCheckIn({ monitorSlug: slug, status: 'in_progress' }, config);
  },
};
jobs[HOW]?.();
await Sentry.close(5000);
