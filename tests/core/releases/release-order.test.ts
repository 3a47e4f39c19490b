import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createReleaseOrder, findNewestRelease } from '../../../src/core/releases/compare-releases.ts';

const seenInTurn = (...versions: string[]) =>
  versions.map((version, index) => ({ version, firstSeenMs: index + 1, id: index + 1 }));
const atOnce = (...versions: string[]) =>
  seenInTurn(...versions).map((known) => ({ ...known, firstSeenMs: 5 }));

describe('the order of releases', () => {
  it.each([
    ['a higher number seen later', seenInTurn('1.0', '2.0'), '2.0', '1.0', 'later'],
    ['a lower number seen later', seenInTurn('2.0', '1.0'), '1.0', '2.0', 'older'],
    ['numbers that nobody has seen', [], 'app@1.10.0', 'app@1.2.0', 'later'],
    ['equal numbers: by first sight', seenInTurn('1.0+b', '1.0+a'), '1.0+a', '1.0+b', 'later'],
    ['no numbers: by first sight', seenInTurn('abd', 'abc'), 'abc', 'abd', 'later'],
    ['seen at once: by number of the row', atOnce('abd', 'abc'), 'abc', 'abd', 'later'],
    ['seen at once: the first row', atOnce('abd', 'abc'), 'abd', 'abc', 'older'],
    ['a name after numbers', seenInTurn('1.0', 'abc'), 'abc', '1.0', 'later'],
    ['numbers after a calendar version', seenInTurn('2024.1', '3.0'), '3.0', '2024.1', 'later'],
    ['of two packages', seenInTurn('api@1.0', 'web@2.0'), 'web@2.0', 'api@1.0', 'unknown'],
    ['of a package and of none', seenInTurn('1.0', 'web@2.0'), 'web@2.0', '1.0', 'unknown'],
    ['itself, never seen as it is', [], 'x', 'x', 'same'],
    ['never seen, without a number', seenInTurn('abc'), 'x', 'abc', 'unknown'],
    ['seen since the time before', seenInTurn('abc'), 'abc', null, 'later'],
    ['seen before that time', [{ version: 'abc', firstSeenMs: -1, id: 1 }], 'abc', null, 'older'],
    ['never seen against the time before', [], 'abc', null, 'unknown'],
    ['the name that many share', atOnce('other'), 'other', 'other', 'unknown'],
    ['a name like a property', seenInTurn('__proto__', '2.0'), '2.0', '__proto__', 'later'],
  ] as const)('%s', (_what, releases, release, than, expected) => {
    expect(createReleaseOrder(releases, 0)(release, than)).toBe(expected);
  });

  it('has releases without events at their given place', () => {
    const [known] = [seenInTurn('abc')];
    expect(createReleaseOrder(known, Infinity)('abc', 'gone')).toBe('older');
    expect(createReleaseOrder(known, 0)('abc', 'gone')).toBe('later');
  });

  it('is antisymmetric', () => {
    const version = fc.constantFrom(
      '1.0',
      '1.0+5',
      'v1.0',
      '2.0-rc.1',
      '2.0',
      '2024.1',
      '2024-02',
      'abc',
      'p@1.0',
    );
    const turned = { older: 'later', later: 'older', same: 'same', unknown: 'unknown' } as const;
    fc.assert(
      fc.property(fc.uniqueArray(version, { minLength: 2 }), (versions) => {
        const order = createReleaseOrder(seenInTurn(...versions), 0);
        const [left, right] = versions as [string, string];
        expect(order(right, left)).toBe(turned[order(left, right)]);
      }),
    );
  });

  it.each([
    ['none', [], null],
    ['the highest number', seenInTurn('2.0', '1.0'), '2.0'],
    ['of equal ones the last', seenInTurn('2.0+b', '2.0+a'), '2.0+a'],
    ['of names the last', seenInTurn('abd', 'abc'), 'abc'],
    ['names after numbers', seenInTurn('2.0', 'abc', '1.0'), 'abc'],
    ['the calendar after numbers', seenInTurn('4.0', '2024.1', '3.0'), '2024.1'],
    ['numbers after the calendar', seenInTurn('2024.1', '4.0', '3.0'), '4.0'],
    ['never the name that many share', seenInTurn('1.0', 'other'), '1.0'],
  ] as const)('the newest: %s', (_what, releases, expected) => {
    expect(findNewestRelease(releases)).toBe(expected);
  });
});
