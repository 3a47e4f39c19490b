// The package as npm publishes it, installed and used on a machine that has Node and npm and nothing of ours.
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { programEnvironment, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const repository = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const mebibyte = 1_048_576;
const limits = { tarballBytes: 3 * mebibyte, files: 1_500, installedBytes: 120 * mebibyte };

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: ReadonlyArray<{ readonly path: string }>;
}

/** Packed from a copy: nothing is built into a clone that others are at work in. */
async function pack(copy: string): Promise<Packed> {
  const { files } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { files: string[] };
  const sources = [
    'src',
    'routes',
    'schemas',
    'scripts',
    'data',
    'docs',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  const plain = files.filter((name) => !/[*!]/.test(name) && name !== 'dist');
  for (const name of [...sources, ...plain, 'package.json', 'package-lock.json', '.npmrc']) {
    const filter = (path: string): boolean => !path.startsWith(join(repository, 'data/local'));
    cpSync(join(repository, name), join(copy, name), { recursive: true, filter });
  }
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  const packed = await run('npm', ['pack', '--json'], { cwd: copy, maxBuffer: 1e8 });
  const [made] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as [Packed];
  return made;
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = lstatSync(join(folder, name));
    return sum + (found.isDirectory() ? 4_096 : Math.ceil(found.size / 4_096) * 4_096);
  }, 0);
}

