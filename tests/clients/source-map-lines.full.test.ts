// The curl lines of docs/source-maps.md, run as they are written there by a real shell and a real curl.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { sampleEvent, sampleFile } from '../support/uploads.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/source-maps.md'), 'utf8');
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');

describeWithPrograms('docs/source-maps.md', ['curl', 'bash', 'python3'], ({ bash }) => {
  let app: TestApp;
  let folder = '';
  beforeAll(async () => {
    app = await openTestApp();
    folder = mkdtempSync(join(tmpdir(), 'notifier-maps-'));
    mkdirSync(join(folder, 'dist'));
    for (const name of ['app.min.js', 'app.min.js.map']) {
      writeFileSync(join(folder, 'dist', name), sampleFile('esbuild', name));
    }
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(script: string) {
    const env = {
      PATH: process.env['PATH'] ?? '',
      NOTIFIER_URL: app.api,
      NOTIFIER_SECRET_KEY: app.secretKey,
      VERSION: 'shop@2.0.0',
    };
    const { stdout } = await promisify(execFile)(bash ?? 'bash', ['-c', script], {
      cwd: folder,
      env,
      timeout: 30_000,
    });
    return JSON.parse(stdout);
  }

  it('has commands that upload, list and map as documented', async () => {
    const [one, many, list] = lines;
    expect(await run(one ?? '')).toMatchObject({
      accepted: true,
      artifacts: [{ duplicate: false }, { duplicate: false }],
      warnings: [],
    });
    expect((await run(many ?? '')).artifacts.map((each: { name: string }) => each.name)).toEqual([
      '~/app.min.js',
      '~/app.min.js.map',
    ]);
    expect(await run(list ?? '')).toHaveLength(4);
    const sent = await app.post(
      '/store',
      sampleEvent('esbuild', 'https://cdn.example.com/assets/app.min.js', { release: 'shop@2.0.0' }),
    );
    await app.deps.eventMapping.settled();
    const { body } = await app.get(`/events/${sent.body.event_id}`);
    expect(body.exception.values[0].stacktrace.frames.at(-1)).toMatchObject({ function: 'add', lineno: 3 });
  });
});
