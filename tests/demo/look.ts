// A visit to the demo at its golden time, and what a page of it says: its model, and its markup as a reader
// sees it. Its file is built once and shared by all tests of this clone, as servers share one: a build removes
// what another version left.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type CurrentDemo, openDemoDatabase } from '../../src/app/layers/demo-database.ts';
import { programVersion } from '../../src/app/layers/version.ts';
import { silentLog } from '../../src/app/log.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import type { Declaration, FileResponse, PageDeclaration } from '../../src/http/pages/declarations.ts';
import { createFinder } from '../../src/http/pages/find-page.ts';
import type { PageContext } from '../../src/web/page-context.ts';

export const goldenMs = Date.UTC(2026, 10, 21, 0, 5);

/** Where tests of this clone share the file of the demo. */
export const demoFolder = join(import.meta.dirname, '../../node_modules/.cache/notifier-tests-demo');
const config = { databaseUrl: 'sqlite::memory:', overload: { diskReserveBytes: 0 } } as Deps['config'];
let opened: Promise<CurrentDemo> | null = null;

/** The demo at its golden time. */
export function golden(): Promise<CurrentDemo> {
  opened ??= openDemoDatabase(
    { config, now: () => goldenMs, log: silentLog, version: programVersion() },
    demoFolder,
  ).ready();
  return opened;
}

/** Puts that demo beside a database, where a server looks for it. */
export async function putDemoBeside(databasePath: string): Promise<void> {
  const place = join(databasePath, '..', 'demo');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const name = await goldenFile();
  cpSync(join(demoFolder, name), join(place, name));
}

/** A copy of that demo as a database that a test may change. */
export async function copyDemo(databasePath: string): Promise<void> {
  cpSync(join(demoFolder, await goldenFile()), databasePath);
}

/** Building it removes those of other versions. */
async function goldenFile(): Promise<string> {
  await golden();
  return readdirSync(demoFolder).find((name) => name.endsWith(`-${goldenMs}.db`)) ?? '';
}

export interface Looked {
  readonly model: unknown;
  readonly html: string;
  /** The words alone, in one line. */
  readonly text: string;
}

/** Looks at an address below the base. */
export async function lookAtDemo(declarations: readonly Declaration[], address: string): Promise<Looked> {
  const { pathname } = new URL(address, 'http://host');
  const { declaration, visit } = await found(declarations, address);
  if (declaration.kind !== 'page') throw new Error(address);
  const page: PageDeclaration = declaration;
  const model = await page.model(visit);
  const { main } = page.view(model, frameOf(visit, pathname));
  const html = renderToString(h('main', null, main));
  const text = html
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:])/g, '');
  return { model, html, text };
}

/** What the demo answers at the address of a file. */
export async function fileOfDemo(
  declarations: readonly Declaration[],
  address: string,
): Promise<FileResponse> {
  const { declaration, visit } = await found(declarations, address);
  if (declaration.kind !== 'file') throw new Error(address);
  return declaration.answer(visit);
}

async function found(declarations: readonly Declaration[], address: string) {
  const { pathname, searchParams: query } = new URL(address, 'http://host');
  const at = createFinder(declarations).find('GET', pathname);
  if (at === null || at === 'other') throw new Error(`Nothing is at ${address}.`);
  return { declaration: at.declaration, visit: await visitTo({ path: at.path, query }) };
}

/** A visit of the demo. */
export async function visitTo(
  asked: Partial<Pick<RequestContext, 'path' | 'query'>>,
  parts: Partial<Deps> = {},
): Promise<RequestContext> {
  const { store, nowMs } = await golden();
  const { path = {}, query = new URLSearchParams() } = asked;
  const deps = {
    store,
    config: {
      rateLimits: { enabled: false },
      retention: { days: 90, events: 1_000_000, bytes: 0 },
      challengeLabel: '_notifier-challenge',
      baseUrl: null,
      smtpUrl: null,
      signIn: { providers: [], joinDomains: [], defaultRole: 'member', roleClaim: null },
    },
    now: () => nowMs,
    outcomes: { count: () => undefined, flush: async () => undefined },
    ...parts,
  } as unknown as Deps;
  const projects = await store.listProjects();
  return {
    deps,
    currentUser: { memberId: null, name: 'visitor', role: 'admin', sessionId: null, csrfToken: '' },
    projects,
    hasAllProjects: true,
    project: projects.find(({ id }) => String(id) === query.get('project')) ?? null,
    settings: { timeZone: 'UTC', defaultView: 'unresolved', hasShortcuts: true },
    path,
    query,
    nowMs,
    apiUrl: 'https://notifier.harbourpine.example.com/wp-json/notifier/v1',
    pagesUrl: 'https://notifier.harbourpine.example.com/demo',
    by: commandLineSource,
  };
}

export function frameOf({ nowMs, projects, project, query }: RequestContext, path: string): PageContext {
  return {
    base: '/demo',
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0.0.0',
    nowMs,
    timeZone: 'UTC',
    hasShortcuts: true,
    currentUser: { name: 'visitor', canAct: true, canManage: true, csrfToken: '' },
    projects,
    project,
    counts: {},
    path,
    query,
    jsonPath: null,
    notice: null,
    demo: { company: 'Harbour & Pine' },
  };
}

/** Things of the story by what they are called, since their numbers are those of the database. */
export async function placesOfTrouble() {
  const { store } = await golden();
  const { id: projectId } = (await store.findProjectByName('checkout-api')) ?? { id: 0 };
  const incident = (await store.listOpenIncidents()).find(({ title }) => title.startsWith('Card payments'));
  const filter = { limit: 1, offset: 0, descending: true } as const;
  const issues = await store.listIssues(projectId, { ...filter, limit: 100, orderBy: 'id' });
  const issue = issues.rows.find(({ title }) => title.startsWith('PaymentCaptureError'));
  const release = await store.findReleaseByVersion(projectId, '2.31.0');
  const [run] = (await store.listTestRuns(projectId, { ...filter, orderBy: 'created_at' })).rows;
  const [event] = await store.walkIssueEvents(projectId, issue?.id ?? 0, { way: 'older', than: null }, 1);
  return {
    projectId,
    issueId: issue?.id ?? 0,
    eventId: event?.eventId ?? '',
    monitor: '/monitors/payments-gateway',
    incident: `/incidents/${incident?.id}`,
    release: `/releases/${release?.id}`,
    issue: `/issues/${issue?.id}`,
    event: `/issues/${issue?.id}/events/${event?.eventId}`,
    testRun: `/test-runs/${run?.id}`,
  };
}
