import type { MonitorRequest } from '../../../schemas/monitors.ts';
import { type Slug, siteHost } from '../shared/company.ts';

export interface DemoMonitor {
  readonly request: MonitorRequest;
  readonly project: Slug | null;
  /** Usual response time; null for push monitors and cron jobs. */
  readonly usualMs: number | null;
  readonly code: string;
  /** Days until the certificate expires; null without a certificate. */
  readonly certificateDays: number | null;
}

/** Tag of monitors whose alerts wake somebody up. */
const wakes = 'wake:yes';
const shop = `https://shop.${siteHost}`;

type Row = readonly [request: MonitorRequest, project: Slug | null, usualMs: number | null, days?: number];

const rows: readonly Row[] = [
  [{ type: 'http', name: 'Front page', url: `${shop}/`, group: 'Shop', tags: [wakes] }, 'shop-web', 184, 61],
  [
    {
      type: 'keyword',
      name: 'Basket shows a total',
      url: `${shop}/basket`,
      contains: 'Total',
      group: 'Shop',
      tags: [wakes],
    },
    'shop-web',
    231,
    61,
  ],
  [
    {
      type: 'http',
      name: 'Customer accounts',
      url: `${shop}/account`,
      status: '200,302',
      group: 'Shop',
      goal: 99,
    },
    'shop-web',
    148,
    61,
  ],
  [
    {
      type: 'http',
      name: 'Product search',
      url: `${shop}/search?q=oak`,
      slow_ms: 1000,
      group: 'Shop',
      goal: 99.5,
      tags: [wakes],
    },
    'shop-web',
    320,
    61,
  ],
  [
    {
      type: 'http',
      name: 'Mobile API',
      url: `https://api.${siteHost}/mobile/ping`,
      group: 'Shop',
      goal: 99,
      tags: [wakes],
    },
    'mobile-shell',
    55,
    37,
  ],
  [
    {
      type: 'http',
      name: 'Payments gateway',
      url: `https://pay.${siteHost}/ready`,
      group: 'Payments',
      tags: ['payments', wakes],
    },
    'checkout-api',
    138,
    16,
  ],
  [
    {
      type: 'http',
      name: 'Checkout API',
      url: `https://api.${siteHost}/healthz`,
      json_path: '/ok',
      json_value: 'true',
      group: 'Payments',
      tags: ['payments'],
    },
    'checkout-api',
    42,
    37,
  ],
  [
    { type: 'tcp', name: 'Refund queue', host: `queue.${siteHost}`, port: 5671, group: 'Payments', goal: 99 },
    'checkout-api',
    3,
  ],
  [
    {
      type: 'http',
      name: 'Blog',
      url: `https://blog.${siteHost}/`,
      group: 'Content',
      goal: 99.5,
      tags: [wakes],
    },
    'wp-site',
    402,
    48,
  ],
  [
    {
      type: 'keyword',
      name: 'Blog feed is complete',
      url: `https://blog.${siteHost}/feed`,
      contains: '</rss>',
      group: 'Content',
      goal: 99.5,
    },
    'wp-site',
    377,
    48,
  ],
  [
    {
      type: 'http',
      name: 'Image servers',
      url: `https://img.${siteHost}/ping.gif`,
      group: 'Content',
      goal: 99,
    },
    null,
    31,
    80,
  ],
  [
    { type: 'tcp', name: 'Redis', host: `redis.${siteHost}`, port: 6379, group: 'Platform', goal: 99 },
    null,
    1,
  ],
  [
    {
      type: 'dns',
      name: 'Mail records',
      host: siteHost,
      record: 'MX',
      answers: `10 mx1.${siteHost}, 20 mx2.${siteHost}`,
      interval: 3600,
      group: 'Platform',
      goal: 99,
    },
    null,
    12,
  ],
  [
    {
      type: 'tls',
      name: 'Shop certificate',
      host: `shop.${siteHost}`,
      interval: 3600,
      group: 'Platform',
      goal: 99,
    },
    null,
    24,
    61,
  ],
  [
    {
      type: 'tls',
      name: 'API certificate',
      host: `api.${siteHost}`,
      interval: 3600,
      group: 'Platform',
      goal: 99,
    },
    null,
    22,
    37,
  ],
  [
    {
      type: 'cron',
      name: 'Nightly stock import',
      schedule: '30 2 * * *',
      checkin_margin: 30,
      max_runtime: 45,
      group: 'Platform',
      goal: 99,
    },
    'checkout-api',
    null,
  ],
  [
    { type: 'heartbeat', name: 'Mail digest', interval: 3600, grace: 600, group: 'Platform', goal: 99 },
    null,
    null,
  ],
  [
    { type: 'http', name: 'Careers page', url: `https://careers.${siteHost}/`, group: 'Content', goal: 99 },
    null,
    260,
  ],
];

/** In the order of creation. Most are checked every five minutes. */
export const monitors: readonly DemoMonitor[] = rows.map(([request, project, usualMs, days]) => ({
  // Push monitors and cron jobs have no check interval, or the given one.
  request: usualMs === null ? request : { interval: 300, ...request, confirmations: 1 },
  project,
  usualMs,
  code: request.type === 'http' || request.type === 'keyword' ? '200' : '',
  certificateDays: days ?? null,
}));

export const pendingName = 'Careers page';
export const pausedName = 'Mail digest';
