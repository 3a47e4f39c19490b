// Every page of Delivery, Domains and Audit over the demo's store: its model is made, its view is drawn, and
// what it links to within these parts is there.
import { afterAll, describe, expect, it } from '@jest/globals';
import { artifactPages } from '../../../routes/pages/artifacts.ts';
import { auditPages } from '../../../routes/pages/audit.ts';
import { domainPages } from '../../../routes/pages/domains.ts';
import { releasePages } from '../../../routes/pages/releases.ts';
import { testRunPages } from '../../../routes/pages/test-runs.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { auditModel, exportedEntries } from '../../../src/core/workspace/audit.ts';
import { artifactBytes, artifactModel } from '../../../src/core/workspace/delivery/artifact.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';
import { casesOf } from '../../../src/demo/world/delivery/cases.ts';
import { type DeliveryWorld, deliveryWorld } from '../../../src/demo/world/delivery/world.ts';
import type { PageDeclaration } from '../../../src/http/pages/declare.ts';
import { documentOf } from '../../../src/pages/shell/document.ts';
import { openMapWorkers } from '../../../src/symbolication/map-workers.ts';
import { inFull, isFull } from '../../support/test-level.ts';
import { frameOf, goldenMs, projectIds, seed, toldElsewhere, visitTo } from './demo-visit.ts';

const pages = [
  ...releasePages(),
  ...testRunPages(),
  ...artifactPages(),
  ...domainPages(),
  ...auditPages(),
].filter((each): each is PageDeclaration => each.kind === 'page' && each.needs !== 'admin');
const workers = openMapWorkers();
afterAll(() => workers.close());
const eventMapping = { workers } as unknown as Deps['eventMapping'];

