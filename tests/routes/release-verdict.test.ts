import { afterAll, describe, expect, it } from '@jest/globals';
import { testCommandLine } from '../support/command-line.ts';
import { sharedApp } from '../support/shared.ts';

const { notifier, databaseUrl, remove } = testCommandLine();
const app = sharedApp({ env: { DATABASE_URL: databaseUrl } });
afterAll(remove);

async function release(version: string): Promise<number> {
  return (await app.postSecret('/releases', { version })).body.release_id;
}

async function verdictOf(id: number, query = '') {
  const { status, body } = await app.get(`/releases/${id}/verdict${query}`);
  expect(status).toBe(200);
  return body;
}

const report = (version: string, branch: string, tests: object[], more: object = {}) =>
  app.postSecret('/test-runs', { release: version, branch, suite: 'unit', tests, ...more });

async function sessions(version: string, exited: number, crashed: number): Promise<void> {
  const items = [
    '{}',
    JSON.stringify({ type: 'sessions' }),
    JSON.stringify({
      aggregates: [{ started: app.deps.now(), exited, crashed }],
      attrs: { release: version },
    }),
  ];
  const type = { 'Content-Type': 'application/x-sentry-envelope', 'X-Notifier-Key': app.publicKey };
  expect(await app.agent.post('/wp-json/notifier/v1/envelope').set(type).send(items.join('\n'))).toHaveStatus(
    200,
  );
}

async function issueOf(message: string, version: string): Promise<number> {
  const { body } = await app.post('/store', { message, platform: 'php', release: version });
  return body.issue_id;
}

describe('GET /releases/{id}/verdict', () => {
  it('is unknown for a release that was only created', async () => {
    const body = await verdictOf(await release('empty@1'));
    expect(body).toMatchObject({ version: 'empty@1', verdict: 'unknown' });
    expect(body.reasons).toContain('No test of this release was reported.');
    expect(body.checks.crash_free).toMatchObject({ verdict: 'unknown', share: null, min: 0.99, sessions: 0 });
  });

  it('fails for failed tests of the newest run of a suite, and tells which failures are new', async () => {
    const id = await release('tested@1');
    const failed = (name: string) => ({ name, status: 'failed', message: 'no' });
    const passed = (name: string) => ({ name, status: 'passed' });
    await report('other@1', 'main', [failed('old'), passed('fresh')]);
    await report('tested@1', 'topic', [failed('old'), failed('fresh')]);
    const flaky = { name: 'flaky', status: 'passed', flaky: true, retries: 1 };
    app.advance(1000);
    await report('tested@1', 'topic', [
      failed('old'),
      failed('fresh'),
      failed('first'),
      flaky,
      passed('good'),
    ]);
    const { verdict, reasons, checks } = await verdictOf(id);
    expect([verdict, reasons]).toEqual(['fail', ['3 of 5 tests failed.']]);
    expect(checks.tests.runs).toMatchObject([{ suite: 'unit', tests: 5, failed: 3, flaky: 1 }]);
    const news = checks.tests.failed_cases.map((one: { name: string; is_new: boolean }) => [
      one.name,
      one.is_new,
    ]);
    expect(news.sort()).toEqual([
      ['first', true],
      ['fresh', true],
      ['old', false],
    ]);
    expect(checks.tests.flaky_cases).toMatchObject([{ name: 'flaky' }]);
    app.advance(1000);
    await report('tested@1', 'topic', [passed('old')]);
    expect(await verdictOf(id)).toMatchObject({ verdict: 'pass', reasons: ['1 test ran, and none failed.'] });
    await report('tested@1', 'topic', [passed('e2e')], { suite: 'e2e', exit_code: 1 });
    expect(await verdictOf(id)).toMatchObject({
      verdict: 'fail',
      reasons: ['1 test run ended with an error.'],
    });
  });

  it('counts unresolved new issues against the given maximum', async () => {
    const id = await release('issues@1');
    const issue = await issueOf('verdict one', 'issues@1');
    await issueOf('verdict two', 'issues@1');
    const failing = await verdictOf(id);
    expect(failing.reasons).toEqual([
      '2 unresolved issues were first seen in this release; the maximum is 0.',
    ]);
    expect(failing.checks.new_issues.issues).toHaveLength(2);
    expect((await verdictOf(id, '?new_issues_max=2')).verdict).toBe('pass');
    await app.postSecret(`/issues/${issue}`, { status: 'resolved' });
    expect((await verdictOf(id, '?new_issues_max=1')).checks.new_issues.count).toBe(1);
    await app.postSecret('/releases', { version: 'issues@2' });
    app.advance(60_000);
    await issueOf('verdict one', 'issues@2');
    const next = await release('issues@2');
    expect((await verdictOf(next)).reasons).toEqual([
      '1 unresolved issue regressed in this release; the maximum is 0.',
    ]);
  });

  it('judges crash-free sessions only when there are enough', async () => {
    const id = await release('sessions@1');
    await sessions('sessions@1', 47, 3);
    expect((await verdictOf(id)).checks.crash_free).toMatchObject({ verdict: 'unknown', sessions: 50 });
    const failing = await verdictOf(id, '?sessions_min=50');
    expect(failing.reasons).toEqual(['94.00% of 50 sessions were crash-free; the minimum is 99.00%.']);
    expect((await verdictOf(id, '?sessions_min=50&crash_free_min=0.94')).verdict).toBe('pass');
  });

  it('fails while a monitor of the project is down', async () => {
    const id = await release('monitored@1');
    const job = { name: 'Backup', type: 'heartbeat', interval: 3600, grace: 60 };
    const { body } = await app.postSecret('/monitors', job);
    await fetch(`${body.heartbeat_url}/fail`, { method: 'POST' });
    const failing = await verdictOf(id);
    expect([failing.verdict, failing.reasons]).toEqual([
      'fail',
      ['1 monitor is down: Backup; the maximum is 0.'],
    ]);
    expect((await verdictOf(id, '?monitors_down_max=1')).verdict).toBe('unknown');
    await app.deleteSecret(`/monitors/${body.monitor_id}`);
  });

  it('refuses invalid thresholds and unknown releases', async () => {
    const id = await release('bad@1');
    for (const query of ['?crash_free_min=1.5', '?new_issues_max=-1', '?new_issue_max=1']) {
      expect(await app.get(`/releases/${id}/verdict${query}`)).toHaveStatus(400);
    }
    expect(await app.get('/releases/999999/verdict')).toHaveStatus(404);
    const other = await app.addProject('other');
    const foreign = await app.agent
      .get(`/wp-json/notifier/v1/releases/${id}/verdict`)
      .set('Authorization', `Bearer ${other.secretKey}`);
    expect(foreign).toHaveStatus(404);
  });
});

it('notifier release check ends with 1 where the release fails', async () => {
  await release('cli@1');
  const line = 'release check cli@1 --project test';
  expect(await notifier(line)).toMatchObject({ code: 0, out: expect.stringContaining('cli@1: unknown') });
  await report('cli@1', 'main', [{ name: 'a', status: 'failed' }]);
  expect(await notifier(line)).toMatchObject({
    code: 1,
    out: expect.stringContaining('1 of 1 test failed.'),
  });
  expect((await notifier('release check none@1 --project test')).code).toBe(1);
});
