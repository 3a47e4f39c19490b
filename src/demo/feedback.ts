import { crc32, deflateSync } from 'node:zlib';
import { storeFeedback } from '../core/feedback/feedback.ts';
import { createFeedbackReadContext, prepareFeedback } from '../core/feedback/parse-feedback.ts';
import { type Customer, customers, type Slug, shopHost, siteHost } from './shared/company.ts';
import { type DemoContext, productionVersionAt, type Step, timeAgoMs } from './shared/context.ts';

type Colour = readonly [red: number, green: number, blue: number];

const paper: Colour = [252, 253, 253];
const ink: Colour = [16, 28, 38];
const grey: Colour = [128, 146, 160];
const pale: Colour = [221, 227, 230];
const red: Colour = [195, 39, 28];

interface DemoFeedback {
  readonly message: string;
  readonly hours: number;
  readonly path: string;
  readonly slug?: Slug;
  readonly about?: string;
  readonly userAgent: string;
  /** Position (0 to 1) of the broken block in the screenshot; no screenshot if undefined. */
  readonly picture?: number;
  readonly isAnonymous?: true;
  readonly severity?: 'low' | 'medium' | 'high';
  readonly category?: 'bug' | 'idea' | 'question' | 'other';
  readonly isSpam?: true;
}

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/142.0.0.0 Mobile';

const reports: readonly DemoFeedback[] = [
  {
    message: 'Paying by card says “try again”, four times now',
    hours: 0.4,
    path: '/checkout/pay',
    about: 'chunk-load',
    userAgent: phone,
    picture: 0.5,
    severity: 'high',
    category: 'bug',
  },
  {
    message: 'Le bouton « payer » ne fait rien',
    hours: 0.55,
    path: '/checkout/pay',
    about: 'chunk-load',
    userAgent: firefox,
    isAnonymous: true,
    category: 'bug',
  },
  {
    message:
      'The total is gone as soon as I choose two benches. I tried Firefox too. We would like to order before Monday!',
    hours: 1,
    path: '/basket',
    about: 'total-of-undefined',
    userAgent: chrome,
    picture: 0.2,
    severity: 'high',
    category: 'bug',
  },
  {
    message: 'basket empty again on the Isle of Man',
    hours: 2,
    path: '/basket',
    about: 'total-of-undefined',
    userAgent: chrome,
    severity: 'medium',
  },
  { message: 'البحث بطيء جدا اليوم', hours: 4, path: '/search', userAgent: android, isAnonymous: true },
  {
    message: '<b onmouseover=alert(1)>hello</b> your search shows my text as it is, good',
    hours: 6,
    path: '/search',
    userAgent: firefox,
    isAnonymous: true,
    category: 'other',
  },
  {
    message:
      'Pictures of the oak bench load forever on the train. Everything else is fine, so please do not change too much. I also noticed that the second picture is the third one when I come back from the basket, and that the size in inches says 0.',
    hours: 20,
    path: '/products/oak-bench',
    userAgent: android,
    picture: 0.7,
    severity: 'low',
    category: 'bug',
  },
  {
    message: 'App closes when I open the menu',
    hours: 23,
    path: '/app/menu',
    slug: 'mobile-shell',
    about: 'offline',
    userAgent: phone,
    severity: 'high',
    category: 'bug',
  },
  { message: 'Postcode is not accepted (BT48)', hours: 50, path: '/checkout/address', userAgent: phone },
  {
    message: 'Cookie window covers the pay button',
    hours: 76,
    path: '/checkout/pay',
    userAgent: android,
    picture: 0.85,
    isAnonymous: true,
    category: 'bug',
  },
  {
    message: 'Could you show the stock of the shop in Derry on the page of a product?',
    hours: 290,
    path: '/products/tide-table',
    slug: 'wp-site',
    userAgent: chrome,
    category: 'idea',
  },
  {
    message: 'BEST BACKLINKS FOR YOUR SHOP, 50% off, https://links.example/?ref=1',
    hours: 31,
    path: '/contact',
    userAgent: chrome,
    isSpam: true,
  },
];

