import type { FaultTexts } from './template.ts';

export const shopWebPast: FaultTexts = {
  'abort-search': {
    type: 'AbortError',
    value: 'The user aborted a request.',
    level: 'warning',
    frames: [
      {
        at: 'suggest (src/search/suggest.ts:33)',
        code: 'const controller = new AbortController();\n>const found = await fetch(suggestUrl(text), { signal: controller.signal });',
        vars: { text: 'oak ben' },
      },
    ],
  },
  'extension-noise': {
    type: 'Error',
    value: 'Extension context invalidated.',
    level: 'warning',
    frames: [{ at: 'send (chrome-extension://ehjkb/content.js:1)' }],
  },
  'script-error': {
    type: '',
    value: 'Script error.',
    level: 'warning',
    frames: [],
    stack: 'none',
  },
  'map-zoom': {
    type: 'TypeError',
    value: 'this.map.setZoom is not a function',
    frames: [
      {
        at: 'StoreMap.focus (src/stores/map.ts:58)',
        code: 'focus(store: Store): void {\n>  this.map.setZoom(15);\n  this.map.panTo(store.place);\n}',
      },
    ],
  },
  'coupon-nan': {
    type: 'RangeError',
    value: 'NaN cannot be converted to a BigInt because it is not an integer',
    frames: [
      {
        at: 'discount (src/cart/coupon.ts:31)',
        code: 'const share = Number(coupon.percent) / 100;\n>return BigInt(Math.round(total * share));',
        vars: { coupon: { code: 'TIDE10', percent: 'ten' } },
      },
    ],
  },
  'stale-basket': {
    type: 'InvariantError',
    value: 'basket revision went backwards: 18 after 21',
    frames: [
      {
        at: 'applyRevision (src/cart/store.ts:97)',
        code: 'if (next.revision < state.revision) {\n>  throw new InvariantError(backwards(next.revision, state.revision));\n}',
      },
    ],
  },
  'font-timeout': {
    type: 'NetworkError',
    value: 'A network error occurred while loading a font.',
    level: 'warning',
    frames: [
      {
        at: 'loadFonts (src/ui/fonts.ts:14)',
        code: '>await Promise.all([...document.fonts].map((face) => face.load()));',
      },
    ],
  },
  'focus-trap': {
    type: 'TypeError',
    value: "Failed to execute 'focus' on 'HTMLElement': Illegal invocation",
    frames: [
      {
        at: 'trapFocus (src/ui/dialog.ts:36)',
        code: "const focus = dialog.querySelector('button').focus;\n>focus();",
      },
    ],
  },
  'push-permission': {
    type: 'NotAllowedError',
    value: 'Registration failed - permission denied',
    level: 'info',
    frames: [
      {
        at: 'subscribe (src/account/push.ts:19)',
        code: '>const subscription = await registration.pushManager.subscribe(options);',
      },
    ],
  },
};
