import { expect, it } from '@jest/globals';
import { dayMs } from '../../src/core/parsing/durations.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp();

const inDays = (days: number): string => new Date(app.deps.now() + days * dayMs).toISOString();

async function failingCase(version: string, name: string): Promise<string> {
  const tests = [{ name, suite: ['cart'], file: 'cart.test.ts', status: 'failed' }];
  const { body } = await app.postSecret('/test-runs', {
    release: version,
    suite: version,
    tests,
    exit_code: 1,
  });
  return (await app.get(`/test-runs/${body.test_run_id}`)).body.cases[0].case_id;
}

it('ignores failures of a case in the result of the run until it ends, and is audited', async () => {
  const { body: release } = await app.postSecret('/releases', { version: 'q@1' });
  const caseId = await failingCase('q@1', 'is flaky');
  const verdict = async () => (await app.get(`/releases/${release.release_id}/verdict`)).body;
  const runs = async () => (await app.get(`/test-cases/${caseId}/runs`)).body;
  expect((await verdict()).verdict).toBe('fail');
  expect(await runs()).toMatchObject([{ quarantined: false }]);

  const asked = { case_id: caseId, until: inDays(2), reason: 'fails on Mondays' };
  const made = await app.postSecret('/quarantine', asked);
  expect(made).toHaveStatus(201);
  const longer = await app.postSecret('/quarantine', { ...asked, until: inDays(3) });
  expect(longer.body.quarantine_id).toBe(made.body.quarantine_id);
  const listed = {
    case_id: caseId,
    name: 'is flaky',
    suite: ['cart'],
    file: 'cart.test.ts',
    until: inDays(3),
  };
  expect((await app.get('/quarantine')).body).toMatchObject([listed]);
  expect(await runs()).toMatchObject([{ quarantined: true, status: 'failed' }]);
  expect(await verdict()).toMatchObject({
    verdict: 'pass',
    reasons: ['1 test ran, and none failed, without 1 in quarantine.'],
    checks: { tests: { failed: 0, quarantined: 1, failed_cases: [], runs: [{ failed: 1, quarantined: 1 }] } },
  });

  app.advance(3 * dayMs);
  expect((await app.get('/quarantine')).body).toEqual([]);
  expect(await runs()).toMatchObject([{ quarantined: false }]);
  expect((await verdict()).verdict).toBe('fail');
  const entries = await app.deps.store.walkAudit(0, 100);
  const told = entries.filter(({ action }) => action === 'test_case.quarantined');
  expect(told).toMatchObject([{ objectId: caseId }, { objectId: caseId, projectId: app.project.id }]);
});

it('ends at once when it is deleted', async () => {
  const caseId = await failingCase('q@2', 'ends');
  const { body } = await app.postSecret('/quarantine', { case_id: caseId, until: inDays(1), reason: 'x' });
  expect(await app.deleteSecret(`/quarantine/${body.quarantine_id}`)).toHaveStatus(200);
  expect((await app.get('/quarantine')).body).toEqual([]);
  expect(await app.deleteSecret(`/quarantine/${body.quarantine_id}`)).toHaveStatus(404);
});

it('refuses bad times, issues and cases', async () => {
  const case_id = await failingCase('q@3', 'bad');
  const right = { case_id, until: inDays(1), reason: 'x' };
  const wrong = [
    [{ until: inDays(91) }, 'until must not be later than 90 days from now.'],
    [{ until: inDays(-1) }, 'until must not be in the past.'],
    [{ until: 'soon' }, 'until is not RFC 3339.'],
    [{ reason: ' ' }, 'reason must be at least 1 character long.'],
    [{ issue_id: 999_999 }, 'issue_id contains an issue that does not exist.'],
  ] as const;
  for (const [change, sentence] of wrong) {
    const { status, body } = await app.postSecret('/quarantine', { ...right, ...change });
    expect([status, Object.values(body.data.params)]).toEqual([400, [sentence]]);
  }
  expect(await app.postSecret('/quarantine', { ...right, case_id: 'none' })).toHaveStatus(404);
  expect((await app.get('/quarantine')).body).toEqual([]);
});
