// Four texts that a page has to survive: markup, writing from right to left, emoji, and a wall of words. They
// stand in the demo world for good, so that whoever looks at a page sees at once what it makes of them.
import type { IssueTemplate } from './template.ts';

/** 8 KB, in sentences, so that it can be broken, and with one word that cannot. */
const wall = `${'the basket was rejected because the quote of line 7 is older than its price list; '.repeat(94)}${'x'.repeat(400)} end`;

export const attack: readonly IssueTemplate[] = [
  {
    key: 'attack-markup',
    slug: 'shop-web',
    type: 'TypeError',
    value:
      '<img src=x onerror=alert(document.domain)>"\'</script><script>alert(1)</script> is not a function',
    frames: [
      {
        fn: '<svg onload=alert(1)>',
        file: 'src/search/suggest.ts',
        line: 58,
        code: 'const markup = bold(text);\n>box.insert(text)("</pre><script>alert(1)</script>");',
        vars: { text: '<img src=x onerror=alert(1)>', 'key"><b>': "javascript:alert('1')" },
      },
    ],
    tags: { campaign: '"><script>alert(1)</script>' },
  },
  {
    key: 'attack-right-to-left',
    slug: 'shop-web',
    type: 'Error',
    value: 'تعذر تحميل سلة التسوق: انتهت المهلة (basket 4417) \u202eevil.exe',
    frames: [
      {
        fn: 'loadBasket',
        file: 'src/cart/store-remote.ts',
        line: 24,
        code: ">throw new Error(t('basket.timeout'));",
      },
    ],
    tags: { language: 'العربية' },
  },
  {
    key: 'attack-emoji',
    slug: 'mobile-shell',
    type: 'ValidationError',
    value: '👩‍👩‍👧‍👦🪑🚢 name “Ｆｕｌｌ ｗｉｄｔｈ” n̷͉̈o̸ẗ̵́ ̶a̷l̷l̷o̷w̷e̷d̷ \u0000\u001b[31m in 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    frames: [
      {
        fn: 'checkName',
        file: 'src/account/name.ts',
        line: 11,
        code: '>if (!allowed.test(name)) throw new ValidationError(name);',
      },
    ],
    tags: { mood: '🙃' },
  },
  {
    key: 'attack-wall',
    slug: 'checkout-api',
    type: 'AssertionError',
    value: wall,
    frames: [
      {
        fn: 'assertFresh',
        file: 'src/http/quotes-check.ts',
        line: 102,
        code: '>assert.ok(fresh, explain(quote));',
      },
    ],
  },
];
