// Stacks as each platform's SDK sends them, from the few frames that an issue is written down with. No texts
// of issues here.
import { shopHost } from './company.ts';
import type { DemoFrame, DemoIssue, Slug } from './issues/issue.ts';
import { type ShopBuild, scriptName } from './shop/build.ts';
import { causePath, faultPath } from './shop/sources.ts';

type Frame = Record<string, unknown>;

/**
 * Frames that stand outside of an issue's own, the outermost first. Those of the browser's libraries have no
 * line: a built script with one waits for its map.
 */
const around: Readonly<Record<Slug, readonly DemoFrame[]>> = {
  'shop-web': [
    { fn: 'run', file: 'node_modules/scheduler/index.js', library: true },
    { fn: 'flush', file: 'node_modules/scheduler/index.js', library: true },
    { fn: 'process', file: 'node_modules/preact/src/component.js', library: true },
    { fn: 'diff', file: 'node_modules/preact/src/diff/index.js', library: true },
    { fn: 'main', file: 'src/main.ts', line: 12, code: ">start(document.querySelector('#app'));" },
  ],
  'checkout-api': [
    {
      fn: 'process.processTicksAndRejections',
      file: 'node:internal/process/task_queues',
      line: 103,
      library: true,
    },
    { fn: 'Layer.handleRequest', file: 'node_modules/router/lib/layer.js', line: 152, library: true },
    { fn: 'next', file: 'node_modules/router/index.js', line: 291, library: true },
    {
      fn: 'withRequestId',
      file: 'src/http/request-id.ts',
      line: 14,
      code: 'response.setHeader("X-Request-Id", id);\n>return await next(request, response);',
      vars: { id: 'req_8f21c0' },
    },
  ],
  'wp-site': [
    { fn: 'require', file: 'index.php', line: 17, library: true },
    { fn: 'wp', file: 'wp-includes/functions.php', line: 1336, library: true },
    { fn: 'do_action', file: 'wp-includes/plugin.php', line: 517, library: true },
    { fn: 'WP_Hook->do_action', file: 'wp-includes/class-wp-hook.php', line: 348, library: true },
    { fn: 'WP_Hook->apply_filters', file: 'wp-includes/class-wp-hook.php', line: 324, library: true },
  ],
  'mobile-shell': [
    { fn: 'Promise.then', file: 'node_modules/@capacitor/core/dist/index.js', library: true },
    {
      fn: 'boot',
      file: 'src/app/boot.ts',
      line: 33,
      code: '>await Promise.all(tasks.map((task) => task()));',
    },
  ],
  'worker-queue': [
    { fn: '__call__', file: 'celery/app/trace.py', line: 453, library: true },
    { fn: '__protected_call__', file: 'celery/app/trace.py', line: 734, library: true },
  ],
};

const roots: Readonly<Record<Slug, string>> = {
  'shop-web': 'webpack://shop-web/./',
  'checkout-api': '/srv/checkout/',
  'wp-site': '/srv/www/harbourpine/',
  'mobile-shell': 'capacitor://localhost/',
  'worker-queue': '/srv/worker/',
};

/** The stack of an issue, the outermost frame first; undefined where it has none. */
export function stackOf(issue: DemoIssue, shop: ShopBuild, release: string | null): Frame[] | undefined {
  if (issue.stack === 'none') return undefined;
  if (issue.stack === 'native') return nativeFrames;
  if (issue.stack === 'minified') return builtStack(faultPath, shop, release);
  return [...around[issue.slug], ...issue.frames].map((frame) => frameOf(issue.slug, frame));
}

/** The stack of what caused an issue. */
export function causeStackOf(issue: DemoIssue, shop: ShopBuild, release: string | null): Frame[] {
  if (issue.stack === 'minified') return builtStack(causePath, shop, release);
  return (issue.cause?.frames ?? []).map((frame) => frameOf(issue.slug, frame));
}

function frameOf(slug: Slug, frame: DemoFrame): Frame {
  const lines = (frame.code ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('>'));
  const source =
    at === -1
      ? {}
      : {
          pre_context: lines.slice(0, at),
          context_line: lines[at]?.slice(1),
          post_context: lines.slice(at + 1),
        };
  const isScript = /\.[jt]sx?$/.test(frame.file);
  return {
    function: frame.fn,
    filename: frame.file,
    abs_path: /^[\w-]+:/.test(frame.file) ? frame.file : roots[slug] + frame.file,
    ...(frame.line === undefined ? {} : { lineno: frame.line }),
    ...(isScript && frame.line !== undefined ? { colno: 3 + (frame.fn.length % 40) } : {}),
    in_app: frame.library !== true,
    ...source,
    ...(frame.vars === undefined ? {} : { vars: frame.vars }),
  };
}

/** As a browser names them: one script, one line, short names. */
function builtStack(
  path: typeof faultPath | typeof causePath,
  shop: ShopBuild,
  release: string | null,
): Frame[] {
  const script = `https://${shopHost}/assets/${scriptName(release ?? '')}`;
  const short = ['c', 'u', 'd'];
  return path
    .map(({ file, at }, index) => ({
      function: short[index] ?? '?',
      filename: script,
      abs_path: script,
      ...shop.placeOf(file, at),
      in_app: true,
    }))
    .reverse();
}

const nativeFrames: Frame[] = [
  {
    function: 'start_thread',
    package: '/system/lib64/libc.so',
    instruction_addr: '0x7a10c4f2d0',
    in_app: false,
  },
  {
    function: 'art::Thread::CreateCallback',
    package: '/apex/libart.so',
    instruction_addr: '0x7a0f11a8e4',
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
