// A visit to the demo's errors for tests: what others than errors and people are asked answers "nothing".
import type { Deps } from '../../../src/core/deps.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';
import { errorsFinders, errorsReads } from '../../../src/demo/store/errors/errors.ts';
import { errorPlaceCounts } from '../../../src/demo/store/errors/projects.ts';
import { findingReads } from '../../../src/demo/store/finding.ts';
import { worldProjects } from '../../../src/demo/world/errors/people.ts';
import { demoUserKey } from '../../../src/demo/world/errors/told/prepared.ts';
import { type ErrorsWorld, errorsWorld } from '../../../src/demo/world/errors/world.ts';
import type { Frame } from '../../../src/pages/frame.ts';

export const seed = 'demo-1';
export const goldenMs = Date.UTC(2026, 10, 21, 0, 5);

const empty = { rows: [], total: 0 };
const elsewhere: Partial<Store> = {
  newestReleases: async () => [],
  newestTestRuns: async () => [],
  listAudit: async () => [],
  listReleases: async () => empty,
  findReleaseByVersion: async () => null,
  listTestRuns: async () => empty,
  listDomains: async () => [],
  listProofs: async () => [],
  listFilterNames: async () => ({ environments: ['production', 'staging'], releases: [] }),
};

/** The store over a world; asked for what it has not it throws by name. */
function storeOf(world: ErrorsWorld): Store {
  const parts: Partial<Store> = {
    ...elsewhere,
    listIncidents: async () => [],
    listTiedIncidents: async () => [],
    listOpenIncidents: async () => [],
    listStatusPages: async () => [],
    listMonitors: async () => [],
    monitorDays: async () => new Map(),
    listUnsettledProofs: async () => [],
    ...errorsReads(world),
    ...findingReads(errorsFinders(world)),
    placeCounts: async (ids, sinceMs) => ({
      ...errorPlaceCounts(world, ids, sinceMs),
      failedProofs: 0,
    }),
  };
  return new Proxy(parts as Store, {
    get(target, name) {
      const found = Reflect.get(target, name);
      if (found === undefined && name !== 'then') throw notAnswered(String(name));
      return found;
    },
  });
}

function notAnswered(name: string): Error {
  return new Error(`The demo does not answer ${name}.`);
}

/** A visit to the golden time, or another. */
export function visitTo(
  path: Readonly<Record<string, string>> = {},
  query: string = '',
  world: ErrorsWorld = errorsWorld(seed, goldenMs),
): Visit {
  const deps = {
    store: storeOf(world),
    config: { rateLimits: { enabled: false }, retention: { days: 90, events: 1_000_000, bytes: 0 } },
    now: () => world.nowMs,
    userHashKey: demoUserKey,
    outcomes: { count: () => undefined, flush: async () => undefined },
  } as unknown as Deps;
  return {
    deps,
    visitor: { memberId: null, name: 'visitor', role: 'admin', sessionId: null, csrfToken: '' },
    projects: worldProjects,
    project: null,
    path,
    query: new URLSearchParams(query),
    nowMs: world.nowMs,
    apiUrl: 'https://notifier.harbourpine.example/wp-json/notifier/v1',
    pagesUrl: 'https://notifier.harbourpine.example/demo',
    clientAddress: '192.0.2.1',
    requestId: 'req_1',
  };
}

/** The frame around such a visit. */
export function frameOf({ nowMs, projects, query }: Visit): Frame {
  return {
    base: '/demo',
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0.1.0',
    nowMs,
    visitor: { name: 'visitor', canAct: true, canManage: true, csrfToken: '' },
    projects: projects.map(({ id, name }) => ({ id, name })),
    project: null,
    counts: {},
    path: '/',
    query,
    notice: null,
    twin: null,
  };
}
