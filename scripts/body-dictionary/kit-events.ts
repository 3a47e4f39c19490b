// Events as the usual kits send them, made up: nothing that somebody sent stands here. What varies from one
// program to the next is drawn anew for each, so that a dictionary keeps what the kits say, not what we made
// up.
import { createDice, type Dice } from '../demo/dice.ts';
import { agents, browserContexts, browserKit, crumb, words } from './kit-parts.ts';
import { serverContexts, serverKits } from './server-kits.ts';

type Bag = Record<string, unknown>;

/** So many events, each of a kit and a program of its own, always the same ones. */
export function kitEvents(count: number): Bag[] {
  return Array.from({ length: count }, (_, nth) => {
    const dice = createDice(`kit event ${nth}`);
    const kind = dice.between(1, 10);
    if (kind <= 5) return browserEvent(dice);
    if (kind <= 9) return serverEvent(dice);
    return plainEvent(dice);
  });
}

function browserEvent(dice: Dice): Bag {
  const host = `https://${dice.pick(words)}.example.${dice.pick(['com', 'org'])}`;
  const frames = Array.from({ length: dice.between(2, 12) }, () => ({
    filename: `${host}/${dice.pick(['assets', 'static/js', '_next/static/chunks', 'wp-content/themes', 'wp-includes/js', 'js', 'build'])}/${dice.pick(words)}${dice.pick(['.js', '.min.js', `-${dice.hex(8)}.js`, `.${dice.hex(8)}.js`])}`,
    function: functionName(dice),
    in_app: dice.percent(80),
    lineno: dice.between(1, 900),
    colno: dice.between(1, 90_000),
  }));
  return {
    ...common(dice, 'javascript'),
    ...browserKit(dice),
    request: {
      url: `${host}/${dice.pick(words)}${dice.percent(30) ? `?${dice.pick(words)}=${dice.between(1, 999)}` : ''}`,
      headers: {
        ...(dice.percent(50) ? { Referer: `${host}/` } : {}),
        'User-Agent': dice.pick(agents),
      },
    },
    exception: {
      values: [
        {
          ...fault(dice, [
            'TypeError',
            'ReferenceError',
            'Error',
            'SyntaxError',
            'RangeError',
            'ChunkLoadError',
            'AxiosError',
            'DOMException',
          ]),
          stacktrace: { frames },
          mechanism: {
            type: dice.pick([
              'onerror',
              'onunhandledrejection',
              'generic',
              'instrument',
              'auto.browser.global_handlers.onerror',
              'auto.browser.global_handlers.onunhandledrejection',
              'auto.browser.browserapierrors.addEventListener',
              'auto.function.react.error_boundary',
              'auto.function.vue.error_handler',
            ]),
            handled: dice.percent(20),
          },
        },
      ],
    },
    ...browserContexts(dice),
    breadcrumbs: crumbs(dice, host, dice.between(2, 30)),
  };
}

