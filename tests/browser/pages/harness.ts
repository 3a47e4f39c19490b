// Pages in a real Chromium, as people have them: signed in, light and dark, narrow and wide, without a
// script. What is looked for stands in checks.ts.
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Harness {
  readonly origin: string;
  /** The one page that all checks share. */
  readonly page: Page;
  /** Signs in by the workspace's token, for this page and those that are opened after it. */
  signIn(token: string): Promise<void>;
  /** A page in a context of its own: cold. */
  another(): Promise<Page>;
  /** The one page without scripts, as whoever is signed in has it. */
  plain(): Promise<Page>;
  /**
   * What a policy forbade on the shared page since it was last asked, and what its console called an error.
   */
  violations(): string[];
  close(): Promise<void>;
}

/** Opens a Chromium for the pages at `origin`. */
export async function openHarness(chromiumPath: string, origin: string): Promise<Harness> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  const context = await contextOf(browser, [], true);
  const page = await context.newPage();
  let plain: Page | undefined;
  const seen: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text());
  });
  page.on('pageerror', (error) => seen.push(String(error)));
  return {
    origin,
    page,
    async signIn(token) {
      await page.goto(`${origin}/sign-in`);
      await page.getByLabel('Workspace token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    },
    async another() {
      return (await contextOf(browser, await context.cookies(), true)).newPage();
    },
    async plain() {
      plain ??= await (await contextOf(browser, [], false)).newPage();
      await plain.context().clearCookies();
      await plain.context().addCookies(await context.cookies());
      return plain;
    },
    violations: () => seen.splice(0),
    close: () => browser.close(),
  };
}

/** Writes down all that the page does by itself: dialogs, what is asked for elsewhere, windows, downloads. */
export function watch({ page, origin }: Harness, faults: string[]): void {
  page.on('dialog', (dialog) => {
    faults.push(`a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asks ${request.url().slice(0, 200)}`);
  });
  page.on('popup', (popup) => faults.push(`opens ${popup.url()}`));
  page.on('download', (download) => faults.push(`saves ${download.suggestedFilename()}`));
}

async function contextOf(
  browser: Browser,
  cookies: Parameters<BrowserContext['addCookies']>[0],
  javaScriptEnabled: boolean,
): Promise<BrowserContext> {
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 800 } });
  if (cookies.length > 0) await context.addCookies(cookies);
  return context;
}
