import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';

interface Pair {
  n: number;
  name: string;
  kind?: number;
  platform_group?: string;
  same_issue: boolean;
  a: unknown;
  b: unknown;
}
/**
 * `pairs.json` was judged by others; `more-pairs.json` is ours: engines, bundlers, runtimes and messages one
 * by one. Those of `judged-….json` were written and judged before anybody ran them; `judged-public.json`
 * after the rules of other projects (docs/grouping-elsewhere.md).
 */
const files = [
  'pairs',
  'more-pairs',
  'judged-web',
  'judged-servers',
  'judged-apps',
  'judged-strangers',
  'judged-strangers-2',
  'judged-strangers-3',
  'judged-public',
];
const pairs = files
  .map((name) => `${name}.json`)
  .flatMap((file): Pair[] =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/grouping', file), 'utf8')),
  );

describe('pairs of events judged by people', () => {
  it.each(
    rows(() =>
      fullOrSome(
        pairs.map((pair) => [pair.n, pair.name, pair] as const),
        3,
      ),
    ),
  )('%d %s', (_number, _name, pair) => {
    const [a, b] = [computeFingerprint(normalized(pair.a)), computeFingerprint(normalized(pair.b))];
    expect({ a: a.parts, b: b.parts, same: a.hash === b.hash }).toMatchObject({ same: pair.same_issue });
  });
});
