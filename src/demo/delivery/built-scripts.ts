// A small bundler: removes comments, imports and indentation, and writes source maps (ECMA-426).
import { hash } from 'node:crypto';
import type { Slug } from '../shared/company.ts';

interface DemoScript {
  readonly slug: Slug;
  /** File name; `*` is replaced by a part of the content hash. */
  readonly name: string;
  /** Minor versions that share the file; 1 by default. */
  readonly releases?: number;
  /** Texts by path. */
  readonly sources: Readonly<Record<string, string>>;
}

const scripts: readonly DemoScript[] = [
  {
    slug: 'shop-web',
    name: 'assets/app-*.js',
    sources: {
      'src/cart/line-item.ts': `import { updateBasket } from './store';

/** The visitor asks for more or fewer of one thing. */
export async function onQuantityChange(event) {
  const input = event.target;
  const sku = input.dataset['sku'] ?? '';
  const quantity = Number(input.value);
  await updateBasket({ sku, quantity });
}
`,
      'src/cart/store.ts': `import { renderTotals } from './summary';

const state = { quote: null, zone: 'IE-D' };

/** Asks the server what the basket costs now, and shows it. */
export async function updateBasket(change) {
  const answer = await fetch('/api/quote', { method: 'POST', body: JSON.stringify(change) });
  const quote = await answer.json();
  state.quote = quote;
  const root = document.querySelector('#basket');
  renderTotals(root, quote);
}
`,
      'src/cart/summary.ts': `import { pickRate } from '../shipping/rates';
import { money, setText } from '../ui/text';

/** The lines under the basket: goods, shipping, the sum of both. */
export function renderTotals(root, quote) {
  const fallback = { rate: undefined };
  try {
    const rate = pickRate(quote.shipping, quote.zone);
    setText(root, '.sum', money(quote.goods.total + rate.total));
  } catch (error) {
    console.warn('rates: zone has no rate, falling back', error);
    setText(root, '.sum', money(fallback.rate.total));
    root.classList.add('is-estimate');
  }
}
`,
      'src/shipping/rates.ts': `export class RateError extends Error {}

/** The rate of a zone. Throws where there is none. */
export function pickRate(rates, zone) {
  const rate = rates.find((one) => one.zone === zone.id);
  if (!rate) throw new RateError('no shipping rate for zone "' + zone.id + '"');
  return rate;
}
`,
    },
  },
  {
    slug: 'shop-web',
    name: 'assets/checkout-*.js',
    sources: {
      'src/checkout/pay.ts': `/** Sends the payment once; a second click waits for the first. */
export async function pay(form) {
  if (form.dataset.busy === 'yes') return;
  form.dataset.busy = 'yes';
  const answer = await fetch('/api/payments', { method: 'POST', body: new FormData(form) });
  if (!answer.ok) throw new PaymentError(answer.status);
}
`,
    },
  },
  {
    slug: 'shop-web',
    name: 'assets/vendor-*.js',
    releases: 2,
    sources: {
      'node_modules/tiny-view/index.js': `/** Puts a tree into the page. */
export function render(tree, root) {
  const made = tree.map((each) => document.createTextNode(String(each)));
  root.replaceChildren(...made);
}
`,
    },
  },
  {
    slug: 'checkout-api',
    name: 'dist/server.js',
    sources: {
      'src/payments/capture.ts': `import { request } from '../gateway/client';
import { explain } from '../gateway/words';
import { PaymentCaptureError, PaymentRefusedError } from './errors';

const attemptsMax = 3;
const waitsMs = [0, 400, 1600];

/** What a payment says of itself to the gateway: a key, so that no money is taken twice. */
function bodyOf(payment) {
  return JSON.stringify({
    key: payment.id,
    amount: payment.amount,
    currency: payment.currency,
  });
}

/** Waits before an attempt, longer each time. */
async function wait(attempt) {
  await new Promise((resolve) => setTimeout(resolve, waitsMs[attempt - 1]));
}

/** Takes the money that was put aside. The gateway may need more than one request. */
export async function capturePayment(payment) {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    await wait(attempt);
    const answer = await request('/captures', {
      method: 'POST',
      body: bodyOf(payment),
    });
    if (answer.ok) {
      return answer.json();
    }
    if (answer.status < 500) {
      throw new PaymentRefusedError(explain(answer, attempt));
    }
    // What is their fault may pass.
    if (attempt < attemptsMax) continue;
    throw new PaymentCaptureError(explain(answer, attempt));
  }
}
`,
    },
  },
  {
    slug: 'checkout-api',
    name: 'dist/jobs.js',
    sources: {
      'src/stock/reserve.ts': `/** Locks rows in the order of their numbers, so that no two wait for each other. */
export async function reserveStock(tx, lines) {
  for (const line of lines.toSorted((one, other) => one.id - other.id)) {
    await tx.query('UPDATE stock_level SET reserved = reserved + $2 WHERE id = $1', [line.id, line.qty]);
  }
}
`,
    },
  },
  {
    slug: 'wp-site',
    name: 'wp-content/themes/harbour/shop.js',
    sources: {
      'themes/harbour/src/menu.js': `/** Opens the menu, and closes the one that was open. */
export function openMenu(button) {
  const open = document.querySelector('.menu.is-open');
  if (open) open.classList.remove('is-open');
  button.closest('.menu').classList.add('is-open');
}
`,
    },
  },
  {
    slug: 'mobile-shell',
    name: 'shell.jsbundle',
    sources: {
      'app/scanner.ts': `/** Asks for the camera once, and reads one label. */
export async function scan(camera) {
  const frame = await camera.next({ timeout: 5000 });
  if (frame === null) throw new ScanError('no frame of the camera');
  return decode(frame.pixels);
}
`,
    },
  },
];

