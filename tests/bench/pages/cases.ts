// What is asked of the pages and of the API when they are measured: one address or several in turn, under a
// name. The first asks nothing of the database: it says how busy the machine is.

export interface Case {
  readonly name: string;
  /** Addresses asked in turn. */
  readonly paths: readonly string[];
  /** What a page must show for the case to be what its name says; only asked of pages. */
  readonly shows?: RegExp;
}

/** Ids that some addresses need. */
export interface Known {
  /** The largest project. */
  readonly projectId: number;
  readonly issueIds: readonly number[];
  /** Events by the id of their issue. */
  readonly events: readonly { readonly issueId: number; readonly eventId: string }[];
}

const linkToIssue = /href="[^"]*\/issues\/\d+/;

/** Every case; `known` are ids of issues with many events and with few. */
export function casesOf({ projectId, issueIds, events }: Known): Case[] {
  const list = (name: string, query: string): Case => ({
    name,
    paths: [`/issues${query}`],
    shows: name.endsWith('no hit') ? /zzzzqqqq/ : linkToIssue,
  });
  const found = (name: string, text: string): Case =>
    list(`search: ${name}`, `?q=${encodeURIComponent(text)}`);
  const api = (name: string, ...paths: string[]): Case => ({
    name,
    paths: paths.map((path) => `/wp-json/notifier/v1${path}`),
  });
  return [
    { name: '(healthz)', paths: ['/healthz'] },
    { name: 'overview', paths: ['/'], shows: linkToIssue },
    list('issues', ''),
    list('issues of a project', `?project=${projectId}`),
    ...['new', 'regressed', 'ignored', 'resolved', 'all'].map((state) =>
      list(`issues: ${state}`, `?state=${state}`),
    ),
    list('issues by level', '?level=fatal'),
    list('issues by environment', '?environment=staging'),
    list('issues by release', '?release=2.7.0'),
    list('issues by tag', '?tag=zone%3AZ-7'),
    list('issues by user', '?user=u11000&range=90d'),
    list('issues of 24 hours', '?range=24h'),
    list('issues of 90 days', '?range=90d'),
    list(
      'issues by five filters',
      `?project=${projectId}&level=error&environment=production&release=1.7.0&range=30d`,
    ),
    ...['first_seen', 'events', 'users', 'trend'].map((sort) => list(`issues, ${sort}`, `?sort=${sort}`)),
    found('one letter', 'k'),
    found('two letters', 'ba'),
    found('a word', 'basket'),
    found('words', 'could not renderBasket in step 3'),
    list('search: a file', '?q=part-1727.ts&range=90d'),
    found('CJK', '支払い'),
    found('Arabic', 'تعذر'),
    found('no hit', 'zzzzqqqq'),
    { name: 'issue', paths: issueIds.map((id) => `/issues/${id}`) },
    { name: 'events of an issue', paths: issueIds.map((id) => `/issues/${id}/events`) },
    {
      name: 'event',
      paths: events.map((each) => `/issues/${each.issueId}/events/${each.eventId}`),
    },
    { name: 'search over all', paths: ['/search?q=basket', '/search?q=k', '/search?q=zzzzqqqq'] },
    { name: 'releases', paths: ['/releases'] },
    { name: 'projects', paths: ['/projects'] },
    api('API: issues', '/issues?per_page=20'),
    api('API: issues, page 10', '/issues?per_page=20&page=10'),
    api('API: issues of a state', '/issues?per_page=20&status=resolved'),
    api('API: issues by release', '/issues?per_page=20&release=2.7.0'),
    api('API: issues, events', '/issues?per_page=20&orderby=events'),
    api('API: search', '/issues?search=basket'),
    api('API: search, no hit', '/issues?search=zzzzqqqq'),
    api('API: issue', ...issueIds.map((id) => `/issues/${id}`)),
    api('API: event', ...events.map((each) => `/events/${each.eventId}`)),
  ];
}
