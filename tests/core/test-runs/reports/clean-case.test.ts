import { describe, expect, it } from '@jest/globals';
import type { TestCase } from '../../../../src/core/store/test-runs.ts';
import { createCaseScrubber } from '../../../../src/core/test-runs/reports/cases/normalize.ts';
import { createUploadReader } from '../../../../src/core/test-runs/reports/read-upload.ts';

const project = { scrubFields: ['shoe size'], storeIpAddresses: false };
const secret = 'cnryQ7w8E9';

function casesOf(text: string, isCleaned: boolean): readonly TestCase[] {
  const reader = createUploadReader(isCleaned ? createCaseScrubber(project) : undefined);
  reader.open('', 'body').write(text);
  return reader.end({}).cases;
}

const ctrf = (tests: readonly object[]): string => {
  const summary = { tests: tests.length, passed: tests.length, failed: 0, skipped: 0, pending: 0, other: 0 };
  return JSON.stringify({ results: { tool: { name: 'probe' }, summary, tests } });
};

const full = (word: string): object => ({
  name: `signs in with password=${word}`,
  status: 'failed',
  duration: 1,
  suite: ['sign-in', `token=${word}`],
  filePath: `tests/login.test.ts?token=${word}`,
  message: `expected token=${word} to be valid`,
  trace: `Error: password=${word}\n    at login (/app/src/auth.ts:10:5)`,
  stdout: ['GET /', `Authorization: Bearer ${word}`],
  stderr: [`API_KEY=${word}`],
  rawStatus: `token=${word}`,
  tags: [`token=${word}`],
  browser: `firefox token=${word}`,
  steps: [{ name: `types password=${word}`, status: 'passed' }],
  retryAttempts: [{ attempt: 1, status: 'failed', message: `password=${word}`, trace: `token=${word}` }],
  extra: { password: word, shoe_size: '42', note: `token=${word}` },
});

describe('test cases', () => {
  it('have no secret in any of their texts', () => {
    const sent = casesOf(ctrf([full(secret)]), false);
    expect(JSON.stringify(sent)).toContain(secret);
    const [one] = casesOf(ctrf([full(secret)]), true);
    expect(JSON.stringify(one)).not.toContain(secret);
    expect(one).toMatchObject({
      name: 'signs in with password=[Filtered]',
      suite: ['sign-in', 'token=[Filtered]'],
      trace: 'Error: password=[Filtered]\n    at login (/app/src/auth.ts:10:5)',
      tags: ['token=[Filtered]'],
    });
    expect(JSON.stringify(one?.properties)).not.toContain('42');
  });

  it('keep their identity', () => {
    const tests = [
      full(secret),
      full(`${secret}other`),
      { ...full(secret), browser: `chromium token=${secret}` },
      { name: 'resets the password', status: 'passed', duration: 1 },
    ];
    const ids = (isCleaned: boolean): string[] => casesOf(ctrf(tests), isCleaned).map((one) => one.caseId);
    expect(ids(true)).toEqual(ids(false));
    expect(new Set(ids(true)).size).toBe(4);
  });

  it('are scrubbed before they are cut, at both ends', () => {
    const output = `${'a line of output\n'.repeat(2000)}password=${secret}\n${'b'.repeat(16_384 - 12)}`;
    const message = `${'c'.repeat(8192 - 9)} ghp_${secret}${'q7W'.repeat(9)}`;
    const [one] = casesOf(
      ctrf([{ name: 'a', status: 'failed', duration: 1, message, stdout: [output] }]),
      true,
    );
    expect(one?.message).toHaveLength(8192);
    expect(one?.message).not.toContain('ghp_');
    expect(one?.stdout).toHaveLength(16_384);
    expect(one?.stdout).not.toContain(secret.slice(-5));
  });

  it('of JUnit keep what only looks like a secret', () => {
    const name = 'PasswordTest::resets the password with token: expired';
    const xml = `<testsuite name="Auth"><testcase name="${name}" classname="App\\Auth\\TokenTest" file="tests/auth/token.test.ts" line="12"><failure message="expected session to be null">at /app/src/session/token.ts:12:5</failure></testcase></testsuite>`;
    expect(casesOf(xml, true)).toEqual(casesOf(xml, false));
  });
});
