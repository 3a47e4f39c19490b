import { buildShopScript } from '../delivery/built-scripts.ts';
import type { DemoFrame, DemoIssue } from '../faults/demo-issue.ts';
import { type Slug, shopHost } from '../shared/company.ts';

type Frame = Readonly<Record<string, unknown>>;

/** Frames of the framework around an issue's own frames, outermost first. */
const frameworkFrames: Readonly<Record<Slug, readonly DemoFrame[]>> = {
  'shop-web': [
    { at: 'run (node_modules/scheduler/index.js)', library: true },
    { at: 'process (node_modules/preact/src/component.js)', library: true },
    { at: 'diff (node_modules/preact/src/diff/index.js)', library: true },
    { at: 'main (src/main.ts:12)', code: ">start(document.querySelector('#app'));" },
  ],
  'checkout-api': [
    { at: 'process.processTicksAndRejections (node:internal/process/task_queues:103)', library: true },
    { at: 'Layer.handleRequest (node_modules/router/lib/layer.js:152)', library: true },
    { at: 'next (node_modules/router/index.js:291)', library: true },
    {
      at: 'withRequestId (src/http/request-id.ts:14)',
      code: 'response.setHeader("X-Request-Id", id);\n>return await next(request, response);',
      vars: { id: 'req_8f21c0' },
    },
  ],
  'wp-site': [
    { at: 'require (index.php:17)', library: true },
    { at: 'do_action (wp-includes/plugin.php:517)', library: true },
    { at: 'WP_Hook->do_action (wp-includes/class-wp-hook.php:348)', library: true },
    { at: 'WP_Hook->apply_filters (wp-includes/class-wp-hook.php:324)', library: true },
  ],
  'mobile-shell': [
    { at: 'Promise.then (node_modules/@capacitor/core/dist/index.js)', library: true },
    { at: 'boot (src/app/boot.ts:33)', code: '>await Promise.all(tasks.map((task) => task()));' },
  ],
  'worker-queue': [
    { at: '__call__ (celery/app/trace.py:453)', library: true },
    { at: '__protected_call__ (celery/app/trace.py:734)', library: true },
  ],
};

const roots: Readonly<Record<Slug, string>> = {
  'shop-web': 'webpack://shop-web/./',
  'checkout-api': '/srv/checkout/',
  'wp-site': '/srv/www/harbourpine/',
  'mobile-shell': 'capacitor://localhost/',
  'worker-queue': '/srv/worker/',
};

/** Outermost first; undefined if the issue has none. */
export function createStacktrace(issue: DemoIssue, release: string): readonly Frame[] | undefined {
  if (issue.stack === 'none') return undefined;
  if (issue.stack === 'native') return nativeFrames;
  if (issue.stack === 'minified') return builtFrames(release, faultPath);
  const frames = [...frameworkFrames[issue.slug], ...(issue.callers ?? []), issue];
  return frames.map((frame) => frameOf(issue.slug, frame));
}

export function createCauseStacktrace({ slug, stack, cause }: DemoIssue, release: string): Frame[] {
  return stack === 'minified' ? builtFrames(release, causePath) : [frameOf(slug, cause ?? {})];
}

function frameOf(slug: Slug, frame: Partial<DemoFrame>): Frame {
  const [, name, file = '', line] = /^(.+) \((.+?)(?::(\d+))?\)$/.exec(frame.at ?? '') ?? [];
  const lines = (frame.code ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('>'));
  const context = {
    pre_context: lines.slice(0, at),
    context_line: lines[at]?.slice(1),
    post_context: lines.slice(at + 1),
  };
  const isScript = /\.[jt]sx?$/.test(file);
  return {
    function: name,
    filename: file,
    abs_path: /^[\w-]+:/.test(file) ? file : roots[slug] + file,
    ...(line === undefined ? {} : { lineno: Number(line) }),
    ...(isScript && line !== undefined ? { colno: columnOf(lines[at]?.slice(1) ?? '') } : {}),
    in_app: frame.library !== true,
    ...(at === -1 ? {} : context),
    ...(frame.vars === undefined ? {} : { vars: frame.vars }),
  };
}

function columnOf(line: string): number {
  return 1 + Math.max(0, line.search(/\S/));
}

/** Minified function name, source text and offset in it, outermost first. */
const faultPath = [
  ['d', 'updateBasket({ sku', 0],
  ['u', 'renderTotals(root, quote);', 0],
  ['c', 'fallback.rate.total', 'fallback.rate.'.length],
] as const;

const causePath = [
  ['c', 'pickRate(quote', 0],
  ['r', 'new RateError', 0],
] as const;

function builtFrames(release: string, path: typeof faultPath | typeof causePath): Frame[] {
  const { name, positionOf } = buildShopScript(release);
  const script = `https://${shopHost}/${name}`;
  return path.map(([fn, text, offset]) => {
    const { lineno, colno } = positionOf(text);
    return { function: fn, filename: script, abs_path: script, lineno, colno: colno + offset, in_app: true };
  });
}

const nativeFrames: readonly Frame[] = [
  {
    function: 'start_thread',
    package: '/system/lib64/libc.so',
    instruction_addr: '0x7a10c4f2d0',
    in_app: false,
  },
  {
    function: 'hp::Scanner::decode(hp::Frame const&)',
    package: '/data/app/libscanner.so',
    filename: 'scanner/decode.cc',
    lineno: 141,
    instruction_addr: '0x79fe2211a4',
    in_app: true,
    vars: { frame: '0x0', width: 0 },
  },
  {
    function: 'hp::Frame::plane(int)',
    package: '/data/app/libscanner.so',
    filename: 'scanner/frame.cc',
    lineno: 58,
    instruction_addr: '0x79fe220c18',
    in_app: true,
  },
];
