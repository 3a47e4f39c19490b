import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fullOrSome, inFull, rows } from '../../support/test-level.ts';
import { crawlDemo } from './crawl.ts';
import { type DemoApp, openDemoApp } from './demo-app.ts';

const fixture = join(import.meta.dirname, '../../fixtures/demo/golden-twins.json');

let app: DemoApp;
beforeAll(async () => {
  app = await openDemoApp();
});
afterAll(() => app?.close());

type Twin = Record<string, unknown>;

/** Their key is another in each database of the demo. */
function withoutUserHashes(text: string): string {
  return text.replaceAll(/(users(?:\/|%2F)|"user_hash": ?")[0-9a-f]{32}/g, '$1<hash>');
}

async function twin(path: string): Promise<Twin> {
  const { status, text } = await app.ask(`/demo${path}`);
  if (status !== 200) throw new Error(`${path} was answered ${status}`);
  return JSON.parse(text);
}

async function rowsOf(path: string, name: string): Promise<Twin[]> {
  const rows: Twin[] = [];
  for (let next: string | null = path; next !== null; ) {
    const page = await twin(next);
    rows.push(...(page[name] as Twin[]));
    const after = (page['older'] ?? null) as string | null;
    const sign: string = path.includes('?') ? '&' : '?';
    next = after === null ? null : `${path}${sign}after=${encodeURIComponent(after)}`;
  }
  return rows;
}

const counted: ReadonlyArray<readonly [path: string, name: string, count: number]> = [
  ['/projects.json', 'projects', 5],
  ['/domains.json', 'domains', 12],
  ['/monitors.json', 'monitors', 18],
  ['/incidents.json', 'incidents', 16],
  ['/incidents.json?month=2026-08', 'incidents', 2],
  ['/status-pages.json', 'pages', 2],
  ['/alert-channels.json', 'channels', 7],
  ['/issues.json?state=all&range=2026-05-01..2026-11-30', 'issues', 62],
  ['/feedback.json', 'reports', 9],
  ['/releases.json', 'releases', 18],
  ['/deploys.json', 'deploys', 46],
  ['/test-runs.json', 'runs', 40],
  ['/artifacts.json', 'artifacts', 64],
  ['/reports.json', 'reports', 13],
  ['/reports.json?span=month', 'reports', 3],
];

describe('at the golden time', () => {
  it.each(rows(() => fullOrSome(counted, 4)))('%s has its %s: %i', async (path, name, count) => {
    expect(await rowsOf(path, name)).toHaveLength(count);
  });

  it('the audit log has its 340 entries', async () => {
    expect(await rowsOf('/audit.json', 'entries')).toHaveLength(340);
  });

  it('has the states that were planned', async () => {
    const monitors = (await twin('/monitors.json'))['counts'];
    expect(monitors).toEqual({
      all: 18,
      down: 1,
      degraded: 1,
      maintenance: 1,
      pending: 1,
      paused: 1,
      up: 13,
    });
    const states = { unresolved: 40, new: 9, regressed: 5, ignored: 6, resolved: 16 };
    for (const [state, total] of Object.entries(states)) {
      const range = 'range=2026-05-01..2026-11-30';
      const found = await twin(`/issues.json?query=is:${state}&${range}`);
      expect([state, found['total']]).toEqual([state, total]);
    }
    const incidents = (await twin('/incidents.json'))['counts'];
    expect(incidents).toEqual({ all: 16, open: 2, planned: 1, resolved: 13 });
    const channels = (await twin('/alert-channels.json'))['counts'];
    expect(channels).toEqual({ all: 7, on: 5, failing: 1, paused: 1 });
  });

  it('has the counts of the project pages in the navigation', async () => {
    for (const project of ['', 'project=1', 'project=2', 'project=4']) {
      const { text } = await app.ask(`/demo?${project}`);
      const nav = text.slice(text.indexOf('id="nav"'), text.indexOf('</nav>', text.indexOf('id="nav"')));
      const beside = (name: string): number =>
        Number(new RegExp(`>${name}</?[^0-9]*?>(\\d+)`).exec(nav)?.[1] ?? 0);
      const overview = await twin(`/overview.json?${project}`);
      const { monitors, open } = overview['watched'] as {
        monitors: Record<string, number>;
        open: Record<string, number>;
      };
      const failed = overview['failed_suites'] as unknown[];
      expect({
        project,
        issues: beside('Issues'),
        monitors: beside('Monitors'),
        incidents: beside('Incidents'),
        runs: beside('Test runs'),
      }).toEqual({
        project,
        issues: (overview['issues'] as { open: number }).open,
        monitors: monitors['down'],
        incidents: open['all'],
        runs: failed.length,
      });
    }
  });

  // A walk over all pages once more: links.full.test.ts has it in the short form.
  inFull(it)('has the stored JSON for each page', async () => {
    const { reached } = await crawlDemo(app, '/demo', 1);
    const twins = [...reached.keys()].filter((path) => /\.json(\?|$)/.test(path));
    // The walk takes one of each kind; monitors differ by type.
    const monitors = (await rowsOf('/monitors.json', 'monitors')).map(
      ({ slug }) => `/demo/monitors/${slug}.json`,
    );
    const paths = [...new Set([...twins, ...monitors])].sort();
    const found: Record<string, string> = {};
    for (const path of paths) {
      const { status, text } = await app.ask(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      const same = withoutUserHashes(text.replaceAll(app.origin, ''));
      found[withoutUserHashes(path)] = createHash('sha256').update(same).digest('hex').slice(0, 16);
    }
    if (process.env['GOLDEN'] === 'renew') {
      writeFileSync(fixture, `${JSON.stringify(found, null, 2)}\n`);
    }
    expect(found).toEqual(JSON.parse(readFileSync(fixture, 'utf8')));
    expect(paths.length).toBeGreaterThan(100);
  });
});
