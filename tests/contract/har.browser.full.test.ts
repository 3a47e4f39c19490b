import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readRecording } from '../../src/contract/exchange.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { caught, targetWords } from './support/run.ts';

describeWithPrograms('a HAR file of Chromium', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let pages: Server;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notifier-har-'));
    app = await openTestApp();
    pages = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Shop</title>');
    });
    await new Promise<void>((done) => {
      pages.listen(0, '127.0.0.1', done);
    });
    await browse(`http://localhost:${(pages.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await app.close();
    await new Promise((done) => pages.close(done));
    await rm(folder, { recursive: true });
  });

  async function browse(origin: string): Promise<void> {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const context = await browser.newContext({
      recordHar: { path: join(folder, 'page.har'), content: 'embed' },
    });
    const page = await context.newPage();
    await page.goto(origin);
    const answered = await page.evaluate(
      async ([url = '', key = '']) => {
        const headers = { 'content-type': 'application/json', 'x-notifier-key': key };
        const body = JSON.stringify({ message: 'from a page', platform: 'javascript' });
        const answer = await fetch(url, { method: 'POST', headers, body });
        await answer.text();
        return answer.status;
      },
      [`${app.api}/store`, app.publicKey],
    );
    expect(answered).toBe(201);
    await context.close();
    await browser.close();
  }

  it('becomes a recording of the page’s requests to this API, without the key', async () => {
    const out = join(folder, 'page.jsonl');
    const recorded = await caught(['record', '--har', join(folder, 'page.har'), '--out', out]);
    expect(recorded).toMatchObject({ code: 0, out: expect.stringContaining('from the HAR file') });
    const text = await readFile(out, 'utf8');
    expect(text).not.toContain(app.publicKey);
    const posts = readRecording(text).filter((each) => each.request.method === 'POST');
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      request: { path: '/wp-json/notifier/v1/store', body: expect.stringContaining('from a page') },
      response: { status: 201, body: expect.stringContaining('"accepted":true') },
    });
  });

  it('can be replayed and compared', async () => {
    const words = targetWords(app.origin, { publicKey: app.publicKey, secretKey: app.secretKey });
    const argv = [
      'diff',
      join(folder, 'page.jsonl'),
      '--against',
      app.origin,
      '--format',
      'json',
      ...words.slice(2),
    ];
    const { out } = await caught(argv);
    const { differences } = JSON.parse(out) as { differences: Array<{ path: string; volatile: boolean }> };
    // The page's event was new: asked again it is an event of a known issue, and that is all.
    expect(differences.filter((each) => !each.volatile).map((each) => each.path)).toEqual(['is_new']);
  });
});
