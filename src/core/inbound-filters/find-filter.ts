// Which inbound filter of a project drops an event (docs/events.md, "Inbound filters"). Runs in workers too.
import { BlockList, isIP } from 'node:net';
import type { ExceptionValue, NormalizedEvent } from '../../../schemas/event.ts';
import type { FilterName, InboundFilters } from '../../../schemas/inbound-filters.ts';
import { cutText } from '../parsing/cut-text.ts';
import { matchesGlob } from '../parsing/glob.ts';

interface EventSender {
  readonly userAgent: string;
  readonly clientAddress: string;
  /** Host of Origin, else of Referer. */
  readonly domain: string | null;
}

/** Reasons of outcomes, as Sentry names them. */
export const filterReasons = {
  ip_addresses: 'ip-address',
  releases: 'release-version',
  error_messages: 'error-message',
  browser_extensions: 'browser-extensions',
  legacy_browsers: 'legacy-browsers',
  localhost: 'localhost',
  web_crawlers: 'web-crawlers',
} as const satisfies Readonly<Record<FilterName, string>>;

const messageCharactersMax = 2_048;

type Judge = (event: NormalizedEvent, sender: EventSender, filters: InboundFilters) => boolean;

/** Cheap ones first. */
const judges: Readonly<Record<FilterName, Judge>> = {
  ip_addresses: (event, sender, { ip_addresses: list }) => list.length > 0 && isListed(event, sender, list),
  releases: ({ release }, _sender, { releases }) =>
    release !== undefined && releases.length > 0 && matchesAny(releases, [release]),
  localhost: (event, sender, { localhost }) => localhost && isLocal(event, sender),
  web_crawlers: (event, sender, { web_crawlers: isOn }) => isOn && isWebCrawler(userAgentOf(event, sender)),
  legacy_browsers: (event, sender, { legacy_browsers: isOn }) =>
    isOn && isLegacyBrowser(userAgentOf(event, sender)),
  browser_extensions: ({ exception }, _sender, { browser_extensions: isOn }) =>
    isOn && isOfBrowserExtension(exception?.values ?? []),
  error_messages: (event, _sender, { error_messages: list }) =>
    list.length > 0 && matchesAny(list, messagesOf(event)),
};
const names = Object.keys(judges) as FilterName[];

/** The first filter that drops the event, null for one that is stored. Never throws. */
export function findInboundFilter(
  event: NormalizedEvent,
  sender: EventSender,
  filters: InboundFilters,
): FilterName | null {
  return names.find((name) => dropsEvent(name, event, sender, filters)) ?? null;
}

export function dropsEvent(
  name: FilterName,
  event: NormalizedEvent,
  sender: EventSender,
  filters: InboundFilters,
): boolean {
  return judges[name](event, sender, filters);
}

function matchesAny(patterns: readonly string[], texts: readonly string[]): boolean {
  return texts.some((text) => patterns.some((pattern) => matchesGlob(pattern, text)));
}

/** Of each exception its message alone and after its type, as titles have it; of a log entry its text. */
function messagesOf({ exception, logentry }: NormalizedEvent): string[] {
  const ofExceptions = (exception?.values ?? []).flatMap(({ type, value = '' }) =>
    type === undefined ? [value] : [value, `${type}: ${value}`],
  );
  const ofEntry = [logentry?.formatted, logentry?.message].filter((text) => text !== undefined);
  return [...ofExceptions, ...ofEntry]
    .map((text) => cutText(text, messageCharactersMax))
    .filter((text) => text !== '');
}

const localAddresses = new Set(['127.0.0.1', '::1']);

function isLocal(event: NormalizedEvent, { domain }: EventSender): boolean {
  const address = addressOf(event);
  if (address !== null && localAddresses.has(address)) return true;
  const url = event.request?.url;
  if (url !== undefined) return isLocalUrl(url);
  const host = headerOf(event, 'host') ?? headerOf(event, 'x-forwarded-host') ?? domain;
  return host !== null && isLocalUrl(`http://${host}`);
}

function isLocalUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const { protocol, hostname } = url;
  return protocol === 'file:' || /(?:^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(hostname);
}

function isListed(event: NormalizedEvent, { clientAddress }: EventSender, list: readonly string[]): boolean {
  const networks = networksOf(list);
  return [clientAddress, addressOf(event) ?? ''].some(
    (address) => isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  );
}

const built = new WeakMap<readonly string[], BlockList>();

