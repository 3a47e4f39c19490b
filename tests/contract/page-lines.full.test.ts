// The lines of docs/wordpress.md, run as they stand there, in their order, by a real shell: one server is the
// site, one is ours, and the one that a line starts answers in the dialect that was learned.
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/wordpress.md'), 'utf8');
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((found) =>
  (found[1] ?? '').trim().split('\n'),
);

const har = (site: string): string =>
  JSON.stringify({
    log: {
      entries: [
        {
          request: {
            method: 'POST',
            url: `${site}/wp-json/notifier/v1/store`,
            headers: [{ name: 'x-notifier-key', value: 'page_public_key' }],
            postData: { text: '{"message":"From a page","platform":"javascript"}' },
          },
          response: { status: 201, headers: [], content: { text: '{"accepted":true}' } },
        },
      ],
    },
  });

describeWithPrograms('docs/wordpress.md', ['bash'], ({ bash = 'bash' }) => {
  const folder = temporaryFolder();
  const servers: RunningProgram[] = [];
  const keys = { NOTIFIER_PUBLIC_KEY: 'page_public_key', NOTIFIER_SECRET_KEY: 'page_secret_key' };
  const PATH = `${folder.path}${delimiter}${process.env['PATH'] ?? ''}`;
  const started = async (env: Record<string, string>, line?: string): Promise<string> => {
    const command = line === undefined ? {} : { command: [bash, '-c', `exec env ${line}`] as const };
    const DATABASE_URL = `sqlite:${join(folder.path, `${servers.length}.db`)}`;
    const all = { ...keys, ...env, DATABASE_URL, RATE_LIMITS: 'off', PATH };
    const server = await startProgram(all, { cwd: folder.path, ...command });
    servers.push(server);
    return server.origin;
  };
  let [site, ours] = ['', ''];

  beforeAll(async () => {
    const shim = join(folder.path, 'notifier');
    writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'src/cli.ts')}' "$@"\n`);
    chmodSync(shim, 0o755);
    site = await started({});
    ours = await started({});
    writeFileSync(join(folder.path, 'browser.har'), har(site));
  });
  afterAll(async () => {
    for (const server of servers) await server.end();
    folder.remove();
  });

  const run = (line: string): Promise<{ code: number; out: string; err: string }> =>
    new Promise((done) => {
      const { HOME = '' } = process.env;
      const env = { PATH, HOME, SITE: site, OURS: ours, TARGET_PUBLIC_KEY: 'page_public_key' };
      const words = { cwd: folder.path, env: { ...env, TARGET_SECRET_KEY: 'page_secret_key' } };
      execFile(bash, ['-c', line], words, (error, out, err) =>
        done({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
      );
    });

  it('has lines that run', async () => {
    expect(lines.length).toBeGreaterThan(9);
    for (const line of lines) {
      if (/^NOTIFIER_DIALECT=\S+ notifier serve$/.test(line)) {
        ours = await started({}, line);
      } else {
        const { code, out, err } = await run(line);
        // Two servers may differ in what they were asked before: then a comparison says so, and ends with 1.
        const fine = / contract diff /.test(line) ? [0, 1] : [0];
        expect([line, fine.includes(code), fine.includes(code) ? '' : out + err]).toEqual([line, true, '']);
      }
    }
    expect(readFileSync(join(folder.path, 'dialect.json'), 'utf8')).toContain('"success"');
  });
});
