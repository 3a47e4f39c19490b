import { expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { isNightly } from '../support/test-level.ts';
import { compareWithWordPress, report } from './record/compare.ts';
import { wordpressPrograms } from './record/site.ts';

describeWithPrograms('a live WordPress', wordpressPrograms, () => {
  // A minute of PHP: what it answered is a fixture that replay.test.ts holds, and the contract suite asks it.
  (isNightly ? it : it.skip)('answers as we do, named differences aside', async () => {
    const comparison = await compareWithWordPress();
    process.stdout.write(report(comparison));
    expect(comparison.unnamed).toEqual([]);
    expect(comparison.compared).toBeGreaterThanOrEqual(150);
  });
});
