// The components of the two status pages and what feeds them. Pure tables.
import { watched } from './monitors.ts';

export interface ComponentRow {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  readonly monitorIds: readonly number[];
}

function fedBy(...slugs: readonly string[]): readonly number[] {
  return watched.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id);
}

/** What everybody may see: eleven in four groups. */
export const publicComponents: readonly ComponentRow[] = [
  { id: 1, name: 'Front page', group: 'Shop', monitorIds: fedBy('front-page') },
  { id: 2, name: 'Product search', group: 'Shop', monitorIds: fedBy('product-search') },
  { id: 3, name: 'Basket and checkout', group: 'Shop', monitorIds: fedBy('basket-total', 'checkout-api') },
  { id: 4, name: 'Customer accounts', group: 'Shop', monitorIds: fedBy('customer-accounts') },
  { id: 5, name: 'Card payments', group: 'Payments', monitorIds: fedBy('payments-gateway') },
  { id: 6, name: 'Refunds', group: 'Payments', monitorIds: fedBy('refund-queue') },
  { id: 7, name: 'Parcel tracking', group: 'Delivery', monitorIds: [] },
  { id: 8, name: 'Labels and returns', group: 'Delivery', monitorIds: fedBy('nightly-stock-import') },
  { id: 9, name: 'Blog', group: 'Content', monitorIds: fedBy('blog', 'blog-feed') },
  { id: 10, name: 'Images', group: 'Content', monitorIds: fedBy('image-servers') },
  { id: 11, name: 'Mobile app', group: 'Content', monitorIds: fedBy('mobile-api') },
];

/** What members see: every monitor as it is. */
export const innerComponents: readonly ComponentRow[] = watched.map(({ id, name, group }) => ({
  id: 100 + id,
  name,
  group,
  monitorIds: [id],
}));

/** Components of the public page that a monitor feeds. */
export function componentsFedBy(monitorId: number): readonly ComponentRow[] {
  return publicComponents.filter(({ monitorIds }) => monitorIds.includes(monitorId));
}
