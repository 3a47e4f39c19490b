import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createXmlLimiter } from '../../../../src/core/test-runs/reports/junit/xml-limiter.ts';
import { runs } from '../../../support/test-level.ts';

function through(text: string, size = text.length || 1, keepsEnd = false): string {
  const out: string[] = [];
  const gate = createXmlLimiter((piece) => out.push(piece), {
    refuse(sentence) {
      throw new Error(sentence);
    },
    keepsEnd: () => keepsEnd,
    forbiddenRemoved: () => undefined,
    ampersandForgiven: () => undefined,
  });
  for (let at = 0; at < text.length; at += size) gate.write(text.slice(at, at + size));
  gate.end();
  return out.join('');
}

describe('createXmlGate', () => {
  it('passes everything short unchanged, cut anywhere', () => {
    const parts = fc.constantFrom(
      '<a b="c>\'d">',
      "<a b='\"'/>",
      '</a>',
      'text',
      '&amp;',
      '&#x41;',
      '<!-- > -- -->',
      '<![CDATA[<]]]]>',
      '<?pi ?x?>',
      '-->',
      ']]',
      '<',
      '\n',
      'é🚀',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (list, size) => {
        const text = list.join('');
        expect(through(text, size)).toBe(text);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    ['text', '<a>', '</a>'],
    ['an attribute', '<a b="', '"/>'],
    ['a comment', '<!--', '--><a/>'],
    ['CDATA', '<a><![CDATA[', ']]></a>'],
    ['an instruction', '<?x ', '?><a/>'],
  ])('cuts a long %s, and nothing around it', (_name, before, after) => {
    for (const size of [1000, 1_000_000]) {
      const out = through(`${before}${'x'.repeat(300_000)}${after}`, size);
      expect(out.startsWith(before)).toBe(true);
      expect(out.endsWith(after)).toBe(true);
      expect(out.length).toBeLessThan(70_000);
    }
  });

  it('never cuts inside an entity', () => {
    for (const size of [7, 65_536, 1_000_000]) {
      const out = through(`<a b="${'&lt;'.repeat(50_000)}">${'&amp;'.repeat(50_000)}</a>`, size);
      expect(out).toMatch(/^<a b="(?:&lt;)+">(?:&amp;)+<\/a>$/);
      expect(out.length).toBeLessThan(140_000);
    }
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE a []><a/>', 'DOCTYPE'],
    ['a tag without end', `<a${' '.repeat(70_000)}`, 'a tag of more than'],
  ])('refuses %s', (_name, text, words) => {
    for (const size of [3, 1_000_000]) expect(() => through(text, size)).toThrow(words);
  });
});

describe('a run that is too long', () => {
  it.each(['<a b="', '<a>', '<a><![CDATA['])('is cut between characters after %s', (opening) => {
    for (let pad = 0; pad < 8; pad += 1) {
      const begin = `${opening}${'x'.repeat(pad)}`;
      const kept = through(`${begin}${'👨‍👩‍👧'.repeat(20_000)}`).slice(begin.length);
      expect(kept.replaceAll('👨‍👩‍👧', '')).toBe('');
      expect(kept.length).toBeGreaterThan(65_000);
    }
  });
});

describe('references to characters that XML forbids', () => {
  it.each([
    ['<a b="&#27;x&#0;"/>', '<a b="x"/>'],
    ['<a>&#x1b;[31m&#xFFFF;&#xfffe;&#1114112;</a>', '<a>[31m</a>'],
    ['<a>&#55357;&#56832;</a>', '<a>&#128512;</a>'],
    ['<a>&#xD83D;&#xDE00;&#x1;</a>', '<a>&#128512;</a>'],
    ['<a>&#55357;x&#56832;</a>', '<a>x</a>'],
    ['<a>&#9;&#10;&#x1F600;&amp;#27;</a>', '<a>&#9;&#10;&#x1F600;&amp;#27;</a>'],
    ['<a><![CDATA[&#27;]]><!--&#27;--></a>', '<a><![CDATA[&#27;]]><!--&#27;--></a>'],
    ['<a>&#xZZ;&#;</a>', '<a>&amp;#xZZ;&amp;#;</a>'],
    ['<a b="x & y">a&b<c/>R&D &</a>', '<a b="x &amp; y">a&amp;b<c/>R&amp;D &amp;</a>'],
    ['<a>&lt;&apos;&nosuch;&amp</a>', '<a>&lt;&apos;&amp;nosuch;&amp;amp</a>'],
    ['<a b="&nbsp;">&eacute;&quot;</a>', '<a b="&amp;nbsp;">&amp;eacute;&quot;</a>'],
    [`<a>&${'x'.repeat(100)}</a>`, `<a>&amp;${'x'.repeat(100)}</a>`],
  ])('%s is passed on as %s, cut anywhere', (xml, expected) => {
    for (let size = 1; size <= xml.length; size += 1) expect(through(xml, size)).toBe(expected);
  });
});

describe('a text whose end is kept', () => {
  it.each([
    ['<o>', '</o>'],
    ['<o><![CDATA[', ']]></o>'],
  ])('is passed on with its end after %s', (before, after) => {
    for (const size of [997, 1_000_000]) {
      const out = through(`${before}${'x&amp;'.repeat(200_000)}THE-REASON${after}`, size, true);
      expect(out.endsWith(`x&amp;THE-REASON${after}`)).toBe(true);
      expect(out.length).toBeLessThan(300_000);
    }
  });

  it('is cut between characters', () => {
    const out = through(`<o>${'\u{1F600}'.repeat(300_001)}</o>`, 65_536, true);
    expect(out.isWellFormed()).toBe(true);
  });
});
