import { expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { TestRunsModel } from '../../src/core/page-models/delivery/test-runs.ts';
import { fileOfDemo, lookAtDemo } from './look.ts';

const pages = demoPages();
const rowsOf = (bytes: unknown): string[] => String(bytes).trimEnd().split('\r\n');

it('exports all test runs as CSV', async () => {
  const { counts } = (await lookAtDemo(pages, '/test-runs')).model as TestRunsModel;
  const { bytes } = await fileOfDemo(pages, '/test-runs.csv');
  expect(rowsOf(bytes)).toHaveLength(1 + Object.values(counts).reduce((sum, each) => sum + each, 0));
  const one = await fileOfDemo(pages, '/test-runs.csv?project=2&result=failed');
  expect(
    rowsOf(one.bytes)
      .slice(1)
      .every((row) => row.includes(',checkout-api,failed,')),
  ).toBe(true);
});

it('exports its audit log as CSV, without an entry for the export', async () => {
  const { total } = (await lookAtDemo(pages, '/audit')).model as { total: number };
  const { bytes } = await fileOfDemo(pages, '/audit.csv');
  expect(rowsOf(bytes)).toHaveLength(1 + total);
});
