// How large the database is that the pages are measured on, and what is said in it. Nothing is written here.
import { dayMs } from '../../../src/core/reading/spans.ts';

export const publicKey = 'bench_public_key_0001';
export const secretKey = 'bench_secret_key_0001_bench_secret';
export const adminToken = 'bench_admin_token_0001';

export const projectNames = ['shop', 'checkout', 'site', 'app', 'queue'] as const;
/** Issues of each project, in the order of their names. */
export const issuesOf: readonly number[] = [4000, 2500, 1500, 1200, 800];
export const issuesCount = 10_000;
/** Events of each issue that come by the rules; the others are copies of them. */
export const eventsByRules = 2;
export const spanMs = 90 * dayMs;

/** How many events there are, and how they are spread. */
export interface Scale {
  readonly eventsCount: number;
  /**
   * Copies of each event by the place of its issue within its project: few issues have most of the events.
   * The others share what is left.
   */
  readonly classes: readonly { readonly issuesUpTo: number; readonly copies: number }[];
}

export const million: Scale = {
  eventsCount: 1_000_000,
  classes: [
    { issuesUpTo: 2, copies: 9_999 },
    { issuesUpTo: 20, copies: 999 },
    { issuesUpTo: 200, copies: 149 },
  ],
};

export const hundredThousand: Scale = {
  eventsCount: 100_000,
  classes: [
    { issuesUpTo: 2, copies: 799 },
    { issuesUpTo: 20, copies: 79 },
    { issuesUpTo: 200, copies: 11 },
  ],
};

const types = [
  'TypeError',
  'RangeError',
  'TimeoutError',
  'HttpError',
  'RuntimeException',
  'KeyError',
  'NetworkError',
];
const verbs = ['render', 'load', 'save', 'parse', 'charge', 'quote', 'sync', 'decode', 'find', 'merge'];
const nouns = ['Basket', 'Price', 'Order', 'Address', 'Menu', 'Image', 'Token', 'Stock', 'Route', 'Label'];
const foreign = [
  '支払いに失敗しました',
  '购物车无法加载',
  '결제 시간이 초과되었습니다',
  'تعذر تحميل السلة',
  'Сервер не ответил',
];
const levels = ['error', 'error', 'error', 'warning', 'fatal', 'info'];
const browsers = ['Chrome', 'Firefox', 'Safari', 'Edge'];

/** The `nth` event of an issue as a client sends it; `issue` counts within its project. */
export function eventOf(issue: number, nth: number, atMs: number): Record<string, unknown> {
  const type = types[issue % types.length];
  const name = `${verbs[issue % verbs.length]}${nouns[Math.floor(issue / 10) % nouns.length]}`;
  const said = issue % 23 === 0 ? foreign[issue % foreign.length] : `could not ${name} in step ${issue % 7}`;
  const frames = [
    { function: 'main', filename: 'src/main.ts', lineno: 12, in_app: true },
    { function: 'dispatch', filename: 'node_modules/router/index.mjs', lineno: 291, in_app: false },
    {
      function: name,
      filename: `src/${(nouns[issue % nouns.length] ?? '').toLowerCase()}/part-${issue}.ts`,
      lineno: 10 + (issue % 90),
      in_app: true,
      pre_context: ['  const state = await read(key);', '  if (state === null) return;'],
      context_line: `  ${name}(state.value);`,
      post_context: ['}'],
      vars: { key: `k${nth}`, state: { value: issue } },
    },
  ];
  return {
    timestamp: atMs / 1000,
    platform: 'javascript',
    level: levels[issue % levels.length],
    release: `${1 + Math.floor((issue % 300) / 100)}.${(issue + nth) % 20}.0`,
    environment: (issue + nth) % 9 === 0 ? 'staging' : 'production',
    user: { id: `u${(issue * 31 + nth * 7) % 20_000}`, email: `u${issue % 2000}@mail.example` },
    tags: {
      browser: browsers[(issue + nth) % 4],
      zone: `Z-${issue % 40}`,
      plan: issue % 3 === 0 ? 'free' : 'paid',
    },
    request: { url: `https://shop.example/pages/${issue % 500}`, headers: { 'User-Agent': 'bench' } },
    contexts: { os: { name: 'Linux', version: '6.12' } },
    breadcrumbs: { values: [{ timestamp: atMs / 1000 - 2, category: 'ui.click', message: 'button.next' }] },
    exception: { values: [{ type, value: said, stacktrace: { frames } }] },
  };
}
