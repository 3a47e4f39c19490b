import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const run = promisify(execFile);
const shop = resolve(import.meta.dirname, '../fixtures/vite-shop');
const vite = resolve(import.meta.dirname, '../../node_modules/vite/bin/vite.js');
const release = 'shop@2.0.0';
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

describeWithPrograms('@sentry/vite-plugin', ['chromium'], ({ chromium: browserPath }) => {
  let app: TestApp;
  let files: Server;
  let folder = '';

  beforeAll(async () => {
    app = await openTestApp();
    folder = mkdtempSync(join(tmpdir(), 'notifier-vite-'));
    files = await serve(folder);
  });

  afterAll(async () => {
    await new Promise((done) => files.close(done));
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('uploads a build whose error comes out with its file, line and function', async () => {
    const env = {
      ...process.env,
      SHOP_SENTRY_URL: app.origin,
      SHOP_SECRET_KEY: app.secretKey,
      VITE_RELEASE: release,
      NODE_OPTIONS: '',
    };
    const built = await run(process.execPath, [vite, 'build', '--outDir', folder], {
      cwd: shop,
      env,
      timeout: 90_000,
    });
    expect(built.stdout + built.stderr).toMatch(/upload/i);
    const artifacts = await app.get('/artifacts?per_page=100');
    const types = artifacts.body.map((artifact: { type: string }) => artifact.type);
    expect(types).toEqual(expect.arrayContaining(['minified_source', 'source_map']));

    const eventId = await throwInChromium(browserPath ?? '');
    await app.deps.eventMapping.settled();
    const { body } = await app.get(`/events/${eventId}`);
    const exception = body.exception.values[0];
    const frames = exception.stacktrace.frames.toReversed();
    const raw = exception.raw_stacktrace.frames.toReversed();
    expect(exception).toMatchObject({ type: 'RangeError', value: 'cup has no price' });
    expect(raw[0].filename).toMatch(/\/assets\/index-[\w-]+\.js$/);
    expect(frames[0].filename).toMatch(/src\/checkout\.ts$/);
    expect(frames[0].context_line).toContain('throw new RangeError');
    expect(frames[0].lineno).toBe(lineOf('src/checkout.ts', 'throw new RangeError'));
    const checkout = frames.find((frame: { context_line?: string }) =>
      frame.context_line?.includes('checkout(['),
    );
    expect(checkout.filename).toMatch(/src\/main\.ts$/);
    expect(checkout.lineno).toBe(lineOf('src/main.ts', 'checkout(['));
    const functions = frames.map((frame: { function?: string }) => frame.function);
    expect(functions).toContain('checkout');
    expect(body.release).toBe(release);
  });

  async function throwInChromium(executablePath: string): Promise<string> {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const { port } = files.address() as AddressInfo;
      const dsn = `${app.origin.replace('://', `://${app.publicKey}@`)}/wp-json/notifier/v1/${app.project.id}`;
      await page.goto(`http://127.0.0.1:${port}/?dsn=${encodeURIComponent(dsn)}`);
      const answered = page.waitForResponse(
        (response) =>
          response.url().includes('/envelope/') &&
          (response.request().postData() ?? '').includes('RangeError'),
      );
      await page.click('#pay');
      const response = await answered;
      expect(response.status()).toBeLessThan(300);
      return (await response.json()).event_id;
    } finally {
      await browser.close();
    }
  }
});

function lineOf(file: string, text: string): number {
  return (
    readFileSync(join(shop, file), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    try {
      const file = join(folder, path === '/' ? 'index.html' : path);
      response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}
