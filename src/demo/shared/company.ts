// Reserved names and addresses (RFC 2606, 5737); example.com, as domain verification needs a public suffix.

import { type Customer, customersOf } from './customers.ts';

export const companyName = 'Harbour & Pine';

export const slugs = ['shop-web', 'checkout-api', 'wp-site', 'mobile-shell', 'worker-queue'] as const;
export type Slug = (typeof slugs)[number];

export const colleagues = ['Ines Okafor', 'Jun Park', 'Tomas Lindqvist', 'Mara Feld', 'Aoife Byrne'] as const;
export type Colleague = (typeof colleagues)[number];

export const home = 'harbourpine.example.com';
export const shopHost = `shop.${home}`;
export const apiHost = `api.${home}`;
export const blogHost = `blog.${home}`;

export const customers: readonly Customer[] = customersOf(900);

export const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;