interface BuiltScript {
  readonly name: string;
  readonly script: string;
  readonly map: string;
  /** Line and column of `text` in the script, both from 1. */
  positionOf(text: string): { readonly lineno: number; readonly colno: number };
}

export function buildScripts(slug: Slug, version: string): BuiltScript[] {
  return scripts.filter((script) => script.slug === slug).map((script) => buildNamedScript(script, version));
}

/** The shop's script in which the demo's errors happen. */
export function buildShopScript(version: string): BuiltScript {
  const [app] = scripts;
  if (app === undefined) throw new Error('The shop has no script.');
  return buildNamedScript(app, version);
}

const known = new Map<string, BuiltScript>();

/** Files that stay the same over several releases keep their name and content. */
function buildNamedScript(
  { name: pattern, releases = 1, sources }: DemoScript,
  version: string,
): BuiltScript {
  const [major, minor = 0] = version.split('.').map(Number);
  const banner =
    releases === 1 ? `Harbour & Pine ${version}` : `Vendor of ${major}.${Math.floor(minor / releases)}`;
  const key = `${pattern} ${banner}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const debugId = debugIdOf(key);
  const name = pattern.replace('*', debugId.slice(0, 6));
  const { script, map } = buildScript(sources, { banner, file: name, debugId });
  const built: BuiltScript = { name, script, map, positionOf: (text) => positionIn(script, text) };
  known.set(key, built);
  return built;
}

function positionIn(script: string, text: string) {
  const lines = script.split('\n');
  const line = lines.findIndex((each) => each.includes(text));
  if (line === -1) throw new Error(`${text} is not in the built script.`);
  return { lineno: line + 1, colno: (lines[line] ?? '').indexOf(text) + 1 };
}

/** `banner` makes builds of the same sources differ. */
function buildScript(
  sources: DemoScript['sources'],
  { banner, file, debugId }: { readonly banner: string; readonly file: string; readonly debugId: string },
): Pick<BuiltScript, 'script' | 'map'> {
  const head = `/*! ${banner} */`;
  const lines = Object.values(sources).flatMap(linesOf);
  const mappings = mappingWriter();
  let script = '';
  for (const { text, source, line, margin } of lines) {
    for (const { index } of text.matchAll(/[\w$]+|[([{.'"`!]/g)) {
      mappings.add([script.length + index, source, line, margin + index]);
    }
    script += text;
  }
  const map = {
    version: 3,
    file,
    sources: Object.keys(sources).map((path) => `webpack:///${path}`),
    sourcesContent: Object.values(sources),
    names: [],
    mappings: `;${mappings.text()}`,
    debug_id: debugId,
  };
  const end = `\n//# debugId=${debugId}\n//# sourceMappingURL=${file.split('/').at(-1)}.map\n`;
  return { script: `${head}\n${script}${end}`, map: JSON.stringify(map) };
}

function linesOf(text: string, source: number) {
  return text.split('\n').flatMap((fullLine, line) => {
    const code = fullLine.trimStart();
    if (code === '' || /^\/[/*]/.test(code) || code.startsWith('import ')) return [];
    const margin = fullLine.length - code.length;
    const cut = code.startsWith('export ') ? 'export '.length : 0;
    return [{ text: code.slice(cut), source, line, margin: margin + cut }];
  });
}

type Segment = readonly [column: number, source: number, line: number, sourceColumn: number];

function mappingWriter() {
  let before: Segment = [0, 0, 0, 0];
  const segments: string[] = [];
  return {
    add(segment: Segment): void {
      segments.push(segment.map((value, index) => variableLength(value - (before[index] ?? 0))).join(''));
      before = segment;
    },
    text: () => segments.join(','),
  };
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ, as in source maps: five bits a digit, lowest first, the sign in the lowest bit. */
function variableLength(value: number): string {
  let remaining = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = remaining & 31;
    remaining >>>= 5;
    text += base64.charAt(remaining > 0 ? digit | 32 : digit);
  } while (remaining > 0);
  return text;
}

function debugIdOf(text: string): string {
  const digits = hash('sha256', text);
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
