// Renders pages, their `.json` and files of the monitoring test data without a server.

import { alertPages } from '../../../routes/pages/alerts/channels.ts';
import { incidentPages } from '../../../routes/pages/incidents/incidents.ts';
import { reportPages } from '../../../routes/pages/index.ts';
import { monitorPages } from '../../../routes/pages/uptime/monitors.ts';
import { statusPagePages } from '../../../routes/pages/uptime/status-pages.ts';
import type { Level } from '../../../schemas/event.ts';
import type { Deps } from '../../../src/core/deps.ts';
import type { Sliced } from '../../../src/core/store/page.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import type { ReportStore } from '../../../src/core/store/reports/kept.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { TestRun } from '../../../src/core/store/test-runs.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';
import type { Declaration } from '../../../src/http/pages/declare.ts';
import { finderOf } from '../../../src/http/pages/paths.ts';
import type { Frame } from '../../../src/pages/frame.ts';
import { documentOf } from '../../../src/pages/shell/document.ts';
import { at, hardText, hourMs, nowMs } from './monitors.ts';
import { uptimeWorld } from './world.ts';

const projects = [
  { id: 1, name: 'shop-web' },
  { id: 2, name: 'checkout-api' },
  { id: 3, name: hardText.slice(0, 300) },
] as unknown as readonly Project[];

/** No events at night, many on a Tuesday evening. */
function eventsAt(projectId: number, atMs: number): number {
  const date = new Date(atMs);
  if (atMs >= nowMs || atMs < at(8, 1)) return 0;
  const isStorm = atMs >= at(11, 10, 20) && atMs < at(11, 10, 21);
  return date.getUTCHours() < 7 ? 0 : projectId * 5 + (date.getUTCHours() % 4) + (isStorm ? 200 : 0);
}

function hoursOf(fromMs: number, toMs: number): number[] {
  const first = Math.ceil(fromMs / hourMs) * hourMs;
  return Array.from(
    { length: Math.max(0, Math.ceil((toMs - first) / hourMs)) },
    (_, nth) => first + nth * hourMs,
  );
}

const run = (id: number, projectId: number, createdAtMs: number, failed: number): TestRun =>
  ({
    id,
    projectId,
    status: failed > 0 ? 'failed' : 'passed',
    createdAtMs,
    tests: 100,
    passed: 98 - failed,
    failed,
    errors: 0,
    skipped: 2,
    flaky: 0,
  }) as unknown as TestRun;

const runs = Array.from({ length: 450 }, (_, back) =>
  run(9_000 - back, 1 + (back % 2), nowMs - (back + 1) * 7 * hourMs, back % 10 === 0 ? 3 : 0),
);

function slicedFrom<Row extends { readonly createdAtMs: number }>(
  rows: readonly Row[],
  after: { readonly atMs: number } | null,
  limit: number,
): Sliced<Row> {
  const from = after === null ? 0 : rows.findIndex(({ createdAtMs }) => createdAtMs < after.atMs);
  const start = from === -1 ? rows.length : from;
  return {
    rows: rows.slice(start, start + limit),
    hasNewer: start > 0,
    hasOlder: start + limit < rows.length,
  };
}

const releases = [
  { id: 900, projectId: 2, version: '2.31.0', createdAtMs: at(11, 21, 11, 20) },
  { id: 881, projectId: 1, version: hardText.slice(0, 200), createdAtMs: at(11, 12, 9) },
  { id: 880, projectId: 1, version: '4.17.1', createdAtMs: at(11, 10, 19, 52) },
];
const deploys = [
  {
    deploy: { id: 41, releaseId: 880, createdAtMs: at(11, 10, 20, 12), status: 'success' },
    takenBackBy: { id: 42 },
  },
];

const store = {
  findIssueAnywhere: async (id: number) => (id === 7 ? { id, title: hardText } : null),
  async sliceIssueEvents(
    _ids: readonly number[],
    { fromMs, toMs, sliceMs }: { fromMs: number; toMs: number; sliceMs: number },
  ) {
    const slices = Array.from({ length: Math.ceil((toMs - fromMs) / sliceMs) }, (_, slice) => slice);
    return slices.map((slice) => ({ issueId: 1061, slice, events: slice > 15 ? 55 : slice % 3 }));
  },
  async listLevelHours(ids: readonly number[], fromMs: number, toMs: number) {
    return hoursOf(fromMs, toMs).map((atMs) => {
      const all = ids.reduce((sum, id) => sum + eventsAt(id, atMs), 0);
      const warning = Math.floor(all / 4);
      return {
        atMs,
        fatal: all > 100 ? 50 : 0,
        error: all - warning - (all > 100 ? 50 : 0),
        warning,
        info: 0,
        debug: 0,
      };
    });
  },
  sliceTestRuns: async (
    _ids: unknown,
    _filter: unknown,
    { after, limit }: { after: { atMs: number } | null; limit: number },
  ) => slicedFrom(runs, after, limit),
  sliceReleases: async (
    _ids: unknown,
    _filter: unknown,
    { after, limit }: { after: { atMs: number } | null; limit: number },
  ) => slicedFrom(releases, after, limit),
  sliceDeploys: async () => ({ rows: deploys, hasNewer: false, hasOlder: false }),
  releaseSums: async () => new Map([[880, { newIssues: 4, regressedIssues: 1 }]]),
  troubledCases: async () => [{ projectId: 1, caseId: 'a', name: hardText.slice(0, 400), file: null }],
  listKeptReports: async () => [],
  findReportOf: async () => null,
  listReportSchedules: async () => [],
  listKeptChannels: async () => [],
  listWindows: async () => [],
  findWindowOf: async () => null,
  listProofs: async (projectId: number) =>
    projectId !== 1
      ? []
      : [
          {
            id: 'dv_1',
            domain: 'old.harbourpine.example',
            status: 'lapsed',
            lastError: 'mismatch',
            projectId: 1,
          },
        ],
} as unknown as Store;

