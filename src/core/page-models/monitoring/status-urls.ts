export type StatusPageUrls = ReturnType<typeof urlsBelow>;

/** `base` is empty for a custom domain, whose root is the page. */
function urlsBelow(base: string) {
  const file = base === '' ? '/status' : base;
  return {
    page: base === '' ? '/' : base,
    json: `${file}.json`,
    feed: `${file}.rss`,
    badge: `${base}/badge.svg`,
    subscribe: `${base}/subscribe`,
    logo: `${base}/logo`,
    favicon: `${base}/favicon`,
    accent: `${base}/accent.css`,
  };
}

export const customDomainUrls = urlsBelow('');

/** Below the pages, or at the root of a custom domain. `path` is that of the page or of one below it. */
export function statusPageUrls(slug: string, path: string): StatusPageUrls {
  if (path !== '' && !path.startsWith('/status/')) return customDomainUrls;
  return urlsBelow(`/status/${encodeURIComponent(slug)}`);
}
