// npm run screenshots: twelve pages of the demo's workspace in docs/screenshots/, light and dark, wide and
// narrow. The clock of the server stands still, so that the same pages come out as the same pictures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { settle } from '../src/core/projects/first-run.ts';
import { createApp } from '../src/program/app.ts';
import { readEnvironment } from '../src/program/environment.ts';
import { silentLog } from '../src/program/log.ts';
import { openDeps } from '../src/program/open-deps.ts';
import { seedDemo } from './demo/seed-demo.ts';

const nowMs = Date.UTC(2026, 10, 21, 14, 35);
const token = 'the-token-of-the-demo-workspace';
const folder = join(import.meta.dirname, '..', 'docs', 'screenshots');
const widths = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const schemes = ['light', 'dark'] as const;
/** Well below what an eye sees, and a third of the bytes. */
const quality = 82;

/** A page by its path, or the first of its kind that the page `from` leads to. */
const shown: ReadonlyArray<{ readonly name: string; readonly path: string; readonly from?: string }> = [
  { name: 'overview', path: '/' },
  { name: 'issues', path: '/issues' },
  { name: 'issue', path: '/issues/', from: '/issues?sort=events' },
  { name: 'search', path: '/search?q=total' },
  { name: 'feedback', path: '/feedback' },
  { name: 'live', path: '/live' },
  { name: 'project', path: '/projects/1' },
  { name: 'domains', path: '/domains' },
  { name: 'releases', path: '/releases' },
  { name: 'release', path: '/releases/', from: '/releases' },
  { name: 'test-run', path: '/test-runs/', from: '/test-runs' },
  { name: 'audit', path: '/audit' },
];

await run();

async function run(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'notifier-screenshots-'));
  const env = { DATABASE_URL: `sqlite:${join(place, 'demo.db')}`, NOTIFIER_ADMIN_TOKEN: token };
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  await seedDemo(env, { nowMs, tell, progress: () => {} });
  const { deps, close } = await openDeps(
    { ...env, RATE_LIMITS: 'off' },
    { log: silentLog, now: () => nowMs },
  );
  await settle(deps, () => {});
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  createApp(deps, { port }).attach(server);
  const executablePath = readEnvironment()['CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--hide-scrollbars'] });
  try {
    mkdirSync(folder, { recursive: true });
    await shootAll(browser, `http://127.0.0.1:${port}`, tell);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await close();
    rmSync(place, { recursive: true });
  }
}

async function shootAll(browser: Browser, origin: string, tell: (line: string) => void): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel('Workspace token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  for (const { name, path, from } of shown) {
    const address = from === undefined ? path : await firstOf(page, origin, from, path);
    for (const { width, height } of widths) {
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        const answer = await page.goto(origin + address, { waitUntil: 'load' });
        if (answer === null || !answer.ok()) throw new Error(`${address} was answered ${answer?.status()}`);
        const bytes = await shoot(page, join(folder, `${name}-${colorScheme}-${width}.webp`));
        tell(`${name}, ${colorScheme}, ${width} px: ${Math.round(bytes / 1000)} KB`);
      }
    }
  }
}

async function firstOf(page: Page, origin: string, from: string, path: string): Promise<string> {
  await page.goto(origin + from);
  const found = await page.locator(`main a[href^="${path}"]:visible`).first().getAttribute('href');
  if (found === null) throw new Error(`${from} leads to no ${path}`);
  return found;
}

/** What the window shows, as WebP: Playwright itself knows no format so small. */
async function shoot(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  writeFileSync(path, bytes);
  return bytes.length;
}
