import type { RestResponse } from '../../wordpress/response/rest-response.ts';

const header = 'X-Sentry-Rate-Limits';
const holdBackSeconds = 3600;

/** Unsupported ones, after rate limits: `3600:span:organization:not_taken`. A category's last entry wins. */
export function addSentryRateLimits(categories: readonly string[], response: RestResponse): void {
  if (categories.length === 0) return;
  const entries = categories.map((category) => `${holdBackSeconds}:${category}:organization:not_taken`);
  const own = response.headers.get(header);
  response.header(header, [...(own === undefined ? [] : [own]), ...entries].join(', '));
}
