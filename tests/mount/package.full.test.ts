import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { isNightly } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const repository = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const compiler = join(repository, 'node_modules/typescript/bin/tsc');

/** A host in TypeScript; what is wrong in it must be found. */
const typedHost = `
import express from 'express';
import { createNotifier, type FirstKeys, type Notifier, type NotifierOptions } from 'notifierd';
const options: NotifierOptions = { port: 3000, rateLimits: false, trustProxy: ['::1'], logLevel: 'warn' };
const notifier: Notifier = await createNotifier({ ...options, wpPath: '/blog', databaseUrl: undefined });
const keys: FirstKeys | null = notifier.firstKeys;
express().use(notifier.router).use('/blog', notifier.router);
// @ts-expect-error no such option
await createNotifier({ databseUrl: 'sqlite:x.db' });
// @ts-expect-error a list is no text
await createNotifier({ databaseUrl: ['sqlite:x.db'] });
await notifier.close();
console.log(keys?.publicKey);
`;

describe('the package', () => {
  // Below node_modules, where its own dependencies are found, and nothing else looks.
  let host: string;
  beforeAll(async () => {
    const cache = join(repository, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    host = mkdtempSync(join(cache, 'notifier-package-'));
    const installed = join(host, 'node_modules/notifierd');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(host, 'package.json'), '{"type":"module"}');
    if (!isNightly) return linkSources(installed);
    const dist = join(installed, 'dist');
    await run(process.execPath, [join(repository, 'scripts/build.ts'), dist]);
    cpSync(join(repository, 'package.json'), join(installed, 'package.json'));
  });
  afterAll(() => rmSync(host, { recursive: true }));

  (isNightly ? it : it.skip)('has types that need those of nobody else', async () => {
    writeFileSync(join(host, 'host.ts'), typedHost);
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(host, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['host.ts'] }));
    const checked = await run(process.execPath, [compiler, '-p', host]).catch(({ stdout }) => ({ stdout }));
    expect(checked.stdout).toBe('');
  });

  it('runs the examples of docs/mounting.md', async () => {
    const port = await freePort();
    const text = readFileSync(join(repository, 'docs/mounting.md'), 'utf8');
    const block = /```js\n([\s\S]*?)```/.exec(text);
    writeFileSync(join(host, 'host.js'), (block?.[1] ?? '').replace('3000', String(port)));
    const program = spawn(process.execPath, ['host.js'], { cwd: host, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    program.stdout.on('data', (bytes) => {
      printed += bytes.toString();
    });
    const ended = new Promise((done) => program.once('exit', done));
    await until(() => printed.includes('adminToken') || program.exitCode !== null);
    const publicKey = /publicKey: '([^']+)'/.exec(printed)?.[1] ?? '';
    const headers = { 'Content-Type': 'application/json', 'X-Notifier-Key': publicKey, Connection: 'close' };
    const body = '{"message":"x","platform":"node"}';
    const origin = `http://127.0.0.1:${port}`;
    const sent = await answering(`${origin}/wp-json/notifier/v1/store`, { method: 'POST', headers, body });
    expect([sent.status, sent.headers.get('link')]).toEqual([
      201,
      '<https://shop.example/wp-json/>; rel="https://api.w.org/"',
    ]);
    const page = await fetch(`${origin}/`, { headers: { Connection: 'close' } });
    expect(await page.text()).toBe('The shop.');
    program.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

function linkSources(installed: string): void {
  const source = pathToFileURL(join(repository, 'src/index.ts')).href;
  writeFileSync(join(installed, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(installed, 'index.js'), `export * from '${source}';\n`);
}

async function answering(url: string, request: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, request).catch(() => null);
    if (answer !== null) return answer;
    await new Promise((soon) => setTimeout(soon, 20));
  }
}
