// `X-Sentry-Rate-Limits` for what we do not take: SDKs that read it stop sending it (D-13). The limits' own
// entries stand before.
import type { RestResponse } from '../../wordpress/response/rest-response.ts';

const header = 'X-Sentry-Rate-Limits';
const holdBackSeconds = 3600;

/**
 * Tells an SDK to keep the categories to itself, one entry each: `3600:span:organization:not_taken`. Scope
 * and reason are for people and Relay; SDKs read the seconds and the category, of which the last entry wins.
 * The categories are words of the protocol, safe in a header.
 */
export function sayWhatToHoldBack(categories: readonly string[], response: RestResponse): void {
  if (categories.length === 0) return;
  const entries = categories.map((category) => `${holdBackSeconds}:${category}:organization:not_taken`);
  const own = response.headers.get(header);
  response.header(header, [...(own === undefined ? [] : [own]), ...entries].join(', '));
}
