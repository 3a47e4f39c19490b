// npm run screenshots: twelve pages of the demo's workspace in docs/screenshots/, light and dark, wide and
// narrow. The clock of the server stands still, so that the same pages come out as the same pictures.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
import { createDice } from './demo/dice.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { writeFontSettings } from './fonts.ts';

const nowMs = Date.UTC(2026, 10, 21, 14, 35);
const token = 'the-token-of-the-demo-workspace';
const folder = join(import.meta.dirname, '..', 'docs', 'screenshots');
/** A picture ends with its page, or where nobody reads on. */
const widths = [
  { width: 1280, least: 800, most: 1600 },
  { width: 390, least: 844, most: 1688 },
] as const;
const portSaid = 8787;
const schemes = ['light', 'dark'] as const;
/** Well below what an eye sees, and a third of the bytes. */
const quality = 76;

/**
 * A page by its path, or the first one that the page `from` leads to: that a path of this beginning and with
 * these words leads to.
 */
interface Shown {
  readonly name: string;
  readonly path: string;
  readonly from?: string;
  readonly words?: string;
}

const shown: readonly Shown[] = [
  { name: 'overview', path: '/' },
  { name: 'issues', path: '/issues' },
  { name: 'issue', path: '/issues/', from: '/issues', words: "reading 'total'" },
  { name: 'search', path: '/search?q=total' },
  { name: 'feedback', path: '/feedback/', from: '/feedback', words: 'The total is gone' },
  { name: 'live', path: '/live' },
  { name: 'project', path: '/projects/1' },
  { name: 'domains', path: '/domains' },
  { name: 'releases', path: '/releases' },
  { name: 'release', path: '/releases/', from: '/releases', words: '4.18.0' },
  { name: 'test-run', path: '/test-runs/', from: '/test-runs?project=1' },
  { name: 'audit', path: '/audit' },
];

await run();

async function run(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'notifier-screenshots-'));
  const env = { DATABASE_URL: `sqlite:${join(place, 'demo.db')}`, NOTIFIER_ADMIN_TOKEN: token };
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  // The database is gone with the run: its keys may be the same each time, as its pictures shall.
  const randomBytes = createDice('screenshots').bytes;
  await seedDemo(env, { nowMs, randomBytes, tell, progress: () => {} });
  const { deps, close } = await openDeps(env, { log: silentLog, now: () => nowMs });
  await settle(deps, () => {});
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  // Lines to send hold the address: as if on the port of every start, that they are the same each time.
  createApp(deps, { port: portSaid }).attach(server);
  const environment = readEnvironment();
  const browser = await chromium.launch({
    executablePath: environment['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--hide-scrollbars'],
    env: { ...environment, FONTCONFIG_FILE: await writeFontSettings(place, environment, tell) },
  });
  try {
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder)) rmSync(join(folder, old));
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
  let sum = 0;
  for (const each of shown) {
    const address = await addressOf(page, origin, each);
    for (const { width, least, most } of widths) {
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height: least });
        await page.emulateMedia({ colorScheme });
        const answer = await page.goto(origin + address, { waitUntil: 'load' });
        if (answer === null || !answer.ok()) throw new Error(`${address} was answered ${answer?.status()}`);
        const height = Math.min(most, await page.evaluate(() => document.documentElement.scrollHeight));
        await page.setViewportSize({ width, height: Math.max(least, height) });
        const bytes = await shoot(page, join(folder, `${each.name}-${colorScheme}-${width}.webp`));
        sum += bytes;
        tell(`${each.name}, ${colorScheme}, ${width} px: ${Math.round(bytes / 1000)} KB`);
      }
    }
  }
  tell(`In all ${Math.round(sum / 1000)} KB`);
}

async function addressOf(page: Page, origin: string, { path, from, words }: Shown): Promise<string> {
  if (from === undefined) return path;
  await page.goto(origin + from);
  const links = page.locator(`main a[href^="${path}"]:visible`);
  const found = await (words === undefined ? links : links.filter({ hasText: words }))
    .first()
    .getAttribute('href');
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
