import type { DemoIssue } from '../faults/demo-issue.ts';
import { apiHost, type Customer, productPaths, type Slug, shopHost, siteHost } from '../shared/company.ts';
import type { Random } from '../shared/random.ts';

type JsonRecord = Record<string, unknown>;

export const platforms: Readonly<Record<Slug, string>> = {
  'shop-web': 'javascript',
  'checkout-api': 'node',
  'wp-site': 'php',
  'mobile-shell': 'javascript',
  'worker-queue': 'python',
};

const sdks: Readonly<Record<Slug, readonly [name: string, ...versions: string[]]>> = {
  'shop-web': ['sentry.javascript.browser', '11.11.0', '11.9.0', '10.2.0'],
  'checkout-api': ['sentry.javascript.node', '11.11.0', '11.4.1'],
  'wp-site': ['sentry.php.wordpress', '4.16.0'],
  'mobile-shell': ['sentry.javascript.capacitor', '2.4.1', '2.2.0'],
  'worker-queue': ['sentry.python', '2.44.0'],
};

const browsers = [
  { name: 'Chrome', version: '142.0.7444.60', os: 'Windows', osVersion: '11' },
  { name: 'Mobile Safari', version: '26.1', os: 'iOS', osVersion: '26.1', model: 'iPhone' },
  { name: 'Chrome Mobile', version: '142.0.7444.48', os: 'Android', osVersion: '16', model: 'Pixel 9' },
  { name: 'Firefox', version: '145.0', os: 'Linux', osVersion: '6.12' },
  { name: 'Safari', version: '26.1', os: 'macOS', osVersion: '26.1' },
  { name: 'Edge', version: '142.0.3595.53', os: 'Windows', osVersion: '11' },
] as const;

const zones = ['IE-D', 'GB-N', 'DE-1', 'FR-75', 'SE-O', 'IM'];

export function createEventContexts(
  issue: DemoIssue,
  random: Random,
  customer: Customer,
  atMs: number,
): JsonRecord {
  const [name, ...versions] = sdks[issue.slug];
  const sdk = { name, version: versions[Math.min(random.between(0, 5), versions.length - 1)] ?? '' };
  const user = issue.hasUsers === false ? {} : { user: userOf(customer) };
  const zone = random.percent(70) ? 'IE-D' : random.pick(zones);
  return { sdk, ...user, ...contextsBySlug[issue.slug]({ issue, random, customer, zone, atMs }) };
}

interface EventInput {
  readonly issue: DemoIssue;
  readonly random: Random;
  readonly customer: Customer;
  readonly zone: string;
  readonly atMs: number;
}

const contextsBySlug: Readonly<Record<Slug, (input: EventInput) => JsonRecord>> = {
  'shop-web': (input) => {
    const { random, customer, zone } = input;
    const browser = browsers[Math.min(random.between(0, 5), random.between(0, 5))] ?? browsers[0];
    const path = random.percent(60) ? '/basket?step=address' : random.pick(productPaths);
    const tags = { zone, locale: customer.locale, 'ab.rates': random.percent(80) ? 'v2' : 'v1' };
    return {
      request: {
        url: `https://${shopHost}${path}`,
        headers: {
          'User-Agent': userAgentOf(browser),
          Referer: `https://${shopHost}${random.pick(productPaths)}`,
        },
      },
      contexts: {
        browser: { name: browser.name, version: browser.version },
        os: { name: browser.os, version: browser.osVersion },
        device: {
          ...('model' in browser ? { model: browser.model } : {}),
          screen_width_pixels: 1536,
          screen_height_pixels: 864,
        },
        basket: { type: 'basket', lines: random.between(1, 5), zone },
      },
      tags: { ...tags, browser: browser.name, os: browser.os, ...input.issue.tags },
      breadcrumbs: { values: visitTrail(input, path) },
      extra: { session_minutes: random.between(1, 40), from_cache: random.percent(30) },
    };
  },
  'checkout-api': (input) => {
    const { issue, random, zone } = input;
    const host = `checkout-${random.between(1, 3)}`;
    return {
      server_name: `${host}.${siteHost}`,
      request: {
        method: 'POST',
        url: `https://${apiHost}/v2/quotes?trace=${random.hex(8)}`,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'harbour-shop/4.18',
          Authorization: 'Bearer abc',
        },
        data: { items: [{ sku: 'OAK-BENCH-180', qty: random.between(1, 4) }], zone },
        cookies: { session: random.hex(24) },
      },
      contexts: {
        runtime: { name: 'node', version: 'v24.21.0' },
        os: { name: 'Debian GNU/Linux', version: '12', kernel_version: '6.1.0' },
        app: { app_memory: random.between(180, 420) * 1_048_576 },
        trace: { trace_id: random.hex(32), span_id: random.hex(16), op: 'http.server' },
      },
      tags: { zone, server: host, 'http.status': random.percent(70) ? '502' : '500', ...issue.tags },
      breadcrumbs: { values: serverTrail(input) },
    };
  },
  'wp-site': ({ issue, random, atMs }) => ({
    server_name: `www.${siteHost}`,
    request: {
      method: 'GET',
      url: `https://${siteHost}/${random.pick(['', 'shipping/', 'journal/', 'checkout/'])}`,
      headers: { 'User-Agent': userAgentOf(random.pick(browsers)) },
    },
    contexts: {
      runtime: { name: 'php', version: '8.3.27' },
      wordpress: { version: '6.9', multisite: false, theme: 'harbour 2.4', locale: 'en_GB' },
    },
    modules: { 'hp-shipping': '3.2.1', 'hp-feed': '1.9.0', woocommerce: '10.3.4' },
    tags: { php: '8.3', cron: random.percent(30) ? 'yes' : 'no', ...issue.tags },
    breadcrumbs: {
      values: [
        breadcrumb(atMs, 1.2, 'query', 'query', 'SELECT option_value FROM wp_options WHERE option_name = %s'),
        breadcrumb(atMs, 0.4, 'hook', 'default', 'template_redirect'),
      ],
    },
  }),
  'mobile-shell': (input) => {
    const { issue, random } = input;
    const isPhone = random.percent(55);
    const system = isPhone ? { name: 'iOS', version: '26.1' } : { name: 'Android', version: '16' };
    const model = isPhone ? random.pick(['iPhone17,1', 'iPhone15,4']) : random.pick(['Pixel 9', 'SM-S931B']);
    return {
      contexts: {
        os: system,
        device: {
          model,
          family: isPhone ? 'iPhone' : 'Android',
          battery_level: random.between(8, 100),
          online: random.percent(70),
        },
        app: { app_identifier: 'example.harbourpine.shell', app_build: String(random.between(700, 790)) },
      },
      tags: { os: system.name, 'app.store': isPhone ? 'ios' : 'android', ...issue.tags },
      breadcrumbs: { values: visitTrail(input, '/menu') },
    };
  },
  'worker-queue': ({ issue, random, atMs }) => ({
    server_name: `worker-1.${siteHost}`,
    contexts: {
      runtime: { name: 'CPython', version: '3.14.0' },
      celery: { queue: 'shipping', retries: random.between(0, 3) },
    },
    tags: { queue: 'shipping', 'celery.task': issue.key, ...issue.tags },
    breadcrumbs: {
      values: [
        breadcrumb(atMs, 0.8, 'redis', 'redis', 'LPOP shipping'),
        breadcrumb(atMs, 0.1, 'log', 'default', 'job began'),
      ],
    },
    modules: { celery: '5.6.0', redis: '7.1.0' },
  }),
};