describeWithPrograms('the installed package', ['npm', 'npx', 'sh', 'env'], (programs) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let packed: Packed;
  let began: number;
  const at = (...names: string[]): string => join(folder.path, ...names);
  const installed = (...names: string[]): string => at('tool', 'node_modules', ...names);
  /** A machine of its own: home, PATH and working directory; of ours it has npm's cache alone. */
  const machine = (): Record<string, string> => ({
    ...programEnvironment({ PATH: `${installed('.bin')}:${at('bin')}`, HOME: at('home') }),
    NODE_COMPILE_CACHE: '',
  });

  beforeAll(async () => {
    folder = temporaryFolder();
    packed = await pack(at('copy'));
    for (const name of ['bin', 'home', 'tool', 'work']) mkdirSync(at(name));
    for (const [name, path] of Object.entries(programs)) symlinkSync(path, at('bin', name));
    symlinkSync(process.execPath, at('bin', 'node'));
    writeFileSync(at('bin', 'xdg-open'), `#!/bin/sh\necho "$1" > '${at('opened')}'\n`);
    chmodSync(at('bin', 'xdg-open'), 0o755);
    // Somebody's own application, which has settings of the same names.
    writeFileSync(at('work', '.env'), 'DATABASE_URL=sqlite:shop.db\nPORT=99999\n');
    began = performance.now();
    const words = [
      'install',
      '--no-audit',
      '--prefer-offline',
      '--ignore-scripts',
      at('copy', packed.filename),
    ];
    writeFileSync(at('tool', 'package.json'), '{"private":true}');
    await run('npm', words, { cwd: at('tool'), maxBuffer: 1e8 });
  });
  afterAll(() => folder.remove());

  it('is small, and holds what it needs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const needed = [
      'dist/src/server.js',
      'dist/src/bin/notifierd.cjs',
      'dist/sbom.cdx.json',
      'docs/operating.md',
    ];
    expect(paths).toEqual(expect.arrayContaining(needed));
    const wrong = /^(tests|src|data|scripts)\/|\.(db|map|webp|png|ts)$|^\.env$|\.test\.|docs\/screenshots/;
    const types = paths.filter((path) => path.endsWith('.d.ts'));
    expect(types).toContain('dist/src/index.d.ts');
    expect(paths.filter((path) => wrong.test(path) && !types.includes(path))).toEqual([]);
    const bytes = bytesBelow(installed());
    process.stdout.write(
      `package: ${packed.size} bytes, ${paths.length} files, ${Math.round(bytes / mebibyte)} MiB installed\n`,
    );
    expect(packed.size).toBeLessThan(limits.tarballBytes);
    expect(paths.length).toBeLessThanOrEqual(limits.files);
    expect(bytes).toBeLessThan(limits.installedBytes);
  });

  it('starts with the line of the README, takes an event of @sentry/node, writes nothing else', async () => {
    const [, line = ''] = /```sh\n(.*)\n```/.exec(readFileSync(join(repository, 'README.md'), 'utf8')) ?? [];
    expect(line).toBe('npx notifierd');
    const env = machine();
    const program = await startProgram(env, {
      command: [installed('.bin', 'notifierd'), '--port', '0', '--open'],
      cwd: at('work'),
    });
    try {
      const banner = program.printed();
      const dsn = /Sentry DSN +(\S+)/.exec(banner)?.[1] ?? '';
      expect(banner).toContain('See its issue:    npx notifierd issue list\n');
      expect(banner).not.toContain('npm run');
      const flags = readFileSync(`/proc/${program.process.pid}/cmdline`, 'utf8').split('\0');
      expect(flags).toEqual(
        expect.arrayContaining(['--max-semi-space-size=8', '--v8-pool-size=0', '--no-maglev']),
      );
      const send = join(repository, 'tests/clients/send-with-sentry-node.ts');
      await run(process.execPath, [send], { cwd: repository, env: { ...env, DSN: dsn, COUNT: '1' } });
      const list = await run(installed('.bin', 'notifier'), ['issue', 'list'], { cwd: at('work'), env });
      expect(list.stdout).toContain('item 0 is not for sale');
      const seconds = (performance.now() - began) / 1_000;
      process.stdout.write(`package: from npm install to the first event ${seconds.toFixed(1)} s\n`);

      await until(
        () => existsSync(at('opened')) && readFileSync(at('opened'), 'utf8').endsWith('\n'),
        () => program.errors(),
      );
      const link = readFileSync(at('opened'), 'utf8').trim();
      expect(banner).toContain(`\n${link}\n`);
      expect((await fetch(link)).status).toBe(200);
      await until(
        async () => (await fetch(`${program.origin}/demo`)).status === 200,
        () => program.errors(),
      );
    } finally {
      expect(await program.end()).toBe(0);
    }
    expect(readdirSync(at('work'))).toEqual(['.env']);
    const data = at('home', '.local/share/notifier');
    expect(existsSync(join(data, 'notifier.db'))).toBe(true);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  it('reads the .env of its data folder, and keeps data where NOTIFIER_DATA says', async () => {
    mkdirSync(at('other'));
    writeFileSync(at('other', '.env'), 'NOTIFIER_PUBLIC_KEY=pk_of_the_data_folder\n');
    const env = { ...machine(), NOTIFIER_DATA: at('other') };
    const program = await startProgram(env, {
      command: [installed('.bin', 'notifier'), 'serve'],
      cwd: at('work'),
    });
    expect(program.printed()).toContain('Public key        pk_of_the_data_folder\n');
    expect(program.printed()).toContain('See its issue:    notifier issue list\n');
    expect(await program.end()).toBe(0);
    expect(existsSync(at('other', 'notifier.db'))).toBe(true);
  });

  it.each([
    [['--version'], 0, /^notifier \d/],
    [['--help'], 0, /Here, `notifier` is `npx notifierd`\./],
    [['serve', '--help'], 0, /--port .*\n.*--open /],
    [['--port', 'x'], 2, /--port must be a number from 0 to 65535, not "x"\./],
    [['--prot', '1'], 2, /Did you mean "--port"\?/],
  ])('answers notifierd %j', (words, code, text) => {
    const done = spawnSync(installed('.bin', 'notifierd'), words, {
      cwd: at('work'),
      env: machine(),
      encoding: 'utf8',
    });
    expect([done.status, done.stdout + done.stderr]).toEqual([code, expect.stringMatching(text)]);
  });

  it('is refused by an old Node in one sentence', () => {
    const isOld = `process.versions.node='18.1.0'`;
    const pretend = at('old.cjs');
    writeFileSync(
      pretend,
      `Object.defineProperty(process,'versions',{value:{...process.versions}});${isOld}\n`,
    );
    const words = ['--require', pretend, installed('notifierd/dist/src/bin/notifierd.cjs')];
    const done = spawnSync(process.execPath, words, { env: machine(), encoding: 'utf8' });
    expect([done.status, done.stderr]).toEqual([
      78,
      'Notifier needs Node 22.19 or newer (24 is best), and this is 18.1.0; install it from https://nodejs.org.\n',
    ]);
  });
});
