import { buildShopScript } from '../delivery/built-scripts.ts';
import type { IssueTemplate, TemplateFrame } from '../faults/template.ts';
import { type Slug, shopHost } from '../shared/company.ts';

type Frame = Readonly<Record<string, unknown>>;

/** Frames of the framework around a fault's own frames, outermost first. */
const frameworkFrames: Readonly<Record<Slug, readonly TemplateFrame[]>> = {
  'shop-web': [
    { fn: 'run', file: 'node_modules/scheduler/index.js', library: true },
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

/** Frames of a fault or of its cause, outermost first; undefined if it has none. */
export function createStacktrace(
  template: IssueTemplate,
  release: string,
  isCause = false,
): readonly Frame[] | undefined {
  if (template.stack === 'none') return undefined;
  if (template.stack === 'native') return nativeFrames;
  if (template.stack === 'minified') return builtFrames(release, isCause);
  const frames = isCause
    ? (template.cause?.frames ?? [])
    : [...frameworkFrames[template.slug], ...template.frames];
  return frames.map((frame) => frameOf(template.slug, frame));
}

function frameOf(slug: Slug, frame: TemplateFrame): Frame {
  const lines = (frame.code ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('>'));
  const context = {
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
    ...(isScript && frame.line !== undefined ? { colno: columnOf(lines[at]?.slice(1) ?? '') } : {}),
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

function builtFrames(release: string, isCause: boolean): Frame[] {
  const { name, positionOf } = buildShopScript(release);
  const script = `https://${shopHost}/${name}`;
  return (isCause ? causePath : faultPath).map(([fn, text, offset]) => {
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
