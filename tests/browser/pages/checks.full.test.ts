import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../../support/needs.ts';
import { checks } from './checks.ts';
import { type Harness, openHarness } from './harness.ts';
import { type ServedParts, serveParts } from './serve-parts.ts';

describeWithPrograms('the page checker', ['chromium'], (programs) => {
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

  it.each([
    ['keeps its policy', "directive 'style-src 'self''"],
    ['never scrolls sideways: at 320 px, with large text, with wide text', 'at 320 px: the page is'],
    ['tells states apart without colours', 'two states of a strip look the same'],
  ])('reports a faulty page: %s', async (name, fault) => {
    const check = checks.find(([holds]) => holds === name)?.[1];
    const found = (await check?.(harness, { path: '/control' })) ?? [];
    expect(found[0]).toContain(fault);
    // One style where none may be is one violation.
    expect(name === 'keeps its policy' ? found.length : 1).toBe(1);
  });
});