function serverEvent(dice: Dice): Bag {
  const kit = dice.pick(serverKits);
  const frames = Array.from({ length: dice.between(3, 14) }, () => {
    const inApp = dice.percent(60);
    const file = `${dice.pick(words)}${kit.extension}`;
    const path = inApp ? `${dice.pick(kit.roots)}/${dice.pick(words)}/${file}` : dice.pick(kit.libraries);
    return {
      filename: path.replace(/^\/[a-z]+\//, ''),
      abs_path: path,
      function: functionName(dice),
      ...(kit.platform === 'python' ? { module: `${dice.pick(words)}.${dice.pick(words)}` } : {}),
      lineno: dice.between(1, 1_400),
      ...(dice.percent(60) ? sourceLines(dice, kit.lines) : {}),
      in_app: inApp,
    };
  });
  return {
    ...common(dice, kit.platform),
    sdk: kit.sdk,
    ...(dice.percent(70)
      ? {
          server_name: `${dice.pick(words)}-${dice.hex(8)}`,
          transaction: `${dice.pick(['GET', 'POST'])} /${dice.pick(words)}/{id}`,
        }
      : {}),
    ...(dice.percent(70) ? { request: serverRequest(dice) } : {}),
    exception: {
      values: [{ ...fault(dice, kit.faults), stacktrace: { frames }, mechanism: kit.mechanism }],
    },
    contexts: serverContexts(dice, kit),
    ...(dice.percent(40) ? { modules: kit.modules } : {}),
    breadcrumbs: crumbs(dice, `https://api.${dice.pick(words)}.example`, dice.between(0, 14)),
  };
}

function plainEvent(dice: Dice): Bag {
  return {
    ...common(dice, dice.pick(['javascript', 'php', 'node', 'python', 'other'])),
    message: `${sentence(dice)}`,
    logger: dice.pick(words),
    extra: { [dice.pick(words)]: dice.between(1, 999), arguments: [dice.pick(words)] },
  };
}

/** One after the other, as they happened. */
function crumbs(dice: Dice, host: string, count: number): Bag[] {
  const fromSeconds = moment(dice);
  return Array.from({ length: count }, (_, nth) =>
    crumb(dice, host, fromSeconds + nth + (dice.percent(30) ? 0 : dice.between(0, 999) / 1_000)),
  );
}

/** Of any day of the year, in seconds since 1970: no date is worth a place in a dictionary. */
function moment(dice: Dice): number {
  return 1_790_000_000 + dice.between(0, 30_000_000);
}

function common(dice: Dice, platform: string): Bag {
  const at = moment(dice) + (dice.percent(20) ? 0 : dice.between(0, 999) / 1_000);
  return {
    event_id: dice.hex(32),
    timestamp: at,
    platform,
    level: dice.pick(['error', 'error', 'error', 'error', 'warning', 'fatal', 'info']),
    release: `${dice.pick(words)}@${dice.between(1, 9)}.${dice.between(0, 20)}.${dice.between(0, 9)}`,
    environment: dice.pick(['production', 'production', 'production', 'staging', 'development']),
    ...(dice.percent(70)
      ? {
          tags: {
            [dice.pick(['browser', 'locale', 'plan', 'region', 'section', 'runtime'])]: dice.pick(words),
            [dice.pick(words)]: dice.pick(words),
          },
        }
      : {}),
    ...(dice.percent(60) ? { user: { id: String(dice.between(1, 99_999)) } } : {}),
  };
}

function fault(dice: Dice, types: readonly string[]): Bag {
  return { type: dice.pick(types), value: sentence(dice) };
}

function sentence(dice: Dice): string {
  const [one, two] = [dice.pick(words), dice.pick(words)];
  return dice.pick([
    `Cannot read properties of undefined (reading '${one}')`,
    `Cannot read properties of null (reading '${one}')`,
    `undefined is not an object (evaluating '${one}.${two}')`,
    `${one}.${two} is not a function`,
    `${one} is not defined`,
    `Request failed with status code ${dice.pick([400, 401, 403, 404, 409, 422, 429, 500, 502, 503])}`,
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    `Loading chunk ${dice.between(1, 999)} failed.`,
    `timeout of ${dice.between(1, 30)}000ms exceeded`,
    `Call to undefined method ${one}::${two}()`,
    `Undefined array key "${one}"`,
    `SQLSTATE[HY000] [2002] Connection refused`,
    `connect ECONNREFUSED 127.0.0.1:${dice.between(1_024, 9_999)}`,
    `'NoneType' object has no attribute '${one}'`,
    `invalid literal for int() with base 10: '${one}'`,
    `${one} ${dice.between(1, 99_999)} not found`,
  ]);
}

function functionName(dice: Dice): string {
  const two = dice.pick(words);
  const camel = `${dice.pick(['get', 'set', 'load', 'render', 'handle', 'on', 'update', 'fetch', 'create', 'to'])}${two[0]?.toUpperCase()}${two.slice(1)}`;
  return dice.pick([
    camel,
    camel,
    `Object.${camel}`,
    `HTMLButtonElement.<anonymous>`,
    '<anonymous>',
    '?',
    `async ${camel}`,
    dice.hex(1),
  ]);
}

function sourceLines(dice: Dice, lines: readonly string[]): Bag {
  const line = (): string => dice.pick(lines).replaceAll('%', () => dice.pick(words));
  const some = (): string[] => Array.from({ length: 5 }, line);
  return { pre_context: some(), context_line: line(), post_context: some() };
}

function serverRequest(dice: Dice): Bag {
  const host = `${dice.pick(words)}.example.com`;
  return {
    url: `https://${host}/${dice.pick(words)}/${dice.between(1, 9_999)}`,
    method: dice.pick(['GET', 'GET', 'POST', 'PUT', 'DELETE']),
    ...(dice.percent(50) ? { query_string: `${dice.pick(words)}=${dice.between(1, 99)}` } : {}),
    headers: {
      host,
      'user-agent': dice.pick(agents),
      accept: dice.pick(['application/json, text/plain, */*', 'text/html,application/xhtml+xml', '*/*']),
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': dice.pick(['en-US,en;q=0.9', 'en-GB,en;q=0.5', 'de-DE,de;q=0.9']),
      'content-type': 'application/json',
      connection: 'keep-alive',
      'x-forwarded-proto': 'https',
    },
    ...(dice.percent(30) ? { data: { [dice.pick(words)]: dice.pick(words) } } : {}),
  };
}
