// What a User-Agent says: web crawlers, and browsers older than Sentry's limits.
import { cutText } from '../parsing/cut-text.ts';

const userAgentCharactersMax = 512;

/** Sentry's list. `Cubot` is a maker of phones. */
const crawler = new RegExp(
  [
    'Mediapartners-Google',
    'AdsBot-Google',
    'Googlebot',
    'FeedFetcher-Google',
    'BingBot',
    'BingPreview',
    'Baiduspider',
    'Bytespider',
    'Slurp',
    'Sogou',
    'facebook',
    'ia_archiver',
    'Slack',
    'Calypso AppCrawler',
    'pingdom',
    'lyticsbot',
    'AWS Security Scanner',
    'HubSpot Crawler',
    'Better Uptime',
    String.raw`(?<!cu)bots?[/\s);]`,
    String.raw`spider[/\s);]`,
  ].join('|'),
  'i',
);

/** An app that sends messages of people, not a crawler. */
const allowedCrawler = /Slackbot 1\.\d/i;

export function isWebCrawler(userAgent: string): boolean {
  const text = cutText(userAgent, userAgentCharactersMax);
  return crawler.test(text) && !allowedCrawler.test(text);
}

interface BrowserRule {
  /** Its first group that matched is the major version. */
  readonly version: RegExp;
  readonly below: number;
}

/** In the order in which they are recognized: many browsers name others too. */
const browsers: readonly BrowserRule[] = [
  { version: /Opera Mini\/(\d+)/, below: 35 },
  { version: /MSIE (\d+)|Trident\/.*rv:(\d+)/, below: 12 },
  { version: /Edg(?:e|A|iOS)?\/(\d+)/, below: 79 },
  { version: /OPR\/(\d+)|Opera.*Version\/(\d+)|Opera[ /](\d+)/, below: 51 },
  { version: /Firefox\/(\d+)/, below: 67 },
  { version: /Chrom(?:e|ium)\/(\d+)/, below: 63 },
  { version: /Android (\d+).*Version\//, below: 4 },
  { version: /Version\/(\d+).*Safari\//, below: 12 },
];

/** False for what is no browser. Apps of Electron bring their own browser. */
export function isLegacyBrowser(userAgent: string): boolean {
  const text = cutText(userAgent, userAgentCharactersMax);
  if (text.includes('Electron/')) return false;
  for (const { version, below } of browsers) {
    const found = version
      .exec(text)
      ?.slice(1)
      .find((digits) => digits !== undefined);
    if (found !== undefined) return Number(found) < below;
  }
  return false;
}
