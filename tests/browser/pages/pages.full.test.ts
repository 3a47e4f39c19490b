// Every page of the demo's workspace, under every check: see checks.ts for what holds, looked-at.ts for the
// pages.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../../support/needs.ts';
import { checks, checksOfDialogs, type Place } from './checks.ts';
import type { Harness } from './harness.ts';
import { type LookedAt, lookedAt, opened } from './looked-at.ts';
import { type Worlds, worldsOf } from './worlds.ts';

/** Half a minute of a processor, which may be shared by many. */
const seedingMs = 600_000;

describeWithPrograms('every page of the workspace', ['chromium'], (programs) => {
  let worlds: Worlds;
  beforeAll(async () => {
    worlds = worldsOf(programs['chromium'] ?? '');
    // The one that takes long to make.
    await worlds.get('demo');
  }, seedingMs);
  afterAll(() => worlds?.close());

  async function placeOf(page: LookedAt): Promise<readonly [Harness, Place]> {
    const demo = await worlds.get(page.world ?? 'demo');
    return [demo.harness, { ...page, path: await demo.pathOf(page) }];
  }

  describe.each(lookedAt.map((page) => [page.name, page] as const))('%s', (_, page) => {
    it.each(checks)('%s', async (_holds, check) => {
      expect(await check(...(await placeOf(page)))).toEqual([]);
    });
  });

  describe.each(opened.map((page) => [page.name, page] as const))('the dialog of %s', (_, page) => {
    it.each(checksOfDialogs)('%s', async (_holds, check) => {
      expect(await check(...(await placeOf(page)))).toEqual([]);
    });
  });
});
