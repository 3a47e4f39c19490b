// What stands about an error: the request, the browser or the server, the visitor, what went before. Where it
// comes from is the platform of the project; which it is falls by the id of the event.
import { between, chance, hex, pick } from '../../chance.ts';
import { home, type ProjectSlug } from '../../company.ts';
import type { IssueTemplate } from '../templates/template.ts';
import type { Customer } from './customers.ts';

type Bag = Readonly<Record<string, unknown>>;

/** How events of a project name their platform. */
export const platforms: Readonly<Record<ProjectSlug, string>> = {
  'shop-web': 'javascript',
  'checkout-api': 'node',
  'wp-site': 'php',
  'mobile-shell': 'javascript',
  'worker-queue': 'python',
};

/** The SDKs that a project uses, the most used first, and of 100 events how many each sends. */
export const kits: Readonly<
  Record<ProjectSlug, ReadonlyArray<readonly [name: string, version: string, share: number]>>
> = {
  'shop-web': [
    ['sentry.javascript.browser', '11.11.0', 81],
    ['sentry.javascript.browser', '11.9.0', 14],
    ['sentry.javascript.browser', '10.2.0', 5],
  ],
  'checkout-api': [
    ['sentry.javascript.node', '11.11.0', 92],
    ['sentry.javascript.node', '11.4.1', 8],
  ],
  'wp-site': [['sentry.php.wordpress', '4.16.0', 100]],
  'mobile-shell': [
    ['sentry.javascript.capacitor', '2.4.1', 77],
    ['sentry.javascript.capacitor', '2.2.0', 23],
  ],
  'worker-queue': [['sentry.python', '2.44.0', 100]],
};

/** Name, version and the system it is used on, most used first. */
const browsers = [
  { name: 'Chrome', version: '142.0.7444.60', os: 'Windows', osVersion: '11' },
  { name: 'Mobile Safari', version: '26.1', os: 'iOS', osVersion: '26.1', model: 'iPhone' },
  { name: 'Chrome Mobile', version: '142.0.7444.48', os: 'Android', osVersion: '16', model: 'Pixel 9' },
  { name: 'Firefox', version: '145.0', os: 'Linux', osVersion: '6.12' },
  { name: 'Safari', version: '26.1', os: 'macOS', osVersion: '26.1' },
  { name: 'Edge', version: '142.0.3595.53', os: 'Windows', osVersion: '11' },
] as const;
type Browser = (typeof browsers)[number];

const zones = ['IE-D', 'GB-N', 'DE-1', 'FR-75', 'SE-O', 'IM'];

const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;

/** Of which event, and what is known of it. */
export interface Telling {
  readonly eventId: string;
  readonly template: IssueTemplate;
  readonly customer: Customer;
  readonly atMs: number;
}

/** Who an event is of: some come often, most seldom. */
export function customerOf(customers: readonly Customer[], eventId: string): Customer {
  const at = Math.floor(chance(eventId, 'customer') ** 1.5 * customers.length);
  const customer = customers[at] ?? customers[0];
  if (customer === undefined) throw new Error('There are no customers.');
  return customer;
}

/** Everything of an event beside what went wrong. */
export function surroundingsOf(telling: Telling): Bag {
  const { template, eventId, customer } = telling;
  const [name, version] = kitOf(template.slug, eventId);
  const user =
    template.hasUsers === false
      ? {}
      : {
          user: {
            id: customer.id,
            username: customer.name,
            email: customer.email,
            ip_address: customer.address,
          },
        };
  const zone = chance(eventId, 'zone') < 0.7 ? 'IE-D' : pick(zones, eventId, 'zones');
  return { sdk: { name, version }, ...user, ...makers[template.slug]({ ...telling, zone }) };
}

function kitOf(slug: ProjectSlug, eventId: string) {
  let thrown = chance(eventId, 'kit') * 100;
  const found = kits[slug].find(([, , share]) => {
    thrown -= share;
    return thrown < 0;
  });
  return found ?? kits[slug][0] ?? ['', '', 0];
}

