// The rule that older projects go by gives every event the hash that it always had: a changed one would split
// issues that people have sorted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { fingerprintOf } from '../../../src/core/grouping/ng1/fingerprint.ts';
import { groupEvent } from '../../../src/core/grouping/versions.ts';
import { normalized } from '../../support/events.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/grouping');
const readJson = (name: string) => JSON.parse(readFileSync(join(fixtures, name), 'utf8'));
interface Pair {
  readonly n: number;
  readonly a: unknown;
  readonly b: unknown;
}
const pairs: Pair[] = ['pairs.json', 'more-pairs.json'].flatMap(readJson);

it('ng1 gives the hashes that version 0.1.0 gave', () => {
  const begins = (raw: unknown) => fingerprintOf(normalized(raw)).hash.slice(0, 12);
  const hashes = Object.fromEntries(pairs.map(({ n, a, b }) => [n, [begins(a), begins(b)]]));
  expect(hashes).toEqual(readJson('ng1-hashes.json'));
});

it('a project of an older version has both hashes, a new one the newest alone', () => {
  const event = normalized({ message: 'Disk full' });
  const ng1 = fingerprintOf(event).hash;
  expect(groupEvent(event, 'ng1')).toMatchObject({ grouping: { algorithm: 'ng2' }, olderHash: ng1 });
  expect(groupEvent(event, 'ng2').olderHash).toBeUndefined();
});
