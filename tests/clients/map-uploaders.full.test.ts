import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { inFull } from '../support/test-level.ts';
import { sampleFile } from '../support/uploads.ts';

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, '../../node_modules');
const fixtures = resolve(import.meta.dirname, '../fixtures/uploaders');
const file = 'https://cdn.example.com/assets/app.min.js';

let app: TestApp;
let proxy: Server;
let endpoint = '';
let folder = '';

beforeAll(async () => {
  app = await openTestApp();
  proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${app.secretKey}` };
    const onward = httpRequest(`${app.api}/artifacts`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'notifier-uploaders-'));
});

afterAll(async () => {
  await new Promise((closed) => proxy.close(closed));
  await app.close();
  rmSync(folder, { recursive: true });
});

function programFolder(name: string): string {
  const program = join(folder, name);
  mkdirSync(program);
  const map = JSON.parse(sampleFile('esbuild', 'app.min.js.map').toString());
  for (const [index, source] of map.sources.entries()) {
    writeFileSync(join(program, source.split('/').at(-1)), map.sourcesContent[index]);
  }
  return program;
}

async function sendThrown(
  bundle: string,
  release: string,
): Promise<{ frames: { [name: string]: unknown }[] }> {
  const context: { captured?: string; globalThis?: unknown } = {};
  context.globalThis = context;
  runInContext(bundle, createContext(context), { filename: file });
  const frames = [
    ...(context.captured ?? '').matchAll(/at (?:([^ ()]+) \()?(https:[^()\s]+):(\d+):(\d+)\)?/g),
  ].map(([, name, filename, line, column]) => ({
    filename,
    lineno: Number(line),
    colno: Number(column),
    ...(name === undefined ? {} : { function: name }),
  }));
  const exception = { type: 'Error', value: 'bad operand: x', stacktrace: { frames: frames.toReversed() } };
  const sent = await app.post('/store', {
    message: 'x',
    platform: 'javascript',
    release,
    exception: { values: [exception] },
  });
  await app.deps.eventMapping.settled();
  const { body } = await app.get(`/events/${sent.body.event_id}`);
  return { frames: body.exception.values[0].stacktrace.frames.toReversed() };
}

function expectOriginal(frames: { [name: string]: unknown }[]): void {
  expect(frames[0]).toMatchObject({
    filename: expect.stringMatching(/add\.mjs$/),
    lineno: 3,
    function: 'add',
  });
  expect(frames[0]?.['context_line']).toContain('throw new Error');
  expect(frames[1]).toMatchObject({ filename: expect.stringMatching(/add\.mjs$/), lineno: 7 });
  expect(frames[2]).toMatchObject({ filename: expect.stringMatching(/index\.mjs$/), lineno: 6 });
}

describe('a map uploaded', () => {
  it('by bugsnag-source-maps', async () => {
    const program = programFolder('bugsnag');
    for (const name of ['app.min.js', 'app.min.js.map']) {
      writeFileSync(join(program, name), sampleFile('esbuild', name));
    }
    const args = [
      '--api-key',
      'anything',
      '--app-version',
      'bugsnag@1',
      '--bundle-url',
      file,
      '--endpoint',
      endpoint,
    ];
    const files = ['--source-map', 'app.min.js.map', '--bundle', 'app.min.js'];
    const cli = join(modules, '@bugsnag/source-maps/bin/cli');
    await run(process.execPath, [cli, 'upload-browser', ...args, ...files], {
      cwd: program,
      timeout: 50_000,
    });
    const { frames } = await sendThrown(sampleFile('esbuild', 'app.min.js').toString(), 'bugsnag@1');
    expectOriginal(frames);
  });

  inFull(it)("by Honeybadger's plugin in a Vite build, for every host of a pattern", async () => {
    const program = programFolder('honeybadger');
    const env = { ...environment(program, 'honeybadger@1'), NODE_ENV: 'production' };
    const args = [join(modules, 'vite/bin/vite.js'), 'build', '--config', join(fixtures, 'vite.config.js')];
    await run(process.execPath, args, { cwd: program, env, timeout: 50_000 });
    const { frames } = await sendThrown(
      readFileSync(join(program, 'out/app.min.js'), 'utf8'),
      'honeybadger@1',
    );
    expectOriginal(frames);
  });

  inFull(it)("by Rollbar's plugin in a webpack build, without its script", async () => {
    const program = programFolder('rollbar');
    const env = environment(program, 'rollbar@1');
    await run(process.execPath, [join(fixtures, 'webpack.cjs')], { cwd: program, env, timeout: 50_000 });
    const { frames } = await sendThrown(readFileSync(join(program, 'out/app.min.js'), 'utf8'), 'rollbar@1');
    expectOriginal(frames);
    expect(frames[0]).toMatchObject({ filename: './add.mjs' });
  });
});

function environment(program: string, release: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_OPTIONS: '',
    UPLOADER_PROGRAM: program,
    UPLOADER_ENDPOINT: endpoint,
    UPLOADER_RELEASE: release,
  };
}