export function feedbackSteps(demo: DemoContext): Step[] {
  const random = demo.random('reports');
  return reports.map((report, index) => {
    const customer = random.pick(customers);
    const atMs = timeAgoMs(demo.nowMs, 0, report.hours);
    return { atMs, run: () => submitFeedback(demo, report, customer, `screen-${index + 1}.png`, atMs) };
  });
}

async function submitFeedback(
  demo: DemoContext,
  report: DemoFeedback,
  { name, email, locale }: Customer,
  filename: string,
  atMs: number,
): Promise<void> {
  const { slug = 'shop-web', about, path, userAgent, picture } = report;
  const project = demo.projects[slug];
  const host = slug === 'wp-site' ? siteHost : shopHost;
  const viewport =
    userAgent === chrome || userAgent === firefox
      ? { width: 960, height: 600, dpr: 1 }
      : { width: 390, height: 760, dpr: 3 };
  const files = picture === undefined ? [] : [{ filename, bytes: pagePicture(viewport, picture) }];
  const eventId = about === undefined ? undefined : demo.eventIds.get(about)?.at(-1);
  const prepared = prepareFeedback(
    {
      message: report.message,
      ...(report.isAnonymous === true ? {} : { name, email }),
      url: `https://${host}${path}`,
      event_id: eventId,
      category: report.category,
      severity: report.severity,
      release: productionVersionAt(demo.shipped, slug, atMs),
      environment: 'production',
      locale,
      viewport,
      console: [
        {
          level: 'warning',
          message: 'rates: zone IE-D has no rate, falling back',
          timestamp: atMs / 1000 - 3,
        },
        { level: 'error', message: 'POST /api/quote 422', timestamp: atMs / 1000 - 2 },
      ],
      tags: { step: path.split('/').at(-1) ?? '', basket_lines: 2 },
      ...(report.isSpam === true ? { website: 'https://links.example/' } : {}),
    },
    files,
    createFeedbackReadContext(project, userAgent),
  );
  await storeFeedback(demo.deps, project, prepared, {
    source: 'api',
    sender: { origin: `https://${host}` },
    receivedAtMs: atMs,
    userAgent,
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
  readonly colour: Colour;
}

/** A page screenshot with the broken block at `position` (0 to 1 from the top). */
function pagePicture({ width, height }: Size, position: number): Buffer {
  const margin = Math.round(width / 16);
  const rows = Array.from({ length: Math.floor((height - 90) / 26) }, (_, row): Box => {
    const length = 0.4 + ((row * 37) % 50) / 100;
    return {
      x: margin,
      y: 80 + row * 26,
      width: Math.round((width - 2 * margin) * length),
      height: 9,
      colour: pale,
    };
  });
  const y = 76 + Math.round((height - 200) * position);
  const errorBox = { x: margin, y, width: width - 2 * margin, height: 58, colour: red };
  const head = { x: 0, y: 0, width, height: 48, colour: ink };
  const brand = { x: margin, y: 18, width: 90, height: 12, colour: grey };
  const page = { x: 0, y: 0, width, height, colour: paper };
  return pngOf({ width, height }, [page, head, brand, ...rows, errorBox]);
}

/** 8 bits per channel, no filter, not interlaced; later boxes cover earlier ones. */
function pngOf({ width, height }: Size, boxes: readonly Box[]): Buffer {
  const line = 1 + width * 3;
  const pixels = Buffer.alloc(line * height);
  for (const box of boxes) {
    const row = Buffer.alloc(box.width * 3, Buffer.from(box.colour));
    for (let y = box.y; y < Math.min(height, box.y + box.height); y += 1) {
      row.copy(pixels, y * line + 1 + box.x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}
