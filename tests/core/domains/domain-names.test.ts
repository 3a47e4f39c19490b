import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseVerifiableName, verificationCovers } from '../../../src/core/domains/names.ts';
import { matchesListedHost, parseListedHost } from '../../../src/core/parsing/host-names.ts';
import { runs } from '../../support/test-level.ts';
import { graphemeText } from '../../support/texts.ts';

interface Case {
  id: string;
  surface: string;
  input: unknown;
  canonical?: string;
}

const cases = (name: string): Case[] =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/domain-checks/${name}.json`, import.meta.url), 'utf8'),
  ) as Case[];
const domainCases = (name: string) => cases(name).filter((each) => each.surface === 'domain');

describe('names that can be verified', () => {
  it.each(domainCases('hostile').map((each) => [each.id, each.input]))('refuses %s', (_id, input) => {
    expect(parseVerifiableName(input).ok).toBe(false);
  });

  it.each(domainCases('must-pass').map((each) => [each.input, each.canonical]))(
    'admits %s',
    (input, canonical) => {
      const verdict = parseVerifiableName(input);
      expect(verdict.ok && verdict.name.ascii).toBe(canonical);
    },
  );

  it.each([
    ['0x7f.1'],
    ['017700000001'],
    ['2130706433'],
    ['0x7f000001'],
    ['①②⑦.⓪.⓪.①'],
    ['%31%32%37.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['[::ffff:7f00:1]'],
    ['example.com:80'],
    ['http://example.com'],
    ['example.com/x'],
    ['example.com\\x'],
    ['example.com#x'],
    ['exa mple.com'],
    [' example.com'],
    ['example.com\n'],
    ['example..com'],
    ['.example.com'],
    ['example.com..'],
    ['example-.com'],
    ['_dmarc.example.com'],
    ['*.example.com'],
    ['exa\u2060mple.com'],
    ['exa\ufe0fmple.com'],
    ['exa\u200cmple.com'],
    ['xn--fass-.de'],
    ['xn--example-.com'],
    ['github.io'],
    ['co.uk'],
    ['b.ck'],
    ['s3.amazonaws.com'],
    ['foo.internal'],
    ['printer.local'],
    ['a.example'],
    ['x.alt'],
    ['１２７.0.0.1'],
    [`${'a'.repeat(64)}.com`],
    [{}],
    [true],
    [undefined],
  ])('refuses %j', (input) => {
    expect(parseVerifiableName(input).ok).toBe(false);
  });

  it('says what kind of name it is', () => {
    expect(parseVerifiableName('Shop.Example.co.uk.')).toEqual({
      ok: true,
      name: {
        ascii: 'shop.example.co.uk',
        unicode: 'shop.example.co.uk',
        apex: 'example.co.uk',
        belowPrivateSuffix: false,
      },
    });
    expect(parseVerifiableName('foo.github.io')).toMatchObject({
      name: { apex: 'foo.github.io', belowPrivateSuffix: true },
    });
    expect(parseVerifiableName('MÜNCHEN.de')).toMatchObject({ name: { unicode: 'münchen.de' } });
  });

  it('takes the longest name and label that DNS has', () => {
    const label = 'a'.repeat(63);
    const longest = `${'b'.repeat(57)}.${label}.${label}.${label}.com`;
    expect(longest).toHaveLength(253);
    expect(parseVerifiableName(longest).ok).toBe(true);
    expect(parseVerifiableName(`${longest}.`).ok).toBe(true);
    expect(parseVerifiableName(`b${longest}`).ok).toBe(false);
  });
});

describe('every name', () => {
  const anyLabel = fc.oneof(
    graphemeText({ minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^[a-z0-9-]{1,12}$/),
    fc.constantFrom('xn--mnchen-3ya', 'www', '127', '0x7f', 'localhost', 'ß', '例え', 'a_b'),
  );
  const anyName = fc
    .tuple(
      fc.array(anyLabel, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('com', 'co.uk', 'github.io', 'рф', '1', 'local', ''),
    )
    .map(([labels, suffix]) => [...labels, suffix].join('.'));

  it('that is admitted is in canonical form, and every parser reads the same host', () => {
    let admitted = 0;
    fc.assert(
      fc.property(anyName, (name) => {
        const verdict = parseVerifiableName(name);
        if (!verdict.ok) return;
        admitted += 1;
        const { ascii } = verdict.name;
        expect(parseVerifiableName(ascii)).toEqual(verdict);
        expect(parseVerifiableName(ascii.toUpperCase())).toEqual(verdict);
        expect(new URL(`https://${ascii}/`).hostname).toBe(ascii);
        expect(ascii).toMatch(/^[a-z0-9.-]{4,253}$/);
      }),
      { numRuns: runs(2000) },
    );
    expect(admitted).toBeGreaterThan(runs(50));
  });

  it('that is listed is in canonical form too', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const host = parseListedHost(name);
        if (host !== null) expect(parseListedHost(host)).toBe(host);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('the scope of a verified domain', () => {
  it.each([
    ['example.com', 'host', 'example.com', true],
    ['example.com', 'host', 'www.example.com', false],
    ['example.com', 'subdomains', 'www.example.com', true],
    ['example.com', 'subdomains', 'a.b.example.com', true],
    ['example.com', 'subdomains', 'notexample.com', false],
    ['www.example.com', 'subdomains', 'example.com', false],
    ['www.example.com', 'subdomains', 'api.example.com', false],
    ['amazonaws.com', 'subdomains', 'bucket.s3.amazonaws.com', false],
    ['amazonaws.com', 'subdomains', 'docs.amazonaws.com', true],
  ] as const)('%s with scope %s, asked for %s: %s', (domain, scope, host, covered) => {
    expect(verificationCovers(domain, scope, host)).toBe(covered);
  });
});

describe('hosts of a project', () => {
  it.each([
    ['localhost', 'localhost'],
    ['Shop.Test', 'shop.test'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['my_pc', 'my_pc'],
    ['*.example.com', '*.example.com'],
    ['*.localhost', '*.localhost'],
    ['com', 'com'],
    ['example.com.', 'example.com'],
  ])('takes %s', (text, host) => {
    expect(parseListedHost(text)).toBe(host);
  });

  it.each([
    [''],
    ['*'],
    ['*.'],
    ['*.*.com'],
    ['a.*.com'],
    ['localhost:8080'],
    ['https://localhost'],
    ['a b'],
    ['127.1'],
    ['0x7f.1'],
    ['*.127.0.0.1'],
    ['[::1]:80'],
    ['[fe80::1%25eth0]'],
    ['a@b'],
    ['a/b'],
    ['exa\u00admple.com'],
    ['a..b'],
    ['-a'],
  ])('refuses %j', (text) => {
    expect(parseListedHost(text)).toBeNull();
  });

  it('matches a wildcard with names below, never with the name itself', () => {
    expect(matchesListedHost('*.example.com', 'a.example.com')).toBe(true);
    expect(matchesListedHost('*.example.com', 'a.b.example.com')).toBe(true);
    expect(matchesListedHost('*.example.com', 'example.com')).toBe(false);
    expect(matchesListedHost('*.example.com', '.example.com')).toBe(false);
    expect(matchesListedHost('*.example.com', 'badexample.com')).toBe(false);
    expect(matchesListedHost('example.com', 'example.com')).toBe(true);
  });
});
