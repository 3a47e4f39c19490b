// Triage of the demo's issues with the keyboard alone.
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithPrograms } from '../../support/needs.ts';
import { type Demo, openDemo } from './demo.ts';

describeWithPrograms('the keyboard in triage', ['chromium'], (programs) => {
  let demo: Demo;
  let page: Page;
  let issues: string;

  beforeAll(async () => {
    demo = await openDemo(programs['chromium'] ?? '');
    ({ page } = demo.harness);
    issues = `${demo.harness.origin}/issues?project=1`;
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(() => demo?.close());
  beforeEach(async () => {
    await page.goto(issues);
  });

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Presses the last key and waits for the page that comes. */
  const go = async (...keys: string[]): Promise<void> => {
    const next = page.waitForEvent('load');
    await press(...keys);
    await next;
  };
  const undoLine = () => page.locator('.undo').innerText();
  const total = async (): Promise<number> => page.locator('table.issues tbody tr').count();

  it('triages ten issues without a mouse', async () => {
    const before = await total();
    expect(before).toBeGreaterThanOrEqual(10);
    await press('j', 'x', 'j', 'x', 'j');
    await press('j', 'Shift+x');
    expect(await page.locator('[data-selected]').innerText()).toBe('4 selected');
    await go('r');
    expect(await undoLine()).toContain('4 issues resolved');
    expect(await total()).toBe(before - 4);
    await press('j', 'x', 'j', 'x', 'i');
    await go('Enter');
    expect(await undoLine()).toContain('2 issues ignored');
    // Without a selection the row with the focus is meant, which is where it was.
    await press('j', 'a', 'ArrowDown', 'ArrowUp');
    await go('Enter');
    expect(await undoLine()).toContain('1 issue assigned');
    await press('k', 'k', 'k', 'k', 'x', 'j', 'x', 'j', 'x');
    await go('m');
    expect(await page.locator('h1').innerText()).toBe('Merge 3 issues?');
    await page.getByRole('button', { name: 'Merge 3 issues' }).focus();
    await go('Enter');
    expect(await undoLine()).toContain('3 issues merged');
    expect(await total()).toBe(before - 8);
    await go('z');
    expect(await page.locator('main > .note').innerText()).toBe('Undone. 1 issue is as before.');
    expect(await total()).toBe(before - 6);
  });

  it('opens an issue, acts on it, and goes on to the next one', async () => {
    const paths = await page.$$eval('table.issues tbody th a', (links) =>
      links.slice(0, 2).map((link) => new URL((link as unknown as { href: string }).href).pathname),
    );
    const at = () => new URL(page.url()).pathname;
    await press('j');
    await go('e');
    expect(at()).toBe(paths[0]);
    await press('i');
    await go('Enter');
    expect(await page.locator('.states').innerText()).toContain('Ignored');
    await go('m');
    expect(await page.locator('h1').innerText()).toContain('Merge into #');
    await page.goBack();
    if ((await page.locator('main tbody th a:visible').count()) === 0) {
      await go('j');
      expect(at()).toBe(paths[1]);
    }
  });

  it('lists the shortcuts in a dialog, and ignores them while it is open', async () => {
    await press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await press('j', 'x');
    expect(await page.locator('tbody :checked').count()).toBe(0);
    await press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('ignores letters in fields, with modifiers, and where a member turned shortcuts off', async () => {
    await press('/', 'x', 'j');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await page.goto(issues);
    await press('Control+j', 'Alt+x');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.goto(`${demo.harness.origin}/settings`);
    await page.getByRole('checkbox', { name: /^Keyboard shortcuts/ }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto(issues);
    await press('j', 'x');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });
});