type Making = Telling & { readonly zone: string };

const makers: Readonly<Record<ProjectSlug, (making: Making) => Bag>> = {
  'shop-web': (making) => {
    const { eventId, customer, zone, template } = making;
    const browser = browserOf(eventId);
    const path = chance(eventId, 'path') < 0.6 ? '/basket?step=address' : productOf(eventId, 'at');
    return {
      request: {
        url: `https://shop.${home}${path}`,
        headers: {
          'User-Agent': userAgentOf(browser),
          Referer: `https://shop.${home}${productOf(eventId, 'from')}`,
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
        basket: { type: 'basket', lines: between(1, 5, eventId, 'lines'), zone },
      },
      tags: {
        zone,
        locale: customer.locale,
        'ab.rates': chance(eventId, 'rates') < 0.8 ? 'v2' : 'v1',
        ...template.tags,
      },
      breadcrumbs: { values: visitTrail(making, path) },
      extra: {
        session_minutes: between(1, 40, eventId, 'session'),
        from_cache: chance(eventId, 'cache') < 0.3,
      },
    };
  },
  'checkout-api': (making) => {
    const { eventId, zone, template } = making;
    const host = `checkout-${between(1, 3, eventId, 'host')}`;
    return {
      server_name: `${host}.${home}`,
      request: {
        method: 'POST',
        url: `https://api.${home}/v2/quotes?trace=${hex(8, eventId, 'trace')}`,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'harbour-shop/4.18',
          Authorization: 'Bearer abc',
        },
        data: { items: [{ sku: 'OAK-BENCH-180', qty: between(1, 4, eventId, 'qty') }], zone },
      },
      contexts: {
        runtime: { name: 'node', version: 'v24.21.0' },
        os: { name: 'Debian GNU/Linux', version: '12', kernel_version: '6.1.0' },
        app: { app_memory: between(180, 420, eventId, 'memory') * 1_048_576 },
        trace: {
          trace_id: hex(32, eventId, 'trace_id'),
          span_id: hex(16, eventId, 'span'),
          op: 'http.server',
        },
      },
      tags: { zone, 'http.status': chance(eventId, 'status') < 0.7 ? '502' : '500', ...template.tags },
      breadcrumbs: { values: serverTrail(making) },
    };
  },
  'wp-site': ({ eventId, atMs, template }) => ({
    server_name: `blog.${home}`,
    request: {
      method: 'GET',
      url: `https://blog.${home}/${pick(['', 'shipping/', 'journal/', 'checkout/'], eventId, 'page')}`,
      headers: { 'User-Agent': userAgentOf(browserOf(eventId)) },
    },
    contexts: {
      runtime: { name: 'php', version: '8.3.27' },
      wordpress: { version: '6.9', multisite: false, theme: 'harbour 2.4', locale: 'en_GB' },
    },
    modules: { 'hp-shipping': '3.2.1', 'hp-feed': '1.9.0', woocommerce: '10.3.4' },
    tags: { php: '8.3', cron: chance(eventId, 'cron') < 0.3 ? 'yes' : 'no', ...template.tags },
    breadcrumbs: {
      values: [
        crumb(atMs, 1.2, 'query', 'query', 'SELECT option_value FROM wp_options WHERE option_name = %s'),
        crumb(atMs, 0.4, 'hook', 'default', 'template_redirect'),
      ],
    },
  }),
  'mobile-shell': (making) => {
    const { eventId, template } = making;
    const isPhone = chance(eventId, 'phone') < 0.55;
    const models = isPhone ? ['iPhone17,1', 'iPhone15,4'] : ['Pixel 9', 'SM-S931B'];
    return {
      contexts: {
        os: isPhone ? { name: 'iOS', version: '26.1' } : { name: 'Android', version: '16' },
        device: {
          model: pick(models, eventId, 'model'),
          family: isPhone ? 'iPhone' : 'Android',
          battery_level: between(8, 100, eventId, 'battery'),
          online: chance(eventId, 'online') < 0.7,
        },
        app: {
          app_identifier: 'example.harbourpine.shell',
          app_build: String(between(700, 790, eventId, 'build')),
        },
      },
      tags: { 'app.store': isPhone ? 'ios' : 'android', ...template.tags },
      breadcrumbs: { values: visitTrail(making, '/menu') },
    };
  },
  'worker-queue': ({ template, eventId, atMs }) => ({
    server_name: `worker-1.${home}`,
    contexts: {
      runtime: { name: 'CPython', version: '3.14.0' },
      celery: { queue: 'shipping', retries: between(0, 3, eventId, 'retries') },
    },
    tags: { queue: 'shipping', 'celery.task': template.key, ...template.tags },
    breadcrumbs: {
      values: [
        crumb(atMs, 0.8, 'redis', 'redis', 'LPOP shipping'),
        crumb(atMs, 0.1, 'log', 'default', 'job began'),
      ],
    },
    modules: { celery: '5.6.0', redis: '7.1.0' },
  }),
};

