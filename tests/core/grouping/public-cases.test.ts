import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly expected: string;
  readonly sequence: readonly { readonly body: unknown }[];
}
const file = join(import.meta.dirname, '../../fixtures/public-cases/ingestion.json');
const cases = (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]).filter(
  ({ kind }) => kind === 'grouping',
);

describe('public bug reports about grouping', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_id, { expected, sequence }) => {
    const [a, b] = sequence.map(({ body }) => computeFingerprint(normalized(body)));
    const isOne = expected === 'both events share one issue_id';
    expect(isOne || expected === 'the two events have two issue_ids').toBe(true);
    expect({ a: a?.parts, b: b?.parts, isOne: a?.hash === b?.hash }).toMatchObject({ isOne });
  });
});
