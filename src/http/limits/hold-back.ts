// `X-Sentry-Rate-Limits` for what we do not take: SDKs that read it stop sending it (D-13). The limits' own
// entries stand before.
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';

const header = 'X-Sentry-Rate-Limits';
const holdBackSeconds = 3600;
const mark = 'heldBack';

/**
 * Remembers the categories for the answer, whatever it will be. They are words of the protocol, safe in a
 * header.
 */
export function holdBack(request: RestRequest, categories: readonly string[]): void {
  if (categories.length > 0) request.state.set(mark, categories);
}

/**
 * Writes them, one entry each: `3600:span:organization:not_taken`. Scope and reason are for people and Relay;
 * SDKs read the seconds and the category, of which the last entry wins.
 */
export function sayWhatToHoldBack(request: RestRequest, response: RestResponse): void {
  const categories = request.state.get(mark) as readonly string[] | undefined;
  if (categories === undefined) return;
  const entries = categories.map((category) => `${holdBackSeconds}:${category}:organization:not_taken`);
  const own = response.headers.get(header);
  response.header(header, [...(own === undefined ? [] : [own]), ...entries].join(', '));
}
