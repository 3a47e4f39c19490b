import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { describeWithPrograms } from '../../support/needs.ts';
import { isNightly } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';
import { checks } from '../pages/checks.ts';
import { pathOf } from '../pages/demo.ts';
import { type Harness, openHarness } from '../pages/harness.ts';
import { demoLookedAt } from './looked-at.ts';

const sheetsMax = 6;

describeWithPrograms('every page of the public demo', ['chromium'], (programs) => {
  let app: TestApp;
  let harness: Harness;
  beforeAll(async () => {
    app = await openTestApp();
    // It is built at the first look.
    await until(async () => (await fetch(`${app.origin}/demo`)).status === 200);
    harness = await openHarness(programs['chromium'] ?? '', app.origin);
  });
  afterAll(async () => {
    await harness?.close();
    await app?.close();
  });

  const pages = isNightly ? demoLookedAt : demoLookedAt.slice(0, 5);
  describe.each(pages.map((page) => [page.name, page] as const))('%s', (_, page) => {
    it.each(checks)('%s', async (_holds, check) => {
      expect(await check(harness, { ...page, path: await pathOf(harness, page) })).toEqual([]);
    });
  });

  it.each(['/demo/reports', '/demo/reports?span=month'])(
    'a report of %s prints on at most six pages',
    async (from) => {
      const path = await pathOf(harness, { name: 'report', path: '/demo/reports/', from });
      await harness.page.goto(harness.origin + path);
      const pdf = (await harness.page.pdf({ format: 'A4' })).toString('latin1');
      const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
      expect(sheets).toBeGreaterThan(0);
      expect(sheets).toBeLessThanOrEqual(sheetsMax);
    },
  );
});
