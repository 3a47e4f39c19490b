// The tests of the demo by name: suites, what they test, what is said of it, how some failed. Texts alone.
import { checkoutApi, mobileShell, shopWeb, workerQueue, wpSite } from '../story.ts';

export interface DemoSuite {
  readonly projectId: number;
  readonly name: string;
  readonly tool: string;
  readonly format: 'ctrf' | 'junit';
  /** Cases in its longest run. */
  readonly cases: number;
  readonly folder: string;
  readonly ending: string;
  /** What is tested. */
  readonly things: readonly string[];
  /** Milliseconds that a case takes on an average, and seconds that the whole takes. */
  readonly caseMs: number;
  readonly tookSeconds: number;
}

export const suites: readonly DemoSuite[] = [
  {
    projectId: shopWeb,
    name: 'unit and browser',
    tool: 'vitest',
    format: 'ctrf',
    cases: 620,
    folder: 'test/',
    ending: '.test.ts',
    things: [
      'cart',
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
    tookSeconds: 238,
  },
  {
    projectId: checkoutApi,
    name: 'unit',
    tool: 'node:test',
    format: 'junit',
    cases: 318,
    folder: 'test/',
    ending: '.test.ts',
    things: ['quotes', 'payments', 'webhooks', 'stock', 'taxes', 'sessions'],
    caseMs: 120,
    tookSeconds: 41,
  },
  {
    projectId: wpSite,
    name: 'phpunit',
    tool: 'phpunit',
    format: 'junit',
    cases: 24,
    folder: 'wp-content/plugins/hp-shipping/tests/',
    ending: 'Test.php',
    things: ['rates', 'feed', 'import'],
    caseMs: 300,
    tookSeconds: 9,
  },
  {
    projectId: mobileShell,
    name: 'device',
    tool: 'playwright',
    format: 'ctrf',
    cases: 124,
    folder: 'device/',
    ending: '.spec.ts',
    things: ['menu', 'scanner', 'offline', 'push'],
    caseMs: 5400,
    tookSeconds: 668,
  },
  {
    projectId: workerQueue,
    name: 'pytest',
    tool: 'pytest',
    format: 'junit',
    cases: 36,
    folder: 'tests/test_',
    ending: '.py',
    things: ['labels', 'retries'],
    caseMs: 90,
    tookSeconds: 12,
  },
];

/** What a test says of a thing; the numbers of cases run through all of them. */
export const behaviours = [
  'is empty at first',
  'keeps its order',
  'survives a reload',
  'says what is missing',
  'refuses an unknown zone',
  'rounds half a cent up',
  'waits for the server',
  'gives up after three tries',
  'shows the newest first',
  'counts each once',
  'reads right to left',
  'has a name for a screen reader',
  'is reached by keyboard alone',
  'never says “undefined”',
  'takes 10,000 lines',
  'forgets what was removed',
] as const;

/** Where a behaviour is looked for again. */
export const circumstances = [
  '',
  ' for a guest',
  ' on a slow line',
  ' with two windows open',
  ' in the night of a time change',
] as const;

/** What a failed case said. */
export interface Failure {
  /** The number of the case within its suite. */
  readonly index: number;
  readonly message: string;
  readonly trace: string;
  readonly kind?: 'error';
}

/** A case that has a name of its own. */
export interface NamedCase {
  readonly projectId: number;
  readonly index: number;
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export const namedCases: readonly NamedCase[] = [
  {
    projectId: checkoutApi,
    index: 61,
    name: 'capture is tried again once after a time-out',
    file: 'test/payments/capture.test.ts',
    line: 61,
  },
  {
    projectId: shopWeb,
    index: 3,
    name: 'keeps quantities when the quote fails',
    file: 'test/cart/store.test.ts',
    line: 212,
  },
  {
    projectId: shopWeb,
    index: 214,
    name: 'falls back to the flat rate when a zone has none',
    file: 'test/shipping/rates.test.ts',
    line: 88,
  },
];

/** Cases that pass only at the second try in so many of 100 runs. */
export const flakyCases: readonly {
  readonly projectId: number;
  readonly index: number;
  readonly share: number;
  readonly message: string;
}[] = [
  {
    projectId: shopWeb,
    index: 37,
    share: 35,
    message: 'expected the basket within 1000 ms, and it came after 1043 ms',
  },
  { projectId: shopWeb, index: 402, share: 25, message: 'element is not attached to the document' },
  { projectId: checkoutApi, index: 61, share: 30, message: 'Test timed out in 5,000 ms' },
  { projectId: mobileShell, index: 15, share: 40, message: 'no frame of the camera within 5 s' },
];

/** What the suite said before card payments failed. */
export const captureFailure: Failure = {
  index: 61,
  message:
    'PaymentCaptureError: gateway answered 502 after 3 attempts\n\nExpected: 2 attempts\nReceived: 3 attempts',
  trace:
    'PaymentCaptureError: gateway answered 502 after 3 attempts\n    at capturePayment (src/payments/capture.ts:38:9)\n    at processTicksAndRejections (node:internal/process/task_queues:105:5)\n    at test/payments/capture.test.ts:61:5',
  kind: 'error',
};

/** What failed in a red streak, one more from run to run. */
export const streakFailures: readonly Failure[] = [
  {
    index: 3,
    message: "TypeError: Cannot read properties of undefined (reading 'total')",
    trace:
      "TypeError: Cannot read properties of undefined (reading 'total')\n    at renderTotals (src/cart/summary.ts:12:33)\n    at updateBasket (src/cart/store.ts:11:3)\n    at test/cart/store.test.ts:212:9",
    kind: 'error',
  },
  {
    index: 214,
    message:
      'AssertionError: expected the quote to equal the flat rate\n- Expected\n+ Received\n\n  {\n-   "total": 690,\n+   "total": 0,\n    "currency": "EUR"\n  }',
    trace:
      'AssertionError: expected the quote to equal the flat rate\n    at test/shipping/rates.test.ts:88:21',
  },
  {
    index: 61,
    message: 'AssertionError: expected 489.00 € to be 494.90 €\n\nExpected: 494.90 €\nReceived: 489.00 €',
    trace: 'AssertionError: expected 489.00 € to be 494.90 €\n    at test/cart.test.ts:41:21',
  },
];

/** What a device said that did not answer. */
export const hungFailure: Failure = {
  index: 2,
  message: 'Test timeout of 30000 ms exceeded.',
  trace: 'Error: page.click: Test timeout of 30000 ms exceeded.\n    at device/offline.spec.ts:12:14',
  kind: 'error',
};
