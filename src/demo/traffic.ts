import { commandLineSource } from '../core/audit/audit.ts';
import { parseUpload } from '../core/envelopes/parse-upload.ts';
import { storeUpload } from '../core/envelopes/store-envelope.ts';
import { dayMs, hourMs } from '../core/parsing/durations.ts';
import { verifySdk } from '../core/projects/sdk-verify.ts';
import { apiHost, blogHost, type Slug, shopHost, siteHost } from './shared/company.ts';
import { type DemoContext, productionVersionAt, type Step, stepAgo, timeAgoMs } from './shared/context.ts';
import { relativeTrafficAt } from './shared/hourly-traffic.ts';
import type { Random } from './shared/random.ts';

/** `daily`: sessions per day; `crashes`: crashes per 10,000 sessions; `moveMs`: time until about two thirds of the
 * sessions use a new release, short for web pages, longer for apps. */
const traffic = [
  { slug: 'shop-web', daily: 5200, crashes: 38, moveMs: 3 * hourMs },
  { slug: 'checkout-api', daily: 2400, crashes: 6, moveMs: hourMs / 4 },
  { slug: 'mobile-shell', daily: 900, crashes: 26, moveMs: 40 * hourMs },
] as const;
type Traffic = (typeof traffic)[number];

/** Crashes per 10,000 sessions in bad releases. */
const crashesByVersion: Readonly<Record<string, number>> = { '4.17.1': 890, '4.18.0': 288 };

const longMs = 90 * dayMs;
/** One envelope per day; every three hours in the last two weeks; hourly in the last three days. */
const fineMs = 14 * dayMs;
const finestMs = 3 * dayMs;

export function trafficSteps(demo: DemoContext): Step[] {
  return [
    ...traffic.flatMap((of) => sessionSteps(demo, of)),
    ...verificationSteps(demo),
    ...unreadableSteps(demo),
  ];
}

function sessionSteps(demo: DemoContext, profile: Traffic): Step[] {
  const { slug, daily } = profile;
  const random = demo.random(`sessions of ${slug}`);
  const steps: Step[] = [];
  for (let atMs = demo.nowMs - longMs; atMs < demo.nowMs; ) {
    const spanMs = spanAt(demo, atMs);
    const rhythm = spanMs === dayMs ? rhythmOfDay(atMs) : relativeTrafficAt(atMs) / averageTraffic;
    const count = Math.round((daily * spanMs * rhythm * (0.92 + random.next() * 0.16)) / dayMs);
    const items = [
      ...sessionItems(demo, profile, { atMs, spanMs, count }),
      ...clientReportItems(random, count),
    ];
    const moment = atMs;
    steps.push({ atMs: moment, isBatched: true, run: () => send(demo, slug, moment, items) });
    atMs += spanMs;
  }
  return steps;
}

function spanAt({ nowMs }: DemoContext, atMs: number): number {
  if (nowMs - atMs > fineMs) return dayMs;
  return nowMs - atMs > finestMs ? 3 * hourMs : hourMs;
}

/** Traffic of an average hour relative to the busiest hour. */
const averageTraffic = 0.57;

function rhythmOfDay(atMs: number): number {
  const hours = Array.from({ length: 24 }, (_, hour) => relativeTrafficAt(atMs + hour * hourMs));
  return hours.reduce((sum, each) => sum + each, 0) / 24 / averageTraffic;
}

interface SessionCount {
  readonly atMs: number;
  readonly spanMs: number;
  readonly count: number;
}

