// The pages of the demo's workspace under every check: see checks.ts for what holds, looked-at.ts for the
// pages. In two test files, so that they are looked at side by side.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../../support/needs.ts';
import { isNightly } from '../../support/test-level.ts';
import { checks, checksOfDialogs, type Place } from './checks.ts';
import type { Harness } from './harness.ts';
import type { LookedAt } from './looked-at.ts';
import { type Worlds, worldsOf } from './worlds.ts';

/** Each page has these, and of the rest every fourth, the next page the next of them. Nightly all. */
const always = 3;
function checksOf(page: number): typeof checks {
  return checks.filter((_check, at) => isNightly || at < always || (page + at) % 4 === 0);
}

/** Makes the tests of pages, and of dialogs. */
export function testPages(pages: readonly LookedAt[], dialogs: readonly LookedAt[] = []): void {
  describeWithPrograms('every page of the workspace', ['chromium'], (programs) => {
    let worlds: Worlds;
    beforeAll(async () => {
      worlds = worldsOf(programs['chromium'] ?? '');
      // The one that takes long to make.
      await worlds.get('demo');
    });
    afterAll(() => worlds?.close());

    const paths = new Map<LookedAt, string>();
    async function placeOf(page: LookedAt): Promise<readonly [Harness, Place]> {
      const demo = await worlds.get(page.world ?? 'demo');
      const path = paths.get(page) ?? (await demo.pathOf(page));
      paths.set(page, path);
      return [demo.harness, { ...page, path }];
    }

    describe.each(pages.map((page, at) => [page.name, page, at] as const))('%s', (_, page, at) => {
      it.each(checksOf(at))('%s', async (_holds, check) => {
        expect(await check(...(await placeOf(page)))).toEqual([]);
      });
    });

    if (dialogs.length === 0) return;
    describe.each(dialogs.map((page) => [page.name, page] as const))('the dialog of %s', (_, page) => {
      it.each(checksOfDialogs)('%s', async (_holds, check) => {
        expect(await check(...(await placeOf(page)))).toEqual([]);
      });
    });
  });
}
