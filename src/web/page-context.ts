import type { ComponentChildren as Content } from 'preact';

export const navigationItems = [
  { group: null, path: '/', name: 'Overview' },
  { group: 'Errors', path: '/issues', name: 'Issues' },
  { group: 'Errors', path: '/users', name: 'Users' },
  { group: 'Errors', path: '/feedback', name: 'Feedback' },
  { group: 'Errors', path: '/live', name: 'Live tail' },
  { group: 'Errors', path: '/projects', name: 'Projects' },
  { group: 'Errors', path: '/domains', name: 'Domains' },
  { group: 'Uptime', path: '/monitors', name: 'Monitors' },
  { group: 'Uptime', path: '/incidents', name: 'Incidents' },
  { group: 'Uptime', path: '/status-pages', name: 'Status pages' },
  { group: 'Uptime', path: '/alert-channels', name: 'Alert channels' },
  { group: 'Delivery', path: '/releases', name: 'Releases' },
  { group: 'Delivery', path: '/deploys', name: 'Deploys' },
  { group: 'Delivery', path: '/test-runs', name: 'Test runs' },
  { group: 'Delivery', path: '/artifacts', name: 'Artifacts' },
  { group: 'Workspace', path: '/reports', name: 'Reports' },
  { group: 'Workspace', path: '/audit', name: 'Audit log' },
  { group: 'Workspace', path: '/members', name: 'Members' },
] as const;

export interface NavigationCount {
  readonly text: string;
  readonly isBad: boolean;
}

export interface PageContext {
  /** Base path of all pages: empty or `/folder`. */
  readonly base: string;
  readonly assets: { readonly css: string; readonly js: string; readonly icon: string };
  readonly version: string;
  readonly nowMs: number;
  readonly timeZone: string;
  /** False where a member turned off single letters as keyboard shortcuts. */
  readonly hasShortcuts: boolean;
  readonly currentUser: PageUser | null;
  readonly projects: readonly PageProject[];
  /** The selected project; null for all projects. */
  readonly project: PageProject | null;
  readonly counts: Partial<Record<(typeof navigationItems)[number]['path'], NavigationCount>>;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path of the JSON representation; null if there is none. */
  readonly jsonPath: string | null;
  /** Known code of the message that the previous action left. */
  readonly notice: string | null;
  readonly demo?: DemoInfo;
}

/** The context of a page without navigation or data; nobody is signed in unless `currentUser` is given. */
export function anonymousContext(
  shown: Pick<PageContext, 'base' | 'assets' | 'version' | 'nowMs' | 'path'> & Partial<PageContext>,
): PageContext {
  return {
    timeZone: 'UTC',
    hasShortcuts: true,
    currentUser: null,
    projects: [],
    project: null,
    counts: {},
    query: new URLSearchParams(),
    jsonPath: null,
    notice: null,
    ...shown,
  };
}

/** In the public demo every page looks as for an admin, and every action only shows a preview. */
export interface DemoInfo {
  readonly company: string;
}

interface PageUser {
  readonly name: string;
  readonly canAct: boolean;
  /** True for admins: may change projects, keys, members and domains. */
  readonly canManage: boolean;
  readonly csrfToken: string;
}

interface PageProject {
  readonly id: number;
  readonly name: string;
}

export interface PageContent {
  /** Window title without the program's name. */
  readonly title: string;
  /** Breadcrumb links to the parents, without the page itself. */
  readonly breadcrumbs?: ReadonlyArray<{ readonly name: string; readonly path: string | null }>;
  readonly main: Content;
  /** Unsupported parts of the query, as `name=value`. */
  readonly leftOut?: readonly string[];
  /** The page itself says what the previous action did. */
  readonly showsNotice?: boolean;
  /** Without navigation, for visitors who are not signed in. */
  readonly isBare?: boolean;
  /** A public status page: without navigation, script and program name. */
  readonly publicPage?: {
    readonly head: Content;
    readonly feed: string | null;
    /** Paths of its own favicon and style sheet. */
    readonly icon: string | null;
    readonly sheet: string | null;
    /** In the language of the page. */
    readonly texts: { readonly tag: string; readonly skip: string };
  };
}

/** Query members. Null and empty values are omitted; an array is repeated once per value. */
export type QueryParams = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

export function queryEntries(query: QueryParams): Array<readonly [name: string, value: string]> {
  const members: Array<readonly [name: string, value: string]> = [];
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') members.push([name, String(each)]);
    }
  }
  return members;
}

/** The page itself with some members of its query changed. */
export function samePage({ path, query }: Pick<PageContext, 'path' | 'query'>, changed: QueryParams = {}) {
  return { path, query: { ...Object.fromEntries(query), ...changed, notice: null } };
}

/** URL of `path` below `base`. The selected project is added unless `query` sets `project`. */
export function pageUrl(
  { base, project }: Pick<PageContext, 'base' | 'project'>,
  path: string,
  query: QueryParams = {},
): string {
  const members = queryEntries({ project: project?.id, ...query });
  if (members.length === 0) return base + path;
  return `${base}${path}?${new URLSearchParams(members.map(([name, value]) => [name, value]))}`;
}
