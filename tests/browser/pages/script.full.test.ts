import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithPrograms } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { type Harness, openHarness } from './harness.ts';
import { type ServedParts, serveParts } from './serve-parts.ts';

const focus = `document.activeElement.id || document.activeElement.getAttribute('href')`;

describeWithPrograms('the script of the pages', ['chromium'], (programs) => {
  let served: ServedParts;
  let harness: Harness;
  let page: Page;
  const said: string[] = [];
  beforeAll(async () => {
    served = await serveParts();
    harness = await openHarness(programs['chromium'] ?? '', served.origin);
  });
  afterAll(async () => {
    await harness?.close();
    await served?.close();
  });
  beforeEach(async () => {
    page = await harness.another();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
    page.on('pageerror', (error) => void said.push(String(error)));
    await page.goto(`${served.origin}/parts`);
  });
  afterEach(async () => {
    await page.context().close();
    // Nothing of all this breaks the policy, or is a fault that a console tells of.
    expect(said.splice(0)).toEqual([]);
  });

  it('keeps the chosen colour scheme in this browser and applies it before the first paint', async () => {
    const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await theme()).toBe('dark');
    await page.goto(`${served.origin}/parts`, { waitUntil: 'commit' });
    await page.locator('body').waitFor();
    expect(await theme()).toBe('dark');
    await page.keyboard.press('t');
    expect(await theme()).toBeNull();
    expect(await page.getByRole('radio', { name: 'Auto' }).isChecked()).toBe(true);
  });

  it('moves the focus by single keys, except while somebody types', async () => {
    const rows: unknown[] = [];
    for (const key of ['j', 'j', 'k']) {
      await page.keyboard.press(key);
      rows.push(await page.evaluate(focus));
    }
    expect(rows).toEqual(['/issues/0', '/issues/1', '/issues/0']);
    await page.keyboard.press('/');
    expect(await page.evaluate(focus)).toBe('q');
    await page.keyboard.type('jk?t');
    expect(await page.locator('#q').inputValue()).toBe('jk?t');
  });

  it('ignores single keys where they are switched off', async () => {
    await page.evaluate(`localStorage.setItem('keys', 'off')`);
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  it.each([
    [['g', 'i'], '/issues'],
    [['g', 'l'], '/live'],
    [['?'], '/help'],
    [['u'], '/issues'],
  ])('opens a page by %j', async (keys, path) => {
    const asked = page.waitForRequest((request) => request.isNavigationRequest());
    for (const key of keys) await page.keyboard.press(key);
    expect(new URL((await asked).url()).pathname).toBe(path);
  });

  it('opens a dialog by the keyboard and returns the focus to its opener', async () => {
    const merge = page.getByRole('button', { name: 'Merge…' });
    const dialog = page.getByRole('dialog', { name: 'Merge into #1043' });
    await merge.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    expect(await page.evaluate(focus)).toBe('into');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await merge.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await merge.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('returns the focus to the menu button from which a dialog was opened', async () => {
    const ignore = page.getByRole('button', { name: 'Ignore', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Ignore #1043 until' });
    await ignore.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Until…' }).press('Enter');
    await dialog.waitFor();
    expect(await page.evaluate(focus)).toBe('events');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('button[popovertarget=m-ignore]:focus').waitFor();
  });

  it('links to a page instead of a dialog where JavaScript is off', async () => {
    const plain = await harness.plain();
    await plain.goto(`${served.origin}/parts`);
    expect(await plain.getByRole('button', { name: 'Merge…' }).isVisible()).toBe(false);
    expect(await plain.getByRole('link', { name: 'Merge…' }).getAttribute('href')).toBe('/issues/1/merge');
    expect(await plain.getByRole('link', { name: 'Merge…' }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Merge…' }).count()).toBe(0);
  });

  it('opens the search dialog with matching pages and returns the focus', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or go to' });
    await palette.waitFor();
    await page.keyboard.type('rele');
    expect(await palette.getByRole('link').allInnerTexts()).toEqual(['Releases']);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(focus)).toBe('/releases');
    await page.keyboard.press('Escape');
    expect(await palette.count()).toBe(0);
    expect(await page.evaluate(focus)).toBe('/issues/0');
  });

  it('copies the text and says so', async () => {
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('#key').textContent());
  });

  it('moves along a strip by arrow keys, with one tab stop for all days', async () => {
    const strip = page.locator('.strip').first();
    await strip.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.stripbox output').first().textContent()).toBe('Day 2: none');
  });

  it('shows incoming events as text, newest first, by the template of their level', async () => {
    await page.goto(`${served.origin}/live`);
    await page.getByText('Connected').waitFor();
    const at = '2026-11-21T14:34:58.340Z';
    const hostile = '<img src=x onerror=alert(1)>';
    served.send('row', 1, { cells: { level: 'error', at, title: hostile, path: '/issues/7' } });
    served.send('row', 2, { cells: { level: 'fatal', at, title: 'second', path: 'javascript:alert(1)' } });
    served.send('refused', 2, { refused: '14' });
    await page.getByText('14', { exact: true }).waitFor();
    const links = page.locator('tbody a');
    expect(await links.allTextContents()).toEqual(['second', hostile]);
    expect(
      await links.evaluateAll((all) =>
        all.map((each) => (each as never as { outerHTML: string }).outerHTML.includes(' href=')),
      ),
    ).toEqual([false, true]);
    expect(await page.locator('tbody .vh').allTextContents()).toEqual(['fatal', 'an error']);
    expect(await page.locator('tbody time').first().getAttribute('datetime')).toBe(at);
    await page.getByText(/^[12] new events?$/).waitFor({ state: 'attached' });
  });

  it('buffers at most 200 rows while paused and resumes after the last one', async () => {
    await page.goto(`${served.origin}/live`);
    await page.getByText('Connected').waitFor();
    await page.keyboard.press('Space');
    await page.getByText('Paused').waitFor();
    for (let id = 1; id <= 230; id += 1) served.send('row', id, { cells: { title: `row ${id}` } });
    served.send('refused', 230, { refused: '15' });
    await page.getByText('15', { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
    await page.keyboard.press('Space');
    await page.getByText('row 230').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(200);
    served.cut();
    await until(() => served.asked.lastEventId === '230');
  });

  it('reloads a waiting page once its data arrives', async () => {
    await page.goto(`${served.origin}/waiting`);
    await page.getByText('Waiting').waitFor();
    served.arrive();
    await page.getByText('It is here').waitFor();
  });
});
