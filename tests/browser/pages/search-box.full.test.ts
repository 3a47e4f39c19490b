import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithPrograms } from '../../support/needs.ts';
import { type Demo, openDemo } from './demo.ts';

describeWithPrograms('the search box of issues', ['chromium'], (programs) => {
  let demo: Demo;
  let page: Page;
  let issues: string;

  beforeAll(async () => {
    demo = await openDemo(programs['chromium'] ?? '');
    ({ page } = demo.harness);
    issues = `${demo.harness.origin}/issues`;
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(() => demo?.close());
  beforeEach(async () => {
    await page.goto(issues);
  });

  const box = () => page.getByRole('textbox', { name: 'Search issues' });
  const firstOption = (text: RegExp) => page.locator('.comp [role=option]').first().filter({ hasText: text });
  const chosen = () => page.locator('.comp [aria-selected=true]');

  it('leaves the first issue within the first 360 px, even with an error message', async () => {
    const top = async (): Promise<number> =>
      (await page.locator('table.issues tbody tr').first().boundingBox())?.y ?? Number.NaN;
    expect(await top()).toBeLessThanOrEqual(360);
    const heights = await page.$$eval('table.issues tbody tr', (rows) =>
      rows.map((row) => Math.round(row.getBoundingClientRect().height)),
    );
    expect(new Set(heights)).toEqual(new Set([53]));
    await page.goto(`${issues}?query=lvl:error`);
    expect(await top()).toBeLessThanOrEqual(360);
  });

  it('completes a key and its value by the keyboard and announces the selected row', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('env');
    await firstOption(/^environment:/).waitFor();
    expect(await box().getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowDown');
    expect(await chosen().innerText()).toMatch(/^environment:/);
    expect(await box().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
    await page.keyboard.press('Tab');
    expect(await box().inputValue()).toBe('is:unresolved environment:');
    await page.keyboard.type('prod');
    await firstOption(/^production/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await box().inputValue()).toBe('is:unresolved environment:production ');
    expect(await page.locator('.qink .tok').allInnerTexts()).toEqual([
      'is:unresolved',
      'environment:production',
    ]);
    // Enter without a choice searches.
    await page.keyboard.press('Enter');
    await page.waitForURL(/query=is%3Aunresolved\+environment%3Aproduction/);
  });

  it('closes by Escape, loses focus by a second Escape, and accepts no line breaks', async () => {
    await box().focus();
    await box().fill('le');
    await page.locator('.comp [role=option]').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.comp').isVisible()).toBe(false);
    expect(await box().evaluate((area) => area === document.activeElement)).toBe(true);
    await box().fill('level:error\nis:new');
    expect(await box().inputValue()).toBe('level:error is:new');
    await page.locator('.comp [role=option]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await box().evaluate((area) => area === document.activeElement)).toBe(false);
  });

  it('aligns the highlighted tokens with the text, also where it wraps', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await box().fill('is:unresolved level:error release:latest !browser:Safari environment:production far');
    const [area, ink] = await Promise.all([box().boundingBox(), page.locator('.qink').boundingBox()]);
    expect(area).toEqual(ink);
    expect(area?.height).toBeGreaterThan(60);
    const scrolls = await box().evaluate((each) => each.scrollHeight > each.clientHeight);
    expect(scrolls).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('corrects a mistake by a button, also without JavaScript', async () => {
    const plain = await demo.harness.plain();
    for (const each of [page, plain]) {
      await each.goto(`${issues}?query=is:unresolved+lvl:error`);
      await each.getByRole('button', { name: 'level' }).click();
      await each.waitForURL(/corrected=/);
      expect(await each.locator('#q').inputValue()).toBe('is:unresolved level:error');
      expect(await each.locator('#q-say').count()).toBe(0);
    }
  });

  it('finds issues to merge as you type, and merges by the keyboard', async () => {
    const { origin } = demo.harness;
    const into = (await page.locator('table.issues tbody th a').first().getAttribute('href')) ?? '';
    await page.goto(`${origin}${new URL(into, origin).pathname}/merge`);
    const field = page.getByRole('searchbox', { name: 'Search issues of this project' });
    const heading = page.locator('#merge-found h2');
    await field.fill('is:resolved');
    await heading.filter({ hasText: /found/ }).waitFor();
    expect(await page.locator('#news').textContent()).toBe(await heading.innerText());
    await field.fill('nothing has these words');
    await heading.filter({ hasText: 'No issues found' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await field.fill('is:resolved');
    await heading.filter({ hasText: /\d issues? found/ }).waitFor();
    // The button of the form, the link of the first row, its button.
    for (let tab = 0; tab < 3; tab += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.name')).toBe('merge[]');
    await Promise.all([
      page.waitForURL((url) => !url.pathname.endsWith('/merge')),
      page.keyboard.press('Enter'),
    ]);
    expect(await page.locator('main').innerText()).toMatch(/merged/i);
    const plain = await demo.harness.plain();
    await plain.goto(`${origin}${new URL(into, origin).pathname}/merge`);
    await plain.locator('#merge-q').fill('is:resolved');
    await Promise.all([plain.waitForURL(/q=is%3Aresolved/), plain.keyboard.press('Enter')]);
    expect(await plain.locator('button[name="merge[]"]').count()).toBeGreaterThan(0);
  });
});
