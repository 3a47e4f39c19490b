import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Fact {
  n: number;
  source: string;
  why: string;
  same_issue: boolean;
  /** What the other project makes of the pair, where that is not what we judged. */
  theirs_same?: boolean;
}
const root = join(import.meta.dirname, '../../..');
const facts: readonly Fact[] = JSON.parse(
  readFileSync(join(root, 'tests/fixtures/grouping/judged-public.json'), 'utf8'),
);
const page = readFileSync(join(root, 'docs/grouping-elsewhere.md'), 'utf8');

describe('the rules of other projects', () => {
  it('have a project, a verdict with a reason, and a number of their own', () => {
    expect(facts.length).toBeGreaterThanOrEqual(80);
    expect(new Set(facts.map(({ n }) => n)).size).toBe(facts.length);
    expect(facts.filter(({ source, why }) => source === '' || why === '')).toEqual([]);
  });

  it('differ from ours where docs/grouping-elsewhere.md says so, and nowhere else', () => {
    const differing = facts.filter((fact) => fact.theirs_same !== undefined);
    expect(differing.filter((fact) => fact.theirs_same === fact.same_issue)).toEqual([]);
    const rows = [...page.matchAll(/^\| (1[89]\d\d) \|/gm)].map(([, n]) => Number(n));
    expect(rows).toEqual(differing.map(({ n }) => n));
  });
});
