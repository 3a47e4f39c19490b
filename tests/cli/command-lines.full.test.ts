import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/command-line.md'), 'utf8');

function blockBelow(heading: string): string[] {
  const below = page.slice(page.indexOf(`## ${heading}\n`));
  return (/```sh\n([\s\S]*?)```/.exec(below)?.[1] ?? '').trim().split('\n');
}

describeWithPrograms('the lines of docs/command-line.md', ['bash', 'npm', 'curl'], (programs) => {
  const folder = temporaryFolder();
  const keys = { NOTIFIER_PUBLIC_KEY: 'readme_public_key', NOTIFIER_SECRET_KEY: 'readme_secret_key' };
  const database = { DATABASE_URL: `sqlite:${join(folder.path, 'readme.db')}` };
  let server: RunningProgram;
  beforeAll(async () => {
    // The server reads the same environment as its clients, and does not take their variable for a mistake.
    const NOTIFIER_URL = 'http://127.0.0.1:8787/wp-json/notifier/v1';
    server = await startProgram({ ...database, ...keys, NOTIFIER_URL, RATE_LIMITS: 'off' });
  });
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  const run = (line: string): Promise<{ failed: boolean; out: string; err: string }> =>
    new Promise((done) => {
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, ...database, ...keys, NOTIFIER_URL: `${server.origin}/wp-json/notifier/v1` };
      execFile(programs['bash'] ?? 'bash', ['-c', line], { cwd: repository, env }, (error, out, err) =>
        done({ failed: error !== null, out, err }),
      );
    });

  it('of "Commands" run one after the other', async () => {
    const lines = blockBelow('Commands');
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      expect(line).toMatch(/^(?:[A-Z_]+="\$[A-Z_]+" ){0,2}npm run notifier -- /);
      const { failed, out, err } = await run(line);
      expect([line, failed, failed ? out + err : '']).toEqual([line, false, '']);
    }
  });

  it('of npm run send take the same NOTIFIER_URL as those of curl', async () => {
    const sent = await run('npm run --silent send');
    expect([sent.failed, sent.out]).toEqual([false, expect.stringMatching(/^201 \{"accepted":true/)]);
    const curl = await run(
      'curl --fail-with-body -sS "$NOTIFIER_URL/issues" -H "Authorization: Bearer $NOTIFIER_SECRET_KEY"',
    );
    expect([curl.failed, JSON.parse(curl.out)[0].culprit]).toEqual([false, expect.any(String)]);
    expect(server.errors()).not.toContain('NOTIFIER_URL');
  });
});
