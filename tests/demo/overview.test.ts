import { beforeAll, describe, expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { OverviewModel } from '../../src/core/page-models/overview/overview.ts';
import { goldenMs, type Looked, lookAtDemo } from './look.ts';

const pages = demoPages();
const modelOf = ({ model }: Looked): OverviewModel => model as OverviewModel;

describe('the overview', () => {
  let looked: Looked;
  beforeAll(async () => {
    looked = await lookAtDemo(pages, '/');
  });

  it('begins with open incidents and their duration', () => {
    const [worst] = modelOf(looked).watched?.incidents ?? [];
    expect(worst).toMatchObject({ title: 'Card payments are failing', state: 'investigating' });
    const hours = Math.floor((worst?.lasted_ms ?? 0) / 3_600_000);
    expect(looked.text).toContain(`Card payments have been failing for ${hours} hours. 40 of 64 issues`);
    expect(looked.html).toContain(`href="/demo/incidents/${worst?.incident_id}"`);
  });

  it('counts monitors and incidents as their own pages do', async () => {
    const { watched } = modelOf(looked);
    const monitors = (await lookAtDemo(pages, '/monitors')).model as { counts: Record<string, number> };
    const incidents = (await lookAtDemo(pages, '/incidents')).model as { counts: Record<string, number> };
    expect(watched?.monitors).toEqual(monitors.counts);
    const planned = watched?.incidents.filter(({ state }) => state === 'planned').length;
    expect(watched?.incidents).toHaveLength((incidents.counts['open'] ?? 0) + (planned ?? 0));
    expect(looked.text).toContain('Monitors up 14 /18 1 down, 1 degraded');
    expect(looked.text).toContain('Open incidents 2 1 being investigated');
  });

  it('has a headline that fits its figures, for any project', async () => {
    for (const query of ['', '&project=1', '&project=2', '&project=5']) {
      const { model, text } = await lookAtDemo(pages, `/?range=7d${query}`);
      const { issues, failed_suites: failed, suites } = model as OverviewModel;
      const [headline = '', facts = ''] = text.split(' Unresolved issues ');
      expect(headline).toContain(issues.open === issues.all ? 'issues are unresolved' : `${issues.open} of`);
      expect(facts).toMatch(new RegExp(`^${issues.open} ${issues.new} new in 7 d `));
      if (issues.new > 0) expect(headline).toMatch(new RegExp(`: ${issues.new} (is|are) new in 7 days`));
      const figure = failed.length === 0 ? 'passed' : `${failed.length} failed`;
      if (suites > 0) expect(facts).toContain(`Latest test runs ${figure} of ${suites} suite`);
      const ofTests = /The latest test runs? of (\d*)/.exec(headline);
      expect([ofTests === null, ofTests?.[1] || '1']).toEqual([
        failed.length === 0,
        String(Math.max(1, failed.length)),
      ]);
    }
  });

  it('links from new issues of a range to those first seen in it', async () => {
    const { html, model } = await lookAtDemo(pages, '/?range=30d');
    expect(html).toContain('href="/demo/issues?state=open&amp;sort=first_seen&amp;range=30d"');
    const newest = await lookAtDemo(pages, '/issues?state=open&sort=first_seen&range=30d');
    const { from, issues } = model as OverviewModel;
    const seen = (newest.model as { issues: Array<{ first_seen: string }> }).issues;
    expect(seen.filter(({ first_seen: at }) => at >= from)).toHaveLength(issues.new);
  });

  it('shows monitors that need attention first, with their last 30 days', () => {
    const strips = modelOf(looked).watched?.strips ?? [];
    expect(strips.map(({ state }) => state).slice(0, 5)).toEqual([
      'down',
      'degraded',
      'maintenance',
      'pending',
      'paused',
    ]);
    for (const { days } of strips) expect(days).toHaveLength(30);
    expect(looked.html.match(/class="strip"/g)).toHaveLength(strips.length);
  });

  it('lists what expires next: one line for each host, the soonest first, nothing expired', () => {
    const ends = modelOf(looked).watched?.running_out ?? [];
    const moments = ends.map(({ ends_at: at }) => Date.parse(at));
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(Math.min(...moments)).toBeGreaterThan(goldenMs);
    const certificates = ends.filter(({ what }) => what === 'certificate');
    expect(certificates.length).toBeGreaterThan(1);
    expect(new Set(certificates.map(({ name }) => name)).size).toBe(certificates.length);
    const pay = ends.find(({ name }) => name.startsWith('pay.'));
    const days = Math.floor((Date.parse(pay?.ends_at ?? '') - goldenMs) / 86_400_000);
    expect(looked.text).toContain(`${pay?.name} certificate ${days} d`);
  });

  it('is about one project where one is selected', async () => {
    const { watched } = modelOf(await lookAtDemo(pages, '/?project=1'));
    expect(watched?.incidents.map(({ project }) => project?.name)).toEqual(['shop-web']);
    expect(watched?.monitors).toMatchObject({ down: 0, degraded: 1 });
  });
});
