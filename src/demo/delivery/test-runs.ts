import { createHash } from 'node:crypto';
import { createCaseScrubber } from '../../core/test-runs/reports/cases/normalize.ts';
import { createUploadReader } from '../../core/test-runs/reports/read-upload.ts';
import { recordTestRun } from '../../core/test-runs/test-runs.ts';
import { type Slug, siteHost } from '../shared/company.ts';
import { type DemoContext, type Step, timeAgoMs, toIsoTime } from '../shared/context.ts';
import type { Random } from '../shared/random.ts';
import { commitOf } from './releases.ts';

const behaviours = [
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

type Run = ReturnType<typeof runOf>;

interface Case {
  readonly name: string;
  readonly subject: string;
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly failure?: Failure;
  /** Message of the failed first try of a case that passed on the second. */
  readonly firstTry?: string;
}

export function testRunSteps(demo: DemoContext): Step[] {
  return suites.flatMap((suite) => {
    const random = demo.random(`tests of ${suite.slug}`);
    return Array.from({ length: suite.runs }, (_, index) => {
      const run = runOf(demo, suite, random, index);
      return { atMs: run.atMs, run: () => record(demo, suite, run) };
    });
  });
}

/** The run after the shop's failed ones belongs to the release with the fix, the newest to the latest releases. */
function runOf(demo: DemoContext, suite: Suite, random: Random, index: number) {
  const { slug } = suite;
  const shipped = demo.shipped.filter((each) => each.slug === slug);
  const release = releaseOfRun(
    suite,
    index,
    shipped.map((each) => each.version),
  );
  const liveMs = shipped.find((each) => each.version === release)?.atMs;
  const atMs =
    liveMs === undefined ? timeOf(demo, suite, random, index) : liveMs - random.between(30, 55) * 60_000;
  const cases = casesOf(suite, random, index);
  const sumMs = cases.reduce((sum, each) => sum + each.durationMs, 0);
  return {
    number: 8800 + index * 3 + suites.indexOf(suite) * 1400,
    atMs,
    durationMs: Math.round(sumMs / 4),
    release,
    commit: release === null ? random.hex(40) : commitOf(slug, release),
    branch:
      release === null && random.percent(35)
        ? random.pick(['basket-quote', 'faster-search', 'ng-menu'])
        : 'main',
    cases,
  };
}

function releaseOfRun(suite: Suite, index: number, versions: readonly string[]): string | null {
  if (index === suite.runs - 1) return versions.at(-1) ?? null;
  if (suite.slug !== 'shop-web') return null;
  return index === 11 ? '4.17.2' : index === 7 ? '4.17.1' : null;
}

function timeOf({ nowMs }: DemoContext, suite: Suite, random: Random, index: number): number {
  const isShop = suite.slug === 'shop-web';
  if (isShop && index > 7) return timeAgoMs(nowMs, index < 11 ? 14.2 - index * 0.45 : 22 - index * 1.4);
  const until = isShop ? 13 : 3;
  const count = isShop ? 8 : suite.runs;
  const days = suite.since - ((suite.since - until) * index) / count;
  return timeAgoMs(nowMs, days, random.next() * 5);
}

function casesOf(suite: Suite, random: Random, run: number): Case[] {
  const failures = failedRuns[suite.slug]?.[run] ?? [];
  const count = suite.cases - (suite.runs - 1 - run) * Math.ceil(suite.cases / 150);
  const unsteady = flakyCases.filter((each) => each.slug === suite.slug);
  return Array.from({ length: count }, (_, index): Case => {
    const subject = suite.subjects[index % suite.subjects.length] ?? '';
    const number = Math.floor(index / suite.subjects.length);
    const behaviour = behaviours[number % behaviours.length] ?? '';
    const repeat = Math.floor(number / behaviours.length);
    const plain = {
      name: caseNames[suite.slug]?.[index] ?? (repeat === 0 ? behaviour : `${behaviour} (${repeat + 1})`),
      subject,
      file: `${suite.folder}${subject}${suite.ending}`,
      durationMs: Math.round(suite.caseMs * (0.2 + random.next() ** 4 * 6)),
    };
    const failure = failures.find((each) => each.index === index);
    if (failure !== undefined) return { ...plain, status: 'failed', failure };
    const first = unsteady.find((each) => each.index === index && random.percent(each.share));
    if (first !== undefined) return { ...plain, status: 'passed', firstTry: first.message };
    return { ...plain, status: index % 155 === 154 ? 'skipped' : 'passed' };
  });
}

async function record({ deps, projects }: DemoContext, suite: Suite, run: Run): Promise<void> {
  const project = projects[suite.slug];
  const text = suite.format === 'ctrf' ? ctrfOf(suite, run) : junitOf(suite, run);
  const reader = createUploadReader(createCaseScrubber(project));
  reader.open('', suite.format === 'ctrf' ? 'body' : 'xml').write(text);
  const report = reader.end({
    suite: suite.suite,
    tool: suite.tool,
    run_key: `${suite.slug}-${run.number}`,
    commit: run.commit,
    branch: run.branch,
    repository: `https://git.${siteHost}/harbourpine/${suite.slug}`,
    ci: 'Drydock CI',
    build: { number: String(run.number), url: `https://ci.${siteHost}/${suite.slug}/${run.number}` },
    environment: 'ci',
    started_at: toIsoTime(run.atMs - run.durationMs),
    finished_at: toIsoTime(run.atMs),
    duration_ms: run.durationMs,
    tags: { runner: 'ci-2', shards: '4' },
    ...(run.release === null ? {} : { release: run.release }),
  });
  await recordTestRun(deps, project, report, createHash('sha256').update(text).digest('hex'));
}

function ctrfOf(suite: Suite, run: Run): string {
  const count = (status: Case['status']): number => run.cases.filter((each) => each.status === status).length;
  const tests = run.cases.map((each) => ({
    name: each.name,
    status: each.status,
    duration: each.durationMs,
    suite: [each.subject],
    filePath: each.file,
    ...(each.failure === undefined ? {} : { message: each.failure.message, trace: each.failure.trace }),
    ...(each.firstTry === undefined ? {} : { flaky: true, retries: 1, message: each.firstTry }),
  }));
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: 0,
    start: run.atMs - run.durationMs,
    stop: run.atMs,
  };
  return JSON.stringify({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: { tool: { name: suite.tool }, summary, tests },
  });
}

