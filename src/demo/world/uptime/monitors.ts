// What Harbour & Pine watches: eighteen monitors of every type. How each of them is just now follows from
// what happens to it (troubles.ts) and from the time.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { MonitorType } from '../../../core/store/monitors/monitors.ts';
import { home } from '../company.ts';
import { checkoutApi, mobileShell, shopWeb, wpSite } from '../story.ts';

/** A monitor before anything happens to it. */
export interface Watched {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly type: MonitorType;
  readonly target: string;
  readonly expects: string;
  readonly projectId: number | null;
  readonly group: 'Shop' | 'Payments' | 'Content' | 'Platform';
  readonly tags: readonly string[];
  readonly intervalMs: number;
  readonly goal: number;
  /** Of a usual answer at a usual hour; null for what is not asked but calls. */
  readonly usualMs: number | null;
  /** What an answer that is good says; empty where it says nothing. */
  readonly code: string;
  /** Days that a certificate of it lasts from one renewal to the next, or null where it has none. */
  readonly certificateDays: number | null;
  readonly madeAtMs: number;
  /** So long after its interval begins it is asked; at some moment by chance unless said. */
  readonly asksAtMs?: number;
}

type Row = Pick<Watched, 'slug' | 'name' | 'type' | 'target' | 'expects' | 'group'> &
  Partial<Omit<Watched, 'id'>>;

const fiveMinutes = 5 * minuteMs;
const madeAtMs = Date.UTC(2025, 9, 20, 9);
const shop = { group: 'Shop', projectId: shopWeb, certificateDays: 90 } as const;
const platform = { group: 'Platform', projectId: null } as const;

/** Somebody is woken when it is down. */
const wakes = 'wake:yes';

