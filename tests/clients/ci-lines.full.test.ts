// The curl lines of docs/ci.md, run as they are written there by a real shell and a real curl.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map((found) => found[1] ?? '')
  .filter((script) => script.includes('curl '));

describeWithPrograms('docs/ci.md', ['curl', 'bash', 'gzip'], (programs) => {
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    app = await openTestApp();
    folder = mkdtempSync(join(tmpdir(), 'notifier-ci-'));
    const fixtures = join(root, 'tests/fixtures/test-runs');
    copyFileSync(join(fixtures, 'vitest3-junit.xml'), join(folder, 'junit.xml'));
    copyFileSync(join(fixtures, 'node20-test-runner-junit.xml'), join(folder, 'junit-2.xml'));
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (script: string): Promise<{ failed: boolean; output: string }> =>
    new Promise((done) => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        NOTIFIER_URL: app.api,
        NOTIFIER_SECRET_KEY: app.secretKey,
        VERSION: 'shop@2.0.0',
        COMMIT: 'c0ffee',
        BRANCH: 'main',
        BUILD: '4711',
        EXIT_CODE: '1',
      };
      execFile(
        programs['bash'] ?? 'bash',
        ['-c', script],
        { cwd: folder, env, timeout: 30_000 },
        (error, stdout, stderr) => done({ failed: error !== null, output: stdout || stderr }),
      );
    });

  it('has examples that print the documented output', async () => {
    const answers = [];
    for (const script of lines) {
      const { failed, output } = await run(script);
      expect([failed, output.slice(0, 16)]).toEqual([false, '{"accepted":true']);
      answers.push(JSON.parse(output));
    }
    const [release, started, ended, report, form, gzip, counts] = answers;
    expect(release).toMatchObject({ version: 'shop@2.0.0', created: true });
    expect(started).toMatchObject({ release_id: release.release_id, release_created: false });
    expect(ended.deploy_id).toBe(started.deploy_id);
    expect(report).toMatchObject({ tests: 9, failed: 3 });
    expect(form).toMatchObject({ tests: 15, failed: 4 });
    expect(gzip).toMatchObject({ tests: 9 });
    expect(counts).toMatchObject({ tests: 42, failed: 1, status: 'failed' });
    expect((await app.get(`/deploys/${ended.deploy_id}`)).body.status).toBe('success');
  });

  it('has examples that send a deploy as form fields', async () => {
    const { output } = await run(
      'echo "Authorization: Bearer $NOTIFIER_SECRET_KEY" | curl -H @- -sS "$NOTIFIER_URL/deploys" -d version=abc123 -d environment=production -d status=failed -d key=9',
    );
    expect(JSON.parse(output)).toMatchObject({
      accepted: true,
      environment: 'production',
      release_created: true,
    });
  });
});
