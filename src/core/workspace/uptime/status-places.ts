// Where a status page and what goes with it is found: below the pages, or at the root of a host of its own.

export interface StatusPlaces {
  readonly page: string;
  readonly json: string;
  readonly feed: string;
  readonly badge: string;
}

/** On a host of its own. */
export const rootPlaces: StatusPlaces = {
  page: '/',
  json: '/status.json',
  feed: '/status.rss',
  badge: '/badge.svg',
};

/** Of the page that is shown at `path`, below the base. */
export function statusPlaces(slug: string, path: string): StatusPlaces {
  if (path === '/') return rootPlaces;
  const page = `/status/${encodeURIComponent(slug)}`;
  return { page, json: `${page}.json`, feed: `${page}.rss`, badge: `${page}/badge.svg` };
}
