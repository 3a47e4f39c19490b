// Reserved names and addresses (RFC 2606, 5737); example.com, as domain verification needs a public suffix.

import { type Customer, createCustomers } from './customers.ts';

export const companyName = 'Harbour & Pine';

export const slugs = ['shop-web', 'checkout-api', 'wp-site', 'mobile-shell', 'worker-queue'] as const;
export type Slug = (typeof slugs)[number];

export const colleagues = ['Ines Okafor', 'Jun Park', 'Tomas Lindqvist', 'Mara Feld', 'Aoife Byrne'] as const;
export type Colleague = (typeof colleagues)[number];

export const siteHost = 'harbourpine.example.com';
export const shopHost = `shop.${siteHost}`;
export const apiHost = `api.${siteHost}`;
export const blogHost = `blog.${siteHost}`;

export const customers: readonly Customer[] = createCustomers(900);

export const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;
