// What the usual kits say of themselves and of the machines they run on: names and shapes from their public
// documents, values drawn.
import type { Dice } from '../demo/dice.ts';

type Bag = Record<string, unknown>;

export const words =
  'order item user page list view detail price stock media theme field block query store cache token route value label entry model state table group event image video mail task job queue chart panel modal input form button menu search filter report invoice payment basket checkout account profile settings dashboard product category upload session widget post comment plugin client server worker handler service manager provider context config option result response message address customer shipping'.split(
    ' ',
  );

export const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
];

const browserKits = [
  ['sentry.javascript.browser', 'npm:@sentry/browser'],
  ['sentry.javascript.react', 'npm:@sentry/react'],
  ['sentry.javascript.vue', 'npm:@sentry/vue'],
  ['sentry.javascript.nextjs', 'npm:@sentry/nextjs'],
  ['sentry.javascript.angular', 'npm:@sentry/angular'],
] as const;
const versions = ['11.11.0', '11.9.0', '10.54.0', '9.47.1', '8.55.0', '7.120.4'];

export function browserKit(dice: Dice): Bag {
  const [name, npm] = dice.pick(browserKits);
  const version = dice.pick(versions);
  const integrations = [
    'InboundFilters',
    'FunctionToString',
    'ConversationId',
    'BrowserApiErrors',
    'Breadcrumbs',
    'GlobalHandlers',
    'LinkedErrors',
    'Dedupe',
    'HttpContext',
    'CultureContext',
    'BrowserSession',
  ];
  if (dice.percent(30)) integrations.push('BrowserTracing', 'Replay');
  return {
    sdk: {
      name,
      version,
      integrations,
      packages: [{ name: npm, version }],
      settings: { infer_ip: dice.pick(['auto', 'never']) },
    },
  };
}

export function browserContexts(dice: Dice): Bag {
  return {
    contexts: {
      trace: { trace_id: dice.hex(32), span_id: dice.hex(16) },
      ...(dice.percent(50)
        ? {
            culture: {
              locale: dice.pick(['en-US', 'en-GB', 'de-DE', 'fr-FR']),
              timezone: dice.pick(['Europe/London', 'America/New_York', 'Europe/Berlin']),
              calendar: 'gregory',
            },
          }
        : {}),
      ...(dice.percent(30)
        ? {
            browser: {
              name: dice.pick(['Chrome', 'Firefox', 'Safari', 'Mobile Safari', 'Chrome Mobile', 'Edge']),
              version: `${dice.between(100, 145)}.0.0`,
            },
            os: {
              name: dice.pick(['Windows', 'iOS', 'Android', 'macOS', 'Linux']),
              version: String(dice.between(10, 26)),
            },
            device: { family: dice.pick(['iPhone', 'Samsung', 'Pixel 9']), simulator: false },
          }
        : {}),
    },
    ...(dice.percent(30) ? { extra: { arguments: [dice.pick(words)], componentStack: '\n    at ' } } : {}),
  };
}

/** Something that went before, at a time in seconds. */
export function crumb(dice: Dice, host: string, timestamp: number): Bag {
  const place = (): string => `/${dice.pick(words)}/${dice.between(1, 9_999)}`;
  const kinds: ReadonlyArray<() => Bag> = [
    () => ({
      category: dice.pick(['ui.click', 'ui.click', 'ui.input']),
      message: `${dice.pick(['body > div#root > ', 'div.', 'main > '])}${dice.pick(words)} > ${dice.pick(['button', 'a', 'input', 'div', 'span', 'li'])}${dice.pick(['.', '#', '-'])}${dice.pick(words)}${dice.pick(['', '[type="submit"]', '[name="q"]', ' > span'])}`,
    }),
    () => ({
      type: 'http',
      category: dice.pick(['fetch', 'xhr', 'http', 'requests', 'httplib']),
      level: dice.pick(['info', 'error']),
      data: {
        method: dice.pick(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        url: `${host}${place()}`,
        status_code: dice.pick([200, 200, 201, 204, 304, 400, 401, 404, 500]),
        ...(dice.percent(20)
          ? { request_body_size: dice.between(1, 999), response_body_size: dice.between(1, 9_999) }
          : {}),
      },
    }),
    () => ({ category: 'navigation', data: { from: place(), to: `/${dice.pick(words)}` } }),
    () => ({
      category: 'console',
      level: dice.pick(['log', 'warning', 'error', 'info', 'debug']),
      message: `${dice.pick(words)} ${dice.pick(words)}`,
      data: { arguments: [dice.pick(words)], logger: 'console' },
    }),
    () => ({
      type: 'default',
      category: dice.pick(['query', 'db.sql.query', 'app', 'auth', 'log', 'started']),
      level: 'info',
      message: `SELECT * FROM ${dice.pick(words)}s WHERE id = ?`,
    }),
  ];
  return { timestamp, ...dice.pick(kinds)() };
}
