// Which release is later: by creation, then by number; what is in no order stays out of it.
import { describe, expect, it } from '@jest/globals';
import { newestRelease, releaseOrderOf } from '../../../src/core/releases/order.ts';

const created = (version: string, registeredAtMs: number) => ({ version, registeredAtMs });
const named = (version: string) => ({ version, registeredAtMs: null });

describe('the order of releases', () => {
  it.each([
    ['created later', [created('1.0', 1), created('2.0', 2)], '2.0', '1.0', 'later'],
    ['created earlier', [created('1.0', 1), created('2.0', 2)], '1.0', '2.0', 'older'],
    ['created later beats a higher number', [created('2.0', 1), created('1.0', 2)], '1.0', '2.0', 'later'],
    ['created at once: by number', [created('1.0', 1), created('1.10', 1)], '1.10', '1.0', 'later'],
    ['created at once: no numbers', [created('abc', 1), created('abd', 1)], 'abd', 'abc', 'unknown'],
    [
      'only named by events: by number',
      [named('app@1.2.0'), named('app@1.10.0')],
      'app@1.10.0',
      'app@1.2.0',
      'later',
    ],
    ['only named by events: no numbers', [named('abc'), named('abd')], 'abd', 'abc', 'unknown'],
    ['named by events against created', [created('1.0', 1), named('2.0')], '2.0', '1.0', 'unknown'],
    ['itself, unknown as it is', [], 'x', 'x', 'same'],
    ['anything created against the time before', [created('1.0', 1)], '1.0', null, 'later'],
    ['a name like a property', [created('__proto__', 1), created('2.0', 2)], '2.0', '__proto__', 'later'],
  ] as const)('%s', (_what, releases, release, than, expected) => {
    expect(releaseOrderOf(releases)(release, than)).toBe(expected);
  });

  it.each([
    ['none', [], null],
    ['the one created last', [created('2.0', 1), created('1.0', 2), named('9.0')], '1.0'],
    ['the highest number where none was created', [named('1.9.0'), named('1.10.0'), named('abc')], '1.10.0'],
    ['nothing in order', [named('abc')], null],
  ] as const)('the newest: %s', (_what, releases, expected) => {
    expect(newestRelease(releases)).toBe(expected);
  });
});
