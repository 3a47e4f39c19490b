import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { programEnvironment } from '../support/program.ts';

const repository = join(import.meta.dirname, '../..');

async function reportTo(app: TestApp): Promise<string> {
  const { host } = new URL(app.origin);
  const env = programEnvironment({
    DSN: `http://${app.publicKey}@${host}/${app.project.id}`,
  });
  const words = ['tests/clients/report-with-sentry-node.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: repository, env });
  return JSON.parse(stdout) as string;
}

describe('captureFeedback of @sentry/node', () => {
  it('is stored without a page or event where the project accepts reports of apps', async () => {
    const app = await openTestApp({ nowMs: Date.now() });
    try {
      await reportTo(app);
      const { body } = await app.get('/feedback');
      const kept = body.map((each: { message: string }) => each.message).sort();
      expect(kept).toEqual(['With its event', 'With neither']);
    } finally {
      await app.close();
    }
  });

  it('is stored with its event and for a page where a domain accepts reports', async () => {
    const app = await openTestApp({ nowMs: Date.now(), domains: ['shop.example'] });
    try {
      await app.deps.store.changeProject(app.project.id, { bugReports: false });
      const eventId = await reportTo(app);
      const { body } = await app.get('/feedback?order=asc');
      const kept = new Map(body.map((each: { message: string }) => [each.message, each]));
      expect([...kept.keys()].sort()).toEqual(['With a page', 'With its event']);
      expect(kept.get('With its event')).toMatchObject({
        event_id: eventId,
        issue_id: expect.any(Number),
        domain: null,
        name: 'Ada',
        email: 'ada@example.com',
      });
      expect(kept.get('With a page')).toMatchObject({ event_id: null, domain: 'shop.example' });
    } finally {
      await app.close();
    }
  });

  it('is refused and counted as filtered where domain and project have reports off', async () => {
    const app = await openTestApp({ nowMs: Date.now() });
    try {
      await app.deps.store.changeProject(app.project.id, { bugReports: false });
      await reportTo(app);
      expect((await app.get('/feedback')).body).toEqual([]);
      const hours = (await app.get('/outcomes')).body as Array<{ outcomes: object[] }>;
      const lost = hours
        .flatMap((hour) => hour.outcomes)
        .filter((line) => 'reason' in line && line.reason !== '');
      expect(lost).toEqual([
        { outcome: 'filtered', reason: 'bug_reports_disabled', category: 'feedback', quantity: 2 },
        { outcome: 'filtered', reason: 'unknown_domain', category: 'feedback', quantity: 1 },
      ]);
    } finally {
      await app.close();
    }
  });
});
