// Harbour & Pine, a company that sells furniture and does not exist: its projects, people and hosts. Reserved
// names and addresses alone (RFC 2606, RFC 5737, RFC 3849).

export const companyName = 'Harbour & Pine';
export const home = 'harbourpine.example';

export type ProjectSlug = 'shop-web' | 'checkout-api' | 'wp-site' | 'mobile-shell' | 'worker-queue';

export interface DemoProject {
  /** Their numbers are those of story.ts. */
  readonly id: number;
  readonly slug: ProjectSlug;
  readonly platform: 'browser' | 'node' | 'php' | 'hybrid' | 'python';
  readonly host: string;
  readonly madeAtMs: number;
}

/** The last was new when the demo's calendar began, and stays nearly empty. */
export const demoProjects: readonly DemoProject[] = [
  { id: 1, slug: 'shop-web', platform: 'browser', host: `shop.${home}`, madeAtMs: Date.UTC(2025, 9, 6, 9) },
  { id: 2, slug: 'checkout-api', platform: 'node', host: `api.${home}`, madeAtMs: Date.UTC(2025, 9, 14, 10) },
  { id: 3, slug: 'wp-site', platform: 'php', host: `blog.${home}`, madeAtMs: Date.UTC(2025, 9, 28, 9) },
  {
    id: 4,
    slug: 'mobile-shell',
    platform: 'hybrid',
    host: `app.${home}`,
    madeAtMs: Date.UTC(2026, 2, 25, 13),
  },
  {
    id: 5,
    slug: 'worker-queue',
    platform: 'python',
    host: `jobs.${home}`,
    madeAtMs: Date.UTC(2026, 10, 17, 15),
  },
];

export interface DemoMember {
  readonly id: number;
  readonly name: string;
  readonly role: 'admin' | 'member' | 'viewer';
}

export const demoMembers: readonly DemoMember[] = [
  { id: 1, name: 'Mara Feld', role: 'admin' },
  { id: 2, name: 'Ines Okafor', role: 'member' },
  { id: 3, name: 'Jun Park', role: 'member' },
  { id: 4, name: 'Tomas Lindqvist', role: 'member' },
  { id: 5, name: 'Aoife Byrne', role: 'viewer' },
  { id: 6, name: 'Support desk', role: 'viewer' },
];
