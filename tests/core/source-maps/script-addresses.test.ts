import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  listMapNameCandidates,
  listNameCandidates,
  matchesWildcardName,
  normalizeFileName,
  resolveSourceMapUrl,
} from '../../../src/core/source-maps/artifact-names.ts';

describe('names of a file', () => {
  it.each([
    [
      'https://x.example/a/b.js?v=1#top',
      ['https://x.example/a/b.js?v=1', 'https://x.example/a/b.js', '~/a/b.js?v=1', '~/a/b.js'],
    ],
    ['http://x.example:8080/b.js', ['http://x.example:8080/b.js', '~/b.js']],
    ['https://x.example?v=1', ['https://x.example?v=1', 'https://x.example', '~/?v=1', '~/']],
    ['app:///main.js', ['~/main.js']],
    ['app://bundle/main.js', ['~/bundle/main.js']],
    ['file:///srv/main.js', ['~/srv/main.js']],
    ['/srv/main.js', ['~/srv/main.js']],
    ['./main.js', ['~/main.js']],
    ['main.js', ['~/main.js']],
    ['~/main.js?x', ['~/main.js?x', '~/main.js']],
    ['', []],
  ])('%s', (address, names) => expect(listNameCandidates(address)).toEqual(names));

  it('of its map have the suffix before the query', () => {
    expect(listMapNameCandidates('https://x.example/b.js?v=1')).toContain('~/b.js.map?v=1');
  });
});

describe('one name in several spellings', () => {
  it.each([
    ['~/app/product/[id]/page.js', ['~/app/product/%5Bid%5D/page.js', '~/app/product/%5bid%5d/page.js']],
    ['~/(shop)/@modal/my app.js', ['~/%28shop%29/%40modal/my%20app.js', '~/(shop)/%40modal/my app.js']],
    ['~/js/Größe.js', ['~/js/Gr%C3%B6%C3%9Fe.js', '~/js/Gr%c3%b6%c3%9fe.js', '~/js/Gro\u0308ße.js']],
    ['~/100%25.js', ['~/100%.js']],
    ['~/a%2Fb.js', ['~/a%2fb.js']],
    ['~/a%3Fb%23c%2A%00%5C.js', ['~/a%3fb%23c%2a%00%5c.js']],
    ['~/[%E4].js', ['~/%5B%e4%5d.js']],
  ])('is compared as %s', (name, spellings) => {
    expect(spellings.map(normalizeFileName)).toEqual(spellings.map(() => name));
    expect(normalizeFileName(name)).toBe(name);
    for (const spelling of spellings) {
      expect(listNameCandidates(spelling)).toEqual(listNameCandidates(name));
      expect(listMapNameCandidates(`https://x.example/${spelling.slice(2)}`)).toContain(`${name}.map`);
    }
  });
});

describe('a reference in a script', () => {
  it.each([
    ['b.js.map', 'https://x.example/a/b.js', 'https://x.example/a/b.js.map'],
    ['../b.map', 'https://x.example/a/b.js', 'https://x.example/b.map'],
    ['/b.map', 'https://x.example/a/b.js', 'https://x.example/b.map'],
    ['https://maps.example/b.map', 'https://x.example/b.js', 'https://maps.example/b.map'],
    ['b.map', 'app:///a/b.js', '~/a/b.map'],
    ['b.map', '~/a/b.js', '~/a/b.map'],
    ['b.map', '/srv/a/b.js', '~/srv/a/b.map'],
    ['~/b.map', 'https://x.example/b.js', '~/b.map'],
  ])('%s in %s is %s', (reference, script, address) => {
    expect(resolveSourceMapUrl(reference, script)).toBe(address);
  });
});

describe('a pattern', () => {
  it.each([
    ['https://*.example/a.js', 'https://cdn.example/a.js', true],
    ['http*://x.example/*.js', 'https://x.example/deep/a.js', true],
    ['~/*', '~/anything/at/all.js', true],
    ['~/a*b.js', '~/ab.js', true],
    ['~/a*b.js', '~/ac.js', false],
    ['~/*.js', '~/a.js.map', false],
    ['~/*.js', '~/a.js?v=1', true],
    ['~/(a|b).js', '~/a.js', false],
  ])('%s covers %s: %s', (pattern, name, covers) => expect(matchesWildcardName(pattern, name)).toBe(covers));

  it('matches what the same regular expression matches', () => {
    const letters = fc.stringMatching(/^[ab*]{0,8}$/);
    fc.assert(
      fc.property(letters, fc.stringMatching(/^[ab]{0,8}$/), (pattern, name) => {
        const meant = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
        expect(matchesWildcardName(pattern, name)).toBe(meant);
      }),
    );
  });

  it('of a thousand stars is matched in bounded time', () => {
    expect(matchesWildcardName('*a'.repeat(500), `${'a'.repeat(1_000)}b`)).toBe(false);
  });
});
