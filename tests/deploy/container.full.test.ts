import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { describeWithPrograms } from '../support/needs.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isNightly } from '../support/test-level.ts';

const repository = resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(repository, 'deploy', name), 'utf8');
const nobody = 65_534;

interface Step {
  readonly word: string;
  readonly rest: string;
}

function stages(): Step[][] {
  const found: Step[][] = [];
  for (const line of read('Dockerfile')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === 'FROM') found.push([]);
    if (word !== '') found.at(-1)?.push({ word, rest });
  }
  return found;
}

const restOf = (steps: readonly Step[], word: string): string[] =>
  steps.filter((step) => step.word === word).map(({ rest }) => rest);

describe('the files for containers', () => {
  const [build = [], last = []] = stages();

  it('run as an unprivileged user, check /healthz, and pin a version of Node', () => {
    expect(restOf(last, 'USER')).toEqual(['node']);
    expect([...restOf(build, 'FROM'), ...restOf(last, 'FROM')]).toEqual([
      'node:24-bookworm-slim AS build',
      'node:24-bookworm-slim',
    ]);
    expect(restOf(last, 'HEALTHCHECK')).toEqual([expect.stringContaining('/healthz')]);
    expect(restOf(last, 'RUN').join()).not.toMatch(/apt-get|curl|wget/);
    // Every command is a list: a shell would stand between the engine's signals and the program.
    expect(JSON.parse(restOf(last, 'CMD')[0] ?? '')).toContain('dist/src/server.js');
  });

  it('give the container minimal privileges, and PostgreSQL only where asked for', () => {
    const { services, volumes } = parse(read('compose.yaml'), { strict: true, uniqueKeys: true });
    expect(services.notifier).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ports: ['127.0.0.1:8787:8787'],
      volumes: ['notifier:/var/lib/notifier'],
    });
    const { context, dockerfile } = services.notifier.build;
    expect(existsSync(join(repository, 'deploy', context, dockerfile))).toBe(true);
    expect(services.postgres.profiles).toEqual(['postgres']);
    expect(services.redis).toMatchObject({ profiles: ['redis'], read_only: true, cap_drop: ['ALL'] });
    expect(Object.keys(volumes)).toEqual(['notifier', 'postgres']);
    const known = readFileSync(join(repository, '.env.example'), 'utf8');
    for (const name of Object.keys(services.notifier.environment)) {
      expect([name, new RegExp(`^#?${name}=`, 'm').test(known)]).toEqual([name, true]);
    }
  });

  it('include only listed files in the image, all of which exist', () => {
    const [first, ...lines] = read('Dockerfile.dockerignore').trim().split('\n');
    expect(first).toBe('**');
    for (const name of lines.filter((line) => line.startsWith('!'))) {
      expect([name, existsSync(join(repository, name.slice(1)))]).toEqual([name, true]);
    }
  });
});

(isNightly ? describe : describe.skip)('the steps of the Dockerfile', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    folder = temporaryFolder();
    // For nobody to look into.
    chmodSync(folder.path, 0o755);
  });
  afterAll(() => folder.remove());

  it('build a program that starts as nobody, with code that it cannot write', async () => {
    const [build = [], last = []] = stages();
    const at = join(folder.path, 'build');
    for (const line of read('Dockerfile.dockerignore').split('\n')) {
      if (!line.startsWith('!')) continue;
      mkdirSync(dirname(join(at, line.slice(1))), { recursive: true });
      cpSync(join(repository, line.slice(1)), join(at, line.slice(1)), { recursive: true });
    }
    for (const command of restOf(build, 'RUN')) {
      await promisify(execFile)('sh', ['-euc', command], { cwd: at, maxBuffer: 1e8 });
    }
    const image = join(folder.path, 'image');
    mkdirSync(image);
    for (const rest of restOf(last, 'COPY')) {
      const names = rest
        .replace(/--from=build/, '')
        .trim()
        .split(/\s+/)
        .slice(0, -1);
      for (const name of names) {
        const short = name.replace('/opt/notifier/', '');
        cpSync(join(at, short), join(image, short), { recursive: true, verbatimSymlinks: true });
      }
    }
    spawnSync('chmod', ['-R', 'a+rX,a-w', image]);
    const state = join(folder.path, 'state');
    mkdirSync(state, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(state, nobody, nobody);
    const [, ...words] = JSON.parse(restOf(last, 'CMD')[0] ?? '[]') as string[];
    const key = 'pk_in_a_container';
    const program = await startProgram(
      {
        NODE_ENV: 'production',
        DATABASE_URL: `sqlite:${join(state, 'notifier.db')}`,
        NOTIFIER_PUBLIC_KEY: key,
      },
      { command: [process.execPath, ...words], cwd: image, ...(isRoot ? { uid: nobody } : {}) },
    );
    try {
      const answer = await fetch(`${program.origin}/wp-json/notifier/v1/store`, {
        method: 'POST',
        headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
        body: '{"message":"in a container","platform":"node"}',
      });
      expect(answer).toHaveStatus(201);
      const [, list = ''] = /CMD (\[.*\])$/.exec(restOf(last, 'HEALTHCHECK')[0] ?? '') ?? [];
      const [, ...look] = JSON.parse(list) as string[];
      const { port } = new URL(program.origin);
      expect(spawnSync(process.execPath, look, { env: { PORT: port } }).status).toBe(0);
      expect(spawnSync(process.execPath, look, { env: { PORT: '1' } }).status).toBe(1);
    } finally {
      expect(await program.end()).toBe(0);
    }
  });
});

describeWithPrograms('the image', ['debootstrap', 'unshare', 'chroot'], () => {
  const canMount = isNightly && process.getuid?.() === 0;
  (canMount ? it : it.skip)(
    'runs on a read-only root, built from an empty Debian and Node from npm',
    async () => {
      const script = join(repository, 'scripts/image-root.ts');
      const done = await promisify(execFile)(process.execPath, [script], { cwd: repository, maxBuffer: 1e8 });
      expect(done.stdout).toContain(
        'took an event on a read-only root as user 1000, is healthy, and ended with 0',
      );
    },
  );
});
