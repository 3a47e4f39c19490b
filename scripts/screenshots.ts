// `npm run screenshots`: renders docs/screenshots/ in light and dark, wide and narrow. `-- demo` or
// `-- workspace` renders only those. The server's clock is fixed, so that pictures are reproducible.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createApp } from '../src/app/app.ts';
import { readEnvironment } from '../src/app/environment.ts';
import { silentLog } from '../src/app/log.ts';
import { openDeps } from '../src/app/open-deps.ts';
import { applyConfiguration } from '../src/core/projects/apply-configuration.ts';
import { createRandom } from '../src/demo/shared/random.ts';
import { demoTourStart, readDemoTour } from './demo-tour.ts';
import { writeFontSettings } from './fonts.ts';
import { seedDemo } from './seed-demo.ts';

/** The demo's incident is 37 minutes old at this time. */
const workspaceMs = Date.UTC(2026, 10, 21, 14, 35);
const demoMs = Date.UTC(2026, 10, 21, 13);
const token = 'the-token-of-the-demo-workspace';
const folder = join(import.meta.dirname, '..', 'docs', 'screenshots');
/** Minimum and maximum heights. */
const widths = [
  { width: 1280, least: 800, most: 1600 },
  { width: 390, least: 844, most: 1688 },
] as const;
const printedPort = 8787;
const schemes = ['light', 'dark'] as const;
/** Visually lossless, at a third of the size. */
const quality = 76;

/** A page by path, or the first link on `from` whose URL starts with `path` and whose text has `words`. */
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

const shownOfDemo: readonly Shown[] = [
  { name: 'demo-overview', path: '/demo/' },
  { name: 'demo-monitors', path: '/demo/monitors' },
  { name: 'demo-monitor', path: '/demo/monitors/payments-gateway' },
  { name: 'demo-incident', path: '/demo/incidents/', from: '/demo/incidents', words: 'Card payments' },
  { name: 'demo-status', path: '/demo/status/harbour-pine' },
  { name: 'demo-report', path: '/demo/reports/2026-W46' },
];
const beginnings = ['demo-', 'walk-'];
const isOfDemo = (name: string): boolean => beginnings.some((each) => name.startsWith(each));
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const [asked] = process.argv.slice(2);
if (asked !== 'demo') await takeWorkspace();
if (asked !== 'workspace') await takeDemo();

async function takeWorkspace(): Promise<void> {
  await withBrowser(workspaceMs, true, async (browser, origin) => {
    for (const old of readdirSync(folder)) if (!isOfDemo(old)) rmSync(join(folder, old));
    const page = await browser.newPage();
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Workspace token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    await shootAll(page, origin, shown);
  });
}

async function takeDemo(): Promise<void> {
  await withBrowser(demoMs, false, async (browser, origin) => {
    await awaitDemo(origin);
    for (const old of readdirSync(folder)) if (isOfDemo(old)) rmSync(join(folder, old));
    await shootAll(await browser.newPage(), origin, shownOfDemo);
    await shootWalk(await browser.newPage(), origin);
  });
}

/** The first visit begins to build the demo, which is 503 until it is there. */
async function awaitDemo(origin: string): Promise<void> {
  while ((await fetch(`${origin}/demo/`)).status === 503) await setTimeout(500);
}

async function withBrowser(
  nowMs: number,
  isSeeded: boolean,
  look: (browser: Browser, origin: string) => Promise<void>,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'notifier-screenshots-'));
  const env = { DATABASE_URL: `sqlite:${join(place, 'demo.db')}`, NOTIFIER_ADMIN_TOKEN: token };
  // Fixed seed for reproducible pictures; the database is temporary.
  const randomBytes = createRandom('screenshots').bytes;
  if (isSeeded) await seedDemo(env, { nowMs, randomBytes, tell, progress: () => {} });
  const limits = isSeeded ? {} : { RATE_LIMITS: 'off' };
  const { deps, close } = await openDeps({ ...env, ...limits }, { log: silentLog, now: () => nowMs });
  await applyConfiguration(deps, () => {});
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  // Pages show the port in SDK setup lines, so it has to be fixed.
  createApp(deps, { port: printedPort }).attach(server);
  const environment = readEnvironment();
  const browser = await chromium.launch({
    executablePath: environment['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--hide-scrollbars'],
    env: { ...environment, FONTCONFIG_FILE: await writeFontSettings(place, environment, tell) },
  });
  try {
    mkdirSync(folder, { recursive: true });
    await look(browser, `http://127.0.0.1:${port}`);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await close();
    rmSync(place, { recursive: true });
  }
}

async function shootAll(page: Page, origin: string, all: readonly Shown[]): Promise<void> {
  let sum = 0;
  for (const each of all) {
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

/** The next link of the walk is scrolled to the middle and focused. */
async function shootWalk(page: Page, origin: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 720 });
  let address = demoTourStart;
  for (const { picture, click } of readDemoTour()) {
    await page.goto(origin + address, { waitUntil: 'load' });
    if (click !== null) {
      const link = page.locator('main').getByRole('link', { name: click, exact: true }).first();
      await link.focus();
      await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      address = (await link.getAttribute('href')) ?? '';
    }
    tell(`${picture}: ${Math.round((await shoot(page, join(folder, picture))) / 1000)} KB`);
  }
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

/** WebP through CDP, which Playwright does not offer. */
async function shoot(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  writeFileSync(path, bytes);
  return bytes.length;
}