function deliveredIn(projectId: number, fromMs: number, toMs: number) {
  const within = (each: { readonly createdAtMs: number }): boolean =>
    each.createdAtMs >= fromMs && each.createdAtMs < toMs;
  const own = runs.filter((each) => each.projectId === projectId && within(each));
  const sum = (of: (each: TestRun) => number): number => own.reduce((total, each) => total + of(each), 0);
  return {
    releases: releases.filter((each) => each.projectId === projectId && within(each)).length,
    deploys: projectId === 1 ? deploys.filter(({ deploy }) => within(deploy)).length : 0,
    failedDeploys: 0,
    testRuns: own.length,
    failedRuns: own.filter(({ status }) => status === 'failed').length,
    tests: sum(({ tests, skipped }) => tests - skipped),
    passedTests: sum(({ passed }) => passed),
  };
}

const reportWorld: Pick<ReportStore, 'projectMoves' | 'busiestIssues'> = {
  async projectMoves(ids, { fromMs, toMs }) {
    return ids.map((projectId) => ({
      projectId,
      events: hoursOf(fromMs, toMs).reduce((sum, atMs) => sum + eventsAt(projectId, atMs), 0),
      newIssues: 3 + projectId,
      resolvedIssues: 2,
      regressedIssues: projectId === 1 ? 1 : 0,
      feedback: projectId,
      sessions: 1_000,
      crashedSessions: projectId,
      sent: 200,
      kept: 190,
      ...deliveredIn(projectId, fromMs, toMs),
    }));
  },
  async busiestIssues(_ids, _range, limit) {
    const levels: readonly Level[] = ['error', 'fatal', 'warning', 'info'];
    return Array.from({ length: limit }, (_, nth) => ({
      id: 1000 + nth,
      projectId: 1 + (nth % 2),
      title: nth === 3 ? hardText : `TypeError: Cannot read ${nth}`,
      culprit: 'renderTotals',
      level: levels[nth % 4] ?? 'error',
      events: 2_629 - nth * 200,
    }));
  },
};

export interface AskedPage {
  readonly model: unknown;
  readonly html: string;
}

export type Role = 'viewer' | 'admin';

/** `assets`: URLs for a real browser. */
export async function ask(
  address: string,
  { role = 'admin', assets }: { readonly role?: Role; readonly assets?: Frame['assets'] } = {},
): Promise<AskedPage> {
  const { found, visit, query, path } = visitOf(address, role);
  if (found.declaration.kind !== 'page') throw new Error(`${address} is no page.`);
  const { declaration } = found;
  const model = await declaration.model(visit);
  const frame: Frame = {
    base: '/demo',
    assets: assets ?? { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0.3.0',
    nowMs,
    visitor: {
      name: 'Mara Feld',
      canAct: role === 'admin',
      canManage: role === 'admin',
      csrfToken: 'a-token',
    },
    projects: projects.map(({ id, name }) => ({ id, name })),
    project: visit.project === null ? null : { id: visit.project.id, name: visit.project.name },
    counts: { '/monitors': { text: '1 down', isBad: true }, '/incidents': { text: '2 open', isBad: false } },
    path,
    query,
    notice: null,
    twin: null,
  };
  return {
    model: JSON.parse(JSON.stringify(model)),
    html: documentOf(declaration.view(model, frame), frame),
  };
}

export async function askFile(
  address: string,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const { found, visit } = visitOf(address, 'viewer');
  if (found.declaration.kind !== 'file') throw new Error(`${address} is no file.`);
  const { contentType, bytes } = await found.declaration.answer(visit);
  return { contentType, text: String(bytes) };
}

const declarations: readonly Declaration[] = [
  ...monitorPages(),
  ...incidentPages(),
  ...statusPagePages(),
  ...alertPages(),
  ...reportPages(),
];
const finder = finderOf(declarations);

function visitOf(address: string, role: Role) {
  const url = new URL(address, 'http://host');
  const found = finder.find('GET', url.pathname);
  if (found === null || found === 'other') throw new Error(`Nothing answers ${address}.`);
  const asked = url.searchParams.get('project');
  const visit: Visit = {
    deps: {
      store: { ...store, ...uptimeWorld(), ...reportWorld },
      config: { smtpUrl: null },
      outcomes: { flush: async () => {} },
    } as unknown as Deps,
    visitor: { name: 'Mara Feld', role } as unknown as Visit['visitor'],
    projects,
    project: projects.find(({ id }) => String(id) === asked) ?? null,
    path: found.path,
    query: url.searchParams,
    nowMs,
    apiUrl: 'http://api.example',
    pagesUrl: 'https://notifier.example/demo',
    clientAddress: '192.0.2.1',
    requestId: 'r',
  };
  return { found, visit, query: url.searchParams, path: url.pathname };
}