/** The page at an address, as HTML; throws where there is none, or its model refuses. */
async function pageAt(world: DeliveryWorld, address: string, projectId?: number): Promise<string> {
  const { pathname, searchParams } = new URL(address, 'https://demo.example');
  for (const page of pages) {
    const names = [...page.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const found = new RegExp(`^${page.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (found === null || pathname === '/domains/new') continue;
    const path = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]),
    );
    const visit = visitTo(world, {
      path,
      query: searchParams.toString(),
      deps: { eventMapping },
      ...(projectId === undefined ? {} : { projectId }),
    });
    const model = await page.model(visit);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
    const frame = frameOf(visit, pathname);
    return documentOf(page.view(model, frame), frame);
  }
  throw new Error(`No page is at ${address}.`);
}

const golden = deliveryWorld(seed, goldenMs, () => toldElsewhere);
const someRun = golden.trouble.testRunId;
const caseId = casesOf(golden.runs[0]?.ofSuite as never)[61]?.caseId ?? '';
const lists = [
  '/releases',
  '/releases?environment=production&q=4.1',
  '/deploys',
  '/deploys?outcome=back',
  '/deploys?environment=staging&outcome=failed',
  '/test-runs',
  '/test-runs?result=failed&branch=main',
  `/test-runs/${someRun}`,
  `/test-runs/${someRun}/cases`,
  `/test-runs/${someRun}/cases?result=skipped`,
  `/test-runs/${someRun}/cases?q=capture`,
  `/test-runs/cases/${caseId}`,
  '/artifacts',
  '/artifacts?type=source_map&q=server',
  '/domains',
  '/domains?state=failing',
  '/audit',
  '/audit?actor=Mara+Feld&from=2026-11-01',
];

describe('pages at the golden time', () => {
  it.each(lists)('%s is drawn', async (address) => {
    const html = await pageAt(golden, address);
    expect(html).toContain('</main>');
    expect(textOf(html)).not.toMatch(/undefined|NaN|Invalid Date|\[object/);
  });

  it.each(projectIds)('are drawn for project %i alone, full or empty', async (projectId) => {
    for (const address of ['/releases', '/deploys', '/test-runs', '/artifacts', '/domains', '/audit']) {
      expect(await pageAt(golden, address, projectId)).toContain('</main>');
    }
  });

  inFull(it)('lead to pages that are there, through all their lists', async () => {
    const seen = new Set(['/releases', '/deploys', '/test-runs', '/artifacts', '/domains', '/audit']);
    const broken: string[] = [];
    for (const address of seen) {
      const html = await pageAt(golden, address).catch((error: Error) =>
        broken.push(`${address}: ${error.message}`),
      );
      if (typeof html !== 'string') continue;
      for (const link of linksIn(html)) seen.add(link);
    }
    expect(broken).toEqual([]);
    const of = (place: string): number => [...seen].filter((each) => each.startsWith(`/${place}/`)).length;
    expect(of('releases')).toBeGreaterThanOrEqual(18);
    expect(of('artifacts')).toBeGreaterThanOrEqual(64);
    expect(of('test-runs')).toBeGreaterThanOrEqual(40);
    expect(of('domains')).toBe(7);
  });
});

/** Addresses within these parts that lead on without asking for anything else. */
function linksIn(html: string): string[] {
  const found = html.matchAll(
    /href="\/demo(\/(?:releases|deploys|test-runs|artifacts|domains|audit)[^"#]*)/g,
  );
  const links = [...found].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), 'https://demo.example'),
  );
  return links
    .filter(({ searchParams }) => [...searchParams.keys()].every((name) => /^(after|before)$/.test(name)))
    .filter(({ pathname }) => !/\.(json|csv)$|\/download$|\/new$/.test(pathname))
    .filter(({ pathname }) => isFull || !/\/cases\/[^0]/.test(pathname))
    .map(({ pathname, searchParams }) =>
      searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`,
    );
}

function textOf(html: string): string {
  // A test of the demo is called “never says “undefined””.
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll('never says “undefined”', '');
}

describe('what a page says', () => {
  it('of the domains: as many under each tab as are promised', async () => {
    const html = textOf(await pageAt(golden, '/domains'));
    expect(html).toMatch(/All\s+7\s+Verified\s+4\s+Waiting\s+1\s+Failing\s+1/);
  });

  it('of the trouble: the release, its red run, and the commit', async () => {
    const html = textOf(await pageAt(golden, `/releases/${golden.trouble.releaseId}`));
    expect(html).toContain('capture: three attempts');
    expect(html).toContain('2.30.0');
    const run = textOf(await pageAt(golden, `/test-runs/${someRun}`));
    expect(run).toContain('capture is tried again once after a time-out');
    expect(run).toContain('PaymentCaptureError');
  });

  it('of the chain: it is whole, page after page', async () => {
    let query = '';
    let rows = 0;
    for (;;) {
      const model = await auditModel(visitTo(golden, { query }));
      expect(model.entries.every(({ follows }) => follows)).toBe(true);
      rows += model.entries.length;
      if (model.older === null) break;
      query = `after=${model.older}`;
    }
    expect(rows).toBe(220);
    let exported = 0;
    for await (const { follows } of exportedEntries(visitTo(golden))) exported += follows ? 1 : 0;
    expect(exported).toBe(220);
  });
});

describe('a place in a script', () => {
  const file = (name: RegExp, version: string) =>
    golden.files.find(({ artifact }) => name.test(artifact.name) && artifact.release === version);
  const tried = async (at: string, version: string, text: string) => {
    const script = file(new RegExp(`${at}$`), version);
    const lines = (script?.text ?? '').split('\n');
    const line = lines.findIndex((each) => each.includes(text));
    const column = lines[line]?.indexOf(text) ?? -1;
    const visit: Visit = visitTo(golden, {
      path: { artifact_id: String(script?.artifact.id) },
      query: `line=${line + 1}&column=${column + 1}`,
      deps: { eventMapping },
    });
    return artifactModel(visit);
  };

  it('leads to its source', async () => {
    const { has_map: hasMap, tried: place } = await tried('/app-\\w+\\.js', '4.18.0', 'fallback.rate.total');
    expect(hasMap).toBe(true);
    expect(place?.outcome).toBe('mapped');
    expect(place?.source).toMatchObject({ line: 12, column: 33, function: 'renderTotals' });
    expect(place?.source?.file).toContain('src/cart/summary.ts');
    const hit = place?.source?.lines.find(({ number }) => number === 12);
    expect(hit?.text).toContain('money(fallback.rate.total)');
  });

  it('leads to the file of the trouble, and a map is found for every script', async () => {
    const { tried: place } = await tried('/server\\.js', '2.31.0', 'new PaymentCaptureError');
    expect(place?.source).toMatchObject({ line: 38, function: 'capturePayment' });
    expect(place?.source?.file).toContain('src/payments/capture.ts');
    const head = await tried('/server\\.js', '2.31.0', 'capturePayment(payment)');
    expect(head.tried?.source).toMatchObject({ line: 23, column: 23 });
    for (const { artifact } of golden.files.slice(0, 64)) {
      if (artifact.type !== 'minified_source') continue;
      const path = { artifact_id: String(artifact.id) };
      const model = await artifactModel(visitTo(golden, { path, deps: { eventMapping } }));
      expect([artifact.name, model.has_map]).toEqual([artifact.name, true]);
    }
  });

  it('is within bytes that can be taken away', async () => {
    const map = file(/server\.js\.map$/, '2.31.0');
    const path = { artifact_id: String(map?.artifact.id) };
    const { bytes, filename } = await artifactBytes(visitTo(golden, { path }));
    expect(filename).toBe('server.js.map');
    expect(Buffer.from(bytes).toString()).toBe(map?.text);
    expect(bytes.byteLength).toBe(map?.artifact.size);
  });
});
