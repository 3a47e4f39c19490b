import type { FaultTexts } from './template.ts';

export const shopWeb: FaultTexts = {
  'total-of-undefined': {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'total')",
    frames: [],
    stack: 'minified',
  },
  'total-of-undefined-safari': {
    type: 'TypeError',
    value: "undefined is not an object (evaluating 'fallback.rate')",
    frames: [
      {
        at: 'renderTotals (src/cart/summary-legacy.ts:61)',
        code: "const fallback = estimate(basket);\n>setText(root, '.sum', money(fallback.rate.total));",
      },
    ],
  },
  'total-of-undefined-firefox': {
    type: 'TypeError',
    value: 'can\'t access property "total", fallback.rate is undefined',
    frames: [
      {
        at: 'paintTotals (src/cart/summary-legacy.ts:74)',
        code: 'for (const line of lines) {\n>  sum += line.rate.total;\n}',
      },
    ],
  },
  'chunk-load': {
    type: 'ChunkLoadError',
    value: 'Loading chunk 417 failed (https://shop.harbourpine.example.com/assets/417-2b77e1.js)',
    frames: [
      {
        at: 'load (src/router/lazy.ts:29)',
        code: 'export async function load(name: Page): Promise<View> {\n  const chunk = chunks[name];\n>  const module = await import(chunk.url);\n  return module.view;\n}',
        vars: { name: 'checkout', chunk: { id: 417, url: '/assets/417-2b77e1.js' } },
      },
    ],
  },
  'json-html-safari': {
    type: 'SyntaxError',
    value: "JSON Parse error: Unrecognized token '<'",
    frames: [
      {
        at: 'fetchJson (src/api/json-legacy.ts:22)',
        code: 'const text = await answer.text();\n>return JSON.parse(text) as T;',
        vars: { url: '/api/quote', status: 502 },
      },
    ],
  },
  'json-html': {
    type: 'SyntaxError',
    value: 'Unexpected token \'<\', "<!doctype "... is not valid JSON',
    frames: [
      {
        at: 'fetchJson (src/api/json.ts:18)',
        code: 'const answer = await fetch(url, init);\n>return (await answer.json()) as T;',
        vars: { url: '/api/quote', status: 502 },
      },
    ],
  },
  'hydration-418': {
    type: 'Error',
    value: 'Minified React error #418; visit the documentation for the full message',
    frames: [
      {
        at: 'onRecoverableError (src/app.tsx:44)',
        code: 'hydrateRoot(document, <App />, {\n>  onRecoverableError: (error) => report(error),\n});',
      },
    ],
  },
  'resize-observer': {
    type: '',
    value: 'ResizeObserver loop completed with undelivered notifications.',
    level: 'info',
    frames: [
      {
        at: 'observe (src/ui/masonry.ts:52)',
        code: 'const observer = new ResizeObserver((entries) => {\n>  for (const entry of entries) place(entry.target);\n});',
      },
    ],
  },
  'quota-exceeded': {
    type: 'QuotaExceededError',
    value: "Failed to execute 'setItem' on 'Storage': Setting the value of 'basket' exceeded the quota.",
    frames: [
      {
        at: 'persistBasket (src/cart/storage.ts:12)',
        code: "const text = JSON.stringify(basket);\n>localStorage.setItem('basket', text);",
        vars: { length: 5242913 },
      },
    ],
  },
  'postcode-null': {
    type: 'TypeError',
    value: "Cannot read properties of null (reading 'value')",
    frames: [
      {
        at: 'readPostcode (src/checkout/address.ts:71)',
        code: "const field = form.querySelector<HTMLInputElement>('[name=postcode]');\n>return normalise(field.value);",
        vars: { field: null, country: 'IE' },
      },
    ],
  },
  'payment-frame-blocked': {
    type: 'SecurityError',
    value:
      'Blocked a frame with origin "https://shop.harbourpine.example.com" from accessing a cross-origin frame.',
    frames: [
      {
        at: 'measureFrame (src/checkout/pay.ts:88)',
        code: "const frame = document.querySelector<HTMLIFrameElement>('#card');\n>const height = frame.contentDocument.body.scrollHeight;",
      },
    ],
  },
  'wishlist-sync': {
    type: 'HttpError',
    value: '409 Conflict: wishlist was changed elsewhere',
    frames: [
      {
        at: 'syncWishlist (src/account/wishlist.ts:66)',
        code: "const answer = await api.put('/wishlist', items);\n>if (answer.status === 409) throw new HttpError(answer);",
        vars: { items: 14, revision: 31 },
      },
    ],
  },
  'consent-undefined': {
    type: 'ReferenceError',
    value: 'consent is not defined',
    frames: [
      {
        at: 'trackView (src/analytics/view.ts:7)',
        code: 'export function trackView(path: string): void {\n>  if (!consent.statistics) return;\n}',
      },
    ],
  },
  'invalid-date': {
    type: 'RangeError',
    value: 'Invalid time value',
    frames: [
      {
        at: 'deliveryDay (src/checkout/delivery.ts:22)',
        code: 'const day = new Date(quote.earliest);\n>return day.toISOString().slice(0, 10);',
        vars: { earliest: '31.11.' },
      },
    ],
  },
};
