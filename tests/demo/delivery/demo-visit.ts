// Visits to the pages of Delivery and Records over a world of the demo, and what other parts would tell.
import type { Deps } from '../../../src/core/deps.ts';
import type { NewAuditEntry } from '../../../src/core/store/audit.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';
import { deliveryReads } from '../../../src/demo/store/delivery/reads.ts';
import type { IssueFigures } from '../../../src/demo/store/delivery/releases.ts';
import { demoProjects } from '../../../src/demo/world/company.ts';
import type { DeliveryWorld } from '../../../src/demo/world/delivery/world.ts';
import type { Frame } from '../../../src/pages/frame.ts';

export const goldenMs = Date.parse('2026-11-21T00:05:00Z');
export const seed = 'demo-1';
export const projectIds = demoProjects.map(({ id }) => id);

/** As the world of Errors would say it: two releases brought something. */
export const simpleFigures: IssueFigures = {
  newIn: (projectId, version) => (projectId === 2 && version.startsWith('2.31') ? [1061] : []),
  regressedIn: (projectId, version) => (projectId === 1 && version === '4.18.0' ? [1043] : []),
  resolvedIn: (_projectId, version) => (version === '4.17.0' ? [1021, 1028, 1036] : []),
  eventsIn: (projectId, version) => projectId * 100 + version.length,
};

/** As many entries as other parts tell at the golden time: things made, and acts on issues. */
export const toldElsewhere: readonly NewAuditEntry[] = Array.from({ length: 37 }, (_, index) => ({
  atMs: Date.UTC(2026, 7, 4, 8) + index * 28 * 3_600_000,
  actor: { kind: 'member', id: 2, name: 'Ines Okafor' },
  action: index < 18 ? 'monitor.created' : 'issue.resolved',
  objectKind: index < 18 ? 'monitor' : 'issue',
  objectId: String(index < 18 ? index : 1001 + index),
  objectName: 'something of another part',
  projectId: 1,
  summary: '',
  net: '203.0.113.0/24',
  requestId: null,
}));

/** The store of a world; what it does not have is refused by name. */
export function storeOf(world: DeliveryWorld): Store {
  const reads: object = {
    ...deliveryReads(world, simpleFigures),
    issuesOf: async () => [],
    listMembers: async () => [],
    listIncidents: async () => [],
    listTiedIncidents: async () => [],
    sliceIssueEvents: async () => [],
    listRegressedIn: async () => new Map(),
    recentPlatforms: async () => [],
  };
  return new Proxy(reads, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (found === undefined) throw new Error(`The demo has no ${String(name)}.`);
      return found;
    },
  }) as Store;
}

const projects: readonly Project[] = demoProjects.map(({ id, slug, madeAtMs }) => ({
  id,
  name: slug,
  createdAtMs: madeAtMs,
  groupingVersion: 'ng2',
  scrubFields: [],
  storeIpAddresses: false,
  bugReports: true,
}));

interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly projectId?: number;
  readonly deps?: Partial<Deps>;
}

/** A visit to a page at the time of a world. */
export function visitTo(world: DeliveryWorld, { path = {}, query = '', projectId, deps }: Asked = {}): Visit {
  return {
    deps: {
      config: { challengeLabel: '_notifier-challenge', baseUrl: null },
      ...deps,
      store: storeOf(world),
      now: () => world.nowMs,
    } as Deps,
    visitor: { memberId: null, name: 'visitor', role: 'viewer', sessionId: null, csrfToken: '' },
    projects,
    project: projects.find(({ id }) => id === projectId) ?? null,
    path,
    query: new URLSearchParams(query),
    nowMs: world.nowMs,
    apiUrl: 'https://api.harbourpine.example',
    pagesUrl: 'https://demo.example/demo',
    clientAddress: '192.0.2.1',
    requestId: 'req_1',
  };
}

/** The frame around such a page. */
export function frameOf(visit: Visit, path: string): Frame {
  return {
    base: '/demo',
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0.0.0',
    nowMs: visit.nowMs,
    visitor: null,
    projects: visit.projects,
    project: visit.project,
    counts: {},
    path,
    query: visit.query,
    notice: null,
    twin: null,
    demo: { company: 'Harbour & Pine', seed },
  };
}
