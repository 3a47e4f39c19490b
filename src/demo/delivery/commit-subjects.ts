// What the company's commits say, by project: subjects, and the file that each touches most. Texts alone.
import type { Slug } from '../shared/company.ts';

type Subject = readonly [subject: string, path: string];

const everywhere: readonly Subject[] = [
  ['build: dependencies of the week', 'package.json'],
  ['tests: no clock but ours', 'tests/support/clock.ts'],
  ['logs: no postcode in them', 'src/log.ts'],
  ['ci: the map goes up before the deploy', '.ci/release.yml'],
  ['docs: how to go back a release', 'docs/rollback.md'],
];

const own: Readonly<Record<Slug, readonly Subject[]>> = {
  'shop-web': [
    ['quote: ask for rates by zone', 'src/shipping/rates.ts'],
    ['basket: keep quantities while the quote loads', 'src/cart/store.ts'],
    ['search: suggestions are asked for once', 'src/search/suggest.ts'],
    ['build: preact 11.2', 'package.json'],
    ['basket: one revision number for both stores', 'src/cart/store.ts'],
    ['payment: three attempts, then say so', 'src/checkout/pay.ts'],
    ['gallery: decode what is on screen first', 'src/gallery/zoom.ts'],
    ['address: the Isle of Man is a zone of its own', 'src/checkout/address.ts'],
    ['totals: an estimate says that it is one', 'src/cart/summary.ts'],
    ['translations of October', 'src/texts/fr.json'],
    ['wishlist: two tabs do not fight', 'src/account/wishlist.ts'],
    ['menu: closes with Escape', 'src/ui/menu.ts'],
    ['checkout: a chunk of its own', 'src/router/lazy.ts'],
    ['prices: cents until they are shown', 'src/format/money.ts'],
  ],
  'checkout-api': [
    ['capture: say what the gateway answered', 'src/payments/capture.ts'],
    ['quotes: a carrier has two seconds', 'src/shipping/quote.ts'],
    ['stock: lock rows in order of their number', 'src/stock/reserve.ts'],
    ['sessions: keys are turned every month', 'src/http/session.ts'],
    ['webhooks: compare signatures in constant time', 'src/payments/webhook.ts'],
    ['taxes: the rates of January', 'src/tax/rates.ts'],
    ['baskets: refuse a line without a number', 'src/http/baskets.ts'],
    ['cache: five tries, then without', 'src/cache/client.ts'],
    ['reports: rows as they come', 'src/reports/stream.ts'],
    ['orders: a BigInt is written as text', 'src/http/orders.ts'],
  ],
  'wp-site': [
    ['feed: in slices of 200 products', 'wp-content/plugins/hp-feed/class-hp-feed.php'],
    ['shipping: ask for the country before its zone', 'wp-content/plugins/hp-shipping/rates.php'],
    ['theme: menus of three levels', 'wp-content/themes/harbour/inc/menu.php'],
    ['import: a lock that ends by itself', 'wp-content/plugins/hp-import/class-hp-import.php'],
    ['journal: pictures with their sizes', 'wp-content/themes/harbour/single.php'],
    ['mail: through the new relay', 'wp-content/plugins/hp-mail/class-hp-mail.php'],
  ],
  'mobile-shell': [
    ['menu: stop at twelve levels', 'src/menu/tree.ts'],
    ['scanner: no frame, no decoding', 'android/scanner/decode.cc'],
    ['keychain: read after the first unlock', 'src/auth/keychain.ts'],
    ['push: register once a version', 'src/push/register.ts'],
    ['links: a broken address opens the start', 'src/app/links.ts'],
    ['offline: the basket waits', 'src/api/client.ts'],
  ],
  'worker-queue': [
    ['labels: a parcel without a weight is refused', 'shipping/labels.py'],
    ['mail: thirty seconds are enough', 'mail/tasks.py'],
    ['queue: jobs by kind', 'worker/queue.py'],
    ['queue: first version', 'worker/__init__.py'],
  ],
};

/** What a commit of a project may say. */
export function subjectsOf(slug: Slug): readonly Subject[] {
  return [...own[slug], ...everywhere];
}
