// A visit to the whole demo at a time, and what a page of it says: its model, and its markup as a reader
// sees it.
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Deps } from '../../src/core/deps.ts';
import type { Visit } from '../../src/core/workspace/visit.ts';
import { type DemoNow, demoAt } from '../../src/demo/demo.ts';
import { demoUserKey } from '../../src/demo/world/errors/told/prepared.ts';
import type { Declaration, FileAnswer, PageDeclaration } from '../../src/http/pages/declare.ts';
import { finderOf } from '../../src/http/pages/paths.ts';
import type { Frame } from '../../src/pages/frame.ts';

export const goldenMs = Date.UTC(2026, 10, 21, 0, 5);
export const golden = demoAt('demo-1', goldenMs);

export interface Looked {
  readonly model: unknown;
  readonly html: string;
  /** The words alone, in one line. */
  readonly text: string;
}

/** Looks at an address below the base; `watched: false` as where nothing is watched. */
export async function lookAtDemo(
  declarations: readonly Declaration[],
  address: string,
  { demo = golden, watched = true }: { readonly demo?: DemoNow; readonly watched?: boolean } = {},
): Promise<Looked> {
  const { pathname, searchParams: query } = new URL(address, 'http://host');
  const found = finderOf(declarations).find('GET', pathname);
  if (found === null || found === 'other' || found.declaration.kind !== 'page') throw new Error(address);
  const visit = await visitOf(demo, { path: found.path, query, watched });
  const page: PageDeclaration = found.declaration;
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
export async function fileOfDemo(declarations: readonly Declaration[], address: string): Promise<FileAnswer> {
  const { pathname, searchParams: query } = new URL(address, 'http://host');
  const found = finderOf(declarations).find('GET', pathname);
  if (found === null || found === 'other' || found.declaration.kind !== 'file') throw new Error(address);
  return found.declaration.answer(await visitOf(golden, { path: found.path, query, watched: true }));
}

async function visitOf(
  { store, uptime, reports, nowMs }: DemoNow,
  { path, query, watched }: Pick<Visit, 'path' | 'query'> & { readonly watched: boolean },
): Promise<Visit> {
  const deps = {
    store,
    config: {
      rateLimits: { enabled: false },
      retention: { days: 90, events: 1_000_000, bytes: 0 },
      challengeLabel: '_notifier-challenge',
      baseUrl: null,
    },
    now: () => nowMs,
    userHashKey: demoUserKey,
    outcomes: { count: () => undefined, flush: async () => undefined },
  } as unknown as Deps;
  const projects = await store.listProjects();
  return {
    deps,
    visitor: { memberId: null, name: 'visitor', role: 'admin', sessionId: null, csrfToken: '' },
    projects,
    project: projects.find(({ id }) => String(id) === query.get('project')) ?? null,
    path,
    query,
    nowMs,
    apiUrl: 'https://notifier.harbourpine.example/wp-json/notifier/v1',
    pagesUrl: 'https://notifier.harbourpine.example/demo',
    clientAddress: '192.0.2.1',
    requestId: 'req_1',
    ...(watched ? { uptime, reports } : {}),
  };
}

function frameOf({ nowMs, projects, project, query }: Visit, path: string): Frame {
  return {
    base: '/demo',
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '0.0.0',
    nowMs,
    visitor: { name: 'visitor', canAct: true, canManage: true, csrfToken: '' },
    projects,
    project,
    counts: {},
    path,
    query,
    twin: null,
    notice: null,
    demo: { company: 'Harbour & Pine', seed: 'demo-1' },
  };
}
