import { createDeploy } from '../../core/releases/deploys.ts';
import { upsertRelease } from '../../core/releases/releases.ts';
import {
  type Colleague,
  colleagues,
  ines,
  jun,
  mara,
  type Slug,
  siteHost,
  tomas,
} from '../shared/company.ts';
import {
  type DemoContext,
  outageMinutes,
  type ProductionDeploy,
  type Step,
  timeAgoMs,
  toIsoTime,
} from '../shared/context.ts';
import { createRandom, type Random } from '../shared/random.ts';

type Subject = readonly [subject: string, path: string];

const commonCommits: readonly Subject[] = [
  ['build: dependencies of the week', 'package.json'],
  ['tests: no clock but ours', 'tests/support/clock.ts'],
  ['logs: no postcode in them', 'src/log.ts'],
  ['ci: the map goes up before the deploy', '.ci/release.yml'],
  ['docs: how to go back a release', 'docs/rollback.md'],
];

const projectCommits: Readonly<Record<Slug, readonly Subject[]>> = {
  'shop-web': [
    ['quote: ask for rates by zone', 'src/shipping/rates.ts'],
    ['basket: keep quantities while the quote loads', 'src/cart/store.ts'],
    ['search: suggestions are asked for once', 'src/search/suggest.ts'],
    ['build: preact 11.2', 'package.json'],
    ['basket: one revision number for both stores', 'src/cart/store.ts'],
    ['payment: three attempts, then say so', 'src/checkout/pay.ts'],
    ['gallery: decode what is on screen first', 'src/gallery/zoom.ts'],
    ['address: the Isle of Man is a zone of its own', 'src/checkout/address.ts'],
    ['totals: an estimate says that it is one', 'src/cart/summary.ts'],
    ['translations of October', 'src/texts/fr.json'],
    ['wishlist: two tabs do not fight', 'src/account/wishlist.ts'],
    ['menu: closes with Escape', 'src/ui/menu.ts'],
    ['checkout: a chunk of its own', 'src/router/lazy.ts'],
    ['prices: cents until they are shown', 'src/format/money.ts'],
  ],
  'checkout-api': [
    ['capture: say what the gateway answered', 'src/payments/capture.ts'],
    ['quotes: a carrier has two seconds', 'src/shipping/quote.ts'],
    ['stock: lock rows in order of their number', 'src/stock/reserve.ts'],
    ['sessions: keys are turned every month', 'src/http/session.ts'],
    ['webhooks: compare signatures in constant time', 'src/payments/webhook.ts'],
    ['taxes: the rates of January', 'src/tax/rates.ts'],
    ['baskets: refuse a line without a number', 'src/http/baskets.ts'],
    ['cache: five tries, then without', 'src/cache/client.ts'],
    ['reports: rows as they come', 'src/reports/stream.ts'],
    ['orders: a BigInt is written as text', 'src/http/orders.ts'],
  ],
  'wp-site': [
    ['feed: in slices of 200 products', 'wp-content/plugins/hp-feed/class-hp-feed.php'],
    ['shipping: ask for the country before its zone', 'wp-content/plugins/hp-shipping/rates.php'],
    ['theme: menus of three levels', 'wp-content/themes/harbour/inc/menu.php'],
    ['import: a lock that ends by itself', 'wp-content/plugins/hp-import/class-hp-import.php'],
    ['journal: pictures with their sizes', 'wp-content/themes/harbour/single.php'],
    ['mail: through the new relay', 'wp-content/plugins/hp-mail/class-hp-mail.php'],
  ],
  'mobile-shell': [
    ['menu: stop at twelve levels', 'src/menu/tree.ts'],
    ['scanner: no frame, no decoding', 'android/scanner/decode.cc'],
    ['keychain: read after the first unlock', 'src/auth/keychain.ts'],
    ['push: register once a version', 'src/push/register.ts'],
    ['links: a broken address opens the start', 'src/app/links.ts'],
    ['offline: the basket waits', 'src/api/client.ts'],
  ],
  'worker-queue': [
    ['labels: a parcel without a weight is refused', 'shipping/labels.py'],
    ['mail: thirty seconds are enough', 'mail/tasks.py'],
    ['queue: jobs by kind', 'worker/queue.py'],
    ['queue: first version', 'worker/__init__.py'],
  ],
};

