import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build as esbuild } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { nightlyOrFull } from '../support/test-level.ts';
import { uploadZip, zipOf } from '../support/uploads.ts';

const run = promisify(execFile);
const bundlers = ['esbuild', 'webpack', 'rollup', 'vite'];
const ofEach = nightlyOrFull([1, 2, 3], [1, 2]);
const builds = bundlers.flatMap((bundler) => ofEach.map((number) => `${bundler}-${number}`));
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

interface Failed {
  readonly build: string;
  readonly fault: string;
  readonly event: Record<string, unknown>;
}

describeWithPrograms('events of several builds', ['chromium'], ({ chromium: executablePath = '' }) => {
  let folder = '';
  let pages: Server;
  let browser: Browser;
  let served = '';
  let sdk = '';
  const failed: Failed[] = [];
  const apps: TestApp[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'notifier-builds-'));
    const program = join(import.meta.dirname, 'build-shops.ts');
    const env = { ...process.env, NODE_OPTIONS: '' };
    await run(process.execPath, [program, folder, ...builds], { env, timeout: 150_000 });
    sdk = await bundledSdk();
    pages = await servePages();
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const app = await openApp();
    for (const build of builds) {
      await uploadMaps(app, build);
      failed.push(...(await failAll(app, build)));
    }
    await app.deps.eventMapping.settled();
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise((done) => pages.close(done));
    for (const app of apps) await app.close();
    rmSync(folder, { recursive: true });
  });

  async function openApp(): Promise<TestApp> {
    const app = await openTestApp({ nowMs: Date.now() });
    apps.push(app);
    return app;
  }

  async function servePages(): Promise<Server> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      response.setHeader('Content-Type', types[extname(pathname)] ?? 'text/html');
      try {
        if (pathname === '/') response.end(pageOf(served));
        else if (pathname === '/sdk.js') response.end(sdk);
        else response.end(readFileSync(join(folder, served, pathname)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return server;
  }

  function pageOf(build: string): string {
    const entry = scriptsOf(build).find((name) => /^(?:main|index)-[^/]*\.js$/.test(name));
    const scripts = `<script src="/sdk.js"></script><script type="module" src="/assets/${entry}"></script>`;
    return `<!doctype html><title>Shop</title>${scripts}`;
  }

  function scriptsOf(build: string): string[] {
    return readdirSync(join(folder, build, 'assets')).filter((name) => /\.js(?:\.map)?$/.test(name));
  }

  async function uploadMaps(app: TestApp, build: string): Promise<void> {
    const files = scriptsOf(build).map((name) => [
      `assets/${name}`,
      readFileSync(join(folder, build, 'assets', name)),
    ]);
    const { status } = await uploadZip(app, await zipOf(Object.fromEntries(files)), `?release=${build}`);
    expect(status).toBe(201);
  }

  async function failAll(app: TestApp, build: string): Promise<Failed[]> {
    served = build;
    const page = await browser.newPage();
    const { port } = pages.address() as AddressInfo;
    const dsn = `${app.origin.replace('://', `://${app.publicKey}@`)}/wp-json/notifier/v1/${app.project.id}`;
    const address = `http://127.0.0.1:${port}/?dsn=${encodeURIComponent(dsn)}&release=${build}`;
    await page.goto(address);
    const faults = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button')].map((button) => button.id)",
    );
    const all: Failed[] = [];
    for (const fault of faults) {
      await page.evaluate(
        `window.fault = ${JSON.stringify(fault)}; document.getElementById(window.fault).focus()`,
      );
      all.push({ build, fault, event: await sentBy(page, fault, () => page.keyboard.press('Enter')) });
    }
    const fault = 'top-level';
    all.push({ build, fault, event: await sentBy(page, fault, () => page.goto(`${address}&broken=1`)) });
    await page.close();
    return all;
  }

  async function sentBy(
    page: Page,
    fault: string,
    act: () => Promise<unknown>,
  ): Promise<Record<string, unknown>> {
    const lineOf = (text: string | null) =>
      (text ?? '').split('\n').find((line) => line.includes(`"tags":{"fault":"${fault}"}`));
    const answered = page.waitForResponse((response) => lineOf(response.request().postData()) !== undefined);
    await act();
    const response = await answered;
    expect(response.status()).toBeLessThan(300);
    return JSON.parse(lineOf(response.request().postData()) ?? '');
  }

  async function issuesOf(
    app: TestApp,
    events: readonly Failed[],
  ): Promise<Record<string, Record<string, string>>> {
    const found: Record<string, Record<string, string>> = {};
    for (const { build, fault, event } of events) {
      const { body } = await app.get(`/events/${event['event_id']}`);
      const issues = found[fault] ?? {};
      found[fault] = issues;
      const known = issues[body.issue_id] ?? '';
      if (!known.split(' ').includes(build)) issues[body.issue_id] = `${known} ${build}`.trim();
    }
    return found;
  }

  const sameAs: Record<string, string> = { reported: 'method' };
  const ownOfWebpack = 'lazy-module';

  function expectOneIssueEach(found: Record<string, Record<string, string>>): void {
    const issueOf = new Map<string, string>();
    for (const [fault, issues] of Object.entries(found)) {
      const ids = Object.keys(issues);
      if (fault === ownOfWebpack) {
        expect({ fault, issues: Object.values(issues).map((all) => all.includes('webpack')) }).toEqual({
          fault,
          issues: [false, true],
        });
      } else {
        expect({ fault, issues: Object.values(issues) }).toEqual({ fault, issues: [builds.join(' ')] });
      }
      issueOf.set(fault, ids.join());
    }
    for (const [fault, other] of Object.entries(sameAs)) {
      expect({ fault, issue: issueOf.get(fault) }).toEqual({ fault, issue: issueOf.get(other) });
      issueOf.delete(fault);
    }
    expect(new Set(issueOf.values()).size).toBe(issueOf.size);
    expect(issueOf.size).toBeGreaterThanOrEqual(21);
  }

  it('form one issue for each error when source maps come first', async () => {
    expectOneIssueEach(await issuesOf(apps[0] as TestApp, failed));
  });

  it('form one issue for each error when source maps come after the first events', async () => {
    const app = await openApp();
    const sent: Failed[] = [];
    const sendAll = async () => {
      for (const { build, fault, event } of failed) {
        const { body } = await app.post('/store', { ...event, event_id: undefined });
        sent.push({ build, fault, event: body });
      }
    };
    await sendAll();
    for (const build of builds) await uploadMaps(app, build);
    await app.deps.eventMapping.settled();
    expectOneIssueEach(await issuesOf(app, sent));
    await sendAll();
    await app.deps.eventMapping.settled();
    expectOneIssueEach(await issuesOf(app, sent));
    const { body } = await app.get('/issues?per_page=100');
    const counts = body.map((issue: { events: number }) => issue.events);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(sent.length);
  });

  it('are grouped by type and message without source maps', async () => {
    const app = await openApp();
    const issuesBy = new Map<string, Set<number>>();
    const messagesBy = new Map<number, Set<string>>();
    for (const { build, event } of failed.filter((each) => !each.build.endsWith('-3'))) {
      const { body } = await app.post('/store', event);
      const message = messageOf(event);
      const said = `${build.replace(/-.*/, '')}: ${message}`;
      issuesBy.set(said, (issuesBy.get(said) ?? new Set()).add(body.issue_id));
      messagesBy.set(body.issue_id, (messagesBy.get(body.issue_id) ?? new Set()).add(message));
    }
    expect([...issuesBy].filter(([, issues]) => issues.size > 1)).toEqual([]);
    expect([...messagesBy].filter(([, messages]) => messages.size > 1)).toEqual([]);
  });
});

function messageOf(event: Record<string, unknown>): string {
  const { values } = event['exception'] as { values: { value: string }[] };
  return (values.at(-1)?.value ?? '').replace(/\b(?:null|undefined)\b/, 'nothing');
}

async function bundledSdk(): Promise<string> {
  const built = await esbuild({
    stdin: {
      contents: "import * as sdk from '@sentry/browser'; window.Sentry = sdk;",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
  });
  return built.outputFiles[0]?.text ?? '';
}
