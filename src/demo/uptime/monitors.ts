import type { MonitorRequest } from '../../../schemas/monitors.ts';
import { apiHost, blogHost, type Slug, shopHost, siteHost } from '../shared/company.ts';

/** Tag of monitors whose alerts wake somebody up. */
const wakes = 'wake:yes';
const shop = `https://shop.${siteHost}`;

type Row = MonitorRequest & {
  readonly project?: Slug;
  /** Usual response time; push monitors and cron jobs have none. */
  readonly usualMs?: number;
};

const rows: readonly Row[] = [
  {
    type: 'http',
    name: 'Front page',
    url: `${shop}/`,
    group: 'Shop',
    tags: [wakes],
    project: 'shop-web',
    usualMs: 184,
  },
  {
    type: 'keyword',
    name: 'Basket shows a total',
    url: `${shop}/basket`,
    contains: 'Total',
    group: 'Shop',
    tags: [wakes],
    project: 'shop-web',
    usualMs: 231,
  },
  {
    type: 'http',
    name: 'Customer accounts',
    url: `${shop}/account`,
    status: '200,302',
    group: 'Shop',
    goal: 99,
    project: 'shop-web',
    usualMs: 148,
  },
  {
    type: 'http',
    name: 'Product search',
    url: `${shop}/search?q=oak`,
    slow_ms: 1000,
    group: 'Shop',
    goal: 99.5,
    tags: [wakes],
    project: 'shop-web',
    usualMs: 320,
  },
  {
    type: 'http',
    name: 'Mobile API',
    url: `https://api.${siteHost}/mobile/ping`,
    group: 'Shop',
    goal: 99,
    tags: [wakes],
    project: 'mobile-shell',
    usualMs: 55,
  },
  {
    type: 'http',
    name: 'Payments gateway',
    url: `https://pay.${siteHost}/ready`,
    group: 'Payments',
    tags: ['payments', wakes],
    project: 'checkout-api',
    usualMs: 138,
  },
  {
    type: 'http',
    name: 'Checkout API',
    url: `https://api.${siteHost}/healthz`,
    json_path: '/ok',
    json_value: 'true',
    group: 'Payments',
    tags: ['payments'],
    project: 'checkout-api',
    usualMs: 42,
  },
  {
    type: 'tcp',
    name: 'Refund queue',
    host: `queue.${siteHost}`,
    port: 5671,
    group: 'Payments',
    goal: 99,
    project: 'checkout-api',
    usualMs: 3,
  },
  {
    type: 'http',
    name: 'Blog',
    url: `https://blog.${siteHost}/`,
    group: 'Content',
    goal: 99.5,
    tags: [wakes],
    project: 'wp-site',
    usualMs: 402,
  },
  {
    type: 'keyword',
    name: 'Blog feed is complete',
    url: `https://blog.${siteHost}/feed`,
    contains: '</rss>',
    group: 'Content',
    goal: 99.5,
    project: 'wp-site',
    usualMs: 377,
  },
  {
    type: 'http',
    name: 'Image servers',
    url: `https://img.${siteHost}/ping.gif`,
    group: 'Content',
    goal: 99,
    usualMs: 31,
  },
  {
    type: 'tcp',
    name: 'Redis',
    host: `redis.${siteHost}`,
    port: 6379,
    group: 'Platform',
    goal: 99,
    usualMs: 1,
  },
  {
    type: 'dns',
    name: 'Mail records',
    host: siteHost,
    record: 'MX',
    answers: `10 mx1.${siteHost}, 20 mx2.${siteHost}`,
    interval: 3600,
    group: 'Platform',
    goal: 99,
    usualMs: 12,
  },
  {
    type: 'tls',
    name: 'Shop certificate',
    host: `shop.${siteHost}`,
    interval: 3600,
    group: 'Platform',
    goal: 99,
    usualMs: 24,
  },
  {
    type: 'tls',
    name: 'API certificate',
    host: `api.${siteHost}`,
    interval: 3600,
    group: 'Platform',
    goal: 99,
    usualMs: 22,
  },
  {
    type: 'cron',
    name: 'Nightly stock import',
    schedule: '30 2 * * *',
    checkin_margin: 30,
    max_runtime: 45,
    group: 'Platform',
    goal: 99,
    project: 'checkout-api',
  },
  {
    type: 'heartbeat',
    name: 'Mail digest',
    interval: 3600,
    grace: 600,
    group: 'Platform',
    goal: 99,
  },
  {
    type: 'http',
    name: 'Careers page',
    url: `https://careers.${siteHost}/`,
    group: 'Content',
    goal: 99,
    usualMs: 260,
  },
];

/** Days until the certificate of a host expires. */
const certificateDays: ReadonlyMap<string, number> = new Map([
  [shopHost, 61],
  [apiHost, 37],
  [`pay.${siteHost}`, 16],
  [blogHost, 48],
  [`img.${siteHost}`, 80],
]);

function hostOf({ url, host }: MonitorRequest): string {
  return URL.parse(url ?? '')?.host ?? host ?? '';
}

/** In the order of creation. Most are checked every five minutes. */
export const monitors = rows.map(({ project = null, usualMs = null, ...request }) => ({
  // Push monitors and cron jobs have no check interval, or the given one.
  request: usualMs === null ? request : { interval: 300, ...request, confirmations: 1 },
  project,
  usualMs,
  code: request.type === 'http' || request.type === 'keyword' ? '200' : '',
  certificateDays: certificateDays.get(hostOf(request)) ?? null,
}));
export type DemoMonitor = (typeof monitors)[number];

export const pendingName = 'Careers page';
export const pausedName = 'Mail digest';