interface DemoRelease {
  readonly slug: Slug;
  readonly version: string;
  /** Age in days of the deploy to production. */
  readonly days: number;
  readonly by: Colleague;
}

/** By default a successful deploy to production. */
interface ExtraDeploy extends DemoRelease {
  readonly environment?: 'production' | 'staging' | 'preview';
  readonly status?: 'success' | 'failure' | 'cancelled' | 'in_progress';
  readonly comment?: string;
}

/** WordPress site versions are year, month and number. */
function releasesOf(nowMs: number): readonly DemoRelease[] {
  const month = (days: number, nth: number): string => {
    const date = new Date(timeAgoMs(nowMs, days));
    return `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}.${nth}`;
  };
  return [
    { slug: 'shop-web', version: '4.2.0', days: 352, by: ines },
    { slug: 'checkout-api', version: '2.18.0', days: 330, by: jun },
    { slug: 'mobile-shell', version: '7.1.3', days: 200, by: ines },
    { slug: 'shop-web', version: '4.9.1', days: 128, by: tomas },
    { slug: 'checkout-api', version: '2.26.1', days: 72, by: jun },
    { slug: 'wp-site', version: month(58, 0), days: 58, by: mara },
    { slug: 'shop-web', version: '4.16.0', days: 46, by: tomas },
    { slug: 'mobile-shell', version: '7.6.0', days: 33, by: ines },
    { slug: 'wp-site', version: month(30, 1), days: 30, by: mara },
    { slug: 'shop-web', version: '4.17.1', days: 11, by: tomas },
    { slug: 'shop-web', version: '4.17.2', days: 9, by: ines },
    { slug: 'checkout-api', version: '2.30.4', days: 5, by: jun },
    { slug: 'worker-queue', version: '0.1.0', days: 2.9, by: jun },
    { slug: 'mobile-shell', version: '7.9.0', days: 2, by: ines },
    { slug: 'wp-site', version: month(1.2, 2), days: 1.2, by: mara },
    { slug: 'worker-queue', version: '0.1.1', days: 1, by: jun },
    { slug: 'checkout-api', version: '2.31.0', days: (outageMinutes + 38) / 1440, by: jun },
    { slug: 'shop-web', version: '4.18.0', days: 0.12, by: tomas },
  ];
}

const extras: readonly ExtraDeploy[] = [
  {
    slug: 'shop-web',
    version: '4.16.0',
    days: 10.6,
    by: ines,
    comment: 'Back to 4.16.0: baskets of 4.17.1 lose their total',
  },
  {
    slug: 'checkout-api',
    version: '2.26.1',
    days: 4.8,
    by: jun,
    comment: 'Back to 2.26.1 while the gateway looks at its timeouts',
  },
  {
    slug: 'checkout-api',
    version: '2.30.4',
    days: 4.6,
    by: jun,
    comment: 'It was the gateway; forward again',
  },
  { slug: 'shop-web', version: '4.9.1', days: 128.4, environment: 'staging', status: 'failure', by: tomas },
  { slug: 'wp-site', version: '', days: 30.3, environment: 'staging', status: 'failure', by: mara },
  { slug: 'mobile-shell', version: '7.6.0', days: 33.2, status: 'failure', by: ines },
  { slug: 'shop-web', version: '4.18.0', days: 0.1235, status: 'cancelled', by: tomas },
  { slug: 'shop-web', version: '4.18.0', days: 0.136, environment: 'preview', by: tomas },
  { slug: 'shop-web', version: '4.17.2', days: 9.3, environment: 'preview', by: ines },
  {
    slug: 'worker-queue',
    version: '0.1.1',
    days: 0.002,
    environment: 'staging',
    status: 'in_progress',
    by: jun,
  },
];

export function listProductionDeploys(nowMs: number): ProductionDeploy[] {
  const redeploys = extras.filter(
    ({ environment = 'production', status = 'success' }) =>
      environment === 'production' && status === 'success',
  );
  return [...releasesOf(nowMs), ...redeploys]
    .map(({ slug, version, days }) => ({ slug, version, atMs: timeAgoMs(nowMs, days) }))
    .sort((one, other) => one.atMs - other.atMs);
}

const newestCapture = {
  version: '2.31.0',
  subject: ['capture: three attempts', 'src/payments/capture.ts'],
} as const;

export function commitOf(slug: Slug, version: string): string {
  return createRandom(`commit of ${slug} ${version}`).hex(40);
}

