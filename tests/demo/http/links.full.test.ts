import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isNightly, nightlyOrFull } from '../../support/test-level.ts';
import { type Crawl, crawlDemo } from './crawl.ts';
import { type DemoApp, openDemoApp } from './demo-app.ts';

let app: DemoApp;
let crawl: Crawl;
beforeAll(async () => {
  app = await openDemoApp();
  // The short form has each page over all projects, asked one thing at once, and twins of what nothing is
  // asked of.
  const follows = (path: string): boolean =>
    isNightly || !/[?&]project=|\.json\?|\?(?!.*\bact=).*&/.test(path);
  crawl = await crawlDemo(app, '/demo', nightlyOrFull(12, 1), () => false, follows);
});
afterAll(() => app?.close());

const map: ReadonlyArray<readonly [row: string, addresses: readonly RegExp[]]> = [
  ['1 overview', [/^$/, /^\/overview\.json$/]],
  ['2 issues', [/^\/issues$/, /^\/issues\?.*\bview=/, /^\/issues\?.*\brange=/]],
  ['3 issue', [/^\/issues\/\d+$/, /^\/issues\/\d+\/(events|tags|activity|similar)$/]],
  ['4 event', [/^\/issues\/\d+\/events\/[0-9a-f]{32}$/, /^\/issues\/\d+\/events\/[0-9a-f]{32}\.md$/]],
  ['4 event, to take away', [/^\/issues\/\d+\/events\/[0-9a-f]{32}\/download$/]],
  ['5 feedback', [/^\/feedback$/, /^\/feedback\/\d+$/]],
  ['6 live', [/^\/live$/]],
  ['7 projects', [/^\/projects$/, /^\/projects\/\d+$/]],
  ['8 monitors', [/^\/monitors$/, /^\/monitors\?.*\bstate=/, /^\/monitors\?.*\bsort=/]],
  ['9 monitor', [/^\/monitors\/[a-z-]+$/, /^\/monitors\/[a-z-]+\?.*\brange=/]],
  ['10 incidents', [/^\/incidents$/, /^\/incidents\/\d+$/]],
  ['11 domains', [/^\/domains$/, /^\/domains\/\w+$/]],
  ['12 alert channels', [/^\/alert-channels$/, /^\/alert-channels\/\d+$/]],
  ['12 rules', [/^\/alert-channels\/rules$/, /^\/alert-channels\/rules\/\d+$/]],
  ['13 status pages', [/^\/status-pages$/, /^\/status-pages\/[a-z-]+$/]],
  ['13 status', [/^\/status\/[a-z-]+$/, /^\/status\/[a-z-]+\.rss$/, /^\/status\/[a-z-]+\/badge\.svg$/]],
  ['14 releases', [/^\/releases$/, /^\/releases\/\d+$/]],
  ['15 deploys', [/^\/deploys$/]],
  ['16 test runs', [/^\/test-runs$/, /^\/test-runs\/\d+$/, /^\/test-runs\/cases\/[0-9a-f]+$/]],
  ['17 artifacts', [/^\/artifacts$/, /^\/artifacts\/\d+$/]],
  ['18 audit', [/^\/audit$/, /^\/audit\.csv$/, /^\/audit\.json$/]],
  ['19 reports', [/^\/reports$/, /^\/reports\/\d{4}-W\d\d$/, /^\/reports\/\d{4}-\d\d$/]],
  ['20 search', [/^\/search\?.*\bq=/]],
  ['21 help', [/^\/help$/]],
  ['what an act would do', [/^\/action-preview\?.*\bact=/]],
];

describe('links, forms and files', () => {
  it('all work, and each page has its JSON', () => {
    expect(crawl.faults).toEqual([]);
    expect(crawl.reached.size).toBeGreaterThan(nightlyOrFull(5_000, 150));
  });

  it.each(map)('lead to %s', (_row, addresses) => {
    const paths = [...crawl.reached.keys()].map((path) => path.slice('/demo'.length));
    const missing = addresses.filter((address) => !paths.some((path) => address.test(path)));
    expect(missing).toEqual([]);
  });

  it('are of the kind that their names say', () => {
    const kinds = {
      json: 'application/json',
      csv: 'text/csv',
      rss: 'application/rss+xml',
      svg: 'image/svg+xml',
    };
    const wrong = [...crawl.reached].filter(([path, { contentType }]) => {
      const ending = /\.(json|csv|rss|svg)(?:\?|$)/.exec(path)?.[1] as keyof typeof kinds | undefined;
      return ending !== undefined && !contentType.startsWith(kinds[ending]);
    });
    expect(wrong).toEqual([]);
  });

  it('need no store of the installation', () => {
    expect(app.asked).toEqual([]);
  });
});

describe('the kinds of the specification', () => {
  const sentence = readFileSync(
    join(import.meta.dirname, '../../fixtures/demo/specification-sentence.txt'),
    'utf8',
  );
  const shown = /It shows ([^.]+)\./.exec(sentence)?.[1] ?? '';
  const kinds = shown.split(/, | and /);

  it('are twelve', () => {
    expect(kinds).toHaveLength(12);
  });

  it.each(kinds)('%s is a heading two clicks away', (kind) => {
    const near = [...crawl.reached.values()].filter(({ clicks }) => clicks <= 2);
    const titles = near.flatMap(({ page }) => page?.titles ?? []).map((title) => title.toLowerCase());
    expect(titles).toContain(kind);
  });
});
