// Harbour & Pine, a company that sells furniture and does not exist: its hosts and its customers.
// Reserved names and addresses alone (RFC 2606, 5737). Its hosts lie below example.com and not below
// .example, because a proof is refused to a name that no public suffix has.

import { type Customer, customersOf } from '../../src/demo/world/errors/told/customers.ts';

export const home = 'harbourpine.example.com';
export const shopHost = `shop.${home}`;
export const apiHost = `api.${home}`;
export const blogHost = `blog.${home}`;

/** More than the demo has: a year of events has to be somebody's. */
export const customers: readonly Customer[] = customersOf(1800);

export const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;