export function releaseSteps(demo: DemoContext): Step[] {
  const random = demo.random('releases');
  const releases = releasesOf(demo.nowMs);
  return [
    ...releases.flatMap((release) => stepsOf(demo, random, release)),
    ...extras.map((extra) => extraStep(demo, random, extra)),
  ];
}

/** Staging comes half an hour to half a day before production. */
function stepsOf(demo: DemoContext, random: Random, release: DemoRelease): Step[] {
  const { slug, version, days } = release;
  const { deps, nowMs } = demo;
  const project = demo.projects[slug];
  const liveMs = timeAgoMs(nowMs, days);
  const stagedMs = liveMs - random.between(27, days > 0.2 ? 700 : 40) * 60_000;
  const builtMs = stagedMs - random.between(6, 20) * 60_000;
  const request = {
    version,
    ref: commitOf(slug, version),
    url: `https://git.${siteHost}/${slug}/releases/${version}`,
    date_started: toIsoTime(builtMs - 240_000),
    commits: commitsOf(random, release, builtMs),
    refs: [{ repository: `harbourpine/${slug}`, commit: commitOf(slug, version) }],
    metadata: { pipeline: random.between(2000, 9000), builder: 'ci-2.harbourpine.example.com' },
  };
  return [
    { atMs: builtMs, run: () => upsertRelease(deps, project, request) },
    deployStep(demo, { ...release, environment: 'staging' }, random.between(70, 200), stagedMs),
    deployStep(demo, release, random.between(90, 400)),
    {
      atMs: liveMs + 1,
      run: () => upsertRelease(deps, project, { version, date_released: toIsoTime(liveMs) }),
    },
  ];
}

function extraStep(demo: DemoContext, random: Random, extra: ExtraDeploy): Step {
  const atMs = timeAgoMs(demo.nowMs, extra.days);
  const next = demo.shipped.find((each) => each.slug === extra.slug && each.atMs > atMs);
  const version = extra.version === '' ? (next?.version ?? '') : extra.version;
  return deployStep(demo, { ...extra, version }, random.between(40, 170));
}

function deployStep(
  { deps, nowMs, projects }: DemoContext,
  { slug, version, days, environment = 'production', status = 'success', by, comment }: ExtraDeploy,
  seconds: number,
  atMs = timeAgoMs(nowMs, days),
): Step {
  const isOver = status !== 'in_progress';
  const request = {
    version,
    environment,
    status,
    name: `${slug} ${version} to ${environment}`,
    url: `https://ci.${siteHost}/${slug}/deploys/${createRandom(`${slug} ${version} ${environment} ${atMs}`).between(1000, 9999)}`,
    date_started: toIsoTime(atMs - seconds * 1000),
    ...(isOver ? { date_finished: toIsoTime(atMs) } : {}),
    revision: commitOf(slug, version),
    repository: `https://git.${siteHost}/harbourpine/${slug}`,
    deployed_by: by,
    ...(comment === undefined ? {} : { comment }),
  };
  return { atMs, run: () => createDeploy(deps, projects[slug], request) };
}

/** 5 to 13 different commits, newest first, most of them by the person who releases. */
function commitsOf(random: Random, { slug, version, by }: DemoRelease, builtMs: number) {
  const remaining =
    version === newestCapture.version ? [newestCapture.subject, ...subjectsOf(slug)] : [...subjectsOf(slug)];
  const count = Math.min(remaining.length, random.between(5, 13));
  let atMs = builtMs;
  return Array.from({ length: count }, (_, index) => {
    const author = random.percent(40) ? by : random.pick(colleagues);
    const at = version === newestCapture.version && index === 0 ? 0 : random.between(0, remaining.length - 1);
    const [[message, path] = ['', '']] = remaining.splice(at, 1);
    atMs -= random.between(25, 400) * 60_000;
    return {
      id: index === 0 ? commitOf(slug, version) : random.hex(40),
      repository: `harbourpine/${slug}`,
      message,
      author_name: author,
      author_email: `${author.split(' ')[0]?.toLowerCase()}@${siteHost}`,
      timestamp: toIsoTime(atMs),
      patch_set: [{ path, type: 'M' as const }],
    };
  });
}

function subjectsOf(slug: Slug): readonly Subject[] {
  return [...projectCommits[slug], ...commonCommits];
}
