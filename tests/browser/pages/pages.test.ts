// Every page of the demo's workspace, under every check: see checks.ts for what holds, looked-at.ts for the
// pages.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../../support/needs.ts';
import { checks } from './checks.ts';
import { type Demo, openDemo } from './demo.ts';
import { lookedAt } from './looked-at.ts';

/** Half a minute of a processor, which may be shared by many. */
const seedingMs = 600_000;

describeWithPrograms('every page of the workspace', ['chromium'], (programs) => {
  let demo: Demo;
  beforeAll(async () => {
    // Pages have to bear as much as there is.
    demo = await openDemo(programs['chromium'] ?? '', 'whole');
  }, seedingMs);
  afterAll(async () => {
    await demo?.close();
  });

  describe.each(lookedAt.map((page) => [page.name, page] as const))('%s', (_, page) => {
    it.each(checks)('%s', async (_holds, check) => {
      expect(await check(demo.harness, await demo.pathOf(page))).toEqual([]);
    });
  });
});
