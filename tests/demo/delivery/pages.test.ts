import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditPages } from '../../../routes/pages/audit.ts';
import { domainPages } from '../../../routes/pages/domains.ts';
import { artifactPages, releasePages, testRunPages } from '../../../routes/pages/index.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { buildAuditPage, exportAuditEntries } from '../../../src/core/page-models/audit.ts';
import { artifactModel, readArtifact } from '../../../src/core/page-models/delivery/artifact.ts';
import type { Artifact } from '../../../src/core/store/artifacts.ts';
import type { PageDeclaration } from '../../../src/http/pages/declarations.ts';
import { openSymbolicator } from '../../../src/symbolication/symbolicator.ts';
import { renderDocument } from '../../../src/web/layout/document.ts';
import { frameOf, golden, placesOfTrouble, visitTo } from '../look.ts';

const pages = [
  ...releasePages(),
  ...testRunPages(),
  ...artifactPages(),
  ...domainPages(),
  ...auditPages(),
].filter((each): each is PageDeclaration => each.kind === 'page' && each.requiredRole !== 'admin');
const workers = openSymbolicator({ mapMsMax: 60_000, uploadMsMax: 60_000 });
afterAll(() => workers.close());
const eventMapping = { workers } as unknown as Deps['eventMapping'];

/** The page at an address, as HTML; throws where there is none, or its model refuses. */
async function pageAt(address: string, projectId?: number): Promise<string> {
  const { pathname, searchParams } = new URL(address, 'https://demo.example');
  for (const page of pages) {
    const names = [...page.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const found = new RegExp(`^${page.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (found === null || pathname === '/domains/new') continue;
    const path = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]),
    );
    if (projectId !== undefined) searchParams.set('project', String(projectId));
    const visit = await visitTo({ path, query: searchParams }, { eventMapping });
    const model = await page.model(visit);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
    const frame = frameOf(visit, pathname);
    return renderDocument(page.view(model, frame), frame);
  }
  throw new Error(`No page is at ${address}.`);
}

const projectIds = [1, 2, 3, 4, 5];
let trouble: Awaited<ReturnType<typeof placesOfTrouble>>;
beforeAll(async () => {
  trouble = await placesOfTrouble();
});
const lists = [
  '/releases',
  '/releases?environment=production&q=4.1',
  '/deploys',
  '/deploys?outcome=back',
  '/deploys?environment=staging&outcome=failed',
  '/test-runs',
  '/test-runs?result=failed&branch=main',
  '/test-runs/40',
  '/test-runs/40/cases',
  '/test-runs/40/cases?result=skipped',
  '/test-runs/40/cases?q=capture',
  '/artifacts',
  '/artifacts?type=source_map&q=server',
  '/domains',
  '/domains?state=failing',
  '/audit',
  '/audit?actor=Mara+Feld&from=2026-11-01',
];

describe('pages at the golden time', () => {
  it.each(lists)('%s is drawn', async (address) => {
    const html = await pageAt(address);
    expect(html).toContain('</main>');
    expect(textOf(html)).not.toMatch(/undefined|NaN|Invalid Date|\[object/);
  });

  it.each(projectIds)('are drawn for project %i alone, full or empty', async (projectId) => {
    for (const address of ['/releases', '/deploys', '/test-runs', '/artifacts', '/domains', '/audit']) {
      expect(await pageAt(address, projectId)).toContain('</main>');
    }
  });
});

function textOf(html: string): string {
  // A test of the demo is called “never says “undefined””.
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll('never says “undefined”', '');
}

describe('the content of a page', () => {
  it('domains: as many under each tab as its count', async () => {
    const html = textOf(await pageAt('/domains'));
    expect(html).toMatch(/All\s+12\s+Verified\s+5\s+Pending\s+1\s+Failing\s+2/);
  });

  it('the incident: the release, its failed run, and the commit', async () => {
    const html = textOf(await pageAt(trouble.release));
    expect(html).toContain('capture: three attempts');
    expect(html).toContain('2.30.4');
    const run = textOf(await pageAt(trouble.testRun));
    expect(run).toContain('capture is tried again once after a time-out');
    expect(run).toContain('PaymentCaptureError');
  });

  it('the audit log: its hash chain is valid on every page', async () => {
    let query = '';
    let rows = 0;
    for (;;) {
      const model = await buildAuditPage(await visitTo({ query: new URLSearchParams(query) }));
      expect(model.entries.every(({ follows }) => follows)).toBe(true);
      rows += model.entries.length;
      if (model.older === null) break;
      query = `after=${model.older}`;
    }
    expect(rows).toBeGreaterThan(220);
    let exported = 0;
    for await (const { follows } of exportAuditEntries(await visitTo({}))) exported += follows ? 1 : 0;
    expect(exported).toBe(rows);
  });
});

describe('a position in a script', () => {
  const text = new Map<number, string>();
  let files: readonly Artifact[];
  beforeAll(async () => {
    const { store } = await golden();
    const lists = projectIds.map((id) =>
      store.listArtifacts(id, { limit: 100, offset: 0, descending: true }),
    );
    files = (await Promise.all(lists)).flatMap(({ rows }) => rows);
    for (const { id } of files) {
      const { bytes } = await readArtifact(await visitTo({ path: { artifact_id: String(id) } }));
      text.set(id, Buffer.from(bytes).toString());
    }
  });
  const tried = async (ending: RegExp, version: string, words: string) => {
    const script = files.find(({ name, release }) => ending.test(name) && release === version);
    const lines = (text.get(script?.id ?? 0) ?? '').split('\n');
    const line = lines.findIndex((each) => each.includes(words));
    const column = lines[line]?.indexOf(words) ?? -1;
    const query = new URLSearchParams({ line: String(line + 1), column: String(column + 1) });
    return artifactModel(
      await visitTo({ path: { artifact_id: String(script?.id) }, query }, { eventMapping }),
    );
  };

  it('links to its source', async () => {
    const { has_map: hasMap, tried: place } = await tried(/app-\w+\.js$/, '4.18.0', 'fallback.rate.total');
    expect(hasMap).toBe(true);
    expect(place?.outcome).toBe('mapped');
    expect(place?.source).toMatchObject({ line: 12, column: 33, function: 'renderTotals' });
    expect(place?.source?.file).toContain('src/cart/summary.ts');
    const hit = place?.source?.lines.find(({ number }) => number === 12);
    expect(hit?.text).toContain('money(fallback.rate.total)');
  });

  it('links to the file of the incident, and a map is found for every script', async () => {
    const { tried: place } = await tried(/server\.js$/, '2.31.0', 'new PaymentCaptureError');
    expect(place?.source).toMatchObject({ line: 38, function: 'capturePayment' });
    expect(place?.source?.file).toContain('src/payments/capture.ts');
    expect(files).toHaveLength(64);
    for (const { id, name, type } of files) {
      if (type !== 'minified_source') continue;
      const model = await artifactModel(
        await visitTo({ path: { artifact_id: String(id) } }, { eventMapping }),
      );
      expect([name, model.has_map]).toEqual([name, true]);
    }
  });
});
