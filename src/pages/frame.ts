// What every page is given beside its own model: where it stands, who looks, and what the shell says.
import type { Content } from './el.ts';

/** The places of the shell, in their order. */
export const places = [
  { group: null, path: '/', name: 'Overview' },
  { group: 'Errors', path: '/issues', name: 'Issues' },
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

/** What stands beside a place: a count, or trouble in words. */
export interface PlaceCount {
  readonly text: string;
  readonly isBad: boolean;
}

/** The frame of a page for one request. */
export interface Frame {
  /** The folder that the pages are below: empty, or `/folder`. */
  readonly base: string;
  /** Addresses of the style sheet, the script and the icon. */
  readonly assets: { readonly css: string; readonly js: string; readonly icon: string };
  readonly version: string;
  readonly nowMs: number;
  readonly visitor: FrameVisitor | null;
  readonly projects: readonly FrameProject[];
  /** The one project that is looked at; null for all. */
  readonly project: FrameProject | null;
  readonly counts: Partial<Record<(typeof places)[number]['path'], PlaceCount>>;
  /** The path of the page below the base, as it was asked for. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path of the same for machines; null for what only answers an act, or says why there is no page. */
  readonly twin: string | null;
  /** One sentence that the act before this page left, as a known code. */
  readonly notice: string | null;
  /** What is said of the public demo; absent in a workspace. */
  readonly demo?: FrameDemo;
}

/** The public demo: everything is shown as to an admin, and every act says what it would do. */
export interface FrameDemo {
  /** Whose mock data it is. */
  readonly company: string;
}

interface FrameVisitor {
  readonly name: string;
  /** Whether they may act on issues and the like. */
  readonly canAct: boolean;
  /** Whether they may change projects, keys, members and domains. */
  readonly canManage: boolean;
  readonly csrfToken: string;
}

interface FrameProject {
  readonly id: number;
  readonly name: string;
}

/** A page as its view makes it; the shell is put around it. */
export interface PageContent {
  /** What the window is called, before the name of the program. */
  readonly title: string;
  /** The way here, without the page itself. */
  readonly crumbs?: ReadonlyArray<{ readonly name: string; readonly path: string | null }>;
  /** What stands in `main`. */
  readonly main: Content;
  /** What the address asks for that the page does not know, as `name=value`. */
  readonly leftOut?: readonly string[];
  /** Without the shell: for who has not signed in. */
  readonly isBare?: boolean;
  /** For everybody: without shell, script and name of the program; what stands at its head, and its feed. */
  readonly everybody?: {
    readonly head: Content;
    /** Below the base; null without one. */
    readonly feed: string | null;
  };
}

/** Members of a query; what is null or empty is left away, a list stands once for each of its texts. */
export type QueryMembers = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/** Each member that says something, in the order given. */
export function membersOf(query: QueryMembers): Array<readonly [name: string, value: string]> {
  const members: Array<readonly [name: string, value: string]> = [];
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') members.push([name, String(each)]);
    }
  }
  return members;
}

/**
 * The address of a page or an act: `path` below the base, with a query. The project that is looked at goes
 * along unless `query` says otherwise; members stand in the order given.
 */
export function addressOf(
  { base, project }: Pick<Frame, 'base' | 'project'>,
  path: string,
  query: QueryMembers = {},
): string {
  const members = membersOf({ project: project?.id, ...query });
  if (members.length === 0) return base + path;
  return `${base}${path}?${new URLSearchParams(members.map(([name, value]) => [name, value]))}`;
}
