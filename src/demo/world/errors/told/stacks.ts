// Stacks as each platform's SDK sends them, from the few frames that a fault is written down with.
import { hex } from '../../chance.ts';
import { home, type ProjectSlug } from '../../company.ts';
import type { IssueTemplate, TemplateFrame } from '../templates/template.ts';

type Frame = Readonly<Record<string, unknown>>;

/** What a holder of a stack has: its frames, and those that were sent where a map changed them. */
export interface Stacks {
  readonly stacktrace?: { readonly frames: readonly Frame[] };
  readonly raw_stacktrace?: { readonly frames: readonly Frame[] };
}

/** Frames that stand outside of a fault's own, the outermost first. */
const around: Readonly<Record<ProjectSlug, readonly TemplateFrame[]>> = {
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

const roots: Readonly<Record<ProjectSlug, string>> = {
  'shop-web': 'webpack://shop-web/./',
  'checkout-api': '/srv/checkout/',
  'wp-site': '/srv/www/harbourpine/',
  'mobile-shell': 'capacitor://localhost/',
  'worker-queue': '/srv/worker/',
};

/** The stacks of a fault, or of what caused it; none for one without. */
export function stacksOf(template: IssueTemplate, release: string, isCause = false): Stacks {
  if (template.stack === 'none') return {};
  if (template.stack === 'native') return { stacktrace: { frames: nativeFrames } };
  if (template.stack === 'minified') return builtStacks(release, isCause);
  const own = isCause ? (template.cause?.frames ?? []) : [...around[template.slug], ...template.frames];
  return { stacktrace: { frames: own.map((frame) => frameOf(template.slug, frame)) } };
}

function frameOf(slug: ProjectSlug, frame: TemplateFrame): Frame {
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

/** Where a line of source begins to say something. */
function columnOf(line: string): number {
  return 1 + Math.max(0, line.search(/\S/));
}

interface MappedFrame extends TemplateFrame {
  readonly line: number;
  /** In the built script, whose functions have one letter. */
  readonly built: readonly [name: string, column: number];
}

const faultFrames: readonly MappedFrame[] = [
  {
    fn: 'onQuantityChange',
    file: 'src/cart/line-item.ts',
    line: 8,
    code: "const sku = input.dataset['sku'] ?? '';\nconst quantity = Number(input.value);\n>await updateBasket({ sku, quantity });\n}",
    built: ['d', 1204],
  },
  {
    fn: 'updateBasket',
    file: 'src/cart/store.ts',
    line: 11,
    code: "state.quote = quote;\nconst root = document.querySelector('#basket');\n>renderTotals(root as HTMLElement, quote);\ndocument.dispatchEvent(new CustomEvent('basket'));",
    built: ['u', 988],
  },
  {
    fn: 'renderTotals',
    file: 'src/cart/summary.ts',
    line: 12,
    code: "} catch (error) {\n  console.warn('rates: zone has no rate, falling back', error);\n>  setText(root, '.sum', money(fallback.rate.total));\n  root.classList.add('is-estimate');\n}",
    built: ['c', 741],
  },
];

const causeFrames: readonly MappedFrame[] = [
  {
    fn: 'renderTotals',
    file: 'src/cart/summary.ts',
    line: 8,
    code: "try {\n>  const rate = pickRate(quote.shipping, quote.zone);\n  setText(root, '.sum', money(quote.goods.total + rate.total));\n} catch (error) {",
    built: ['c', 612],
  },
  {
    fn: 'pickRate',
    file: 'src/shipping/rates.ts',
    line: 6,
    code: "const rate = rates.find((one) => one.zone === zone.id);\n>if (!rate) throw new RateError('no shipping rate for zone \"' + zone.id + '\"');\nreturn rate;",
    built: ['r', 305],
  },
];

/** What a browser told of the built script, and what its map made of that. */
function builtStacks(release: string, isCause: boolean): Stacks {
  const mapped = isCause ? causeFrames : faultFrames;
  const script = `https://shop.${home}/assets/app-${hex(6, 'script', release)}.js`;
  return {
    stacktrace: { frames: mapped.map((frame) => frameOf('shop-web', frame)) },
    raw_stacktrace: {
      frames: mapped.map(({ built: [name, column] }) => ({
        function: name,
        filename: script,
        abs_path: script,
        lineno: 1,
        colno: column,
        in_app: true,
      })),
    },
  };
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