function userOf({ id, name, email, address }: Customer): JsonRecord {
  return { id, username: name, email, ip_address: address };
}

function userAgentOf(browser: (typeof browsers)[number]): string {
  const system = 'model' in browser ? `${browser.model}; ${browser.os} ${browser.osVersion}` : browser.os;
  return `Mozilla/5.0 (${system}) ${browser.name.replaceAll(' ', '')}/${browser.version}`;
}

function visitTrail({ issue, random, atMs, zone }: EventInput, path: string): JsonRecord[] {
  const before = [
    breadcrumb(atMs, 41.2, 'navigation', 'navigation', '', { from: random.pick(productPaths), to: path }),
    breadcrumb(atMs, 40.9, 'fetch', 'http', '', { method: 'GET', url: '/api/basket', status_code: 200 }),
    breadcrumb(atMs, 22.4, 'ui.click', 'default', 'button.checkout-address'),
    breadcrumb(atMs, 21.7, 'ui.input', 'default', 'input[name=postcode]'),
    breadcrumb(atMs, 9.1, 'ui.click', 'default', 'button.qty-plus'),
    breadcrumb(atMs, 8.8, 'fetch', 'http', '', { method: 'POST', url: '/api/quote', status_code: 200 }),
    breadcrumb(atMs, 0.6, 'ui.click', 'default', 'button.qty-plus'),
    breadcrumb(atMs, 0.2, 'fetch', 'http', '', { method: 'POST', url: '/api/quote', status_code: 422 }),
    {
      ...breadcrumb(atMs, 0.05, 'console', 'default', `rates: zone ${zone} has no rate, falling back`),
      level: 'warning',
    },
  ];
  return issue.type === '' ? before.slice(0, 4) : before;
}

function serverTrail({ random, atMs }: EventInput): JsonRecord[] {
  const capture = { method: 'POST', url: 'https://pay.gateway.example/v2/captures', status_code: 502 };
  return [
    breadcrumb(atMs, 2.4, 'query', 'query', 'SELECT * FROM basket WHERE id = $1'),
    breadcrumb(atMs, 2.1, 'http', 'http', '', capture),
    breadcrumb(atMs, 1.1, 'http', 'http', '', capture),
    {
      ...breadcrumb(atMs, 0.3, 'console', 'default', `retrying in ${random.between(100, 900)} ms`),
      level: 'warning',
    },
  ];
}

function breadcrumb(
  atMs: number,
  secondsBefore: number,
  category: string,
  type: string,
  message: string,
  data?: JsonRecord,
): JsonRecord {
  return {
    timestamp: atMs / 1000 - secondsBefore,
    category,
    type,
    ...(message === '' ? {} : { message }),
    ...(data === undefined ? {} : { data }),
  };
}
