import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { finderOf } from '../../../src/http/pages/paths.ts';
import type { Frame } from '../../../src/pages/frame.ts';
import { documentOf } from '../../../src/pages/shell/document.ts';
import { nightlyOrFull } from '../../support/test-level.ts';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';

/** So many pages of one kind. */
const ofOneKind = nightlyOrFull(3, 2);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await openWorkspace();
  const channel = { type: 'slack', name: 'Shop', url: 'https://hooks.example/services/T0/abc' };
  await workspace.app.postSecret('/alert-channels', channel);
  await workspace.app.postSecret('/monitors', { type: 'tcp', name: 'Mail', host: 'mail.example:25' });
  const work = {
    title: 'New disks',
    all: true,
    ends_at: '2030-01-01T00:00:00Z',
    starts_at: '2029-12-31T00:00:00Z',
  };
  await workspace.app.postSecret('/maintenance-windows', work);
  const incident = await workspace.app.postSecret('/incidents', { title: 'Mail is late' });
  await workspace.admin.post('/reports/2026-W46/keep');
  const over = { state: 'resolved', post_mortem: '# Why' };
  await workspace.app.postSecret(`/incidents/${incident.body.incident_id}`, over);
  const components = [{ name: 'Parcels', group: 'Delivery' }, { name: 'Mail' }];
  await workspace.app.postSecret('/status-pages', { name: 'Shop', components });
});
afterAll(() => workspace.close());

describe('pages and their twins', () => {
  it('are the same to the byte, for every page that a walk from the first comes by', async () => {
    const { kinds, pages } = await walk();
    const declared = workspacePages().flatMap(({ kind, path }) => (kind === 'page' ? [path] : []));
    expect(declared.filter((path) => !kinds.has(path))).toEqual([]);
    expect(pages).toBeGreaterThan(declared.length);
  });

  it('differ where a twin says another thing', async () => {
    const { admin } = workspace;
    const { text } = await admin.get('/projects');
    const twin = await admin.json('/projects');
    const [first] = twin.projects;
    expect(mainOf(text)).not.toBe(
      await madeOf('/projects', { ...twin, projects: [{ ...first, name: 'X' }] }),
    );
  });
});

/** Opens pages breadth first and compares each; answers which kinds there were. */
async function walk(): Promise<{ readonly kinds: Set<string>; readonly pages: number }> {
  const finder = finderOf(workspacePages());
  const waiting = ['/', ...seldomLinked()];
  const known = new Set(waiting);
  const opened = new Map<string, number>();
  let pages = 0;
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const found = finder.find('GET', address.split('?')[0] ?? '');
    if (found === null || found === 'other' || found.isJson || found.declaration.kind !== 'page') continue;
    const { path } = found.declaration;
    const count = opened.get(path) ?? 0;
    if (count >= ofOneKind) continue;
    opened.set(path, count + 1);
    pages += 1;
    const { status, text } = await workspace.admin.get(address);
    expect([address, status]).toEqual([address, 200]);
    const twin = await workspace.admin.json(address);
    expect([address, mainOf(text)]).toEqual([address, await madeOf(address, twin)]);
    expect([address, unknownFieldsOf(text)]).toEqual([address, []]);
    for (const [, link = ''] of text.matchAll(/(?:href|action)="(\/[^"#]*)/g)) {
      const next = link.replaceAll('&amp;', '&');
      if (known.has(next)) continue;
      known.add(next);
      waiting.push(next);
    }
  }
  return { kinds: new Set(opened.keys()), pages };
}

/** The fields of the forms of a page that the acts which they are posted to do not take: none. */
function unknownFieldsOf(page: string): string[] {
  return [...page.matchAll(/<form[^>]*method="post"[^>]*action="([^"?]*)[\s\S]*?<\/form>/g)].flatMap(
    ([form, action = '']) => {
      const found = finderOf(workspacePages()).find('POST', action);
      if (found === null || found === 'other' || found.declaration.kind !== 'act') return [];
      const taken = [...found.declaration.fields, 'csrf_token', 'back'];
      const names = [...form.matchAll(/ name="([^"]*?)(?:\[\])?"/g)].map(([, name = '']) => name);
      return names.filter((name) => !taken.includes(name)).map((name) => `${action}: ${name}`);
    },
  );
}

/** Pages that the small world has no link to, or that a button leads to. */
function seldomLinked(): string[] {
  const { issueIds } = workspace.world;
  return [
    `/issues/${issueIds.basket}/merge`,
    `/issues/${issueIds.basket}/ignore`,
    '/status-pages/shop/delete',
    '/status-pages/shop/components/new?group=Delivery',
  ];
}

/** What stands in `main` of the page that is made of a twin. */
async function madeOf(address: string, twin: unknown): Promise<string> {
  const [path = '/', query = ''] = address.split('?');
  const found = finderOf(workspacePages()).find('GET', path);
  if (found === null || found === 'other' || found.declaration.kind !== 'page') throw new Error(address);
  const frame = await frameOf(path, new URLSearchParams(query));
  return mainOf(documentOf(found.declaration.view(twin, frame), frame));
}

async function frameOf(path: string, query: URLSearchParams): Promise<Frame> {
  const { app, admin } = workspace;
  const projects = await app.deps.store.listProjects();
  return {
    base: '',
    assets: { css: '', js: '', icon: '' },
    version: '',
    nowMs: app.deps.now(),
    visitor: {
      name: 'The admin',
      canAct: true,
      canManage: true,
      csrfToken: admin.csrfToken,
    },
    projects,
    project: projects.find(({ id }) => String(id) === query.get('project')) ?? null,
    counts: {},
    path,
    query,
    notice: query.get('notice'),
    twin: path === '/' ? '/overview.json' : `${path}.json`,
  };
}

function mainOf(page: string): string {
  return /<main.*<\/main>/s.exec(page)?.[0] ?? '';
}
