// docs/operating.md as it stands: the steps of moving over are run by a real shell, with a server in the
// plugin's place that has keys of its own, and what systemd and git are told is held against what there is.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { shellLines } from './pages-and-files.ts';

const repository = resolve(import.meta.dirname, '../..');
const keys = { publicKey: 'pk_of_the_plugin', secretKey: 'sk_of_the_plugin_0123456789' };

describeWithPrograms('the steps of docs/operating.md', ['bash', 'curl'], ({ bash = 'bash' }) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let plugin: RunningProgram;
  let ours: RunningProgram;
  const settings = (name: string): Record<string, string> => ({
    DATABASE_URL: `sqlite:${join(folder.path, `${name}.db`)}`,
    NOTIFIER_PUBLIC_KEY: keys.publicKey,
    NOTIFIER_SECRET_KEY: keys.secretKey,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  });
  beforeAll(async () => {
    folder = temporaryFolder();
    plugin = await startProgram(settings('plugin'));
    ours = await startProgram(settings('ours'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'src/cli.ts')}' "$@"\n`;
    writeFileSync(join(folder.path, 'notifier'), command);
    chmodSync(join(folder.path, 'notifier'), 0o755);
  });
  afterAll(async () => {
    await ours?.end();
    await plugin?.end();
    folder.remove();
  });

  /** The lines of one step, run in the folder; rejects with what they printed where one fails. */
  async function step(heading: string): Promise<string> {
    return run(shellLinesBelow(heading));
  }

  async function run(section: string): Promise<string> {
    const env = {
      PATH: `${folder.path}:${process.env['PATH'] ?? ''}`,
      SITE: plugin.origin,
      OURS: ours.origin,
      TARGET_PUBLIC_KEY: keys.publicKey,
      TARGET_SECRET_KEY: keys.secretKey,
      DATABASE_URL: settings('ours')['DATABASE_URL'],
      BACKUPS: folder.path,
    };
    const { stdout } = await promisify(execFile)(bash, ['-euc', section], { cwd: folder.path, env });
    return stdout;
  }

  it('query the plugin, query Notifier, and check the events', async () => {
    await step('2. Ask the plugin.');
    expect(JSON.parse(readFileSync(join(folder.path, 'dialect.json'), 'utf8'))).toMatchObject({ dialect: 1 });
    await ours.end();
    ours = await startProgram({ ...settings('ours'), NOTIFIER_DIALECT: join(folder.path, 'dialect.json') });
    await step('3. Ask Notifier the same.');
    const watched = await step('5. Watch.');
    expect(watched).toContain('notifier-contract');
  });

  it('make a backup of a running server, keep a week of them, and test a restore', async () => {
    const old = join(folder.path, 'notifier-2020-01-01.db');
    writeFileSync(old, '');
    utimesSync(old, 1, 1);
    const said = await run(shellLines('operating', 'Backup'));
    const backups = readdirSync(folder.path).filter((each) => /^notifier-\d{4}-/.test(each));
    expect(backups.sort()).toEqual([
      expect.stringMatching(/^notifier-20\d\d-\d\d-\d\d\.db$/),
      expect.stringMatching(/^notifier-20\d\d-\d\d-\d\d\.db\.json$/),
    ]);
    expect(existsSync(old)).toBe(false);
    expect(said).toMatch(/ok +database +\d+ events checked, all intact/);
    expect(said).not.toMatch(/PROBLEM +database/);
    const issues = said.slice(said.lastIndexOf('problem'));
    expect(issues).toContain('notifier-contract');
  });
});

function shellLinesBelow(step: string): string {
  const page = readFileSync(join(repository, 'docs/operating.md'), 'utf8');
  const [, text = ''] = page.split(`**${step}**`);
  const [section = ''] = text.split(/\n(?:\*\*\d\.|## )/);
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines = '']) => lines);
  if (blocks.length === 0) throw new Error(`docs/operating.md has no lines below "${step}".`);
  return blocks.join('');
}
