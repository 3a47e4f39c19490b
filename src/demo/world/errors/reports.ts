// What visitors of Harbour & Pine wrote: eleven reports that come again every thirteen weeks, and one about
// the trouble under way.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { WholeFeedback } from '../../../core/store/feedback.ts';
import { momentOf, weekMs, weekOf } from '../calendar.ts';
import { pick } from '../chance.ts';
import { demoProjects, home, type ProjectSlug } from '../company.ts';
import { paymentsIssueId, type Trouble } from '../story.ts';
import { beganAtMs } from './lives.ts';
import type { Production } from './production.ts';
import type { Spoken } from './stored.ts';
import { customers } from './told/customers.ts';

interface ReportTemplate {
  readonly message: string;
  /** Weeks before the demo's beginning, and the moment of its week, Monday being 0. */
  readonly at: readonly [weeks: number, day: number, hour: number, minute: number];
  readonly path: string;
  readonly slug?: ProjectSlug;
  /** The issue that it is about. */
  readonly about?: number;
  readonly userAgent: string;
  readonly isAnonymous?: true;
  readonly severity?: 'low' | 'medium' | 'high';
  readonly category?: 'bug' | 'idea' | 'question' | 'other';
  readonly isSpam?: true;
  /** Who resolved it, a day and some hours later. */
  readonly by?: string;
  /** Place of the block at fault in its picture, 0 to 1; without one there is no picture. */
  readonly picture?: number;
}

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/142.0.0.0 Mobile';

const ofTrouble: Omit<ReportTemplate, 'at'> = {
  message: 'Paying by card says “try again”, four times now',
  path: '/checkout/pay',
  slug: 'checkout-api',
  about: paymentsIssueId,
  userAgent: phone,
  severity: 'high',
  category: 'bug',
  picture: 0.5,
};

const templates: readonly ReportTemplate[] = [
  {
    message:
      'The total is gone as soon as I choose two benches. I tried Firefox too. We would like to order before Monday!',
    at: [0, 4, 9, 12],
    path: '/basket',
    about: 1043,
    userAgent: firefox,
    severity: 'high',
    category: 'bug',
    picture: 0.2,
  },
  {
    message: 'basket empty again on the Isle of Man',
    at: [0, 4, 14, 40],
    path: '/basket',
    about: 1043,
    userAgent: chrome,
    severity: 'medium',
  },
  {
    message: 'البحث بطيء جدا اليوم',
    at: [0, 4, 19, 3],
    path: '/search',
    userAgent: android,
    isAnonymous: true,
  },
  {
    message: '<b onmouseover=alert(1)>hello</b> your search shows my text as it is, good',
    at: [0, 2, 16, 27],
    path: '/search',
    userAgent: firefox,
    isAnonymous: true,
    category: 'other',
  },
  {
    message: 'Le bouton « payer » ne fait rien',
    at: [1, 3, 20, 11],
    path: '/checkout/pay',
    about: 1019,
    userAgent: firefox,
    isAnonymous: true,
    category: 'bug',
    by: 'member Ines Okafor',
  },
  {
    message:
      'Pictures of the oak bench load forever on the train. Everything else is fine, so please do not change too much. I also noticed that the second picture is the third one when I come back from the basket, and that the size in inches says 0.',
    at: [2, 1, 7, 52],
    path: '/products/oak-bench',
    userAgent: android,
    severity: 'low',
    category: 'bug',
    picture: 0.7,
  },
  {
    message: 'App closes when I hold the camera to a label',
    at: [2, 5, 11, 34],
    path: '/app/scan',
    slug: 'mobile-shell',
    about: 1025,
    userAgent: phone,
    severity: 'high',
    category: 'bug',
  },
  {
    message: 'Postcode is not accepted (BT48)',
    at: [4, 0, 18, 5],
    path: '/checkout/address',
    userAgent: phone,
    by: 'member Tomas Lindqvist',
  },
  {
    message: 'Cookie window covers the pay button',
    at: [6, 6, 21, 19],
    path: '/checkout/pay',
    userAgent: android,
    isAnonymous: true,
    category: 'bug',
    by: 'member Ines Okafor',
    picture: 0.85,
  },
  {
    message: 'Could you show the stock of the shop in Derry on the page of a product?',
    at: [9, 2, 13, 48],
    path: '/products/tide-table',
    userAgent: chrome,
    category: 'idea',
  },
  {
    message: 'BEST BACKLINKS FOR YOUR SHOP, 50% off, https://links.example/?ref=1',
    at: [0, 3, 3, 33],
    path: '/contact',
    userAgent: chrome,
    isSpam: true,
  },
];

