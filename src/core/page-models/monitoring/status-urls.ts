export interface StatusPageUrls {
  readonly page: string;
  readonly json: string;
  readonly feed: string;
  readonly badge: string;
  readonly subscribe: string;
  readonly logo: string;
  readonly favicon: string;
  readonly accent: string;
}

export const customDomainUrls: StatusPageUrls = {
  page: '/',
  json: '/status.json',
  feed: '/status.rss',
  badge: '/badge.svg',
  subscribe: '/subscribe',
  logo: '/logo',
  favicon: '/favicon',
  accent: '/accent.css',
};

/** Below the pages, or at the root of a custom domain. `path` is that of the page or of one below it. */
export function statusPageUrls(slug: string, path: string): StatusPageUrls {
  if (path !== '' && !path.startsWith('/status/')) return customDomainUrls;
  const page = `/status/${encodeURIComponent(slug)}`;
  return {
    page,
    json: `${page}.json`,
    feed: `${page}.rss`,
    badge: `${page}/badge.svg`,
    subscribe: `${page}/subscribe`,
    logo: `${page}/logo`,
    favicon: `${page}/favicon`,
    accent: `${page}/accent.css`,
  };
}
