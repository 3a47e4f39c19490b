import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compareVersions,
  createVersionSortKey,
  parseReleaseVersion,
  sanitizeEnvironment,
  sanitizeReleaseVersion,
  validateEnvironment,
  validateReleaseVersion,
} from '../../../src/core/releases/version.ts';
import { codePointText } from '../../support/texts.ts';

describe('checking a name', () => {
  it.each([
    ['  1.0 ', { name: '1.0' }],
    ['🚀'.repeat(200), { name: '🚀'.repeat(200) }],
    ['shop@1.0.0+build.5', { name: 'shop@1.0.0+build.5' }],
    ['', { problem: 'must be at least 1 character long.' }],
    ['🚀'.repeat(201), { problem: 'must be at most 200 characters long.' }],
    ['🚀/', { problem: 'must not contain a slash "/" (character 2).' }],
    ['a\nb', { problem: 'must not contain a line feed (character 2).' }],
    ['a\u007fb', { problem: 'must not contain the control character U+007F (character 2).' }],
    ['.', { problem: 'must not be ".".' }],
    ['LATEST', { problem: 'must not be "LATEST".' }],
  ])('%j', (text, expected) => {
    expect(validateReleaseVersion(text)).toEqual(expected);
  });

  it('has a shorter limit and another reserved word for environments', () => {
    expect(validateEnvironment('latest')).toEqual({ name: 'latest' });
    expect(validateEnvironment('None')).toEqual({ problem: 'must not be "None".' });
    expect(validateEnvironment('e'.repeat(65))).toEqual({ problem: 'must be at most 64 characters long.' });
  });

  it.each([
    ['feat/login', 'feat-login'],
    ['@scope/shop@1.0', '@scope-shop@1.0'],
    [' a\u0000\u0001b ', 'a-b'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['latest', null],
    ['', null],
    [5, null],
  ])('sanitises %j for events', (text, expected) => {
    expect(sanitizeReleaseVersion(text)).toBe(expected);
  });

  it('turns any text into a valid name or none', () => {
    fc.assert(
      fc.property(codePointText({ maxLength: 300 }), (text) => {
        for (const [made, check] of [
          [sanitizeReleaseVersion(text), validateReleaseVersion],
          [sanitizeEnvironment(text), validateEnvironment],
        ] as const) {
          if (made !== null) expect(check(made)).toEqual({ name: made });
        }
      }),
    );
  });
});

describe('parsing a version', () => {
  it.each([
    ['1.2.3', null, ['1', '2', '3', '0'], '', ''],
    ['shop@1.2', 'shop', ['1', '2', '0', '0'], '', ''],
    ['@scope-x@1.2.3.4-rc.1+45', '@scope-x', ['1', '2', '3', '4'], 'rc.1', '45'],
    ['1.0a1', null, ['1', '0', '0', '0'], 'a1', ''],
    ['007', null, ['7', '0', '0', '0'], '', ''],
    ['main', null, null, '', ''],
    ['1.2.3.4.5', null, null, '', ''],
    ['1.0-', null, null, '', ''],
  ])('%s', (text, packageName, numbers, prerelease, build) => {
    expect(parseReleaseVersion(text)).toMatchObject({
      text,
      packageName,
      numbers,
      prerelease,
      build,
      isHash: false,
    });
  });

  it.each([12, 16, 20, 32, 40, 64])('takes %d hex digits for a build hash, not a number', (length) => {
    expect(parseReleaseVersion('1'.repeat(length))).toMatchObject({ isHash: true, numbers: null });
    expect(parseReleaseVersion(`app@${'f'.repeat(length)}`)).toMatchObject({
      isHash: true,
      packageName: 'app',
    });
    expect(parseReleaseVersion('1'.repeat(length + 1)).isHash).toBe(false);
  });
});

describe('numeric versions', () => {
  it.each([
    ['v1.2.3', ['1', '2', '3', '0'], false],
    ['1989.12', ['1989', '12', '0', '0'], false],
    ['1990.1', ['1990', '1', '0', '0'], true],
    ['2024-01-15', ['2024', '1', '15', '0'], true],
    ['shop@2024.01.15.12.30-2', ['2024', '1', '15', '12', '30', '2'], true],
    ['20240115', ['20240115', '0', '0', '0'], true],
  ])('%s', (text, numbers, isCalendar) => {
    expect(parseReleaseVersion(text)).toMatchObject({ numbers, isCalendar, prerelease: '', isHash: false });
  });

  it.each(['9e107d9', '1F3870B', `1${'a'.repeat(39)}`, 'shop@9e107d9+5'])('%s is a hash', (text) => {
    expect(parseReleaseVersion(text)).toMatchObject({ numbers: null, isHash: true });
  });

  it.each(['2024-01-15-9e107d9', '2024.1.0-rc.1'])('%s ends in a pre-release', (text) => {
    expect(parseReleaseVersion(text).prerelease).toMatch(/^(?:9e107d9|rc\.1)$/);
  });
});

describe('order', () => {
  // The pre-releases of 1.0.0 are those of semver.org, item 11.
  const ascending = [
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.9',
    '1.0.0-alpha.10',
    '1.0.0-alpha.beta',
    '1.0.0-alpha-1',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1rc2',
    '1.1rc10',
    '1.9',
    '1.10',
    '1.10.0.1',
    '2',
  ];
  const calendar = [
    '1990.1',
    '2023-12-31',
    '2024.1',
    '2024-01-9',
    '2024-01-15-rc.1',
    '2024.01.15',
    '2024.1.15-2',
    '2024.1.15.12.5',
    '2024.1.15.12.30-rc.2',
    '2024.1.15.12.30',
    '20240115',
    '99999999999999999999.0',
  ];
  const builds = ['1.0.0', '1.0.0+1', '1.0.0+2', '1.0.0+10', '1.0.0+abc'];
  const compare = (left: string, right: string) =>
    compareVersions(parseReleaseVersion(left), parseReleaseVersion(right));

  it.each([[ascending], [calendar]])('is by number, then pre-release, field by field', (versions) => {
    for (const [index, version] of versions.entries()) {
      for (const later of versions.slice(index + 1)) {
        expect([version, later, Math.sign(compare(version, later) ?? 0)]).toEqual([version, later, -1]);
        expect(Math.sign(compare(later, version) ?? 0)).toBe(1);
      }
    }
  });

  it('ignores builds, zeros, a leading v and dashes of dates', () => {
    for (const build of builds) expect(compare('1.0.0', build)).toBe(0);
    expect(compare('v1.0', '1.00.0')).toBe(0);
    expect(compare('2024-01-15', 'shop@2024.1.15')).toBe(0);
  });

  it.each([
    ['1.0.0', 'main'],
    ['main', 'develop'],
    ['5.0.0', '2024.1.0'],
    ['9e107d9', '1.0.0'],
  ])('is undefined for %s and %s', (left, right) => {
    expect(compare(left, right)).toBeNull();
    expect(compare(right, left)).toBeNull();
  });

  it.each([[ascending], [calendar], [builds]])('is the same as text in a database', (versions) => {
    const bytes = (text: string) => Buffer.from(createVersionSortKey(text) ?? '');
    for (const [index, version] of versions.slice(0, -1).entries()) {
      const next = versions[index + 1] ?? '';
      expect([version, next, Buffer.compare(bytes(version), bytes(next))]).toEqual([version, next, -1]);
    }
    expect(createVersionSortKey('main')).toBeNull();
  });

  it('is total for all versions of a kind, and the same as text', () => {
    const field = fc.oneof(
      fc.nat(120).map(String),
      fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/),
      fc.constantFrom('a', 'a-', 'rc'),
    );
    const version = fc
      .tuple(fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), fc.array(field, { maxLength: 3 }))
      .map(([numbers, fields]) => `${numbers.join('.')}${fields.length > 0 ? `-${fields.join('.')}` : ''}`)
      .filter((text) => parseReleaseVersion(text).numbers !== null);
    fc.assert(
      fc.property(version, version, (left, right) => {
        const [leftKey, rightKey] = [left, right].map((text) =>
          Buffer.from(createVersionSortKey(text) ?? ''),
        );
        const byText = Buffer.compare(leftKey as Buffer, rightKey as Buffer);
        expect([left, right, Math.sign(compare(left, right) ?? NaN)]).toEqual([left, right, byText]);
      }),
    );
  });
});