const rows: readonly Row[] = [
  {
    ...shop,
    slug: 'front-page',
    name: 'Front page',
    type: 'http',
    target: `https://shop.${home}/`,
    expects: '200 within 2 s',
    tags: [wakes],
    usualMs: 184,
    goal: 0.999,
  },
  {
    ...shop,
    slug: 'basket-total',
    name: 'Basket shows a total',
    type: 'keyword',
    target: `https://shop.${home}/basket`,
    expects: '“Total” on the page within 3 s',
    tags: [wakes],
    usualMs: 231,
    goal: 0.999,
  },
  {
    ...shop,
    slug: 'customer-accounts',
    name: 'Customer accounts',
    type: 'http',
    target: `https://shop.${home}/account`,
    expects: '200 or 302 within 2 s',
    usualMs: 148,
  },
  {
    ...shop,
    slug: 'product-search',
    name: 'Product search',
    type: 'http',
    target: `https://shop.${home}/search?q=oak`,
    expects: '200, median under 1 s',
    tags: [wakes],
    usualMs: 320,
    goal: 0.995,
  },
  {
    ...shop,
    slug: 'mobile-api',
    name: 'Mobile API',
    type: 'http',
    target: `https://api.${home}/mobile/ping`,
    expects: '200 within 1 s',
    projectId: mobileShell,
    tags: [wakes],
    usualMs: 55,
  },
  {
    slug: 'payments-gateway',
    name: 'Payments gateway',
    type: 'http',
    target: `https://pay.${home}/ready`,
    expects: '200 within 3 s',
    group: 'Payments',
    projectId: checkoutApi,
    tags: ['payments', wakes],
    usualMs: 138,
    goal: 0.999,
    certificateDays: 60,
    // The trouble of the story begins 23 minutes past the hour: this check saw it.
    asksAtMs: 3 * minuteMs,
  },
  {
    slug: 'checkout-api',
    name: 'Checkout API',
    type: 'http',
    target: `https://api.${home}/healthz`,
    expects: '200 and {"ok":true}',
    group: 'Payments',
    projectId: checkoutApi,
    tags: ['payments'],
    usualMs: 42,
    goal: 0.999,
    certificateDays: 90,
  },
  {
    slug: 'refund-queue',
    name: 'Refund queue',
    type: 'tcp',
    target: '192.0.2.44:5671',
    expects: 'a connection within 1 s',
    group: 'Payments',
    projectId: checkoutApi,
    tags: ['payments'],
    usualMs: 3,
    code: '',
  },
  {
    slug: 'blog',
    name: 'Blog',
    type: 'http',
    target: `https://blog.${home}/`,
    expects: '200 within 5 s',
    group: 'Content',
    projectId: wpSite,
    tags: [wakes],
    usualMs: 402,
    goal: 0.995,
    certificateDays: 90,
  },
  {
    slug: 'blog-feed',
    name: 'Blog feed is complete',
    type: 'keyword',
    target: `https://blog.${home}/feed`,
    expects: '“</rss>” within 5 s',
    group: 'Content',
    projectId: wpSite,
    usualMs: 377,
    goal: 0.995,
  },
  {
    slug: 'image-servers',
    name: 'Image servers',
    type: 'http',
    target: `https://img.${home}/ping.gif`,
    expects: '200 and image/gif',
    group: 'Content',
    projectId: null,
    usualMs: 31,
    certificateDays: 90,
  },
  {
    ...platform,
    slug: 'redis',
    name: 'Redis',
    type: 'tcp',
    target: '192.0.2.40:6379',
    expects: 'a connection within 1 s',
    usualMs: 1.4,
    code: '',
  },
  {
    ...platform,
    slug: 'mail-records',
    name: 'Mail records',
    type: 'dns',
    target: `${home} MX`,
    expects: '10 mx1 and 20 mx2',
    usualMs: 12,
    code: 'NOERROR',
    intervalMs: hourMs,
  },
  {
    ...platform,
    slug: 'shop-certificate',
    name: 'Shop certificate',
    type: 'tls',
    target: `shop.${home}`,
    expects: '14 days left',
    usualMs: 24,
    code: '',
    intervalMs: hourMs,
    certificateDays: 90,
  },
  {
    ...platform,
    slug: 'api-certificate',
    name: 'API certificate',
    type: 'tls',
    target: `api.${home}`,
    expects: '14 days left',
    usualMs: 22,
    code: '',
    intervalMs: hourMs,
    certificateDays: 90,
  },
  {
    ...platform,
    slug: 'nightly-stock-import',
    name: 'Nightly stock import',
    type: 'cron',
    target: '30 2 * * *',
    expects: 'to begin by 03:00 and end within 45 min',
    intervalMs: dayMs,
    goal: 0.99,
    code: 'ok',
  },
  {
    ...platform,
    slug: 'mail-digest',
    name: 'Mail digest',
    type: 'heartbeat',
    target: 'every 60 min, 10 min late allowed',
    expects: 'a call each hour',
    intervalMs: hourMs,
    goal: 0.99,
    code: '',
  },
  {
    slug: 'careers-page',
    name: 'Careers page',
    type: 'http',
    target: `https://careers.${home}/`,
    expects: '200 within 5 s',
    group: 'Content',
    projectId: null,
    usualMs: 260,
  },
];

/** The one that was made just now and waits for its first check. */
export const pendingSlug = 'careers-page';
/** The one that somebody paused, since when and until when. */
export const paused = {
  slug: 'mail-digest',
  sinceMs: Date.UTC(2026, 10, 16, 9, 12),
  why: 'the digest moves to another server',
} as const;

export const watched: readonly Watched[] = rows.map((row, index) => ({
  projectId: null,
  tags: [],
  intervalMs: fiveMinutes,
  goal: 0.99,
  usualMs: null,
  code: '200',
  certificateDays: null,
  madeAtMs: madeAtMs + index * dayMs,
  ...row,
  id: index + 1,
}));

/** A monitor by its slug; for those that this file names. */
export function watchedAs(slug: string): Watched {
  const found = watched.find((each) => each.slug === slug);
  if (found === undefined) throw new Error(`There is no monitor ${slug}.`);
  return found;
}
