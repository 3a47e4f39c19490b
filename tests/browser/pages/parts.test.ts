// All parts and plots together, before any real page: what is wrong with one of them is found here first.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../../support/needs.ts';
import { checks } from './checks.ts';
import { type Harness, openHarness } from './harness.ts';
import { type ServedParts, serveParts } from './serve-parts.ts';

describeWithPrograms('the page of all parts', ['chromium'], (programs) => {
  let served: ServedParts;
  let harness: Harness;
  beforeAll(async () => {
    served = await serveParts();
    harness = await openHarness(programs['chromium'] ?? '', served.origin);
  });
  afterAll(async () => {
    await harness?.close();
    await served?.close();
  });

  it.each(checks)('%s', async (_, check) => {
    expect(await check(harness, '/parts')).toEqual([]);
  });

  it('would be told of a style where none may be: the control page has one', async () => {
    const keepsPolicy = checks.find(([name]) => name === 'keeps its policy')?.[1];
    const found = await keepsPolicy?.(harness, '/control');
    expect(found).toHaveLength(1);
    expect(found?.[0]).toContain("directive 'style-src 'self''");
  });
});
