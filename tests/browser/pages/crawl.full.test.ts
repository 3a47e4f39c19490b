import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { count } from '../../../src/web/formatters.ts';
import { describeWithPrograms } from '../../support/needs.ts';
import { isNightly } from '../../support/test-level.ts';
import { type Crawled, crawl } from './crawl.ts';
import { type Demo, openDemo } from './demo.ts';
import { contents } from './in-page.ts';
import { strangersOnPage } from './shown.ts';

const places = [
  ...['/', '/issues', '/issues/#', '/issues/#/events', '/issues/#/events/#', '/feedback', '/feedback/#'],
  ...[
    '/live',
    '/projects',
    '/projects/#',
    '/releases',
    '/releases/#',
    '/deploys',
    '/test-runs',
    '/test-runs/#',
  ],
  ...['/artifacts', '/artifacts/#', '/domains', '/domains/#', '/audit', '/members', '/search', '/help'],
];
const withoutTwin = /^\/sign-(in|out)/;

describeWithPrograms('every page that the crawler reaches', ['chromium'], (programs) => {
  let demo: Demo;
  let crawled: Crawled;
  const faults: string[] = [];

  beforeAll(async () => {
    demo = await openDemo(programs['chromium'] ?? '');
    const plain = await demo.harness.plain();
    const visit = (path: string): Promise<void> => look(demo, plain, path, faults);
    // A search is a form, and no link leads there.
    crawled = await crawl(demo.harness, {
      from: ['/', '/search'],
      atMost,
      visit,
    });
  });
  afterAll(() => demo?.close());

  it('answers without errors', () => {
    expect(crawled.broken).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('together they are all pages', () => {
    expect(places.filter((place) => !crawled.patterns.has(place))).toEqual([]);
  });

  it('shows the same figures as its JSON', async () => {
    const { page, origin } = demo.harness;
    await page.goto(`${origin}/issues`);
    const twin = await (await page.request.get(`${origin}/issues.json`)).json();
    const rows = await page.evaluate<string[][]>(`[...document.querySelectorAll('main tbody tr')]
      .filter((row) => row.querySelector('th a[href^="/issues/"]') !== null)
      .map((row) => [...row.cells].map((each) => each.textContent.trim()))`);
    const said = (twin.issues as Array<{ events_in_range: number; users: number }>).map(
      ({ events_in_range: events, users }) => [
        count(events),
        // Nobody is a dash.
        users === 0 ? '–' : count(users),
      ],
    );
    expect(said.length).toBeGreaterThan(10);
    expect(rows.length).toBe(said.length);
    for (const [at, figures] of said.entries()) expect(rows[at]).toEqual(expect.arrayContaining(figures));
  });
});

/** Of pages within a page no query is followed; nightly one is, and the pages of every slug are opened. */
function atMost(pattern: string): number {
  if (isNightly && /^\/(monitors|status|status-pages)\/#/.test(pattern)) return Infinity;
  if (isNightly) return pattern.endsWith('?') ? 1 : 2;
  return pattern.endsWith('?') && pattern.lastIndexOf('/') > 0 ? 0 : 1;
}

async function look({ harness }: Demo, plain: Page, path: string, faults: string[]): Promise<void> {
  const { page, origin } = harness;
  const told = [...(await page.evaluate<string[]>(strangersOnPage)), ...harness.violations()];
  const withScript = await page.evaluate<string[]>(contents);
  await plain.goto(origin + path);
  const without = await plain.evaluate<string[]>(contents);
  const other = withScript.findIndex((text, at) => text !== without[at]);
  if (other !== -1 || withScript.length !== without.length) {
    told.push(`says "${withScript[other]}" with a script, "${without[other]}" without`);
  }
  if (!withoutTwin.test(path)) {
    const twin = await page.request.get(origin + twinOf(path));
    const read = twin.ok() ? await twin.json().catch(() => null) : null;
    if (read === null || typeof read !== 'object') told.push(`has no twin: ${twin.status()}`);
  }
  faults.push(...told.map((what) => `${path}: ${what}`));
}

function twinOf(path: string): string {
  const [name = '', query] = path.split('?', 2);
  const twin = name === '/' ? '/overview.json' : `${name}.json`;
  return query === undefined ? twin : `${twin}?${query}`;
}
