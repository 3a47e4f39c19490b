// The suite, put together in the order in which it runs: what makes things first, limits last.
import type { Check, RequestTemplate, Suite } from '../check.ts';
import { credentialSuite } from './credentials.ts';
import { decisionSuite } from './decisions.ts';
import { errorSuite, limitSuite } from './errors.ts';
import { eventSuite } from './events.ts';
import { publicSuite } from './public.ts';
import { serverSuite } from './server.ts';
import { wordpressSuite } from './wordpress.ts';

const parts: readonly Suite[] = [
  eventSuite,
  publicSuite,
  serverSuite,
  credentialSuite,
  errorSuite,
  wordpressSuite,
  decisionSuite,
  limitSuite,
];

/** Every request and check there is. Checks of limits come last, for they use the limits up. */
export const wholeSuite: Suite = {
  requests: parts.flatMap((part): readonly RequestTemplate[] => part.requests),
  checks: inRunningOrder(parts.flatMap((part): readonly Check[] => part.checks)),
};

function inRunningOrder(checks: readonly Check[]): Check[] {
  const rank = (check: Check) => (check.limits === true ? 2 : check.every === undefined ? 0 : 1);
  return checks.toSorted((a, b) => rank(a) - rank(b));
}
