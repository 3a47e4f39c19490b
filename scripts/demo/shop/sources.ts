// The part of the shop's own source that its errors lead to; esbuild makes of it what browsers are sent.
// Texts alone.

/** By path, as a source map names them. */
export const shopSources: Readonly<Record<string, string>> = {
  'src/main.ts': source(`
  import { onQuantityChange } from './cart/line-item';
  import { search } from './search/find';

  document.addEventListener('change', (event) => void onQuantityChange(event));
  document.addEventListener('search', (event) => void search(event));
`),
  'src/cart/line-item.ts': source(`
  import { updateBasket } from './store';

  /** The visitor asks for more or fewer of one thing. */
  export async function onQuantityChange(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const sku = input.dataset['sku'] ?? '';
    const quantity = Number(input.value);
    await updateBasket({ sku, quantity });
  }
`),
  'src/cart/store.ts': source(`
  import { renderTotals } from './summary';

  const state = { quote: null as unknown, zone: 'IE-D' };

  /** Asks the server what the basket costs now, and shows it. */
  export async function updateBasket(change: { sku: string; quantity: number }): Promise<void> {
    const answer = await fetch('/api/quote', { method: 'POST', body: JSON.stringify(change) });
    const quote = await answer.json();
    state.quote = quote;
    const root = document.querySelector('#basket');
    renderTotals(root as HTMLElement, quote);
    document.dispatchEvent(new CustomEvent('basket'));
  }
`),
  'src/cart/summary.ts': source(`
  import { pickRate } from '../shipping/rates';
  import { money, setText } from '../ui/text';

  /** The lines under the basket: goods, shipping, the sum of both. */
  export function renderTotals(root: HTMLElement, quote: any): void {
    const fallback = { rate: undefined as any };
    try {
      const rate = pickRate(quote.shipping, quote.zone);
      setText(root, '.sum', money(quote.goods.total + rate.total));
    } catch (error) {
      console.warn('rates: zone has no rate, falling back', error);
      setText(root, '.sum', money(fallback.rate.total));
      root.classList.add('is-estimate');
    }
  }
`),
  'src/shipping/rates.ts': source(`
  export class RateError extends Error {}

  /** The rate of a zone. Throws where there is none. */
  export function pickRate(rates: any[], zone: { id: string }): any {
    const rate = rates.find((one) => one.zone === zone.id);
    if (!rate) throw new RateError('no shipping rate for zone "' + zone.id + '"');
    return rate;
  }
`),
  'src/ui/text.ts': source(`
  /** Cents as people read them. */
  export function money(cents: number): string {
    return (cents / 100).toFixed(2) + ' €';
  }

  export function setText(root: HTMLElement, where: string, text: string): void {
    const found = root.querySelector(where);
    if (found) found.textContent = text;
  }
`),
  'src/search/find.ts': source(`
  /** Looks for what was typed. */
  export async function search(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const answer = await fetch('/api/search?q=' + encodeURIComponent(input.value));
    document.dispatchEvent(new CustomEvent('found', { detail: await answer.json() }));
  }
`),
};

/** Where the fault lies, the innermost first: a file, and the text that the position points at. */
export const faultPath = [
  { file: 'src/cart/summary.ts', function: 'renderTotals', at: 'total));\n    root' },
  { file: 'src/cart/store.ts', function: 'updateBasket', at: 'renderTotals(root as' },
  { file: 'src/cart/line-item.ts', function: 'onQuantityChange', at: 'updateBasket({ sku' },
] as const;

/** And of what caused it. */
export const causePath = [
  { file: 'src/shipping/rates.ts', function: 'pickRate', at: 'new RateError' },
  { file: 'src/cart/summary.ts', function: 'renderTotals', at: 'pickRate(quote' },
] as const;

/** A text as it stands here, without the margin that it has here. */
function source(text: string): string {
  return text.slice(1).replace(/^ {2}/gm, '');
}