/** Users move to a new release gradually; the rest still use the previous one. */
function sessionItems(
  { shipped }: DemoContext,
  profile: Traffic,
  { atMs, spanMs, count }: SessionCount,
): Item[] {
  const { slug, crashes, moveMs } = profile;
  // The counts of a span are those of its middle, sent at its start.
  const middleMs = atMs + spanMs / 2;
  const live = shipped.findLast((each) => each.slug === slug && each.atMs <= middleMs);
  if (live === undefined) return [];
  const { version: newest, atMs: liveMs } = live;
  const share = 1 - Math.exp(-(middleMs - liveMs) / moveMs);
  const before = productionVersionAt(shipped, slug, liveMs - 1) ?? newest;
  return [
    [newest, share],
    [before, 1 - share],
  ].flatMap(([version, part]): Item[] => {
    const exited = Math.round(count * Number(part));
    if (exited === 0) return [];
    const crashed = Math.round((exited * (crashesByVersion[String(version)] ?? crashes)) / 10_000);
    const errored = Math.round(exited * 0.011) + crashed;
    const aggregates = [
      { exited: exited - errored - crashed, errored, crashed, abnormal: Math.round(exited * 0.001) },
    ];
    return [
      { type: 'sessions', body: { aggregates, attrs: { release: version, environment: 'production' } } },
    ];
  });
}

function clientReportItems(random: Random, count: number): Item[] {
  const lost = [
    { reason: 'ratelimit_backoff', category: 'error', quantity: random.between(0, 4) },
    { reason: 'network_error', category: 'error', quantity: Math.round(count / 900) },
    { reason: 'before_send', category: 'error', quantity: random.between(0, 6) },
    { reason: 'sample_rate', category: 'transaction', quantity: Math.round(count / 20) },
    { reason: 'queue_overflow', category: 'feedback', quantity: random.percent(8) ? 1 : 0 },
  ].filter((each) => each.quantity > 0);
  const report: Item[] =
    lost.length === 0 ? [] : [{ type: 'client_report', body: { discarded_events: lost } }];
  return random.percent(40) ? [...report, { type: 'transaction', body: { type: 'transaction' } }] : report;
}

interface Item {
  readonly type: string;
  readonly body: unknown;
}

function send(
  { deps, projects }: DemoContext,
  slug: Slug,
  atMs: number,
  items: readonly Item[],
): Promise<unknown> {
  const lines = items.flatMap(({ type, body }) => [JSON.stringify({ type }), JSON.stringify(body)]);
  return storeUpload(deps, projects[slug], parseUpload(Buffer.from(`{}\n${lines.join('\n')}\n`)), {
    event: { receivedAtMs: atMs, clientAddress: '192.0.2.10', userAgent: 'harbour-and-pine', domain: null },
    feedback: { sender: {}, receivedAtMs: atMs, userAgent: 'harbour-and-pine' },
    limits: { unsupportedAdmitted: true, admitDiscarded: async () => true },
    by: commandLineSource,
  });
}

function verificationSteps(demo: DemoContext): Step[] {
  const verified = [
    { slug: 'shop-web', host: shopHost, name: 'sentry.javascript.browser', version: '11.11.0' },
    { slug: 'shop-web', host: blogHost, name: 'sentry.javascript.browser', version: '10.2.0' },
    { slug: 'checkout-api', host: apiHost, name: 'sentry.javascript.node', version: '11.11.0' },
    { slug: 'wp-site', host: siteHost, name: 'sentry.php.wordpress', version: '4.16.0' },
    { slug: 'wp-site', host: `preview.${siteHost}`, name: 'sentry.php.wordpress', version: '4.14.1' },
    { slug: 'mobile-shell', host: shopHost, name: 'sentry.javascript.capacitor', version: '2.4.1' },
  ] as const;
  return verified.flatMap(({ slug, host, name, version }, index) =>
    [40, 12, 2].map((days) =>
      stepAgo(demo, { days, hours: index }, () => {
        const origin = `https://${host}`;
        const sent = { sdk: { name, version }, url: `${origin}/`, environment: 'production' };
        return verifySdk(demo.deps, demo.projects[slug], sent, { origin });
      }),
    ),
  );
}

function unreadableSteps(demo: DemoContext): Step[] {
  const random = demo.random('odd envelopes');
  return Array.from({ length: 9 }, (_, index) => {
    const atMs = timeAgoMs(demo.nowMs, random.between(0, 20), random.between(1, 20));
    const items = [{ type: 'event', body: index % 2 === 0 ? [] : 7 }];
    return { atMs, run: () => send(demo, 'shop-web', atMs, items) };
  });
}
