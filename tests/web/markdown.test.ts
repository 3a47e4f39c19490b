import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { markdown } from '../../src/web/components/markdown.ts';
import { endless } from '../support/endless.ts';
import { fullOrShort, fullOrSome, isFull, rows } from '../support/test-level.ts';

const html = (text: string): string => renderToString(h('div', null, markdown(text))).slice(5, -6);
const { texts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/attacks/attacks.json'), 'utf8'),
) as { texts: Record<string, string[]> };
const attacks = Object.values(texts).flat();

/** `text` within so many elements of `name`. */
const within = (levels: number, open: string, text: string, close: string): string =>
  open.repeat(levels) + text + close.repeat(levels);

describe('a text in Markdown', () => {
  const cases = [
    [
      '# What happened\n\nIt *fell*, and **fast**.',
      '<h3>What happened</h3><p>It <em>fell</em>, and <strong>fast</strong>.</p>',
    ],
    ['### Later', '<h4>Later</h4>'],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    ['- [x] done\n- [ ] not', '<ul><li>☑ done</li><li>☐ not</li></ul>'],
    ['`a < b` ~~not~~', '<p><code>a &lt; b</code> <del>not</del></p>'],
    ['```sh\nrm -rf "&"\n```', '<pre><code>rm -rf &quot;&amp;&quot;</code></pre>'],
    ['> said', '<blockquote><p>said</p></blockquote>'],
    ['---', '<hr/>'],
    ['AT&T \\*', '<p>AT&amp;T *</p>'],
    ['![a picture](https://a.example/x.png)', '<p>a picture</p>'],
    [
      '[there](https://a.example/?a=1&b=2)',
      '<p><a rel="noopener noreferrer nofollow ugc" href="https://a.example/?a=1&amp;b=2">there</a></p>',
    ],
    ['[there](javascript:alert(1))', '<p>there</p>'],
    ['[there](/members)', '<p>there</p>'],
    ['a <b>c</b>', '<p>a &lt;b>c&lt;/b></p>'],
    ['<div onclick="x()">\n*in it*\n</div>', '<p>&lt;div onclick=&quot;x()&quot;>\n*in it*\n&lt;/div></p>'],
    [
      '| a | b |\n|---|---|\n| 1 | *2* |',
      '<table class="t mini"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table>',
    ],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('%j', (text, elements) => expect(html(text)).toBe(elements));

  it('nests twelve levels, and deeper ones are text', () => {
    const quoted = (levels: number, text: string) => within(levels, '<blockquote>', text, '</blockquote>');
    expect(html(`${'> '.repeat(12)}deep`)).toBe(quoted(12, '<p>deep</p>'));
    expect(html(`${'> '.repeat(13)}deep`)).toBe(quoted(12, '<p>> deep</p>'));
    const listed = (levels: number) => Array.from({ length: levels }, (_, at) => `${'  '.repeat(at)}- a`);
    expect(html(listed(12).join('\n'))).toBe(within(12, '<ul><li>a', '', '</li></ul>'));
    expect(html(listed(13).join('\n'))).toBe(within(12, '<ul><li>a', '\n- a', '</li></ul>'));
    // The words of a paragraph are a level of their own.
    expect(html(`${'> '.repeat(11)}*deep*`)).toBe(quoted(11, '<p><em>deep</em></p>'));
    expect(html(`${'> '.repeat(12)}*deep*`)).toBe(quoted(12, '<p>*deep*</p>'));
  });

  it('renders the deepest allowed nesting', () => {
    expect(html(`${'> '.repeat(2_000)}deep`)).toContain('deep');
    expect(html(`${'*_'.repeat(2_000)}deep`)).toContain('deep');
    expect(html(Array.from({ length: 60 }, (_, at) => `${'  '.repeat(at)}- deep`).join('\n'))).toContain(
      'deep',
    );
  });
});

it.each(['*a_', '_a'])('is read to its end: %j', (piece) => {
  expect(html(`${endless(piece, fullOrShort(100_000, 20_000))}x`)).toMatch(/x<\/p>$/);
});

it('ignores emphasis in a paragraph with hundreds of marks only', () => {
  const many = '*a* '.repeat(101).trim();
  expect(html(`${many}\n\n${many.slice(4)}`)).toBe(
    `<p>${many}</p><p>${'<em>a</em> '.repeat(100).trim()}</p>`,
  );
});

const made =
  /<\/?(?:h3|h4|p|ul|ol|li|em|strong|del|code|pre|blockquote|hr|br|table|thead|tbody|tr|th|td)(?: (?:start="\d+"|class="t mini"))?\/?>|<a rel="noopener noreferrer nofollow ugc" href="https?:[^"]*">|<\/a>/g;

it('creates no element from HTML in the text', () => {
  expect(attacks.length).toBeGreaterThan(200);
  for (const [index, attack] of attacks.entries()) {
    const texts = [
      attack,
      `# ${attack}`,
      `- ${attack}`,
      `[${attack}](${attack})`,
      `\`${attack}\``,
      `|a|\n|-|\n|${attack}|`,
      `[x]: ${attack}\n\n[x]`,
    ];
    // In the short form the next attack stands in the next two places.
    for (const text of texts.filter((_text, at) => isFull() || (at + index) % 7 < 2)) {
      // What is left once our own elements are taken out opens no tag.
      expect([text, html(text).replaceAll(made, '').includes('<')]).toEqual([text, false]);
    }
  }
});
