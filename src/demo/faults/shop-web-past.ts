import type { IssueTemplate } from './template.ts';

export const shopWebPast: readonly IssueTemplate[] = [
  {
    key: 'abort-search',
    slug: 'shop-web',
    type: 'AbortError',
    value: 'The user aborted a request.',
    level: 'warning',
    frames: [
      {
        fn: 'suggest',
        file: 'src/search/suggest.ts',
        line: 33,
        code: 'const controller = new AbortController();\n>const found = await fetch(suggestUrl(text), { signal: controller.signal });',
        vars: { text: 'oak ben' },
      },
    ],
  },
  {
    key: 'extension-noise',
    slug: 'shop-web',
    type: 'Error',
    value: 'Extension context invalidated.',
    level: 'warning',
    frames: [{ fn: 'send', file: 'chrome-extension://ehjkb/content.js', line: 1 }],
  },
  {
    key: 'script-error',
    slug: 'shop-web',
    type: '',
    value: 'Script error.',
    level: 'warning',
    frames: [],
    stack: 'none',
  },
  {
    key: 'map-zoom',
    slug: 'shop-web',
    type: 'TypeError',
    value: 'this.map.setZoom is not a function',
    frames: [
      {
        fn: 'StoreMap.focus',
        file: 'src/stores/map.ts',
        line: 58,
        code: 'focus(store: Store): void {\n>  this.map.setZoom(15);\n  this.map.panTo(store.place);\n}',
      },
    ],
  },
  {
    key: 'coupon-nan',
    slug: 'shop-web',
    type: 'RangeError',
    value: 'NaN cannot be converted to a BigInt because it is not an integer',
    frames: [
      {
        fn: 'discount',
        file: 'src/cart/coupon.ts',
        line: 31,
        code: 'const share = Number(coupon.percent) / 100;\n>return BigInt(Math.round(total * share));',
        vars: { coupon: { code: 'TIDE10', percent: 'ten' } },
      },
    ],
  },
  {
    key: 'stale-basket',
    slug: 'shop-web',
    type: 'InvariantError',
    value: 'basket revision went backwards: 18 after 21',
    frames: [
      {
        fn: 'applyRevision',
        file: 'src/cart/store.ts',
        line: 97,
        code: 'if (next.revision < state.revision) {\n>  throw new InvariantError(backwards(next.revision, state.revision));\n}',
      },
    ],
  },
  {
    key: 'font-timeout',
    slug: 'shop-web',
    type: 'NetworkError',
    value: 'A network error occurred while loading a font.',
    level: 'warning',
    frames: [
      {
        fn: 'loadFonts',
        file: 'src/ui/fonts.ts',
        line: 14,
        code: '>await Promise.all([...document.fonts].map((face) => face.load()));',
      },
    ],
  },
  {
    key: 'focus-trap',
    slug: 'shop-web',
    type: 'TypeError',
    value: "Failed to execute 'focus' on 'HTMLElement': Illegal invocation",
    frames: [
      {
        fn: 'trapFocus',
        file: 'src/ui/dialog.ts',
        line: 36,
        code: "const focus = dialog.querySelector('button').focus;\n>focus();",
      },
    ],
  },
  {
    key: 'push-permission',
    slug: 'shop-web',
    type: 'NotAllowedError',
    value: 'Registration failed - permission denied',
    level: 'info',
    frames: [
      {
        fn: 'subscribe',
        file: 'src/account/push.ts',
        line: 19,
        code: '>const subscription = await registration.pushManager.subscribe(options);',
      },
    ],
  },
];
