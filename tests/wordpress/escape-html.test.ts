import { describe, expect, it } from '@jest/globals';
import { escapeHtml } from '../../src/wordpress/schema/formats.ts';

describe('esc_html', () => {
  it.each([
    ['a & b', 'a &amp; b'],
    ['&', '&amp;'],
    ['&amp; &nbsp; &frac12;', '&amp; &nbsp; &frac12;'],
    ['&nonsense;', '&amp;nonsense;'],
    ['&#38; &#038;', '&#038; &#038;'],
    ['&#x26; &#X26;', '&#x26; &#x26;'],
    ['&#0; &#xD800;', '&amp;#0; &amp;#xD800;'],
    [`<b title="x">'</b>`, '&lt;b title=&quot;x&quot;&gt;&#039;&lt;/b&gt;'],
    ['plain', 'plain'],
  ])('%j', (text, escaped) => {
    expect(escapeHtml(text)).toBe(escaped);
  });
});