function networksOf(list: readonly string[]): BlockList {
  const known = built.get(list);
  if (known !== undefined) return known;
  const networks = new BlockList();
  for (const each of list) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  built.set(list, networks);
  return networks;
}

/** The address of the user; `{{auto}}` is that of the request, which the sender has. */
function addressOf({ user }: NormalizedEvent): string | null {
  const address = user?.['ip_address'];
  return typeof address === 'string' ? address : null;
}

function userAgentOf(event: NormalizedEvent, sender: EventSender): string {
  return headerOf(event, 'user-agent') ?? sender.userAgent;
}

function headerOf({ request }: NormalizedEvent, name: string): string | null {
  const headers = request?.['headers'];
  if (typeof headers !== 'object' || headers === null) return null;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1] : null;
}

// Errors of browser extensions and of scripts that others inject into pages (Sentry's list).

const textCharactersMax = 2_048;

const messages = new RegExp(
  [
    String.raw`top\.GLOBALS`,
    'originalCreateNotification',
    String.raw`canvas\.contentDocument`,
    'MyApp_RemoveAllHighlights',
    String.raw`http://tt\.epicplay\.com`,
    "Can't find variable: ZiteReader",
    'jigsaw is not defined',
    'ComboSearch is not defined',
    String.raw`http://loading\.retry\.widdit\.com/`,
    'atomicFindClose',
    'fb_xd_fragment',
    'bmi_SafeAddOnload',
    'EBCallBackMessageReceived',
    '_gCrWeb',
    'conduitPage',
    String.raw`null is not an object \(evaluating 'elt\.parentNode'\)`,
    String.raw`plugin\.setSuspendState is not a function`,
    'Extension context invalidated',
    'webkit-masked-url:',
    "can't access dead object",
  ].join('|'),
  'i',
);

/** In the address of the newest frame that has one. */
const sources = new RegExp(
  [
    '^(?:chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension)://',
    'webkit-masked-url',
    String.raw`graph\.facebook\.com`,
    String.raw`connect\.facebook\.net`,
    String.raw`eatdifferent\.com\.woopra-ns\.com`,
    String.raw`static\.woopra\.com/js/woopra\.js`,
    String.raw`127\.0\.0\.1:4001/isrunning`,
    String.raw`webappstoolbarba\.texthelp\.com/`,
    String.raw`metrics\.itunes\.apple\.com\.edgesuite\.net/`,
    String.raw`kaspersky-labs\.com`,
  ].join('|'),
  'i',
);

const withoutSource = new Set(['<anonymous>', '[native code]']);

function isOfBrowserExtension(exceptions: readonly ExceptionValue[]): boolean {
  return exceptions.some(
    (exception) =>
      messages.test(cutText(exception.value ?? '', textCharactersMax)) ||
      sources.test(cutText(sourceOf(exception), textCharactersMax)),
  );
}

function sourceOf({ stacktrace }: ExceptionValue): string {
  const frame = stacktrace?.frames.findLast(
    ({ abs_path: path, filename }) => !withoutSource.has(path ?? filename ?? '<anonymous>'),
  );
  return frame?.abs_path ?? frame?.filename ?? '';
}

// What a User-Agent says: web crawlers, and browsers older than Sentry's limits.

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

/** In the order in which they are recognized: many browsers name others too. The first group that matched is the major
 * version. */
const browsers: ReadonlyArray<readonly [version: RegExp, below: number]> = [
  [/Opera Mini\/(\d+)/, 35],
  [/MSIE (\d+)|Trident\/.*rv:(\d+)/, 12],
  [/Edg(?:e|A|iOS)?\/(\d+)/, 79],
  [/OPR\/(\d+)|Opera.*Version\/(\d+)|Opera[ /](\d+)/, 51],
  [/Firefox\/(\d+)/, 67],
  [/Chrom(?:e|ium)\/(\d+)/, 63],
  [/Android (\d+).*Version\//, 4],
  [/Version\/(\d+).*Safari\//, 12],
];

/** False for what is no browser. Apps of Electron bring their own browser. */
export function isLegacyBrowser(userAgent: string): boolean {
  const text = cutText(userAgent, userAgentCharactersMax);
  if (text.includes('Electron/')) return false;
  for (const [version, below] of browsers) {
    const found = version
      .exec(text)
      ?.slice(1)
      .find((digits) => digits !== undefined);
    if (found !== undefined) return Number(found) < below;
  }
  return false;
}
