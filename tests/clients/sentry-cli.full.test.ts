import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { expectedStacks, sampleEvent, sampleFile } from '../support/uploads.ts';

const run = promisify(execFile);
const binary = resolve(import.meta.dirname, '../../node_modules/.bin/sentry-cli');
const version = 'shop@1.0.0+7';
const thirdCommit = ['commit', '-q', '--allow-empty', '-m', 'third'];

describeWithPrograms('sentry-cli', ['git'], () => {
  let app: TestApp;
  let folder = '';

  beforeAll(async () => {
    app = await openTestApp();
    folder = mkdtempSync(join(tmpdir(), 'notifier-sentry-cli-'));
    mkdirSync(join(folder, 'dist'));
    for (const name of ['app.min.js', 'app.min.js.map']) {
      writeFileSync(join(folder, 'dist', name), sampleFile('esbuild', name));
    }
    await run('git', ['init', '-q'], { cwd: folder });
    for (const message of ['first', 'second']) {
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
      await run('git', [...who, 'commit', '-q', '--allow-empty', '-m', message], { cwd: folder });
    }
  });

  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  async function cli(args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      SENTRY_URL: app.origin,
      SENTRY_AUTH_TOKEN: app.secretKey,
      SENTRY_ORG: 'any',
      SENTRY_PROJECT: 'test',
      ...more,
    };
    const { stdout, stderr } = await run(binary, args, { cwd: folder, env, timeout: 50_000 });
    return stdout + stderr;
  }

  const releaseOf = async (wanted: string) =>
    (await app.get(`/releases?version=${encodeURIComponent(wanted)}`)).body[0];

  it('shows whom it is authenticated as, and a wrong token is refused', async () => {
    expect(await cli(['info'])).toContain('Auth Token');
    await expect(cli(['releases', 'list'], { SENTRY_AUTH_TOKEN: app.publicKey })).rejects.toThrow(
      /401|not allowed/,
    );
  });

  it('creates a release, sets its commits and finalises it', async () => {
    expect(await cli(['releases', 'new', version, '--url', 'https://example.com/shop'])).toContain(
      'Created release',
    );
    expect(await cli(['releases', 'new', version])).toContain('Created release');
    expect(await releaseOf(version)).toMatchObject({ url: 'https://example.com/shop', date_released: null });
    expect(await cli(['releases', 'set-commits', version, '--local'])).toContain('Success');
    expect(await cli(['releases', 'finalize', version])).toContain('Finalized');
    const head = (await run('git', ['rev-parse', 'HEAD'], { cwd: folder })).stdout.trim();
    const release = await releaseOf(version);
    expect(release).toMatchObject({ commit_count: 2, last_commit: head });
    expect(release.date_released).not.toBeNull();
    expect(await cli(['releases', 'list'])).toContain(version);
    expect(await cli(['releases', 'info', version])).toContain(version);
  });

  it('lists releases with the issues first seen in them and their last event', async () => {
    for (const message of ['one', 'two', 'two']) {
      await app.post('/store', { message, release: version });
    }
    await app.post('/store', { message: 'two', release: 'shop@0.9.0' });
    const rows = (await cli(['releases', 'list'])).split('\n');
    const columnsOf = (name: string): string[] | undefined =>
      rows
        .find((row) => row.includes(name))
        ?.split('|')
        .map((cell) => cell.trim());
    expect(columnsOf('Last Event')?.slice(-3)).toEqual(['New Events', 'Last Event', '']);
    expect(columnsOf('1.0.0')?.slice(-3)).toEqual(['2', expect.stringMatching(/\d/), '']);
    expect(columnsOf('0.9.0')?.slice(-3)[0]).toBe('0');
    expect(await cli(['releases', 'info', version])).toContain('Last event');
    expect(await cli(['releases', 'delete', 'shop@0.9.0'])).toContain('Deleted');
  });

  it('continues from the last commit of the release before', async () => {
    await run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...thirdCommit], {
      cwd: folder,
    });
    const next = 'shop@1.1.0';
    for (const how of [['--auto'], ['--local'], ['--commit', 'acme/shop@HEAD']]) {
      expect(await cli(['releases', 'set-commits', next, ...how])).toContain('Success');
      expect(await releaseOf(next)).toMatchObject({ commit_count: 1 });
    }
    expect(await cli(['releases', 'delete', next])).toContain('Deleted');
  });

  it('lists and changes issues, lists events, and sends them', async () => {
    const dsn = { SENTRY_DSN: `${app.origin.replace('//', `//${app.publicKey}@`)}/${app.project.id}` };
    expect(await cli(['send-event', '-m', 'by hand', '-t', 'place:shell'], dsn)).toContain(
      'Event dispatched',
    );
    const event = { event_id: '9ec79c33ec9942ab8353589fcb2e04dc', message: 'stored', platform: 'other' };
    writeFileSync(join(folder, 'e.envelope'), `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
    expect(await cli(['send-envelope', 'e.envelope'], dsn)).toContain('dispatched');
    const [{ issue_id: id = 0 } = {}] = (await app.get('/issues?query=by')).body;
    expect(await cli(['issues', 'list'])).toMatch(/by hand[\s\S]*unresolved/);
    expect(await cli(['issues', 'list', '--query', 'stored', '--status', 'unresolved'])).not.toContain(
      'by hand',
    );
    expect(await cli(['events', 'list', '--show-tags', '--show-user'])).toMatch(
      /stored[\s\S]*by hand[\s\S]*place: shell/,
    );
    for (const [act, status] of [
      ['mute', 'ignored'],
      ['unresolve', 'unresolved'],
      ['resolve', 'resolved'],
    ] as const) {
      expect(await cli(['issues', act, '--id', String(id)])).toContain('Updated matching issues');
      expect((await app.get(`/issues/${id}`)).body.status).toBe(status);
    }
    await cli(['issues', 'resolve', '--all', '--next-release']);
    expect((await app.get('/issues?status=unresolved')).body).toEqual([]);
    await expect(cli(['issues', 'resolve', '--id', '999'])).rejects.toThrow('There is no issue 999 in test.');
  });

  it('lists the organisation, its projects and cron jobs, and runs one', async () => {
    const dsn = { SENTRY_DSN: `${app.origin.replace('//', `//${app.publicKey}@`)}/${app.project.id}` };
    expect(await cli(['organizations', 'list'])).toContain('notifier');
    expect(await cli(['projects', 'list'])).toContain('test');
    await cli(['monitors', 'run', 'nightly', '--schedule', '0 2 * * *', '--', 'true'], dsn);
    expect(await cli(['monitors', 'list'])).toMatch(/nightly.*active/);
  });

  it('prints a message about what is not supported', async () => {
    writeFileSync(join(folder, 'mapping.txt'), '# compiler: R8\na.b -> c:\n');
    const upload = ['proguard', 'upload', 'mapping.txt', '--uuid', '9192dd42-8b36-5d71-a20b-eac1e9381fb1'];
    await expect(cli(upload)).rejects.toThrow(
      'sentry reported an error: Notifier does not store debug files',
    );
    await expect(cli(['logs', 'list'])).rejects.toThrow('Notifier does not store logs');
  });

  it('records a deploy', async () => {
    const args = ['-r', version, '-e', 'production', '-n', 'blue', '-u', 'https://example.com/', '-t', '65'];
    expect(await cli(['deploys', 'new', ...args])).toContain('Created new deploy');
    expect(await cli(['deploys', 'list', '-r', version])).toContain('blue');
    const deploys = await app.get(`/deploys?version=${encodeURIComponent(version)}`);
    expect(deploys.body[0]).toMatchObject({ environment: 'production', name: 'blue', status: 'success' });
  });

  it('injects debug ids and uploads maps, used by release and by debug id', async () => {
    await cli(['sourcemaps', 'inject', 'dist']);
    const first = await cli([
      'sourcemaps',
      'upload',
      'dist',
      '--release',
      version,
      '--url-prefix',
      '~/assets',
    ]);
    expect(first).toMatch(/Uploaded files|File processing complete/);
    const again = await cli([
      'sourcemaps',
      'upload',
      'dist',
      '--release',
      version,
      '--url-prefix',
      '~/assets',
    ]);
    expect(again).toContain('Nothing to upload');
    const { body } = await app.get(`/artifacts?release=${encodeURIComponent(version)}`);
    expect(body.map((artifact: { name: string }) => artifact.name).sort()).toEqual([
      '~/assets/app.min.js',
      '~/assets/app.min.js.map',
    ]);

    const file = 'https://cdn.example.com/assets/app.min.js';
    // The snippet with the id is put before the program and moves it down: lines count from there.
    const script = readFileSync(join(folder, 'dist/app.min.js'), 'utf8');
    const line = script.split('\n').findIndex((text) => text.startsWith('(()=>{function c(')) + 1;
    expect(line).toBeGreaterThan(1);
    const debugId = /debugId=([0-9a-f-]{36})/.exec(script)?.[1];
    const debug_meta = { images: [{ type: 'sourcemap', code_file: file, debug_id: debugId }] };
    for (const more of [{ release: version }, { debug_meta }]) {
      const event = sampleEvent('esbuild', file, more) as {
        exception: { values: { stacktrace: { frames: { lineno: number }[] } }[] };
      };
      for (const frame of event.exception.values[0]?.stacktrace.frames ?? []) frame.lineno = line;
      const sent = await app.post('/store', event);
      await app.deps.eventMapping.settled();
      const stored = await app.get(`/events/${sent.body.event_id}`);
      const original = expectedStacks['esbuild']?.frames[0]?.original;
      expect(stored.body.exception.values[0].stacktrace.frames.at(-1)).toMatchObject({
        lineno: original?.line,
        colno: original?.column,
        function: 'add',
      });
    }
  });

  it('uploads without any release', async () => {
    expect(await cli(['sourcemaps', 'upload', 'dist'])).toContain('File processing complete');
    const { body } = await app.get('/artifacts?search=~%2Fapp.min.js');
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject({ release: null, debug_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('archives and deletes a release', async () => {
    expect(await cli(['releases', 'archive', version])).toContain('Archived');
    expect(await releaseOf(version)).toMatchObject({ status: 'archived' });
    expect(await cli(['releases', 'delete', version])).toContain('Deleted');
    expect(await releaseOf(version)).toBeUndefined();
  });
});