/** The first are used most. */
function browserOf(eventId: string): Browser {
  const at = Math.min(between(0, 5, eventId, 'browser'), between(0, 5, eventId, 'browsers'));
  return browsers[at] ?? browsers[0];
}

function productOf(eventId: string, what: string): string {
  return pick(productPaths, eventId, 'product', what);
}

function userAgentOf(browser: Browser): string {
  const system = 'model' in browser ? `${browser.model}; ${browser.os} ${browser.osVersion}` : browser.os;
  return `Mozilla/5.0 (${system}) ${browser.name.replaceAll(' ', '')}/${browser.version}`;
}

/** What a visitor did before it happened. */
function visitTrail({ template, eventId, atMs, zone }: Making, path: string): Bag[] {
  const before = [
    crumb(atMs, 41.2, 'navigation', 'navigation', '', { from: productOf(eventId, 'trail'), to: path }),
    crumb(atMs, 40.9, 'fetch', 'http', '', { method: 'GET', url: '/api/basket', status_code: 200 }),
    crumb(atMs, 22.4, 'ui.click', 'default', 'button.checkout-address'),
    crumb(atMs, 21.7, 'ui.input', 'default', 'input[name=postcode]'),
    crumb(atMs, 8.8, 'fetch', 'http', '', { method: 'POST', url: '/api/quote', status_code: 200 }),
    crumb(atMs, 0.6, 'ui.click', 'default', 'button.qty-plus'),
    crumb(atMs, 0.2, 'fetch', 'http', '', { method: 'POST', url: '/api/quote', status_code: 422 }),
    {
      ...crumb(atMs, 0.05, 'console', 'default', `rates: zone ${zone} has no rate, falling back`),
      level: 'warning',
    },
  ];
  return template.type === '' ? before.slice(0, 4) : before;
}

function serverTrail({ eventId, atMs }: Making): Bag[] {
  const capture = { method: 'POST', url: 'https://pay.gateway.example/v2/captures', status_code: 502 };
  return [
    crumb(atMs, 2.4, 'query', 'query', 'SELECT * FROM basket WHERE id = $1'),
    crumb(atMs, 2.1, 'http', 'http', '', capture),
    crumb(atMs, 1.1, 'http', 'http', '', capture),
    {
      ...crumb(atMs, 0.3, 'console', 'default', `retrying in ${between(100, 900, eventId, 'retry')} ms`),
      level: 'warning',
    },
  ];
}

/** A breadcrumb so many seconds before its event. */
export function crumb(
  atMs: number,
  secondsBefore: number,
  category: string,
  type: string,
  message: string,
  data?: Bag,
): Bag {
  return {
    timestamp: atMs / 1000 - secondsBefore,
    category,
    type,
    ...(message === '' ? {} : { message }),
    ...(data === undefined ? {} : { data }),
  };
}
