// The sources that the demo's scripts are built from: short ones, so that a place in a script leads
// somewhere. Texts alone.
import type { Slug } from '../shared/company.ts';

export interface DemoSource {
  readonly path: string;
  readonly text: string;
}

/** A script of a project and the sources in it. */
export interface DemoScript {
  readonly slug: Slug;
  /** Its name, with `*` where bundlers put a part of its hash. */
  readonly name: string;
  /** How many releases it stays the same for. */
  readonly releases: number;
  readonly sources: readonly DemoSource[];
}

export const scripts: readonly DemoScript[] = [
  {
    slug: 'shop-web',
    name: 'assets/app-*.js',
    releases: 1,
    sources: [
      {
        path: 'src/cart/line-item.ts',
        text: `import { updateBasket } from './store';

/** The visitor asks for more or fewer of one thing. */
export async function onQuantityChange(event) {
  const input = event.target;
  const sku = input.dataset['sku'] ?? '';
  const quantity = Number(input.value);
  await updateBasket({ sku, quantity });
}
`,
      },
      {
        path: 'src/cart/store.ts',
        text: `import { renderTotals } from './summary';

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
      },
      {
        path: 'src/cart/summary.ts',
        text: `import { pickRate } from '../shipping/rates';
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
      },
      {
        path: 'src/shipping/rates.ts',
        text: `export class RateError extends Error {}

/** The rate of a zone. Throws where there is none. */
export function pickRate(rates, zone) {
  const rate = rates.find((one) => one.zone === zone.id);
  if (!rate) throw new RateError('no shipping rate for zone "' + zone.id + '"');
  return rate;
}
`,
      },
    ],
  },
  {
    slug: 'shop-web',
    name: 'assets/checkout-*.js',
    releases: 1,
    sources: [
      {
        path: 'src/checkout/pay.ts',
        text: `/** Sends the payment once; a second click waits for the first. */
export async function pay(form) {
  if (form.dataset.busy === 'yes') return;
  form.dataset.busy = 'yes';
  const answer = await fetch('/api/payments', { method: 'POST', body: new FormData(form) });
  if (!answer.ok) throw new PaymentError(answer.status);
}
`,
      },
    ],
  },
  {
    slug: 'shop-web',
    name: 'assets/vendor-*.js',
    releases: 2,
    sources: [
      {
        path: 'node_modules/tiny-view/index.js',
        text: `/** Puts a tree into the page. */
export function render(tree, root) {
  const made = tree.map((each) => document.createTextNode(String(each)));
  root.replaceChildren(...made);
}
`,
      },
    ],
  },
  {
    slug: 'checkout-api',
    name: 'dist/server.js',
    releases: 1,
    sources: [
      {
        path: 'src/payments/capture.ts',
        text: `import { request } from '../gateway/client';
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
    ],
  },
  {
    slug: 'checkout-api',
    name: 'dist/jobs.js',
    releases: 1,
    sources: [
      {
        path: 'src/stock/reserve.ts',
        text: `/** Locks rows in the order of their numbers, so that no two wait for each other. */
export async function reserveStock(tx, lines) {
  for (const line of lines.toSorted((one, other) => one.id - other.id)) {
    await tx.query('UPDATE stock_level SET reserved = reserved + $2 WHERE id = $1', [line.id, line.qty]);
  }
}
`,
      },
    ],
  },
  {
    slug: 'wp-site',
    name: 'wp-content/themes/harbour/shop.js',
    releases: 1,
    sources: [
      {
        path: 'themes/harbour/src/menu.js',
        text: `/** Opens the menu, and closes the one that was open. */
export function openMenu(button) {
  const open = document.querySelector('.menu.is-open');
  if (open) open.classList.remove('is-open');
  button.closest('.menu').classList.add('is-open');
}
`,
      },
    ],
  },
  {
    slug: 'mobile-shell',
    name: 'shell.jsbundle',
    releases: 1,
    sources: [
      {
        path: 'app/scanner.ts',
        text: `/** Asks for the camera once, and reads one label. */
export async function scan(camera) {
  const frame = await camera.next({ timeout: 5000 });
  if (frame === null) throw new ScanError('no frame of the camera');
  return decode(frame.pixels);
}
`,
      },
    ],
  },
];