function junitOf(suite: Suite, run: Run): string {
  const cases = run.cases.map((each) => {
    const head = `<testcase name="${xml(each.name)}" classname="${xml(each.subject)}" file="${xml(each.file)}" time="${each.durationMs / 1000}"`;
    if (each.status === 'skipped') return `${head}><skipped/></testcase>`;
    if (each.failure !== undefined) {
      const { message, trace } = each.failure;
      return `${head}><failure message="${xml(message)}" type="AssertionError">${xml(trace)}</failure></testcase>`;
    }
    if (each.firstTry === undefined) return `${head}/>`;
    return `${head}><flakyFailure message="${xml(each.firstTry)}" type="Error">${xml(each.firstTry)}</flakyFailure></testcase>`;
  });
  return `<?xml version="1.0"?><testsuites><testsuite name="${suite.suite}" tests="${cases.length}">${cases.join('')}</testsuite></testsuites>`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** `cases` are those of the newest run, earlier runs have fewer; `since` is the age of the first in days. */
const suites = [
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
    subjects: 'basket checkout search gallery address payment wishlist account prices menu'.split(' '),
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
    subjects: ['quotes', 'captures', 'webhooks', 'stock', 'taxes', 'sessions'],
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
    subjects: ['rates', 'feed', 'import'],
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
    subjects: ['menu', 'scanner', 'offline', 'push'],
    caseMs: 5400,
  },
] as const;
type Suite = (typeof suites)[number];

/** `share`: percentage of runs that need a second try. `index`: number of the case in its suite. */
const flakyCases = [
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
const caseNames: Readonly<Partial<Record<Slug, Readonly<Record<number, string>>>>> = {
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

interface Failure {
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
const failedRuns: Readonly<Partial<Record<Slug, Readonly<Record<number, readonly Failure[]>>>>> = {
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
