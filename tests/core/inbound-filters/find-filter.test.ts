import { describe, expect, it } from '@jest/globals';
import type { FilterName, InboundFilters } from '../../../schemas/inbound-filters.ts';
import {
  findInboundFilter,
  isLegacyBrowser,
  isWebCrawler,
} from '../../../src/core/inbound-filters/find-filter.ts';
import { matchesGlob } from '../../../src/core/parsing/glob.ts';
import { normalized } from '../../support/events.ts';

const off: InboundFilters = {
  browser_extensions: false,
  web_crawlers: false,
  localhost: false,
  legacy_browsers: false,
  releases: [],
  error_messages: [],
  ip_addresses: [],
};
const sender = { userAgent: '', clientAddress: '198.51.100.7', domain: null };

function found(
  raw: Record<string, unknown>,
  on: Partial<InboundFilters>,
  from: Partial<typeof sender> | { domain: string } = {},
): FilterName | null {
  return findInboundFilter(normalized(raw), { ...sender, ...from }, { ...off, ...on });
}

function thrown(value: string, ...paths: string[]): Record<string, unknown> {
  const frames = paths.map((path) => ({ abs_path: path, function: 'f', lineno: 1 }));
  return {
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value, stacktrace: { frames } }] },
  };
}

describe('browser extensions', () => {
  const on = { browser_extensions: true };
  it.each([
    thrown('x', 'https://shop.example/app.js', 'chrome-extension://gppongmhjkpfnbhagpmjfkannfbllamg/in.js'),
    thrown('x', 'moz-extension://3c5a/content.js', '<anonymous>', '[native code]'),
    thrown('x', 'safari-web-extension://5A2C/content.js'),
    thrown('x', 'webkit-masked-url://hidden/'),
    thrown('x', 'https://gc.kes.v2.scr.kaspersky-labs.com/FD126C42/main.js'),
    thrown('Extension context invalidated.'),
    thrown("null is not an object (evaluating 'elt.parentNode')"),
    thrown("Can't find variable: _gCrWeb"),
    thrown("TypeError: can't access dead object"),
  ])('%j', (event) => {
    expect(found(event, on)).toBe('browser_extensions');
    expect(found(event, {})).toBeNull();
  });
  it.each([
    thrown('x is undefined', 'https://shop.example/app.js'),
    // The newest frame counts.
    thrown('x', 'chrome-extension://gppo/in.js', 'https://shop.example/app.js'),
    thrown('x', 'https://shop.example/chrome-extension://fake.js'),
    thrown('x', '<anonymous>'),
    { message: 'Extension context invalidated.' },
  ])('not %j', (event) => expect(found(event, on)).toBeNull());
});

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe('web crawlers', () => {
  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
  ])('%s', (userAgent) => expect(isWebCrawler(userAgent)).toBe(true));
  it.each([
    chrome,
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (Linux; Android 9; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Mobile Safari/537.36',
    'sentry.python/2.8.0',
    '',
  ])('not %s', (userAgent) => expect(isWebCrawler(userAgent)).toBe(false));
});

describe('old browsers', () => {
  it.each([
    'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)',
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0)',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763',
    'Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0',
    'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36',
    'Opera/9.80 (X11; Linux i686; Ubuntu/14.10) Presto/2.12.388 Version/12.16',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/8.0.35158/36.2534; U; en) Presto/2.12.423 Version/12.16',
    'Mozilla/5.0 (Linux; U; Android 2.3.5; en-us; HTC Vision) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_3) AppleWebKit/537.75.14 (KHTML, like Gecko) Version/7.0.3 Safari/7046A194A',
  ])('%s', (userAgent) => expect(isLegacyBrowser(userAgent)).toBe(true));
  it.each([
    chrome,
    `${chrome} Edg/126.0.0.0`,
    `${chrome} OPR/112.0.0.0`,
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; U; Android 4.1.1; en-gb) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Safari/534.30',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Shop/1.0 Chrome/59.0.3071.115 Electron/1.8.8 Safari/537.36',
    'curl/8.5.0',
    '',
  ])('not %s', (userAgent) => expect(isLegacyBrowser(userAgent)).toBe(false));
});

describe('localhost', () => {
  const on = { localhost: true };
  const page = (url: string) => ({ message: 'x', request: { url } });
  it.each([
    page('http://localhost:5173/cart'),
    page('http://127.0.0.1/'),
    page('http://[::1]:8080/'),
    page('https://shop.localhost/'),
    page('file:///home/mara/index.html'),
    { message: 'x', request: { headers: { Host: 'localhost:3000' } } },
    { message: 'x', user: { ip_address: '127.0.0.1' } },
  ])('%j', (event) => expect(found(event, on)).toBe('localhost'));
  it('the page that sent it, where the event names none', () => {
    expect(found({ message: 'x' }, on, { domain: 'localhost' })).toBe('localhost');
    expect(found(page('https://shop.example/'), on, { domain: 'localhost' })).toBeNull();
  });
  it.each([
    page('https://shop.example/?from=localhost'),
    page('https://localhost.example/'),
    page('https://mylocalhost/'),
    { message: 'localhost' },
  ])('not %j', (event) => expect(found(event, on)).toBeNull());
});

it('releases, messages and addresses are lists', () => {
  const event = { ...thrown('Loading chunk 7 failed.', 'https://shop.example/a.js'), release: 'shop@1.4.0' };
  expect(found(event, { releases: ['shop@1.*'] })).toBe('releases');
  expect(found(event, { releases: ['shop@1'] })).toBeNull();
  expect(found({ message: 'x' }, { releases: ['shop@*'] })).toBeNull();
  expect(found(event, { error_messages: ['loading chunk * failed.'] })).toBe('error_messages');
  expect(found(event, { error_messages: ['TypeError: Loading*'] })).toBe('error_messages');
  expect(found(event, { error_messages: ['chunk'] })).toBeNull();
  expect(found({ message: 'Timeout of 30 s' }, { error_messages: ['Timeout of ?? s'] })).toBe(
    'error_messages',
  );
  expect(found(event, { ip_addresses: ['198.51.100.0/24'] })).toBe('ip_addresses');
  expect(found(event, { ip_addresses: ['2001:db8::/32', '203.0.113.1'] })).toBeNull();
  const user = { message: 'x', user: { ip_address: '2001:db8::7' } };
  expect(found(user, { ip_addresses: ['2001:db8::/32'] })).toBe('ip_addresses');
});

it.each([
  ['a*c', 'abbc', true],
  ['a*c', 'abbcd', false],
  ['*b*', 'abc', true],
  ['a*a', 'a', false],
  ['a?c*', 'ABCdef', true],
  ['', '', true],
  ['x*?', 'x', false],
  ['*ab?d*', 'xxabxabcdyy', true],
])('the pattern %s on %s: %s', (pattern, text, fits) => expect(matchesGlob(pattern, text)).toBe(fits));
