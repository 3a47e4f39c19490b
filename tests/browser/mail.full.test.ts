// Mails in a real Chromium: light and dark, 600 px and 320 px wide.

import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildDelivery } from '../../src/core/alerts/message-bodies.ts';
import { buildMessage, buildTestMessage } from '../../src/core/alerts/messages/message.ts';
import { createRuleDefinition } from '../../src/core/alerts/rule-definitions.ts';
import type { SignalKind } from '../../src/core/store/alert-records.ts';
import { describeWithPrograms } from '../support/needs.ts';

const base = 'https://errors.example';
const atMs = Date.UTC(2026, 10, 21, 14, 34);
const context = {
  deps: { now: () => atMs, randomBytes: (count: number) => Buffer.alloc(count, 7) },
  projects: new Map([[1, 'checkout-api']]),
  pagesUrl: base,
};
const channel = { id: 3, name: 'Payments', type: 'email' as const, settings: {} };
const wide = 'averyveryverylongidentifierwithoutanyplacetobreakit'.repeat(4);
const frame = (name: string, place: string, source = '') => ({ function: name, place, source });
const details = {
  type: 'PaymentCaptureError',
  text: 'gateway answered 502 after 3 attempts',
  environment: 'production',
  release: '2.31.0',
  firstSeenMs: atMs,
  assignee: '#payments',
  frames: [
    frame(
      'capturePayment',
      'src/payments/capture.ts:64',
      'throw new PaymentCaptureError(res.status, attempt)',
    ),
    frame('placeOrder', 'src/orders/place.ts:118'),
    frame('confirm', 'src/checkout/confirm.ts:41'),
    frame('withLock', 'src/stock/reserve.ts:27'),
    frame('handle', 'src/http/routes.ts:203'),
  ],
  framesCount: 23,
  resolveUrl: `${base}/issue-links/r1`,
  ignoreUrl: `${base}/issue-links/i1`,
  muteUrl: `${base}/issue-links/m1`,
};
const told = (objectId: number, more: object = {}) => ({
  ...{
    pendingNotificationId: objectId,
    projectId: 1,
    objectId,
    atMs,
    waitMs: 0,
    notifiedEvents: 0,
    isOverflow: false,
  },
  ...{
    title: 'PaymentCaptureError: gateway answered 502',
    culprit: 'src/payments/capture.ts in capturePayment',
  },
  ...{ note: '', level: 'fatal', events: 18_402, users: 1_033, path: null, incident: null },
  ...more,
});

interface Sample {
  readonly kind: SignalKind;
  readonly named: ReturnType<typeof told>[];
  readonly details?: typeof details;
  readonly count?: number;
}

function mailOf({ kind, named, details: given, count = named.length }: Sample): {
  html: string;
  text: string;
} {
  const message = buildMessage(context, {
    ...{ kind, channel, count, named, overflow: [], projectId: 1, details: given ?? null },
    rule: { id: 8, ...createRuleDefinition(kind) },
    incidents: { count: 0, named: [] },
  });
  const { html = '', body } = buildDelivery(channel, message, 1);
  return { html, text: body };
}

const levels = ['error', 'warning', 'info'].map(
  (level) =>
    [`one issue, ${level}`, mailOf({ kind: 'issue.is_new', named: [told(7, { level })], details })] as const,
);
const long = {
  ...details,
  type: wide,
  text: `${wide} <img src=x onerror=alert(1)> https://evil.example/a`,
  release: wide,
  assignee: wide,
  frames: details.frames.map(() => frame(wide, wide, wide)),
};
const commented = told(7, {
  note: `Mara Feld: ${wide} have a look, @Jun Park`,
  path: '/issues/7/activity#comment-2',
});
const report = told(5, {
  title: 'The button does nothing',
  culprit: 'from Jo, https://shop.example/cart',
  path: '/feedback/5',
});
const mails: ReadonlyArray<readonly [string, { html: string; text: string }]> = [
  ['one issue, fatal', mailOf({ kind: 'issue.is_new', named: [told(7)], details })],
  ...levels,
  [
    'one issue with long words',
    mailOf({ kind: 'issue.came_back', named: [told(7, { title: wide })], details: long }),
  ],
  ['a comment', mailOf({ kind: 'issue.commented', named: [commented], details })],
  ['a bug report', mailOf({ kind: 'feedback.created', named: [report] })],
  ['a monitor that is down', mailOf({ kind: 'monitor.down', named: [told(2, { path: '/monitors/shop' })] })],
  [
    'ten of a thousand',
    mailOf({
      kind: 'issue.is_new',
      named: Array.from({ length: 10 }, (_, at) => told(at + 1)),
      count: 1_000,
    }),
  ],
  ['a test', { ...buildDelivery(channel, buildTestMessage(context, channel), null), text: '' } as never],
];
/** For whoever looks: the folder in which pictures are left. */
const picturesIn = process.env['MAIL_PICTURES'];

describeWithPrograms('mails', ['chromium'], (programs) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: programs['chromium'] ?? '', args: ['--no-sandbox'] });
    page = await (await browser.newContext()).newPage();
    // Nothing may be loaded, and nothing is.
    await page.route('**/*', (route) => route.abort());
  });
  afterAll(() => browser?.close());

  describe.each(mails.map(([name, mail], at) => [name, mail, at] as const))('%s', (_name, { html }, at) => {
    it.each([
      [600, 'light'],
      [600, 'dark'],
      [320, 'light'],
      [320, 'dark'],
    ] as const)(
      'at %i px, %s: readable, accessible, and no wider than the window',
      async (width, colorScheme) => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.setContent(html);
        if (picturesIn !== undefined) {
          await page.screenshot({ path: `${picturesIn}/${at}-${width}-${colorScheme}.png`, fullPage: true });
        }
        const seen = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          images: document.images.length,
          // Words of buttons are not broken.
          isTall: [...document.querySelectorAll('.bt a')].some(
            (each) => each.getBoundingClientRect().height > 50,
          ),
          scripts: document.scripts.length,
          paper: getComputedStyle(document.querySelector('.w') as Element).backgroundColor,
          links: [...document.links].map(({ href, textContent }) => [textContent?.trim(), href]),
        }));
        expect(seen).toMatchObject({ width, images: 0, scripts: 0, isTall: false });
        expect(seen.paper).toBe(colorScheme === 'dark' ? 'rgb(14, 20, 24)' : 'rgb(252, 253, 253)');
        for (const [word, href] of seen.links) {
          expect([word, href]).toEqual([
            expect.stringMatching(/./),
            expect.stringMatching(/^https:\/\/errors\.example\//),
          ]);
        }
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
      },
    );
  });

  it('link to the issue, to what resolves and ignores it, to the rule and to unsubscribing', async () => {
    await page.setContent(mails[0]?.[1].html ?? '');
    const links = await page.evaluate(() => [...document.links].map((each) => [each.textContent, each.href]));
    expect(links).toEqual([
      ['View issue', `${base}/issues/7`],
      ['Resolve', `${base}/issue-links/r1`],
      ['Ignore', `${base}/issue-links/i1`],
      ['Mute for a day', `${base}/issue-links/m1`],
      ['Edit rule', `${base}/alert-channels/rules/8`],
      ['Unsubscribe', `${base}/alert-channels/3/unsubscribe`],
    ]);
  });
});
