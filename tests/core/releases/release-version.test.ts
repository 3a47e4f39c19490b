// Version strings: what is allowed, what is taken apart, and which of two releases is newer.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  checkEnvironment,
  checkReleaseVersion,
  compareVersions,
  parseReleaseVersion,
  sanitizeEnvironment,
  sanitizeReleaseVersion,
  versionSortKey,
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
    expect(checkReleaseVersion(text)).toEqual(expected);
  });

  it('has a shorter limit and another reserved word for environments', () => {
    expect(checkEnvironment('latest')).toEqual({ name: 'latest' });
    expect(checkEnvironment('None')).toEqual({ problem: 'must not be "None".' });
    expect(checkEnvironment('e'.repeat(65))).toEqual({ problem: 'must be at most 64 characters long.' });
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

  it('makes nothing or a valid name of any text', () => {
    fc.assert(
      fc.property(codePointText({ maxLength: 300 }), (text) => {
        for (const [made, check] of [
          [sanitizeReleaseVersion(text), checkReleaseVersion],
          [sanitizeEnvironment(text), checkEnvironment],
        ] as const) {
          if (made !== null) expect(check(made)).toEqual({ name: made });
        }
      }),
    );
  });
});

describe('taking a version apart', () => {
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

describe('order', () => {
  const ascending = [
    '1.0.0-alpha',
    '1.0.0-alpha.10',
    '1.0.0-alpha.9',
    '1.0.0-beta',
    '1.0.0',
    '1.0.0+1',
    '1.0.0+2',
    '1.0.0+10',
    '1.0.0+abc',
    '1.0.1',
    '1.9',
    '1.10',
    '1.10.0.1',
    '2',
    '99999999999999999999.0',
  ];

  it('is by number, then pre-release as plain text, then build', () => {
    for (const [index, version] of ascending.entries()) {
      for (const later of ascending.slice(index + 1)) {
        expect([version, later, Math.sign(compareVersions(version, later))]).toEqual([version, later, -1]);
        expect(Math.sign(compareVersions(later, version))).toBe(1);
      }
    }
  });

  it('is the same as text in a database', () => {
    const bytes = (text: string) => Buffer.from(versionSortKey(text) ?? '');
    for (const [index, version] of ascending.slice(0, -1).entries()) {
      expect(Buffer.compare(bytes(version), bytes(ascending[index + 1] ?? ''))).toBe(-1);
    }
    expect(versionSortKey('main')).toBeNull();
  });
});
