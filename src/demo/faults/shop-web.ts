import type { IssueTemplate } from './template.ts';

export const shopWeb: readonly IssueTemplate[] = [
  {
    key: 'total-of-undefined',
    slug: 'shop-web',
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'total')",
    frames: [],
    stack: 'minified',
  },
  {
    key: 'total-of-undefined-safari',
    slug: 'shop-web',
    type: 'TypeError',
    value: "undefined is not an object (evaluating 'fallback.rate')",
    frames: [
      {
        fn: 'renderTotals',
        file: 'src/cart/summary-legacy.ts',
        line: 61,
        code: "const fallback = estimate(basket);\n>setText(root, '.sum', money(fallback.rate.total));",
      },
    ],
  },
  {
    key: 'total-of-undefined-firefox',
    slug: 'shop-web',
    type: 'TypeError',
    value: 'can\'t access property "total", fallback.rate is undefined',
    frames: [
      {
        fn: 'paintTotals',
        file: 'src/cart/summary-legacy.ts',
        line: 74,
        code: 'for (const line of lines) {\n>  sum += line.rate.total;\n}',
      },
    ],
  },
  {
    key: 'chunk-load',
    slug: 'shop-web',
    type: 'ChunkLoadError',
    value: 'Loading chunk 417 failed (https://shop.harbourpine.example.com/assets/417-2b77e1.js)',
    frames: [
      {
        fn: 'load',
        file: 'src/router/lazy.ts',
        line: 29,
        code: 'export async function load(name: Page): Promise<View> {\n  const chunk = chunks[name];\n>  const module = await import(chunk.url);\n  return module.view;\n}',
        vars: { name: 'checkout', chunk: { id: 417, url: '/assets/417-2b77e1.js' } },
      },
    ],
  },
  {
    key: 'json-html-safari',
    slug: 'shop-web',
    type: 'SyntaxError',
    value: "JSON Parse error: Unrecognized token '<'",
    frames: [
      {
        fn: 'fetchJson',
        file: 'src/api/json-legacy.ts',
        line: 22,
        code: 'const text = await answer.text();\n>return JSON.parse(text) as T;',
        vars: { url: '/api/quote', status: 502 },
      },
    ],
  },
  {
    key: 'json-html',
    slug: 'shop-web',
    type: 'SyntaxError',
    value: 'Unexpected token \'<\', "<!doctype "... is not valid JSON',
    frames: [
      {
        fn: 'fetchJson',
        file: 'src/api/json.ts',
        line: 18,
        code: 'const answer = await fetch(url, init);\n>return (await answer.json()) as T;',
        vars: { url: '/api/quote', status: 502 },
      },
    ],
  },
  {
    key: 'hydration-418',
    slug: 'shop-web',
    type: 'Error',
    value: 'Minified React error #418; visit the documentation for the full message',
    frames: [
      {
        fn: 'onRecoverableError',
        file: 'src/app.tsx',
        line: 44,
        code: 'hydrateRoot(document, <App />, {\n>  onRecoverableError: (error) => report(error),\n});',
      },
    ],
  },
  {
    key: 'resize-observer',
    slug: 'shop-web',
    type: '',
    value: 'ResizeObserver loop completed with undelivered notifications.',
    level: 'info',
    frames: [
      {
        fn: 'observe',
        file: 'src/ui/masonry.ts',
        line: 52,
        code: 'const observer = new ResizeObserver((entries) => {\n>  for (const entry of entries) place(entry.target);\n});',
      },
    ],
  },
  {
    key: 'quota-exceeded',
    slug: 'shop-web',
    type: 'QuotaExceededError',
    value: "Failed to execute 'setItem' on 'Storage': Setting the value of 'basket' exceeded the quota.",
    frames: [
      {
        fn: 'persistBasket',
        file: 'src/cart/storage.ts',
        line: 12,
        code: "const text = JSON.stringify(basket);\n>localStorage.setItem('basket', text);",
        vars: { length: 5242913 },
      },
    ],
  },
  {
    key: 'postcode-null',
    slug: 'shop-web',
    type: 'TypeError',
    value: "Cannot read properties of null (reading 'value')",
    frames: [
      {
        fn: 'readPostcode',
        file: 'src/checkout/address.ts',
        line: 71,
        code: "const field = form.querySelector<HTMLInputElement>('[name=postcode]');\n>return normalise(field.value);",
        vars: { field: null, country: 'IE' },
      },
    ],
  },
  {
    key: 'payment-frame-blocked',
    slug: 'shop-web',
    type: 'SecurityError',
    value:
      'Blocked a frame with origin "https://shop.harbourpine.example.com" from accessing a cross-origin frame.',
    frames: [
      {
        fn: 'measureFrame',
        file: 'src/checkout/pay.ts',
        line: 88,
        code: "const frame = document.querySelector<HTMLIFrameElement>('#card');\n>const height = frame.contentDocument.body.scrollHeight;",
      },
    ],
  },
  {
    key: 'wishlist-sync',
    slug: 'shop-web',
    type: 'HttpError',
    value: '409 Conflict: wishlist was changed elsewhere',
    frames: [
      {
        fn: 'syncWishlist',
        file: 'src/account/wishlist.ts',
        line: 66,
        code: "const answer = await api.put('/wishlist', items);\n>if (answer.status === 409) throw new HttpError(answer);",
        vars: { items: 14, revision: 31 },
      },
    ],
  },
  {
    key: 'consent-undefined',
    slug: 'shop-web',
    type: 'ReferenceError',
    value: 'consent is not defined',
    frames: [
      {
        fn: 'trackView',
        file: 'src/analytics/view.ts',
        line: 7,
        code: 'export function trackView(path: string): void {\n>  if (!consent.statistics) return;\n}',
      },
    ],
  },
  {
    key: 'invalid-date',
    slug: 'shop-web',
    type: 'RangeError',
    value: 'Invalid time value',
    frames: [
      {
        fn: 'deliveryDay',
        file: 'src/checkout/delivery.ts',
        line: 22,
        code: 'const day = new Date(quote.earliest);\n>return day.toISOString().slice(0, 10);',
        vars: { earliest: '31.11.' },
      },
    ],
  },
];
