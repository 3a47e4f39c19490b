// All faults of the demo by their keys.
import { attack } from './attacks.ts';
import { checkoutApi } from './checkout-api.ts';
import { checkoutApiPast } from './checkout-api-past.ts';
import { mobileShell } from './mobile-shell.ts';
import { shopWeb } from './shop-web.ts';
import { shopWebPast } from './shop-web-past.ts';
import type { IssueTemplate } from './template.ts';
import { workerQueue } from './worker-queue.ts';
import { wpSite } from './wp-site.ts';

const byKey = new Map(
  [
    ...shopWeb,
    ...shopWebPast,
    ...checkoutApi,
    ...checkoutApiPast,
    ...wpSite,
    ...mobileShell,
    ...workerQueue,
    ...attack,
  ].map((template) => [template.key, template]),
);

/** The fault of a key; throws for one that is not written down. */
export function templateOf(key: string): IssueTemplate {
  const template = byKey.get(key);
  if (template === undefined) throw new Error(`No fault is called "${key}".`);
  return template;
}
