import type { Slug } from '../shared/company.ts';

export interface Suite {
  readonly slug: Slug;
  readonly suite: string;
  readonly tool: string;
  readonly format: 'ctrf' | 'junit';
  /** Cases in the newest run; earlier runs have fewer. */
  readonly cases: number;
  readonly runs: number;
  /** Age of the first run in days. */
  readonly since: number;
  readonly folder: string;
  readonly ending: string;
  readonly things: readonly string[];
  readonly caseMs: number;
}

export const suites: readonly Suite[] = [
  {
    slug: 'shop-web',
    suite: 'unit and browser',
    tool: 'vitest',
    format: 'ctrf',
    cases: 620,
    runs: 14,
    since: 62,
    folder: 'tests/',
    ending: '.test.ts',
    things: [
      'basket',
      'checkout',
      'search',
      'gallery',
      'address',
      'payment',
      'wishlist',
      'account',
      'prices',
      'menu',
    ],
    caseMs: 390,
  },
  {
    slug: 'checkout-api',
    suite: 'unit',
    tool: 'node:test',
    format: 'junit',
    cases: 318,
    runs: 12,
    since: 70,
    folder: 'tests/',
    ending: '.test.ts',
    things: ['quotes', 'captures', 'webhooks', 'stock', 'taxes', 'sessions'],
    caseMs: 120,
  },
  {
    slug: 'wp-site',
    suite: 'phpunit',
    tool: 'phpunit',
    format: 'junit',
    cases: 24,
    runs: 7,
    since: 57,
    folder: 'wp-content/plugins/hp-shipping/tests/',
    ending: 'Test.php',
    things: ['rates', 'feed', 'import'],
    caseMs: 300,
  },
  {
    slug: 'mobile-shell',
    suite: 'device',
    tool: 'playwright',
    format: 'ctrf',
    cases: 124,
    runs: 7,
    since: 45,
    folder: 'device/',
    ending: '.spec.ts',
    things: ['menu', 'scanner', 'offline', 'push'],
    caseMs: 5400,
  },
];

/** `share`: percentage of runs that need a second try. `index`: number of the case in its suite. */
export const flakyCases: readonly {
  readonly slug: Slug;
  readonly index: number;
  readonly share: number;
  readonly message: string;
}[] = [
  {
    slug: 'shop-web',
    index: 37,
    share: 45,
    message: 'expected the basket within 1000 ms, and it came after 1043 ms',
  },
  { slug: 'shop-web', index: 214, share: 30, message: 'element is not attached to the document' },
  { slug: 'checkout-api', index: 88, share: 35, message: 'connect ECONNRESET 192.0.2.40:6379' },
  { slug: 'mobile-shell', index: 15, share: 40, message: 'no frame of the camera within 5 s' },
];

/** Names of the cases that matter in the scenario; other names are generated. */
export const caseNames: Readonly<Partial<Record<Slug, Readonly<Record<number, string>>>>> = {
  'shop-web': {
    30: 'keeps quantities when the quote fails',
    65: 'falls back to the flat rate when a zone has none',
    124: 'knows a rate for every zone',
    37: 'is there within a second',
    214: 'opens while it is still loading',
  },
  'checkout-api': {
    25: 'capture is tried again once after a time-out',
    88: 'outlives a restart of the cache',
  },
  'mobile-shell': { 15: 'sees the first frame of the camera' },
};

export interface Failure {
  readonly index: number;
  readonly message: string;
  readonly trace: string;
}

const lostTotal: Failure = {
  index: 30,
  message: "TypeError: Cannot read properties of undefined (reading 'total')",
  trace:
    "TypeError: Cannot read properties of undefined (reading 'total')\n    at renderTotals (src/cart/summary.ts:14:45)\n    at updateBasket (src/cart/store.ts:12:3)\n    at tests/basket.test.ts:88:9",
};
const wrongSum: Failure = {
  index: 65,
  message:
    'AssertionError: expected the quote to equal the flat rate\n\n- Expected\n+ Received\n\n  {\n-   "total": 494.90,\n+   "total": 489.00,\n    "currency": "EUR",\n-   "estimate": true\n+   "estimate": false\n  }',
  trace: 'AssertionError: expected the quote to equal the flat rate\n    at tests/payment.test.ts:41:21',
};
const lostZone: Failure = {
  index: 124,
  message: 'RateError: no shipping rate for zone "IE-D"',
  trace:
    'RateError: no shipping rate for zone "IE-D"\n    at pickRate (src/shipping/rates.ts:6:20)\n    at tests/address.test.ts:19:5',
};

/** By run number in the suite, oldest first. The shop's last failed run was deployed anyway. */
export const failedRuns: Readonly<Partial<Record<Slug, Readonly<Record<number, readonly Failure[]>>>>> = {
  'shop-web': {
    8: [lostTotal],
    9: [lostTotal, wrongSum],
    10: [lostTotal, wrongSum, lostZone],
    13: [lostTotal, wrongSum, lostZone],
  },
  'checkout-api': {
    5: [
      {
        index: 20,
        message: 'Expected 200, and got 502',
        trace: 'AssertionError: Expected 200, and got 502\n    at tests/captures.test.ts:57:12',
      },
    ],
    11: [
      {
        index: 25,
        message: 'PaymentCaptureError: gateway answered 502 after 3 attempts',
        trace:
          'PaymentCaptureError: gateway answered 502 after 3 attempts\n    at capturePayment (src/payments/capture.ts:38:11)\n    at tests/captures.test.ts:71:5',
      },
    ],
  },
  'wp-site': {
    3: [
      {
        index: 7,
        message: 'Failed asserting that 19.9 matches expected 21.9.',
        trace: 'hp-shipping/tests/ratesTest.php:44',
      },
    ],
  },
  'mobile-shell': {
    4: [
      {
        index: 2,
        message: 'Test timeout of 30000 ms exceeded.',
        trace: 'Error: page.click: Test timeout of 30000 ms exceeded.\n    at device/menu.spec.ts:12:14',
      },
    ],
  },
};