/** After so many weeks the same is written again. */
const againWeeks = 13;

/** A report with the picture that it came with: where its block at fault stands, if it has one. */
export interface WorldReport extends WholeFeedback {
  readonly picture: number | null;
}

/** What reports are made from. */
export interface ReportFacts {
  readonly seed: string;
  readonly nowMs: number;
  readonly trouble: Trouble;
  readonly production: Production;
}

interface Written {
  readonly id: number;
  readonly atMs: number;
  readonly template: Omit<ReportTemplate, 'at'>;
}

function writtenBy({ nowMs, trouble }: Pick<ReportFacts, 'nowMs' | 'trouble'>): Written[] {
  const regular = templates.map((template, nth): Written => {
    const [weeks, day, hour, minute] = template.at;
    const first = weekOf(beganAtMs) - weeks;
    const firstMs = momentOf(first, day, hour, minute);
    const time = Math.floor((nowMs - firstMs) / (againWeeks * weekMs));
    const atMs = firstMs + time * againWeeks * weekMs;
    return { id: 101 + nth + time * templates.length, atMs, template };
  });
  const atMs = trouble.startedAtMs + 4 * minuteMs;
  const all = atMs <= nowMs ? [...regular, { id: trouble.mark, atMs, template: ofTrouble }] : regular;
  return all.sort((one, other) => other.atMs - one.atMs || other.id - one.id);
}

/** The events that reports are about. */
export function spokenOf(facts: Pick<ReportFacts, 'nowMs' | 'trouble'>): Spoken[] {
  return writtenBy(facts).flatMap(({ atMs, template: { about } }) =>
    about === undefined ? [] : [{ issueId: about, atMs }],
  );
}

/** All reports, the newest first; `eventOf` finds what an issue had last before a moment. */
export function worldReports(
  facts: ReportFacts,
  eventOf: (spoken: Spoken) => { readonly eventId: string; readonly issueId: number } | null,
): WorldReport[] {
  return writtenBy(facts).map((written) => reportOf(facts, written, eventOf));
}

function reportOf(
  { seed, nowMs, production }: ReportFacts,
  { id, atMs, template }: Written,
  eventOf: Parameters<typeof worldReports>[1],
): WorldReport {
  const project = demoProjects.find(({ slug }) => slug === (template.slug ?? 'shop-web'));
  const projectId = project?.id ?? 0;
  const about = template.about === undefined ? null : eventOf({ issueId: template.about, atMs });
  const customer = pick(customers, seed, 'report', id);
  const isNamed = template.isAnonymous !== true;
  const host = project?.slug === 'mobile-shell' ? project.host : `shop.${home}`;
  const stateAtMs = atMs + dayMs + 3 * hourMs;
  const isResolved = template.by !== undefined && stateAtMs <= nowMs;
  const isSpam = template.isSpam === true;
  const width = template.userAgent === chrome || template.userAgent === firefox ? 960 : 390;
  const height = width === 390 ? 760 : 600;
  const picture = template.picture ?? null;
  return {
    picture,
    feedback: {
      id,
      projectId,
      createdAtMs: atMs,
      message: template.message,
      truncated: false,
      name: isNamed ? customer.name : null,
      email: isNamed ? customer.email : null,
      url: `https://${host}${template.path}`,
      domain: host,
      eventId: about?.eventId ?? null,
      issueId: about?.issueId ?? null,
      category: template.category ?? null,
      severity: template.severity ?? null,
      release: production.versionAt(projectId, atMs),
      environment: 'production',
      userAgent: template.userAgent,
      locale: customer.locale,
      tags: { step: template.path.split('/').at(-1) ?? '', basket_lines: '2' },
      source: 'api',
      spam: isSpam,
      state: isSpam ? 'spam' : isResolved ? 'resolved' : 'open',
      stateAtMs: isResolved ? stateAtMs : null,
      stateBy: isResolved ? (template.by ?? null) : null,
      screenshotCount: picture === null ? 0 : 1,
    },
    details: {
      viewport: { width, height, dpr: width === 390 ? 3 : 1 },
      console: [
        {
          level: 'warning',
          message: 'rates: zone IE-D has no rate, falling back',
          timestamp: atMs / 1000 - 3,
        },
        { level: 'error', message: 'POST /api/quote 422', timestamp: atMs / 1000 - 2 },
      ],
      metadata: {},
    },
    screenshots: [],
  };
}
